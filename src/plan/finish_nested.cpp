// SPDX-License-Identifier: Apache-2.0
// The stored states p_0 < p_1 < … that are kept cut what remains into pieces, each reversed with the
// slots that those below leave:
//
//     R = sum over q of  T(p_{q+1} - p_q, c - q),    p_{last+1} = the end
//
// Keeping fewer leaves more slots above. Three openings are looked at besides: the top base runs on
// to j and is stored there instead; the state in hand runs on to j and is stored; or it runs to the
// end and is handed over. Each is convex in j (T is), so the best j is found by bisection.
#include <algorithm>

#include "finish.hpp"
#include "sweepback/binomial.hpp"
#include "sweepback/error.hpp"

namespace sweepback::detail {

namespace {

constexpr Wide infinite = static_cast<Wide>(max_count) * 4;

Wide cost(Count states, Count slots) {
  if (states <= 1) return 0;
  if (slots < 1) return infinite;
  try {
    return binomial::forward_steps(states, slots);
  } catch (const Overflow&) {
    return infinite;
  }
}

/// The j in [low, high] with the least value of a convex function.
template <class Value>
Count least_of(Count low, Count high, Value&& value) {
  while (low < high) {
    const Count middle = low + (high - low) / 2;
    if (value(middle) <= value(middle + 1))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// The cheapest ways to keep some of the stored states, up to each as the top one. Of many states few
/// are given up beyond those that must be.
class Kept {
 public:
  Kept(const std::vector<Count>& stored, Count slots) : stored_(stored), slots_(slots) {
    const std::size_t m = stored.size();
    const auto must = static_cast<std::size_t>(std::max<Count>(0, static_cast<Count>(m) - slots));
    drops_ = m <= 48 ? m : must + 8;
    table_.assign(m, std::vector<Entry>(std::min(m, drops_ + 1)));
    if (m == 0 || stored.front() != 0) return;
    table_[0][0].cost = 0;
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t q = least_kept(i); q <= i; ++q) {
        const Wide so_far = below(i, q);
        if (so_far >= infinite || static_cast<Count>(q) + 1 >= slots) continue;
        for (std::size_t j = i + 1; j < m && j - q - 1 <= drops_; ++j) {
          const Wide sum = so_far + piece(i, q, stored[j]);
          Entry& entry = table_[j][j - q - 1];
          if (sum < entry.cost) entry = {sum, i};
        }
      }
  }

  Count at(std::size_t i) const { return stored_[i]; }
  Wide below(std::size_t i, std::size_t q) const { return table_[i][i - q].cost; }

  /// Calls `see(i, q)` for every state that can be the top one, the q-th kept.
  template <class See>
  void each_top(See&& see) const {
    const std::size_t m = stored_.size();
    for (std::size_t i = m > drops_ + 1 ? m - drops_ - 1 : 0; i < m; ++i)
      for (std::size_t q = least_kept(i); q <= i; ++q)
        if (m - 1 - q <= drops_ && below(i, q) < infinite) see(i, q);
  }

  /// The fewest that can be kept below the i-th.
  std::size_t least_kept(std::size_t i) const { return i > drops_ ? i - drops_ : 0; }

  /// The piece from the i-th stored state, the q-th kept, up to `end`.
  Wide piece(std::size_t i, std::size_t q, Count end) const {
    return cost(end - stored_[i], slots_ - static_cast<Count>(q));
  }

  /// Those kept, up to the i-th as the q-th.
  std::vector<Count> states(std::size_t i, std::size_t q) const {
    std::vector<Count> kept;
    for (;; --q) {
      kept.push_back(stored_[i]);
      if (q == 0) break;
      i = table_[i][i - q].from;
    }
    std::reverse(kept.begin(), kept.end());
    return kept;
  }

 private:
  struct Entry {
    Wide cost = infinite;
    std::size_t from = 0;
  };
  const std::vector<Count>& stored_;
  Count slots_;
  std::size_t drops_ = 0;
  std::vector<std::vector<Entry>> table_;  // by stored state and number given up below it
};

struct Best {
  Wide cost = infinite;
  std::vector<Action> actions;

  template <class Make>
  void consider(Wide sum, Make&& make) {
    if (sum >= cost) return;
    cost = sum;
    actions = make();
  }
};

std::vector<Action> free_all_but(const std::vector<Count>& stored, const std::vector<Count>& kept) {
  std::vector<Action> actions;
  for (const Count i : stored)
    if (!std::binary_search(kept.begin(), kept.end(), i)) actions.push_back(Action::free(i));
  return actions;
}

/// From the bases alone, whatever is in hand.
void from_bases(const Finish& f, const std::vector<Count>& bases, bool store_hand, Best& best) {
  const auto opening = [&](const std::vector<Count>& kept, bool move, Count to) {
    std::vector<Action> actions = free_all_but(f.stored, kept);
    if (store_hand) actions.push_back(Action::store(*f.hand));
    const Count top = kept.back();
    if (f.hand && f.hand != top) actions.push_back(Action::restore(top));
    if (move && !f.hand) actions.push_back(Action::restore(top));
    if (move) actions.insert(actions.end(), {Action::free(top), Action::forward(top, to)});
    return actions;
  };
  const Count end = f.end;
  const Kept kept(bases, f.slots);
  kept.each_top([&](std::size_t i, std::size_t q) {
    const Count p = kept.at(i);
    best.consider(kept.below(i, q) + kept.piece(i, q, end),
                  [&] { return opening(kept.states(i, q), false, 0); });
    // The top base moves on to j; the piece below it grows.
    for (std::size_t lower = q > 0 ? q - 1 : i; lower < i; ++lower) {
      if (q - 1 < kept.least_kept(lower)) break;
      const Wide under = kept.below(lower, q - 1);
      if (under >= infinite) continue;
      const auto moved = [&](Count j) {
        return under + kept.piece(lower, q - 1, j) + (j - p) +
               cost(end - j, f.slots - static_cast<Count>(q));
      };
      const Count j = least_of(p + 1, end - 1, moved);
      if (j <= p || j >= end) continue;
      best.consider(moved(j), [&] {
        std::vector<Count> states = kept.states(lower, q - 1);
        states.push_back(p);
        return opening(states, true, j);
      });
    }
  });
}

/// At most `most` of the states: again and again the one is left out whose neighbours are nearest.
std::vector<Count> thinned(std::vector<Count> stored, std::size_t most) {
  while (stored.size() > most) {
    std::size_t nearest = 1;
    for (std::size_t i = 1; i + 1 < stored.size(); ++i)
      if (stored[i + 1] - stored[i - 1] < stored[nearest + 1] - stored[nearest - 1]) nearest = i;
    stored.erase(stored.begin() + static_cast<std::ptrdiff_t>(nearest));
  }
  return stored;
}

}  // namespace

Opening nested_finish(const Finish& f) {
  Best best;
  if (f.end == 0) return {};
  const std::vector<Count> stored =
      thinned(f.stored, static_cast<std::size_t>(std::min<Count>(f.slots, max_count - 64)) + 64);
  from_bases(f, stored, false, best);
  const bool loose = f.hand && !std::binary_search(f.stored.begin(), f.stored.end(), *f.hand);
  if (loose && !stored.empty() && *f.hand < stored.back()) {
    std::vector<Count> with = stored;
    with.insert(std::upper_bound(with.begin(), with.end(), *f.hand), *f.hand);
    from_bases(f, with, true, best);
  } else if (loose) {
    const Count h = *f.hand, last = f.end - 1;
    const auto insert = [&](Count j, std::vector<Count> kept) {
      std::vector<Action> actions = free_all_but(f.stored, kept);
      if (j > h) actions.push_back(Action::forward(h, j));
      return actions;
    };
    if (stored.empty() && h == 0)
      best.consider(cost(f.end, f.slots), [&] { return insert(0, {}); });
    const Kept kept(stored, f.slots);
    kept.each_top([&](std::size_t i, std::size_t q) {
      const Wide below = kept.below(i, q);
      // Run to the end and handed over there, and the rest from the bases.
      best.consider(last - h + below + kept.piece(i, q, last),
                    [&] { return insert(last, kept.states(i, q)); });
      const Count above = f.slots - static_cast<Count>(q) - 1;
      if (above < 1) return;
      const auto inserted = [&](Count j) {
        return below + kept.piece(i, q, j) + (j - h) + cost(f.end - j, above);
      };
      const Count j = least_of(h, last, inserted);
      best.consider(inserted(j), [&] { return insert(j, kept.states(i, q)); });
    });
  }
  if (best.cost >= infinite)
    throw OutOfRange("no schedule leads to the end from there: x_0 is neither stored nor in hand, or the "
                     "cost is above 2^63-1",
                     "plan from a situation that holds x_0");
  return {narrow(best.cost, "the number of forward steps"), std::move(best.actions)};
}

}  // namespace sweepback::detail

namespace sweepback::binomial {

Count finishing_cost(const std::vector<Count>& stored, Count end, Count slots) {
  if (stored.empty() || stored.front() != 0 || slots < 1 || end < 0 ||
      !std::is_sorted(stored.begin(), stored.end()) || (end > 0 && stored.back() >= end))
    throw OutOfRange("a finishing cost needs x_0 and other states below the end, in order, and a slot",
                     "give stored states 0, …, below the end");
  Wide best = detail::infinite;
  const detail::Kept kept(stored, slots);
  kept.each_top([&](std::size_t i, std::size_t q) {
    best = std::min(best, kept.below(i, q) + kept.piece(i, q, end));
  });
  if (end == 0) return 0;
  return narrow(best, "the finishing cost");
}

}  // namespace sweepback::binomial
