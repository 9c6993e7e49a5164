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
  if (!recipe.stores_input && recipe.room.slots <= 1 && recipe.steps > recipe.room.leaf)
    throw OutOfRange("one tape cannot be all that is kept of " + std::to_string(recipe.steps) + " steps",
                     "store x_0, or keep at least two tapes");
  if (at.states.size() > 1 || (at.states.size() == 1 && at.states.front() != 0))
    detail::refuse_position("a state other than x_0 is stored");
  if (end_ == 0) return;
  std::vector<Count> bases{0};
  for (const Count k : at.tapes) bases.push_back(k + 1);
  if (hand_ == end_) {
    if (bases.back() != end_) detail::refuse_position("the tape in use is not kept");
    bases.pop_back();
  }
  const Count leaf = recipe.room.leaf == 2 ? 2 : 0;
  detail::restore_pieces(pieces_, bases, end_ + 1, leaf);
  if (hand_ != Situation::none && hand_ < pieces_.top())
    detail::refuse_position("the state in hand cannot have been reached from what is kept");
  if (hand_ > pieces_.top() && hand_ + 1 < end_)
    detail::require_room(pieces_, end_ - hand_, leaf);
  input_stored_ = !at.states.empty();
  const bool fresh = at == Situation::fresh(recipe.steps);
  input_needed_ = input_stored_ || (fresh && recipe.stores_input);
  if (input_needed_) return;
  // Step 0 has been recorded, or is to be next.
  const bool next = hand_ == 0 && (!recipe.stores_input || pieces_.split(end_ + 1) == 1);
  if (!next && (at.tapes.empty() || at.tapes.front() != 0))
    detail::refuse_position("neither x_0 nor the tape of step 0 is kept");
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
