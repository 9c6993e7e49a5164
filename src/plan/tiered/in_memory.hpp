// SPDX-License-Identifier: Apache-2.0
// Pieces that only memory serves, as parts of longer schedules.
#pragma once

#include <utility>
#include <vector>

#include "sweepback/action.hpp"
#include "sweepback/states_stream.hpp"

namespace sweepback::detail::tiered {

/// The binomial schedule of n states from x_base, which is in hand: `stored` says whether it lies in one
/// of the slots as well (then there are two states or more). `leaf` writes what is done with x_i in hand when it is its turn.
template <class Leaf>
void in_memory(Count base, Count states, Count slots, std::vector<Action>& actions, Leaf&& leaf, bool stored = false) {
  if (states == 1) return leaf(base, actions);
  StatesStream stream(StatesRecipe{states, {slots, 1}, false, Ending::given_up});
  for (Action action; stream.next(action);) {
    if (action.kind == Action::Kind::reverse) {
      leaf(base + action.first, actions);
      continue;
    }
    if (std::exchange(stored, false)) continue;  // the first stores x_base
    action.first += base;
    action.last += base;
    actions.push_back(action);
  }
}

}  // namespace sweepback::detail::tiered
