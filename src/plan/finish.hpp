// SPDX-License-Identifier: Apache-2.0
// From any situation to the end: states kept, equal steps.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sweepback/action.hpp"
#include "sweepback/count.hpp"

namespace sweepback::detail {

/// States 0 … end-1 are to be handed over, the last one first; some are stored, one may be in hand.
struct Finish {
  std::vector<Count> stored;  // ascending
  std::optional<Count> hand;
  Count end = 0;
  Count slots = 1;
};

/// What to do first, and the states stored and in hand when the binomial schedule takes over.
struct Opening {
  Count forward_steps = 0;      // of the whole way
  std::vector<Action> actions;  // forward, store, restore, free
};

/// The cheapest nested way: bases may be dropped, the top one moved, the state in hand used.
/// O(c^2) pieces for c states stored, in bisections; of more than 48, few are given up beyond those
/// that must be.
Opening nested_finish(const Finish& finish);

/// All actions of the cheapest way of all, with the fewest stores; `handed` is called where a state is
/// handed over, to say which actions that is. By search: exponential in `end`.
Opening searched_finish(const Finish& finish,
                        const std::function<void(Count, std::vector<Action>&)>& handed);

constexpr Count most_searched = 12;

}  // namespace sweepback::detail
