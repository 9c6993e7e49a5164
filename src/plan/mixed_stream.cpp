// SPDX-License-Identifier: Apache-2.0
#include "sweepback/mixed_stream.hpp"

#include "stream_positions.hpp"

namespace sweepback {

MixedStream::MixedStream(const MixedRecipe& recipe)
    : MixedStream(recipe, Situation::fresh(recipe.steps)) {}

MixedStream::MixedStream(const MixedRecipe& recipe, const Situation& at)
    : recipe_(recipe),
      free_(recipe.units),
      end_(at.end),
      hand_(at.end == 0 ? Situation::none : at.hand) {
  const MixedModel& model = recipe.table.model();
  detail::require_position(recipe.steps, at, model.pinned);
  const Count pinned = model.pinned ? model.state_units : 0;
  if (recipe.steps > recipe.table.steps() || recipe.units - pinned > recipe.table.units())
    detail::refuse_position("its policy table is too small");
  auto state = at.states.begin();
  for (const Count k : at.tapes) {
    for (; state != at.states.end() && *state <= k; ++state) keep({*state, false});
    if (k + 1 == end_ && hand_ == end_) continue;  // the tape in use
    keep({k + 1, true});
  }
  for (; state != at.states.end(); ++state) keep({*state, false});
  if (free_ < 0) detail::refuse_position("more is kept than there is room for");
  if (hand_ == end_ && end_ > 0 && (at.tapes.empty() || at.tapes.back() != end_ - 1))
    detail::refuse_position("the tape in use is not kept");
  if (end_ > 0 && hand_ == Situation::none && kept_.empty())
    detail::refuse_position("nothing is kept and nothing in hand");
  if (hand_ != Situation::none && !kept_.empty() && hand_ < kept_.back().at)
    detail::refuse_position("the state in hand cannot have been reached from what is kept");
  if (model.pinned && !kept_.empty() && kept_.front().tape)
    detail::refuse_position("the lowest state is not stored");
  require_way_on();
}

/// What is kept must be enough to reverse all that is above it.
void MixedStream::require_way_on() const {
  const auto& [state_units, tape_units, output, pins] = recipe_.table.model();
  const bool loose = hand_ != Situation::none && hand_ < end_ &&
                     (kept_.empty() || kept_.back().at != hand_ || (kept_.back().tape && !output));
  const bool to_store = pins && kept_.empty();
  if (loose && end_ - hand_ > 1 &&
      (to_store ? free_ < state_units
                : !recipe_.table.fits(Base::loose, end_ - hand_, free_)))
    detail::refuse_position("nothing kept leads back to the state in hand");
  // From x_0 on each step must be that of a kept tape, or lie above a base to run it from.
  Count reach = 0;
  bool based = false;
  for (const Kept& kept : kept_) {
    if (!based && kept.at - kept.tape != reach)
      detail::refuse_position("nothing kept leads to state " + std::to_string(reach));
    based = based || !kept.tape || output;
    reach = kept.at;
  }
  const bool in_use = hand_ == end_ && end_ > 0;
  const Count next = hand_ == Situation::none ? end_ : hand_ - in_use;
  if (end_ > 0 && !based && next != reach)
    detail::refuse_position("nothing kept leads to state " + std::to_string(reach));
  // A tape that holds no output is no place to start again from.
  for (std::size_t i = 0; !output && i < kept_.size(); ++i) {
    const bool last = i + 1 == kept_.size();
    const Count above = last ? next : kept_[i + 1].at - kept_[i + 1].tape;
    if (kept_[i].tape && above != kept_[i].at)
      detail::refuse_position("a tape that holds no output cannot be restored");
  }
}

Situation MixedStream::situation() const {
  Situation at;
  for (const Kept& kept : kept_)
    kept.tape ? at.tapes.push_back(kept.at - 1) : at.states.push_back(kept.at);
  if (hand_ == end_ && end_ > 0) at.tapes.push_back(end_ - 1);
  at.hand = hand_;
  at.end = end_;
  at.reached_end = end_ < recipe_.steps || hand_ == end_;
  return at;
}

Count MixedStream::units_of(const Kept& kept) const {
  const MixedModel& model = recipe_.table.model();
  return kept.tape ? model.tape_units : model.state_units;
}

void MixedStream::keep(Kept kept) {
  kept_.push_back(kept);
  free_ -= units_of(kept);
}

void MixedStream::drop_top() {
  free_ += units_of(kept_.back());
  kept_.pop_back();
}

Action MixedStream::record() {
  const Count k = hand_++;
  if (hand_ < end_) keep({hand_, true});  // else it is the tape in use
  return Action::record(k);
}

Action MixedStream::reverse() {
  hand_ = Situation::none;
  return Action::reverse(--end_);
}

bool MixedStream::next(Action& action) {
  if (hand_ == Situation::none) {
    if (!kept_.empty() && !kept_.back().tape && kept_.back().at == end_) {  // pinned, and done
      action = Action::free(end_);
      drop_top();
      return true;
    }
    if (end_ == 0) return false;
    if (const Kept top = kept_.back(); top.tape && top.at == end_) {
      drop_top();
      action = reverse();
    } else {
      action = Action::restore(hand_ = top.at);
    }
    return true;
  }
  if (hand_ == end_) {
    action = reverse();
    return true;
  }
  if (recipe_.table.model().pinned) {
    pinned(action);
    return true;
  }
  if (from_base(action)) return true;
  // A state that nothing keeps.
  if (recipe_.table.decide(Base::loose, end_ - hand_, free_).record) {
    action = record();
  } else {
    action = Action::store(hand_);
    keep({hand_, false});
  }
  return true;
}

/// Goes on from the top base, where it is in hand.
bool MixedStream::from_base(Action& action) {
  if (kept_.empty() || kept_.back().at != hand_) return false;
  const bool tape = kept_.back().tape;
  if (tape && !recipe_.table.model().tape_has_output) return false;
  const Count beside = free_ + (tape ? 0 : units_of(kept_.back()));
  const auto [run, records] =
      recipe_.table.decide(tape ? Base::view : Base::stored, end_ - hand_, beside);
  if (!records) {
    action = Action::forward(hand_, hand_ + run);
    hand_ += run;
  } else if (tape) {
    action = record();
  } else {
    action = Action::free(hand_);
    drop_top();
  }
  return true;
}

/// Bases stay; what is decided at one is carried out where the run from it ends.
void MixedStream::pinned(Action& action) {
  const bool on_base = !kept_.empty() && kept_.back().at == hand_;
  if (hand_ == end_ - 1) {
    if (on_base && !kept_.back().tape) {
      action = Action::free(hand_);
      drop_top();
    } else {
      action = record();
    }
    return;
  }
  if (kept_.empty()) {  // x_0 at the start
    action = Action::store(hand_);
    keep({hand_, false});
    return;
  }
  const Kept top = kept_.back();
  const auto [run, records] = recipe_.table.decide(Base::loose, end_ - top.at, free_);
  if (hand_ < top.at + run) {
    action = Action::forward(hand_, top.at + run);
    hand_ = top.at + run;
  } else if (records) {
    action = record();
  } else {
    action = Action::store(hand_);
    keep({hand_, false});
  }
}

}  // namespace sweepback
