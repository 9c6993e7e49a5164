// SPDX-License-Identifier: Apache-2.0
// The way to the end from any situation, in legs: each begins with a state that is stored or in hand, and
// has a schedule of its own for the steps between it and the leg before. The top one comes first.
#pragma once

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "sweepback/action.hpp"
#include "sweepback/blocks_stream.hpp"
#include "sweepback/listed_stream.hpp"
#include "sweepback/mixed_stream.hpp"
#include "sweepback/segments_stream.hpp"
#include "sweepback/situation.hpp"
#include "sweepback/states_stream.hpp"
#include "sweepback/tapes_stream.hpp"

namespace sweepback {

struct Leg {
  using Recipe = std::variant<StatesRecipe, TapesRecipe, MixedRecipe, BlocksRecipe, SegmentsRecipe, ListedRecipe>;

  std::vector<Action> before;  ///< what brings its first state into the hand, and makes room
  Count first = 0;             ///< that state; step 0 of the recipe is this step of the chain
  Recipe recipe;

  bool operator==(const Leg&) const = default;
};

struct LegsRecipe {
  Count steps = 0;  ///< of the chain
  Situation from;   ///< where the first leg begins
  std::shared_ptr<const std::vector<Leg>> legs = std::make_shared<const std::vector<Leg>>();  ///< never changed

  bool operator==(const LegsRecipe& other) const {
    return steps == other.steps && from == other.from && *legs == *other.legs;
  }
};

class LegsStream {
 public:
  /// Throws OutOfRange where an action of a `before` cannot be done, or the legs do not meet.
  explicit LegsStream(const LegsRecipe& recipe);

  /// From a saved position, found by walking there. Throws OutOfRange for one that is not passed.
  LegsStream(const LegsRecipe& recipe, const Situation& at);

  const LegsRecipe& recipe() const { return recipe_; }
  Situation situation() const;

  /// Writes the next action; false when all steps are reversed.
  bool next(Action& action);

 private:
  using Inner = std::variant<StatesStream, TapesStream, MixedStream, BlocksStream, SegmentsStream, ListedStream>;

  LegsRecipe recipe_;
  std::size_t leg_ = 0;         // under way
  std::size_t done_ = 0;        // of the actions before it
  Situation kept_;              // what no leg under way accounts for
  std::optional<Inner> inner_;  // of the leg, once it has begun
};

}  // namespace sweepback
