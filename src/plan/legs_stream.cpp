// SPDX-License-Identifier: Apache-2.0
#include "sweepback/legs_stream.hpp"

#include <algorithm>

#include "stream_of.hpp"
#include "stream_positions.hpp"

namespace sweepback {

namespace {

Count steps_of(const Leg& leg) {
  return std::visit([](const auto& kind) { return kind.steps; }, leg.recipe);
}

void shift(Action& action, Count by) {
  action.first += by;
  action.last += by;
}

/// What the leg keeps, on top of what is kept below it.
void add(std::vector<Count>& below, const std::vector<Count>& above, Count by) {
  for (const Count i : above) below.push_back(i + by);
}

}  // namespace

LegsStream::LegsStream(const LegsRecipe& recipe) : recipe_(recipe), kept_(recipe.from) {
  Situation at = recipe_.from;
  for (const Leg& leg : *recipe_.legs) {
    for (const Action& action : leg.before) detail::apply(at, action, recipe_.steps);
    const bool meets = at.hand == leg.first && leg.first >= 0 && leg.first + steps_of(leg) == at.end;
    const auto stored_above = [&](const std::vector<Count>& states) { return !states.empty() && states.back() >= leg.first; };
    if (!meets || !at.tapes.empty() || !at.moving.empty() || stored_above(at.states) || std::any_of(at.further.begin(), at.further.end(), stored_above))
      detail::refuse_position("a leg from x_" + std::to_string(leg.first) + " does not begin where the one before ends");
    at.hand = Situation::none;
    at.end = leg.first;
    at.reached_end = true;
  }
  if (at.end > 0 || !at.states.empty() || !at.further.empty()) detail::refuse_position("the legs leave something undone");
}

LegsStream::LegsStream(const LegsRecipe& recipe, const Situation& at) : LegsStream(recipe) {
  detail::walk_to(*this, at);
}

Situation LegsStream::situation() const {
  if (!inner_) return kept_;
  const Count by = (*recipe_.legs)[leg_].first;
  const Situation inner = std::visit([](const auto& stream) { return stream.situation(); }, *inner_);
  Situation at = kept_;
  add(at.states, inner.states, by);
  add(at.tapes, inner.tapes, by);
  if (inner.further.size() > at.further.size()) at.further.resize(inner.further.size());
  for (std::size_t n = 0; n < inner.further.size(); ++n) add(at.further[n], inner.further[n], by);
  for (Situation::Move move : inner.moving) at.moving.push_back({move.state + by, move.tier, move.to_memory});
  at.hand = inner.hand == Situation::none ? inner.hand : inner.hand + by;
  at.end = inner.end + by;
  at.reached_end = at.reached_end || inner.reached_end;
  return at;
}

bool LegsStream::next(Action& action) {
  for (; leg_ < recipe_.legs->size(); ++leg_) {
    const Leg& leg = (*recipe_.legs)[leg_];
    if (!inner_) {
      if (done_ < leg.before.size()) {
        action = leg.before[done_++];
        detail::apply(kept_, action, recipe_.steps);
        return true;
      }
      inner_ = detail::stream_of<Inner>(leg.recipe);
      kept_.hand = Situation::none;
    }
    if (std::visit([&](auto& stream) { return stream.next(action); }, *inner_)) {
      shift(action, leg.first);
      return true;
    }
    kept_ = situation();
    kept_.end = leg.first;
    kept_.reached_end = true;
    inner_.reset();
    done_ = 0;
  }
  return false;
}

}  // namespace sweepback
