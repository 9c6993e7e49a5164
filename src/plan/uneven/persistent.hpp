// SPDX-License-Identifier: Apache-2.0
// What the two planners to compare with share: their schedules are persistent, and their memory is
// divided in equal parts. Every step has a tape. A piece (i, k) is steps i … k-1 with x_i in hand
// at first; it is empty where i = k, and else begins in one of two ways:
//
//   keep j     x_i stays until the piece is done; run to x_j; the piece (j, k); the piece (i, j)
//   record j   run to x_j; record step j; the piece (j+1, k) beside its tape; reverse step j; the
//              piece (i, j), for which x_i stays where j > i
//
// x_0 is stored throughout. Any other state is stored when a piece is the first to need it again,
// so not where none does, nor where a kept tape holds it: a planner that gives a state its room all
// the same never uses more than it planned.
#pragma once

#include <functional>
#include <vector>

#include "sweepback/action.hpp"
#include "sweepback/chain.hpp"

namespace sweepback::detail::uneven {

/// The numbers of a chain in bytes and cost units: states count 0 … steps, all else 0 … steps-1.
struct Persistent {
  /// Throws Unsupported, naming `planner`, for steps without tapes or in fused calls and for more
  /// than 100,000 steps, OutOfRange where sizes are not known.
  Persistent(const Chain& chain, const char* planner);

  int steps = 0;
  std::vector<Count> state, adjoint;             // the adjoint of that state
  std::vector<Count> tape;                       // with the step's output, which may be beside it
  std::vector<char> output;                      // the tape itself holds it
  std::vector<Count> forward_workspace;          // a copy in hand of what is stored included
  std::vector<Count> reverse_workspace;
  std::vector<double> forward, record, reverse;  // with the call
};

/// How a piece begins, and the parts of memory that are left to the piece above.
struct Split {
  bool keep = false;
  int j = 0;
  int above = 0;
};

/// The schedule that `split` describes, asked once for every piece (i, k) with its parts of memory.
using Splitter = std::function<Split(int i, int k, int memory)>;
std::vector<Action> actions_of(const Persistent& chain, int memory, const Splitter& split);

/// The cost of every piece in 0 … memory parts, memory innermost: infinite at first, and nothing
/// for an empty piece. Throws Unsupported above 2 GiB.
class Costs {
 public:
  Costs(int steps, int memory);

  double* row(int i, int k) { return cells_.data() + at(i, k); }
  const double* row(int i, int k) const { return cells_.data() + at(i, k); }

 private:
  std::size_t at(int i, int k) const {
    const auto first = static_cast<std::size_t>(i), last = static_cast<std::size_t>(k);
    return (first * (2 * width_ + 1 - first) / 2 + last - first) * row_;
  }
  std::size_t width_, row_;
  std::vector<double> cells_;
};

/// In how many parts `bytes` are divided where `slots` are asked for: never in less than a byte
/// each. Throws OutOfRange for negative bytes and unless 1 <= slots <= 1,000,000.
int parts_of(Count bytes, int slots);

/// A size in parts of which `parts` are `bytes`, rounded up; parts + 1 for whatever does not fit.
int in_parts(Count size, Count bytes, int parts);

/// A cost of the tables as a Count, -1 where it is too large.
Count whole(double cost);

}  // namespace sweepback::detail::uneven
