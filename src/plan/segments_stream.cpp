// SPDX-License-Identifier: Apache-2.0
#include "sweepback/segments_stream.hpp"

#include <algorithm>

#include "stream_positions.hpp"

namespace sweepback {

using Cut = SegmentsRecipe::Cut;
using Inside = SegmentsRecipe::Inside;

SegmentsStream::SegmentsStream(const SegmentsRecipe& recipe)
    : recipe_(recipe),
      end_(recipe.steps + (recipe.ending == Ending::state && !recipe.tapes && recipe.steps > 0)),
      hand_(recipe.steps > 0 ? 0 : Situation::none),
      parts_(recipe.size) {
  if (recipe.size < (recipe.cut == Cut::parts ? 2 : 1))
    throw OutOfRange("segments of " + std::to_string(recipe.size),
                     "cut into at least two parts, or periods of at least one step");
  if ((recipe.inside == Inside::tapes && !recipe.tapes) || recipe.ending == Ending::detour)
    throw OutOfRange("segments that keep tapes of steps without, or that end in a detour",
                     "record the steps, and end with or without x_l");
}

SegmentsStream::SegmentsStream(const SegmentsRecipe& recipe, const Situation& at)
    : SegmentsStream(recipe) {
  detail::require_position(recipe.steps, at);
  detail::walk_to(*this, at);
}

Situation SegmentsStream::situation() const {
  Situation at;
  for (const Base& base : bases_) at.states.push_back(base.at);
  at.tapes = tapes_;
  at.hand = hand_;
  at.end = std::min(end_, recipe_.steps);
  if (recipe_.tapes && hand_ == end_ && end_ > 0) at.tapes.push_back(end_ - 1);
  const Count goal = recipe_.tapes ? recipe_.steps : recipe_.steps - 1;
  at.reached_end = recipe_.ending == Ending::state && !recipe_.tapes
                       ? end_ <= recipe_.steps
                       : end_ < recipe_.steps || hand_ >= goal;
  return at;
}

bool SegmentsStream::next(Action& action) {
  if (hand_ == Situation::none) {
    if (end_ == 0) return false;
    if (!tapes_.empty() && tapes_.back() == end_ - 1) {
      tapes_.pop_back();
      action = reverse();
      return true;
    }
    Base& top = bases_.back();
    top.parts = recipe_.size;
    action = Action::restore(hand_ = top.at);
    return true;
  }
  const Count n = end_ - hand_;
  const bool periods = recipe_.cut == Cut::periods;
  if (n == 0) {
    action = reverse();
  } else if (!bases_.empty() && bases_.back().at == hand_) {
    action = from_base();
  } else if (finishing_ || (periods && n == 1) || end_ == 1 ||
             (periods && recipe_.inside == Inside::tapes && n <= recipe_.size)) {
    finishing_ = true;
    action = recipe_.tapes ? record() : reverse();
  } else {
    action = store(parts_);
  }
  return true;
}

/// The top base is in hand.
Action SegmentsStream::from_base() {
  const Base base = bases_.back();
  const Count n = end_ - base.at;
  const bool periods = recipe_.cut == Cut::periods;
  const bool in_segment = periods && (base.at % recipe_.size != 0 || n <= recipe_.size);
  if (n == 1 || (in_segment && recipe_.inside == Inside::tapes)) {
    bases_.pop_back();
    finishing_ = true;
    return Action::free(hand_);
  }
  if (in_segment) return run(recipe_.inside == Inside::states ? 1 : n - 1);
  if (periods) return run(recipe_.size);
  const Count parts = std::min(base.parts == 1 ? recipe_.size : base.parts, n);
  parts_ = parts - 1;
  return run(n / parts);
}

Action SegmentsStream::run(Count steps) {
  const Count from = hand_;
  hand_ += steps;
  if (hand_ == recipe_.steps) {  // x_l, handed out
    hand_ = Situation::none;
    end_ = recipe_.steps;
    return Action::forward(from, recipe_.steps);
  }
  return Action::forward(from, hand_);
}

Action SegmentsStream::store(Count parts) {
  bases_.push_back({hand_, parts});
  return Action::store(hand_);
}

Action SegmentsStream::record() {
  const Count k = hand_++;
  if (hand_ < end_) tapes_.push_back(k);
  return Action::record(k);
}

Action SegmentsStream::reverse() {
  hand_ = Situation::none;
  finishing_ = false;
  return Action::reverse(--end_);
}

}  // namespace sweepback
