// SPDX-License-Identifier: Apache-2.0
// A schedule whose steps are blocks: ranges of `block` steps that the program runs, records and
// reverses in one call. The schedule of the blocks is one of equal steps, its actions are spelt out
// in steps, and each is one call. The last block may be shorter.
//
// In a position, the tape of a block is named by its last step.
#pragma once

#include <algorithm>
#include <variant>

#include "sweepback/action.hpp"
#include "sweepback/situation.hpp"
#include "sweepback/states_stream.hpp"
#include "sweepback/tapes_stream.hpp"

namespace sweepback {

struct BlocksRecipe {
  Count steps = 0;
  Count block = 1;                                 ///< steps of a block, at least one
  std::variant<StatesRecipe, TapesRecipe> blocks;  ///< of ceil(steps / block) blocks

  bool operator==(const BlocksRecipe&) const = default;
};

class BlocksStream {
 public:
  explicit BlocksStream(const BlocksRecipe& recipe);

  /// From a saved position, found by walking there. Throws OutOfRange for one that is not passed.
  BlocksStream(const BlocksRecipe& recipe, const Situation& at);

  const BlocksRecipe& recipe() const { return recipe_; }
  Situation situation() const;

  /// Writes the next action; false when all steps are reversed.
  bool next(Action& action);

 private:
  /// The first step of a block; the number of steps past the last one.
  Count step(Count block) const { return std::min(block * recipe_.block, recipe_.steps); }

  BlocksRecipe recipe_;
  std::variant<StatesStream, TapesStream> stream_;
  Count at_ = 0, until_ = 0;  // blocks still to be run forward
  bool reached_end_ = false;  // before they were
};

}  // namespace sweepback
