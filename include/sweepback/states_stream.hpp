// SPDX-License-Identifier: Apache-2.0
// The cheapest schedule for equal steps that keeps states, streamed (Griewank 1992; Griewank &
// Walther 2000; with tapes: the HSM policy of Gruslys et al. 2016).
//
// Provably cheapest among all schedules for equal steps and equal states that keep states only; of
// those, one with the fewest stores. Not for unequal steps.
//
// Invariants
//  1. every decision is a function of the stored states, the hand and the end, so a position is a
//     Situation and costs one number a stored state;
//  2. the states below the end that are stored are the bases of `Pieces`, and the hand is at or
//     above the top one;
//  3. nothing in here grows with the number of steps.
#pragma once

#include "sweepback/action.hpp"
#include "sweepback/detail/pieces.hpp"
#include "sweepback/situation.hpp"

namespace sweepback {

/// How the first pass ends in a chain without tapes.
enum class Ending : std::uint8_t {
  given_up,  ///< at `x_{l-1}`: `x_l` is never made
  state,     ///< `x_l` is treated as one more state whose reverse is a no-op: T(l+1, c)
  detour     ///< `x_{l-1}` is stored beside the others while one step makes `x_l`: T(l, c) + 1
};

/// What the states planner decided. `room.slots` includes the slot of `x_0`.
struct StatesRecipe {
  Count steps = 0;
  binomial::Room room;
  bool tapes = false;  ///< a step is recorded, then reversed; else reversed from its state
  Ending ending = Ending::given_up;  ///< of a chain without tapes

  bool operator==(const StatesRecipe&) const = default;
};

class StatesStream {
 public:
  explicit StatesStream(const StatesRecipe& recipe);

  /// From a saved position. Throws OutOfRange for a situation that this schedule cannot be in.
  StatesStream(const StatesRecipe& recipe, const Situation& at);

  const StatesRecipe& recipe() const { return recipe_; }
  Situation situation() const;

  /// Writes the next action; false when all steps are reversed.
  bool next(Action& action) {
    if (hand_ == Situation::none) {
      if (end_ == 0) return false;
      action = Action::restore(hand_ = pieces_.top());
      stored_ = true;
    } else if (hand_ + 1 < end_) {
      stored_ ? run(action, pieces_.split(end_ - hand_)) : store(action);
    } else if (detour_) {
      stored_ ? run(action, 1) : store(action);
    } else if (stored_) {
      action = Action::free(hand_);
      pieces_.pop();
      stored_ = false;
    } else if (recipe_.tapes && hand_ < end_) {
      action = Action::record(hand_++);
    } else {
      action = Action::reverse(--end_);
      hand_ = Situation::none;
    }
    return true;
  }

 private:
  void run(Action& action, Count steps) {
    action = Action::forward(hand_, hand_ + steps);
    hand_ += steps;
    stored_ = false;
    if (hand_ == recipe_.steps) {  // x_l is made and handed out
      hand_ = Situation::none;
      end_ = recipe_.steps;
      detour_ = false;
    }
  }

  void store(Action& action) {
    action = Action::store(hand_);
    pieces_.push(hand_, end_ - hand_);
    stored_ = true;
  }

  StatesRecipe recipe_;
  detail::Pieces pieces_;
  Count end_;     // states still to be handed over (x_l among them while it is to be made)
  Count hand_;    // the state in hand, or none
  bool stored_ = false;  // the hand is the top base
  bool detour_;   // x_l is still to be made beside the others
};

}  // namespace sweepback
