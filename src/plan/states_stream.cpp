// SPDX-License-Identifier: Apache-2.0
#include "sweepback/states_stream.hpp"

#include "stream_positions.hpp"

namespace sweepback {

StatesStream::StatesStream(const StatesRecipe& recipe)
    : StatesStream(recipe, Situation::fresh(recipe.steps)) {}

StatesStream::StatesStream(const StatesRecipe& recipe, const Situation& at)
    : recipe_(recipe),
      pieces_(recipe.room),
      end_(at.end + (recipe.ending == Ending::state && !at.reached_end && recipe.steps > 0)),
      hand_(at.hand),
      at_(Hand::empty),
      detour_(recipe.ending == Ending::detour && !at.reached_end && recipe.steps > 0) {
  detail::require_position(recipe.steps, at);
  const bool recorded = recipe.tapes && at.end > 0 && at.hand == at.end &&
                        at.tapes == std::vector<Count>{at.end - 1};
  if (!at.tapes.empty() && !recorded)
    detail::refuse_position("a tape is kept that is not the one in use");
  if (recorded && !at.states.empty() && at.states.back() == at.end - 1)
    detail::refuse_position("the state of the last step is kept beside its tape");
  if (at.hand == at.end && at.end > 0 && !recorded)
    detail::refuse_position("the state in hand lies beyond the steps to reverse");
  // Frames first, then what they say of the hand. The state stored for the detour takes no slot.
  const bool detours = recipe.ending == Ending::detour && at.end == recipe.steps;
  const Count leaf = recipe.room.leaf == 2 ? 2 : detours;
  detail::restore_pieces(pieces_, at.states, end_, leaf);
  if (end_ == 0) return;
  if (pieces_.empty() ? hand_ != recorded : hand_ != Situation::none && hand_ < pieces_.top())
    detail::refuse_position("the state in hand cannot have been reached from what is stored");
  if (hand_ != Situation::none)
    at_ = pieces_.empty() || hand_ > pieces_.top() ? (end_ - hand_ > 1 ? Hand::loose : Hand::last)
          : detour_ && end_ - hand_ == 1           ? Hand::detour
                                                   : Hand::base;
  if (at_ == Hand::loose) detail::require_room(pieces_, end_ - hand_, leaf);
}

Situation StatesStream::situation() const {
  const bool in_hand = at_ != Hand::empty;
  Situation at;
  for (Count i = 0; i < pieces_.size(); ++i) at.states.push_back(pieces_.base(i));
  at.hand = in_hand ? hand_ : Situation::none;
  at.end = end_ > recipe_.steps ? recipe_.steps : end_;
  if (at_ == Hand::last && hand_ == end_) at.tapes.push_back(end_ - 1);
  switch (recipe_.ending) {
    case Ending::given_up: {  // with tapes, recording the last step makes x_l
      const Count goal = recipe_.steps - !recipe_.tapes;
      at.reached_end = end_ < recipe_.steps || (in_hand && hand_ >= goal);
      break;
    }
    case Ending::state: at.reached_end = end_ <= recipe_.steps; break;
    case Ending::detour: at.reached_end = !detour_; break;
  }
  return at;
}

}  // namespace sweepback
