// SPDX-License-Identifier: Apache-2.0
#include "sweepback/binomial.hpp"

#include <algorithm>
#include <string>

#include "sweepback/detail/binomials.hpp"
#include "sweepback/detail/pieces.hpp"
#include "sweepback/error.hpp"

namespace sweepback::binomial {

namespace {

using detail::binomial;

/// N_c(r): the longest chain with repetition r; 2^63 - 1 where it is longer than that.
Count reach(Room room, Count r) {
  const Count single = binomial(room.slots, r);
  if (room.leaf == 1 || single == max_count) return single;
  return static_cast<Count>(
      std::min<Wide>(max_count, static_cast<Wide>(single) + binomial(room.slots, r - 1)));
}

/// The least r with N_c(r) >= l: doubling, then halving.
Count least_repetition(Count l, Room room) {
  if (l <= 1) return 0;
  Count low = 0, high = 1;  // N_c(low) < l
  while (reach(room, high) < l) {
    low = high;
    high = high > l / 2 ? l : 2 * high;
  }
  while (high - low > 1) {
    const Count middle = low + (high - low) / 2;
    (reach(room, middle) < l ? low : high) = middle;
  }
  return high;
}

void require(Count l, Room room, Count least) {
  if (l < least)
    throw OutOfRange(std::to_string(l) + " states: there is nothing to split below two",
                     "give a number of states of at least " + std::to_string(least),
                     {{"states", l}});
  if (room.slots < 0)
    throw OutOfRange(std::to_string(room.slots) + " slots is not a number of slots",
                     "give at least one slot", {{"slots", room.slots}});
  if (room.leaf != 1 && room.leaf != 2)
    throw OutOfRange("a leaf of " + std::to_string(room.leaf) + " states", "give 1 or 2");
  if (room.slots == 0 && l > room.leaf)
    throw OutOfRange(std::to_string(l) + " states cannot be reversed with no slot",
                     "give at least one slot: it keeps x_0", {{"smallest", 1}});
}

}  // namespace

Count repetition(Count l, Room room) {
  require(l, room, 0);
  return least_repetition(l, room);
}

Count forward_steps(Count l, Room room) {
  require(l, room, 0);
  if (l <= 1) return 0;
  room.slots = std::min(room.slots, l - 1);
  const Count r = least_repetition(l, room), c = room.slots;
  // C(c+r, c+1) = C(c+r-1, c) (c+r) / (c+1), and both factors are below 2^63.
  const Wide first = static_cast<Wide>(binomial(c, r - 1)) * (static_cast<Wide>(c) + r) / (c + 1);
  const Wide second =
      room.leaf == 1 || r < 2
          ? 0
          : static_cast<Wide>(binomial(c, r - 2)) * (static_cast<Wide>(c) + r - 1) / (c + 1);
  return narrow(static_cast<Wide>(r) * l - first - second, "the number of forward steps");
}

Count stores(Count l, Room room) {
  require(l, room, 0);
  if (l <= 2) return 0;
  const Count c = std::min(room.slots, l - 1), r = least_repetition(l, room);
  const Count a = binomial(c, r - 1);
  return std::max(room.leaf == 1 ? binomial(c - 1, r - 1) : a, l - a) - 1;
}

Interval first_splits(Count l, Room room) {
  require(l, room, 2);
  const Count r = least_repetition(l, room);
  if (room.slots == 0) return {1, 1};
  const Room fewer{room.slots - 1, room.leaf};
  // The first difference of the objective in j is 1 + slope(j+1, c) - slope(l-j, c-1), and it does
  // not decrease: the cheapest splits are the interval around its change of sign.
  const auto reach_or_leaf = [&](Room in, Count times) -> Count {
    if (times < 0) return 0;
    return in.slots == 0 ? (times == 0 ? 1 : in.leaf) : reach(in, times);
  };
  return {std::max({Count{1}, reach_or_leaf(room, r - 2), l - reach_or_leaf(fewer, r)}),
          std::min({l - 1, reach_or_leaf(room, r - 1), l - reach_or_leaf(fewer, r - 1)})};
}

Count split(Count l, Room room) {
  require(l, room, 2);
  detail::Pieces pieces(room);
  pieces.push(0, l);
  return pieces.split(l);
}

std::map<Count, Count> runs(Count l, Room room) {
  require(l, room, 0);
  constexpr Count most = 1'000'000;
  if (const Count r = least_repetition(l, room); r > most)
    throw OutOfRange("a step runs " + std::to_string(r) + " times: too many rows to list",
                     "give more slots: at most " + std::to_string(most) + " rows are listed",
                     {{"repetition", r}});
  // At most N(q) states can be handed over with no step below them run more than q times, so the
  // runs sum to at least the sum over q < r of l - N(q), which is T: in a cheapest schedule exactly
  // N(q) - N(q-1) steps run q times, and the rest r times.
  std::map<Count, Count> steps;
  const Count r = least_repetition(l, room);
  Count below = 0;
  for (Count q = 0; q <= r; ++q) {
    const Count up_to = q < r ? reach(room, q) : l;
    if (up_to > below) steps.emplace_hint(steps.end(), q, up_to - below);
    below = up_to;
  }
  return steps;
}

Count longest_chain(Count slots, Count runs) {
  if (slots < 0 || runs < 0)
    throw OutOfRange("the longest chain for " + std::to_string(slots) + " slots and " +
                         std::to_string(runs) + " runs",
                     "give numbers that are not negative", {{"slots", slots}, {"runs", runs}});
  const Count longest = binomial(slots, runs);
  if (longest == max_count)
    throw Overflow("the longest chain for " + std::to_string(slots) + " slots and " +
                   std::to_string(runs) + " runs is above 2^63-1 steps",
                   "give fewer slots or runs");
  return longest;
}

Count fewest_slots_for_runs(Count l, Count runs) {
  require(l, {1, 1}, 0);
  if (runs < 0 || (runs == 0 && l > 1))
    throw OutOfRange(std::to_string(l) + " states cannot be reversed with at most " +
                         std::to_string(runs) + " runs of a step",
                     "allow at least one", {{"smallest", 1}});
  if (l <= 1) return l;
  return std::max<Count>(1, least_repetition(l, {runs, 1}));  // C(c+r,c) is the same in c and r
}

Count fewest_slots_for_forward_steps(Count l, Count steps) {
  require(l, {1, 1}, 0);
  const Count least = std::max<Count>(0, l - 1);
  if (steps < least)
    throw OutOfRange(std::to_string(l) + " states need " + std::to_string(least) +
                         " forward steps even with a slot for each; " + std::to_string(steps) +
                         " were allowed",
                     "allow at least " + std::to_string(least), {{"smallest", least}});
  if (l <= 1) return l;
  Count low = 0, high = l - 1;  // T falls with every slot, and T(l, l-1) = l-1
  while (high - low > 1) {
    const Count middle = low + (high - low) / 2;
    bool fits = false;
    try {
      fits = forward_steps(l, middle) <= steps;
    } catch (const Overflow&) {
    }
    (fits ? high : low) = middle;
  }
  return high;
}

}  // namespace sweepback::binomial

namespace sweepback::detail {

Count muldiv_wide(Count a, Count b, Count d) {
  const Wide quotient = static_cast<Wide>(a) * b / d;
  return quotient > max_count ? max_count : static_cast<Count>(quotient);
}

Pieces::Frame Pieces::seek(Count n) const {
  const Count c = free_slots(), r = binomial::repetition(n, binomial::Room{c, room_.leaf});
  return {r, detail::binomial(c, r - 1), detail::binomial(c - 1, r - 1),
          detail::binomial(c - 2, r - 1)};
}

void Pieces::grow() {
  const std::size_t room = std::max<std::size_t>(16, 2 * depth_);
  bases_.resize(room);
  frames_.resize(room);
}

}  // namespace sweepback::detail
