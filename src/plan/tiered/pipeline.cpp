// SPDX-License-Identifier: Apache-2.0
#include "pipeline.hpp"

#include <algorithm>
#include <limits>

#include "sweepback/binomial.hpp"

namespace sweepback::detail::tiered {

/// The terms of the makespan; moves in memory are counted with the steps.
class Pipeline::Times {
 public:
  static constexpr Wide never = std::numeric_limits<Count>::max();

  Times(const Steps& steps, const Level& memory, const Level& far)
      : forward_(steps.forward), far_(far), slots_(std::min(memory.slots, steps.states)), all_(pieces(steps, memory, slots_)), less_(pieces(steps, memory, slots_ - 1)) {}

  Wide lowest(Count p) const { return at(all_, p); }
  Wide upper(Count q, Count j) const { return j == q ? 0 : Wide{j} * forward_ + at(less_, q - j); }
  Wide lower(Count j) const { return std::max<Wide>(at(less_, j), far_.restore); }

  Wide period(Count p, Count j) const { return upper(p, j) + lower(j); }

  /// From the start to where the topmost piece, that of q states above x_base, is reversed.
  Wide top(Count base, Count m, Count q, Count j) const {
    const Wide there = std::max<Wide>(Wide{base} * forward_, Wide{m - slots_ + 1} * far_.store) + Wide{j} * forward_;
    return std::max<Wide>(there, Wide{m} * far_.store) - Wide{j} * forward_ + period(q, j);
  }

  /// The best j of 1 … last of what is convex in it; 1 where there is none.
  template <class Time>
  static Count best(Count last, Time&& time) {
    Count low = 1;
    for (Count high = last; low < high;) {
      const Count middle = low + (high - low) / 2;
      if (time(middle) <= time(middle + 1))
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }

 private:
  static Wide at(const std::vector<Wide>& times, Count n) { return times[static_cast<std::size_t>(n)]; }

  /// What a piece of any length takes in so many slots.
  static std::vector<Wide> pieces(const Steps& steps, const Level& memory, Count slots) {
    std::vector<Wide> times(static_cast<std::size_t>(steps.states) + 1, never);
    times[0] = 0;
    for (Count n = 1; n <= (slots == 0 ? 1 : steps.states); ++n)
      times[static_cast<std::size_t>(n)] = Wide{steps.forward} * binomial::forward_steps(n, slots) + Wide{n} * (Wide{memory.restore} + steps.reverse) +
                                           (n > 1 ? Wide{binomial::stores(n, slots)} * memory.store : 0);
    return times;
  }

  Count forward_;
  Level far_;
  Count slots_;
  std::vector<Wide> all_, less_;
};

std::optional<Pipeline> Pipeline::fastest(const Steps& steps, const Level& memory, const Level& far) {
  constexpr Count most_looked_at = 20'000;  // states for which every m is; beyond, the makespan counts as convex in m
  const Count n = steps.states;
  if (memory.slots < 1 || n < 3) return std::nullopt;
  const Times times(steps, memory, far);
  std::optional<Pipeline> found;
  Wide least = Times::never;
  const bool one = memory.slots == 1;  // then a part is a single state, and the lowest piece takes what is left
  for (Count p = 1; p <= (one ? 2 : n - 2); ++p) {
    const auto period = [&](Count j) { return times.period(p, j); };
    Count half = Times::best(p - 1, period);
    if (period(p) <= period(half)) half = p;
    const auto look = [&](Count m) {
      const Count q = one ? 2 : n - m * p, lowest = n - q - (m - 1) * p;
      const auto top = [&](Count j) { return times.top(n - q, m, q, j); };
      const Count top_half = Times::best(q - 1, top);
      const Wide makespan = top(top_half) + Wide{m - 1} * period(half) + times.lowest(lowest);
      if (makespan < least) {
        least = makespan;
        found = Pipeline(n, std::min(memory.slots, n), far.tier, {lowest, p, m, half, top_half});
      }
      return makespan;
    };
    const Count most = std::min(one ? (n - 3) / p + 1 : (n - 2) / p, far.unbounded ? n : far.slots);
    if (one) {
      if (most == (n - 3) / p + 1) look(most);
    } else if (n > most_looked_at) {
      if (most > 0) look(Times::best(most, look));
    } else {
      for (Count m = 1; m <= most; ++m) look(m);
    }
  }
  return found;
}

}  // namespace sweepback::detail::tiered
