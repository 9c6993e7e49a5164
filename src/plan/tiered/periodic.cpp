// SPDX-License-Identifier: Apache-2.0
#include "periodic.hpp"

#include <algorithm>

#include "sweepback/binomial.hpp"

namespace sweepback::detail::tiered {

Periods cheapest_periods(Count states, Count forward, const Table& table, Count most, const Level& far) {
  Count best = 1;
  Wide best_cost = 0;
  for (Count p = 1; p < most; ++p) {
    const Wide cost = Wide{far.store} + far.restore + Wide{p} * forward + table.stored(p);
    if (p == 1 || cost * best < best_cost * p) {
      best = p;
      best_cost = cost;
    }
  }
  return {best, (states - most + best - 1) / best};
}

std::optional<Periods> simple_periods(Count states, Count forward, const Level& memory, const Level& far) {
  std::optional<Periods> found;
  const Count c = std::min(memory.slots, states);
  const auto again = [&](Count n) { return Wide{forward} * binomial::forward_steps(n, c) + Wide{n} * memory.restore; };
  Wide least = again(states);
  const auto look = [&](Count p) {
    const Count most = (states - 1) / p;
    const auto cost = [&](Count m) { return Wide{m} * (Wide{far.store} + Wide{p} * forward + far.restore + again(p)) + again(states - m * p); };
    Count low = 0;
    for (Count high = far.unbounded ? most : std::min(most, far.slots); low < high;) {
      const Count middle = low + (high - low) / 2;
      if (cost(middle) <= cost(middle + 1))
        high = middle;
      else
        low = middle + 1;
    }
    if (low == 0 || cost(low) >= least) return;
    least = cost(low);
    found = {p, low};
  };
  if (!far.unbounded && far.slots > 0 && far.slots < states) look((states + far.slots) / (far.slots + 1));
  for (Count runs = 0;; ++runs) {
    const Count p = binomial::longest_chain(c, runs);
    if (p >= states) return found;
    look(p);
  }
}

}  // namespace sweepback::detail::tiered
