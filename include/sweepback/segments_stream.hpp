// SPDX-License-Identifier: Apache-2.0
// What is done by hand today, as schedules to compare with: the chain is cut into segments, the
// states at their borders are stored, and each segment is gone through in turn, the last one first.
// None of these is the cheapest.
//
//     parts     a piece is cut into k equal parts, shorter ones first, and every part again, down to
//               single states (k = 2: halving; Chen, Xu, Zhang and Guestrin 2016 for any k)
//     periods   segments of p states; inside, every state is run to from the border again, or all of
//               them are stored, or all steps are recorded (p = sqrt(l): the usual segmentation)
//
// Invariants
//  1. bases ascend; only the top one has parts left to cut, the others are whole parts;
//  2. in periods, a base is a border where its distance from x_0 is a multiple of the period.
#pragma once

#include <vector>

#include "sweepback/action.hpp"
#include "sweepback/situation.hpp"
#include "sweepback/states_stream.hpp"

namespace sweepback {

struct SegmentsRecipe {
  enum class Cut : std::uint8_t { parts, periods };
  enum class Inside : std::uint8_t { rerun, states, tapes };  ///< of a period

  Count steps = 0;
  Cut cut = Cut::parts;
  Count size = 2;  ///< parts of a piece, at least two; or states of a period, at least one
  Inside inside = Inside::rerun;
  bool tapes = false;                ///< steps are recorded, then reversed
  Ending ending = Ending::given_up;  ///< or `state`

  bool operator==(const SegmentsRecipe&) const = default;
};

class SegmentsStream {
 public:
  explicit SegmentsStream(const SegmentsRecipe& recipe);

  /// From a saved position, found by walking there: the first time it is passed. Throws OutOfRange for one that is not passed.
  SegmentsStream(const SegmentsRecipe& recipe, const Situation& at);

  const SegmentsRecipe& recipe() const { return recipe_; }
  Situation situation() const;

  /// Writes the next action; false when all steps are reversed.
  bool next(Action& action);

 private:
  struct Base {
    Count at;
    Count parts;  // still to be cut off the states from here on
  };

  Action run(Count steps);
  Action store(Count parts);
  Action record();
  Action from_base();
  Action reverse();

  SegmentsRecipe recipe_;
  std::vector<Base> bases_;
  std::vector<Count> tapes_;  // kept, the one in use left out
  Count end_;                 // states still to be handed over (x_l among them while it is to be made)
  Count hand_ = 0;            // or none; with tapes `end_` while the tape in use is kept
  Count parts_ = 0;           // of the state in hand, where it is to be stored
  bool finishing_ = false;    // from the hand on, steps are reversed, or all recorded
};

}  // namespace sweepback
