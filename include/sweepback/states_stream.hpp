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
    return walk([&](const Action& next) {
      action = next;
      return false;
    });
  }

  /// Hands all remaining actions to `visit`.
  template <class Visitor>
  void drain(Visitor&& visit) {
    walk([&](const Action& next) {
      visit(next);
      return true;
    });
  }

 private:
  // Where the state in hand stands: nothing is in hand; it is the stored top base; it is above it,
  // with states above that need it stored; it is the last one before the end; or it is that one, and
  // stored for the detour to x_l.
  enum class Hand : std::uint8_t { empty, base, loose, last, detour };

  // Hands action after action to `go_on` until it says no; false at the end. What follows an action
  // is known where it is made, so a loop over all of them hardly looks at `at_`.
  template <class GoOn>
  bool walk(GoOn&& go_on) {
    while (true) {
      if (at_ == Hand::empty) {
        if (end_ == 0) return false;
        hand_ = pieces_.top();
        at_ = Hand::base;
        if (!go_on(Action::restore(hand_))) return true;
      }
      if (at_ == Hand::base) {
        const Count from = hand_, n = end_ - from;
        if (n > 1) {
          const Count steps = pieces_.split(n);
          hand_ = from + steps;
          at_ = n - steps > 1 ? Hand::loose : Hand::last;
          if (hand_ == recipe_.steps) final_state();
          if (!go_on(Action::forward(from, from + steps))) return true;
        } else {
          pieces_.pop();
          at_ = Hand::last;
          if (!go_on(Action::free(from))) return true;
        }
      }
      if (at_ == Hand::loose) {
        pieces_.push(hand_, end_ - hand_);
        at_ = Hand::base;
        if (!go_on(Action::store(hand_))) return true;
      } else if (at_ == Hand::last) {
        if (detour_) {
          pieces_.push(hand_, 1);
          at_ = Hand::detour;
          if (!go_on(Action::store(hand_))) return true;
          continue;
        }
        if (recipe_.tapes && hand_ < end_) {
          ++hand_;
          if (!go_on(Action::record(hand_ - 1))) return true;
        }
        --end_;
        at_ = Hand::empty;
        if (!go_on(Action::reverse(end_))) return true;
      } else if (at_ == Hand::detour) {
        final_state();
        if (!go_on(Action::forward(hand_, recipe_.steps))) return true;
      }
    }
  }

  // x_l has been made and is handed out.
  void final_state() {
    at_ = Hand::empty;
    end_ = recipe_.steps;
    detour_ = false;
  }

  StatesRecipe recipe_;
  detail::Pieces pieces_;
  Count end_;     // states still to be handed over (x_l among them while it is to be made)
  Count hand_;    // the state in hand, where there is one
  Hand at_;
  bool detour_;   // x_l is still to be made beside the others
};

}  // namespace sweepback
