// SPDX-License-Identifier: Apache-2.0
// The cheapest schedule for equal steps that keeps states and tapes, streamed from a PolicyTable
// (there the recurrences, and what they are cheapest among).
//
// Invariants
//  1. every decision is a function of what is kept, the hand and the end: a position is a Situation;
//  2. bases ascend. Where a kept tape and a stored state stand at the same place, the tape is first
//     and holds no output;
//  3. the states above a base are handed over before it is restored, so the top base is next.
#pragma once

#include <vector>

#include "sweepback/action.hpp"
#include "sweepback/policy_table.hpp"
#include "sweepback/situation.hpp"

namespace sweepback {

/// What the mixed planner decided: `steps` and `units` lie within the table.
struct MixedRecipe {
  Count steps = 0;
  Count units = 0;  ///< that of a pinned `x_0` included
  PolicyTable table;

  bool operator==(const MixedRecipe& other) const {
    return steps == other.steps && units == other.units && table.model() == other.table.model();
  }
};

class MixedStream {
 public:
  explicit MixedStream(const MixedRecipe& recipe);

  /// From a saved position. Throws OutOfRange for a situation that this schedule cannot be in.
  MixedStream(const MixedRecipe& recipe, const Situation& at);

  const MixedRecipe& recipe() const { return recipe_; }
  Situation situation() const;

  /// Writes the next action; false when all steps are reversed. O(steps to reverse) where it has to
  /// decide.
  bool next(Action& action);

 private:
  using Base = PolicyTable::Base;

  /// `x_at`, stored or the output of tape at - 1.
  struct Kept {
    Count at;
    bool tape;
  };

  Count units_of(const Kept& kept) const;
  void keep(Kept kept);
  void drop_top();
  void require_way_on() const;
  Action record();
  Action reverse();
  bool from_base(Action& action);
  void pinned(Action& action);

  MixedRecipe recipe_;
  std::vector<Kept> kept_;
  Count free_;  // units
  Count end_;
  Count hand_;  // the state in hand, or none; `end_` while the tape in use is kept
};

}  // namespace sweepback
