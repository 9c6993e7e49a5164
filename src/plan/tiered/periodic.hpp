// SPDX-License-Identifier: Apache-2.0
// More steps than a table has room for (Aupy & Herrmann 2017): x_0, x_p, … x_(m-1)p are stored in a further
// tier, what is above them is reversed first, then each period. With u for a forward step, w and r for a store
// and a restore in the tier and n states in all:
//
//     m (w + p u) + rest(n - m p) + m (r + again(p))
//
// In a tier without bound `rest` and `again` are the table's: p is the period that is cheapest for a state, and
// the rest as long as the table allows. Else both are in memory alone, u T(., c): between two lengths C(c+k, c)
// T is a straight line and a period's share of the cost falls or rises throughout, so only such p are looked
// at (and the one that just uses all slots of the tier), and for each the best m: the cost is convex in it.
#pragma once

#include <optional>
#include <vector>

#include "in_memory.hpp"
#include "table.hpp"

namespace sweepback::detail::tiered {

struct Periods {
  Count period = 0, count = 0;  ///< p and m
};

/// In a tier without bound; `table`: of memory and that tier, for fewer states than there are.
Periods cheapest_periods(Count states, Count forward, const Table& table, Count most, const Level& far);

/// In a tier of any size, with nothing but periods there; none where that is not cheaper than memory alone,
/// which has at least one slot.
std::optional<Periods> simple_periods(Count states, Count forward, const Level& memory, const Level& far);

/// `piece(base, n, actions)` writes what reverses n states from x_base, in hand and, but for the topmost
/// piece, in the tier; `stored` tells them apart.
template <class Piece>
std::vector<Action> actions_of(const Periods& periods, Count states, int tier, Piece&& piece) {
  std::vector<Action> actions;
  const auto [period, count] = periods;
  for (Count k = 0; k < count; ++k) {
    actions.push_back(Action::store(k * period, tier));
    actions.push_back(Action::forward(k * period, (k + 1) * period));
  }
  piece(count * period, states - count * period, false, actions);
  for (Count k = count; k-- > 0;) piece(k * period, period, true, actions);
  return actions;
}

}  // namespace sweepback::detail::tiered
