// SPDX-License-Identifier: Apache-2.0
// A schedule written out, action by action: that of a chain of unequal steps, a few actions a step.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sweepback/action.hpp"
#include "sweepback/situation.hpp"

namespace sweepback {

struct ListedRecipe {
  Count steps = 0;
  std::shared_ptr<const std::vector<Action>> actions =  ///< never changed; copies share it
      std::make_shared<const std::vector<Action>>();

  bool operator==(const ListedRecipe& other) const {
    return steps == other.steps && *actions == *other.actions;
  }
};

class ListedStream {
 public:
  /// Throws OutOfRange where an action cannot be done, or steps are left at the end.
  explicit ListedStream(const ListedRecipe& recipe);

  /// From a saved position, found by walking there. Throws OutOfRange for one that is not passed.
  ListedStream(const ListedRecipe& recipe, const Situation& at);

  const ListedRecipe& recipe() const { return recipe_; }
  Situation situation() const;

  /// Writes the next action; false when all steps are reversed.
  bool next(Action& action);

 private:
  ListedRecipe recipe_;
  std::size_t done_ = 0;
  Situation at_;
};

}  // namespace sweepback
