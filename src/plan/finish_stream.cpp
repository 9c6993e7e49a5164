// SPDX-License-Identifier: Apache-2.0
#include "sweepback/finish_stream.hpp"

#include <algorithm>

#include "stream_positions.hpp"

namespace sweepback {

namespace {

void erase(std::vector<Count>& kept, Count k) {
  kept.erase(std::remove(kept.begin(), kept.end(), k), kept.end());
}

/// Where one stands after the action. Throws OutOfRange for one that cannot be done there.
void apply(Situation& at, const Action& action, const StatesRecipe& recipe) {
  using enum Action::Kind;
  const auto stored = [&](Count i) {
    return std::find(at.states.begin(), at.states.end(), i) != at.states.end();
  };
  const auto require = [&](bool possible) {
    if (!possible) detail::refuse_position(to_string(action) + " cannot be done there");
  };
  switch (action.kind) {
    case forward:
      require(at.hand == action.first && action.last > action.first && action.last <= recipe.steps);
      at.hand = action.last;
      break;
    case store:
      require(at.hand == action.first && !stored(action.first));
      at.states.insert(std::upper_bound(at.states.begin(), at.states.end(), action.first), action.first);
      break;
    case restore:
      require(stored(action.first));
      at.hand = action.first;
      break;
    case Action::Kind::free:
      require(stored(action.first));
      erase(at.states, action.first);
      break;
    case record:
      require(recipe.tapes && at.hand == action.first && at.end == action.last);
      at.tapes.push_back(action.first);
      at.hand = action.last;
      break;
    case reverse:
      require(at.end == action.last &&
              (recipe.tapes ? at.tapes == std::vector{action.first} : at.hand == action.first));
      at.tapes.clear();
      at.end = action.first;
      at.hand = Situation::none;
      break;
    case free_tape:
      require(false);
  }
  const bool makes_last = recipe.ending == Ending::state && !recipe.tapes;
  const Count goal = recipe.steps - (recipe.tapes || makes_last ? 0 : 1);
  at.reached_end = at.reached_end || at.end < recipe.steps || at.hand >= goal;
  if (makes_last && at.hand == recipe.steps) at.hand = Situation::none;  // x_l, handed out
}

}  // namespace

FinishStream::FinishStream(const FinishRecipe& recipe) : recipe_(recipe), at_(recipe.from) {
  detail::require_position(recipe.rest.steps, recipe.from);
  if (!recipe.from.tapes.empty()) detail::refuse_position("a tape is kept");
  Situation after = at_;
  for (const Action& action : recipe_.first) apply(after, action, recipe_.rest);
  rest_.emplace(recipe_.rest, after);
}

FinishStream::FinishStream(const FinishRecipe& recipe, const Situation& at)
    : FinishStream(recipe) {
  detail::require_position(recipe.rest.steps, at);
  detail::walk_to(*this, at);
}

Situation FinishStream::situation() const {
  return done_ < recipe_.first.size() ? at_ : rest_->situation();
}

bool FinishStream::next(Action& action) {
  if (done_ == recipe_.first.size()) return rest_->next(action);
  action = recipe_.first[done_++];
  apply(at_, action, recipe_.rest);
  return true;
}

}  // namespace sweepback
