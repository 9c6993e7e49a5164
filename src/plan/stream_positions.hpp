// SPDX-License-Identifier: Apache-2.0
// What the streams of this folder ask of a saved position.
#pragma once

#include <string>

#include "sweepback/action.hpp"
#include "sweepback/detail/pieces.hpp"
#include "sweepback/error.hpp"
#include "sweepback/situation.hpp"

namespace sweepback::detail {

[[noreturn]] inline void refuse_position(const std::string& why) {
  throw OutOfRange("this position is not one of the schedule: " + why,
                   "restore a position only with the recipe it was saved with");
}

/// Ranges and order, whatever the schedule. `done`: the state at the end may still be stored.
inline void require_position(Count steps, const Situation& at, bool done = false) {
  if (at.end < 0 || at.end > steps) refuse_position("its end is not within the chain");
  if (at.end < steps && !at.reached_end)
    refuse_position("steps are reversed, and the end was never reached");
  if (at.hand < Situation::none || at.hand > at.end)
    refuse_position("the state in hand is not within the steps to reverse");
  const auto ascending_below = [&](const std::vector<Count>& kept, Count end) {
    Count previous = -1;
    for (const Count k : kept) {
      if (k <= previous || k >= end) return false;
      previous = k;
    }
    return true;
  };
  if (!ascending_below(at.states, at.end + done) || !ascending_below(at.tapes, at.end))
    refuse_position("what is kept is not ascending and below the end");
}

/// Where one stands after an action, whatever the schedule (`reached_end` is left to it). Throws
/// OutOfRange for one that cannot be done there.
void apply(Situation& at, const Action& action, Count steps);

/// Goes through `stream` up to the first time it stands at `at`.
template <class Stream>
void walk_to(Stream& stream, const Situation& at) {
  constexpr std::size_t most = 30'000'000;  // actions, and states kept at each
  Action action;
  for (std::size_t seen = 0;;) {
    const Situation now = stream.situation();
    if (now == at) return;
    seen += 1 + now.states.size() + now.tapes.size();
    if (seen > most || !stream.next(action)) refuse_position("it is not passed, or too far on");
  }
}

/// Refuses a base beside what `pieces` holds, above which n states remain (itself included), where the
/// slots do not hand them over; past the last slot a base may have `leaf` states above it.
inline void require_room(const Pieces& pieces, Count n, Count leaf) {
  const Count slots = pieces.room().slots - pieces.size();
  if (slots < 0 || (slots == 0 && n > leaf))
    refuse_position("more is kept than there is room for");
}

/// Pushes `bases`, above which the states up to `end` (half open) remain.
inline void restore_pieces(Pieces& pieces, const std::vector<Count>& bases, Count end, Count leaf) {
  if (!bases.empty() && bases.front() != 0) refuse_position("x_0 is not kept");
  for (std::size_t i = 0; i < bases.size(); ++i) {
    const Count n = (i + 1 < bases.size() ? bases[i + 1] : end) - bases[i];
    require_room(pieces, n, leaf);
    pieces.push_anew(bases[i], n);
  }
}

}  // namespace sweepback::detail
