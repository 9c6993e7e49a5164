// SPDX-License-Identifier: Apache-2.0
// What a step costs and takes, measured by running some.
#pragma once

#include "sweepback/chain.hpp"
#include "sweepback/torch/program.hpp"

namespace sweepback::torch {

/// Times are medians in nanoseconds, of the calling thread on its processor (other programs do not
/// change them); bytes are the most that any measured step took, counted by the allocator
/// (memory.hpp) as storages, each once, parameters and their gradients left out.
struct Measured {
  Count steps = 1;  ///< of what was measured: one, or a block run in one call

  Count forward = 0;  ///< of a step without tape
  Count record = 0;   ///< of a step that keeps its tape
  Count reverse = 0;  ///< of a step's way back

  Count state_bytes = 0;      ///< of one state
  Count tape_bytes = 0;       ///< of a tape that stands alone: with the state its step began from
  Count next_tape_bytes = 0;  ///< of a tape whose neighbour below is kept too and shares that state
  Count forward_workspace = 0;  ///< while a step runs or is recorded, beyond what it takes and leaves
  Count reverse_workspace = 0;  ///< while it is reversed, the adjoint it writes included
  Count adjoint_bytes = 0;

  /// The chain of `length` steps; of measured blocks, with `blocks`, exact for blocks of that length and
  /// in proportion for others. Costs in nanoseconds, immutable states, tapes that hold their
  /// output. Budgets in bytes for it are never exceeded, at any instant.
  Chain chain(Count length) const;

  /// What plain backpropagation keeps of `steps` steps when it turns round: states and tapes alone.
  Count store_all_bytes(Count length) const;

  bool operator==(const Measured&) const = default;
};

/// Runs the first `steps` steps (of those there are) a few times with the first as warm-up, and
/// chooses `program.with_graph`: whether the step's values differ without autograd. Counts memory
/// from here on (memory::count()). The random generator and all gradients are left as they were;
/// whatever else the step changes outside its state is changed. Throws as Program does, OutOfRange
/// for no steps.
Measured measure(Program& program, const Inputs& inputs, const Value& x0, Count steps = 16);

/// The same of blocks of `block` steps, as many as there are among the first `steps`. Throws
/// OutOfRange for none.
Measured measure(Program& program, const BlockInputs& inputs, const Value& x0, Count block,
                 Count steps);

/// What two lengths of blocks tell of all others: a call costs so much, and each of its steps.
Chain chain_of_blocks(const Measured& shorter, const Measured& longer, Count steps);

}  // namespace sweepback::torch
