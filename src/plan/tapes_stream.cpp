// SPDX-License-Identifier: Apache-2.0
#include "sweepback/tapes_stream.hpp"

#include "stream_positions.hpp"

namespace sweepback {

TapesStream::TapesStream(const TapesRecipe& recipe)
    : TapesStream(recipe, Situation::fresh(recipe.steps)) {}

TapesStream::TapesStream(const TapesRecipe& recipe, const Situation& at)
    : recipe_(recipe),
      pieces_(recipe.room),
      end_(at.end),
      hand_(at.end == 0 ? Situation::none : at.hand) {
  detail::require_position(recipe.steps, at);
  if (at.states.size() > 1 || (at.states.size() == 1 && at.states.front() != 0))
    detail::refuse_position("a state other than x_0 is stored");
  if (end_ == 0) return;
  std::vector<Count> bases{0};
  for (const Count k : at.tapes) bases.push_back(k + 1);
  if (hand_ == end_) {
    if (bases.back() != end_) detail::refuse_position("the tape in use is not kept");
    bases.pop_back();
  }
  detail::restore_pieces(pieces_, bases, end_ + 1);
  if (hand_ != Situation::none && hand_ < pieces_.top())
    detail::refuse_position("the state in hand cannot have been reached from what is kept");
  input_stored_ = !at.states.empty();
  const bool fresh = at == Situation::fresh(recipe.steps);
  input_needed_ = input_stored_ || (fresh && recipe.stores_input);
  if (!input_needed_ && !fresh && hand_ != 0 && at.tapes.empty())
    detail::refuse_position("neither x_0 nor a tape is kept");
}

Situation TapesStream::situation() const {
  Situation at;
  if (input_stored_) at.states.push_back(0);
  for (Count i = 1; i < pieces_.size(); ++i) at.tapes.push_back(pieces_.base(i) - 1);
  if (hand_ == end_ && end_ > 0) at.tapes.push_back(end_ - 1);
  at.hand = hand_;
  at.end = end_;
  at.reached_end = end_ < recipe_.steps || hand_ == end_;
  return at;
}

}  // namespace sweepback
