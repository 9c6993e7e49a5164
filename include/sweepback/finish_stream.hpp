// SPDX-License-Identifier: Apache-2.0
// The way to the end from any situation: a few actions of their own, then a binomial schedule with
// the states that are stored by then as its bases.
#pragma once

#include <optional>
#include <vector>

#include "sweepback/action.hpp"
#include "sweepback/situation.hpp"
#include "sweepback/states_stream.hpp"

namespace sweepback {

struct FinishRecipe {
  Situation from;             ///< where it begins
  std::vector<Action> first;  ///< what is done there
  StatesRecipe rest;          ///< and then

  bool operator==(const FinishRecipe&) const = default;
};

class FinishStream {
 public:
  explicit FinishStream(const FinishRecipe& recipe);

  /// From a saved position, found by walking there. Throws OutOfRange for one that is not passed.
  FinishStream(const FinishRecipe& recipe, const Situation& at);

  const FinishRecipe& recipe() const { return recipe_; }
  Situation situation() const;

  /// Writes the next action; false when all steps are reversed.
  bool next(Action& action);

 private:
  FinishRecipe recipe_;
  std::size_t done_ = 0;  // of the first actions
  Situation at_;          // while they are done
  std::optional<StatesStream> rest_;
};

}  // namespace sweepback
