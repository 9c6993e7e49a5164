// SPDX-License-Identifier: Apache-2.0
#include "sweepback/finish_stream.hpp"

#include "stream_positions.hpp"

namespace sweepback {

namespace {

/// Where one stands after the action. Throws OutOfRange for one that cannot be done there.
void apply(Situation& at, const Action& action, const StatesRecipe& recipe) {
  using enum Action::Kind;
  const bool fits = action.kind == record      ? recipe.tapes && at.end == action.last
                    : action.kind == reverse   ? recipe.tapes == !at.tapes.empty()
                    : action.kind == free_tape ? false
                                               : true;
  if (!fits) detail::refuse_position(to_string(action) + " cannot be done there");
  detail::apply(at, action, recipe.steps);
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
