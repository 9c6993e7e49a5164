// SPDX-License-Identifier: Apache-2.0
// The chain: what is known of a computation's steps, as numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweepback/count.hpp"

namespace sweepback {

/// One step, in whole cost units (the user's choice; nanoseconds when measured) and bytes.
struct Step {
  Count forward = 1;            ///< cost of a forward step
  std::optional<Count> record = {};  ///< cost of a step that keeps its tape; as `forward` where empty
  Count reverse = 1;            ///< cost of a reverse step

  Count forward_call = 0;  ///< cost of one call that runs steps, whatever their number
  Count record_call = 0;   ///< of one that records them
  Count reverse_call = 0;  ///< of one that reverses them

  std::optional<Count> state_bytes = {};  ///< of `x_{k+1}`, the step's output; empty: not known
  std::optional<Count> tape_bytes = {};   ///< of the tape; empty: not known, or no tape
  bool tapes = false;                ///< reversed from a tape; implied by `tape_bytes`
  bool tape_has_output = true;       ///< while tape k is kept, `x_{k+1}` can be restored from it
  std::optional<Count> block_tape = {};  ///< bytes a step of a block's tape; as `tape_bytes` where empty

  Count forward_workspace = 0;  ///< bytes needed only while the step runs forward or records
  Count reverse_workspace = 0;  ///< bytes needed only while it is reversed (a fresh adjoint included)
  Count adjoint = 0;            ///< bytes of the adjoint of `x_{k+1}`
  std::string name = {};

  Count record_cost() const { return record.value_or(forward); }
  bool has_tape() const { return tapes || tape_bytes.has_value(); }
  bool operator==(const Step&) const = default;
};

/// `x_0`: its bytes and those of its adjoint. Empty: as the first step's output.
struct Input {
  std::optional<Count> state_bytes = {};
  std::optional<Count> adjoint = {};
  bool operator==(const Input&) const = default;
};

/// A run of equal steps.
struct Run {
  Step step;
  Count repeat = 1;
  bool operator==(const Run&) const = default;
};

/// `steps()` steps in runs of equal ones. Steps count from 0: step k takes `x_k` to `x_{k+1}`.
class Chain {
 public:
  Chain() = default;

  /// `steps` equal steps. Throws OutOfRange for a negative number of steps or a negative size or
  /// cost.
  static Chain uniform(Count steps, Step step = {});

  /// Runs of steps, in order; adjacent equal runs are merged. Throws as `uniform`, and Overflow
  /// where the steps exceed 2^63 - 1.
  static Chain of(std::vector<Run> runs, Input input = {});

  /// A step overwrites its state: the state in hand is one buffer and storing it is a copy. Else
  /// states are immutable: input and output of a running step are both alive, and keeping a state
  /// is keeping a reference, which costs nothing.
  bool in_place = false;

  /// Steps without tapes only: `x_l` itself is made on the first pass, to seed the adjoint. With
  /// tapes, recording the last step makes it, and this field changes nothing.
  bool final_state = true;

  /// The program runs, records and reverses a range of steps in one call (fused kernels): an action
  /// is then one call, and a range that is recorded, a block, has one tape, of its last output.
  /// Else each step is a call.
  bool blocks = false;

  Count steps() const { return steps_; }
  const std::vector<Run>& runs() const { return runs_; }
  const Input& input() const { return input_; }

  /// All steps are alike, and `x_0` is as large as the other states.
  bool equal() const;

  /// The one kind of step of an equal chain (a default Step for an empty chain).
  const Step& step() const;

  /// Some step has a tape.
  bool has_tapes() const;

  /// `x_l` is made for its own sake: it is wanted, and the last step is not recorded.
  bool makes_last() const { return steps_ > 0 && final_state && !runs_.back().step.has_tape(); }

  /// The sizes of all states and tapes are known.
  bool sized() const;

  /// The same chain with tapes of unknown size at every step that has none.
  Chain with_tapes() const;

  /// Steps first … last-1 alone, whose `x_0` is `x_first`. `x_last` is wanted where it is the chain's last.
  /// Throws OutOfRange for other steps than there are.
  Chain part(Count first, Count last) const;

  bool operator==(const Chain&) const = default;

 private:
  std::vector<Run> runs_;
  Input input_;
  Count steps_ = 0;
};

}  // namespace sweepback
