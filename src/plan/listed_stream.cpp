// SPDX-License-Identifier: Apache-2.0
#include "sweepback/listed_stream.hpp"

#include <algorithm>

#include "stream_positions.hpp"

namespace sweepback {

ListedStream::ListedStream(const ListedRecipe& recipe)
    : recipe_(recipe), at_(Situation::fresh(recipe.steps)) {
  if (recipe_.steps == 0) at_.hand = Situation::none;
  ListedStream all = *this;  // every action can be done
  for (Action action; all.next(action);) {
  }
  if (all.at_.end > 0) detail::refuse_position("its actions do not reverse every step");
}

ListedStream::ListedStream(const ListedRecipe& recipe, const Situation& at) : ListedStream(recipe) {
  detail::walk_to(*this, at);
}

Situation ListedStream::situation() const {
  Situation at = at_;
  const std::vector<Action>& actions = *recipe_.actions;
  const bool reverses = done_ < actions.size() && actions[done_].kind == Action::Kind::reverse;
  at.reached_end = at.hand == recipe_.steps || at.end < recipe_.steps || reverses || at.reached_end;
  if (at.hand == recipe_.steps &&
      !std::binary_search(at.tapes.begin(), at.tapes.end(), recipe_.steps - 1))
    at.hand = Situation::none;  // x_l, handed out
  return at;
}

bool ListedStream::next(Action& action) {
  if (done_ == recipe_.actions->size()) return false;
  action = (*recipe_.actions)[done_++];
  detail::apply(at_, action, recipe_.steps);
  at_.reached_end = at_.reached_end || at_.hand == recipe_.steps;
  return true;
}

}  // namespace sweepback
