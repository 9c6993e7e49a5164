// SPDX-License-Identifier: Apache-2.0
// The cheapest schedule for equal steps that keeps tapes, streamed (the ISM policy of Gruslys et
// al. 2016, in closed form).
//
// A kept tape also gives its step's output, so tape k serves as the stored state x_{k+1}, whose
// "reverse" is that of step k. The l steps are thus the chain of l+1 states of the binomial theory,
// with m tapes, the one in use included, for m slots, that of x_0 included; x_0 itself is kept
// outside the count and has no step to reverse:
//
//     C_ISM(l, m) = T(l+1, m)      forward and record steps together, each step recorded once
//
// Provably cheapest among all schedules for equal steps that keep x_0 and tapes only. Not for
// unequal steps, and not for tapes that do not hold their output.
//
// Invariants
//  1. every decision is a function of the kept tapes, whether x_0 is stored, the hand and the end;
//  2. the bases of `Pieces` are x_0 and the outputs of the kept tapes, the one in use left out;
//  3. x_0 is stored only where the recipe says so, and freed as soon as it will not be restored.
#pragma once

#include "sweepback/action.hpp"
#include "sweepback/detail/pieces.hpp"
#include "sweepback/situation.hpp"

namespace sweepback {

/// What the tapes planner decided. `room.slots` counts tapes, the one in use included.
struct TapesRecipe {
  Count steps = 0;
  binomial::Room room;
  bool stores_input = true;  ///< else step 0 is recorded at once and `x_0` never comes back

  bool operator==(const TapesRecipe&) const = default;
};

class TapesStream {
 public:
  explicit TapesStream(const TapesRecipe& recipe);

  /// From a saved position. Throws OutOfRange for a situation that this schedule cannot be in.
  TapesStream(const TapesRecipe& recipe, const Situation& at);

  const TapesRecipe& recipe() const { return recipe_; }
  Situation situation() const;

  /// Writes the next action; false when all steps are reversed.
  bool next(Action& action) {
    if (hand_ == Situation::none) {
      if (end_ == 0) return false;
      if (pieces_.top() == end_) {
        pieces_.pop();
        action = Action::reverse(--end_);
      } else {
        action = Action::restore(hand_ = pieces_.top());
      }
    } else if (hand_ == end_) {
      action = Action::reverse(--end_);
      hand_ = Situation::none;
    } else if (hand_ > pieces_.top()) {
      record(action);
    } else {
      run_up(action);
    }
    return true;
  }

 private:
  // From a base: to the step before the split, which is recorded.
  void run_up(Action& action) {
    if (hand_ == 0 && input_needed_ && !input_stored_) {
      action = Action::store(0);
      input_stored_ = true;
      return;
    }
    const Count split = hand_ > 0 || input_needed_ ? pieces_.split(end_ + 1 - hand_) : 1;
    if (split > 1) {
      action = Action::forward(hand_, hand_ + split - 1);
      hand_ += split - 1;
    } else if (hand_ == 0 && input_stored_) {
      action = Action::free(0);
      input_needed_ = input_stored_ = false;
    } else {
      record(action);
    }
  }

  void record(Action& action) {
    action = Action::record(hand_++);
    if (hand_ == end_) return;  // the tape in use
    if (hand_ == 1 && !recipe_.stores_input)
      pieces_.push_anew(1, end_);  // a split of its own, not one of the binomial schedule
    else
      pieces_.push(hand_, end_ + 1 - hand_);
  }

  TapesRecipe recipe_;
  detail::Pieces pieces_;
  Count end_;
  Count hand_;                 // the state in hand, or none; `end_` while the tape in use is kept
  bool input_needed_ = false;  // x_0 will be restored
  bool input_stored_ = false;
};

}  // namespace sweepback
