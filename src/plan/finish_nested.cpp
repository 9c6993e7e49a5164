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

/// The cheapest ways to keep some of the stored states, up to each as the top one.
class Kept {
 public:
  Kept(const std::vector<Count>& stored, Count slots) : stored_(stored), slots_(slots) {
    const std::size_t m = stored.size();
    const std::size_t drops = m <= 128 ? m : 4;
    table_.assign(m, std::vector<Entry>(m));
    if (m == 0 || stored.front() != 0) return;
    table_[0][0].cost = 0;
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t q = 0; q <= i; ++q) {
        const Wide below = table_[i][q].cost;
        if (below >= infinite || static_cast<Count>(q) + 1 >= slots) continue;
        for (std::size_t j = i + 1; j < m && j <= i + 1 + drops; ++j) {
          const Wide sum = below + piece(i, q, stored[j]);
          Entry& entry = table_[j][q + 1];
          if (sum < entry.cost) entry = {sum, i};
        }
      }
  }

  std::size_t size() const { return stored_.size(); }
  Count at(std::size_t i) const { return stored_[i]; }
  Wide below(std::size_t i, std::size_t q) const { return table_[i][q].cost; }

  /// The piece from the i-th stored state, the q-th kept, up to `end`.
  Wide piece(std::size_t i, std::size_t q, Count end) const {
    return cost(end - stored_[i], slots_ - static_cast<Count>(q));
  }

  /// Those kept, up to the i-th as the q-th.
  std::vector<Count> states(std::size_t i, std::size_t q) const {
    std::vector<Count> kept;
    for (;; i = table_[i][q--].from) {
      kept.push_back(stored_[i]);
      if (q == 0) break;
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
  std::vector<std::vector<Entry>> table_;  // by stored state and number kept below it
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
void from_bases(const Finish& f, const std::vector<Count>& bases, Best& best) {
  const auto opening = [&](const std::vector<Count>& kept, bool move, Count to) {
    std::vector<Action> actions = free_all_but(f.stored, kept);
    if (bases.size() > f.stored.size()) actions.push_back(Action::store(*f.hand));
    const Count top = kept.back();
    if (f.hand && f.hand != top) actions.push_back(Action::restore(top));
    if (move && !f.hand) actions.push_back(Action::restore(top));
    if (move) actions.insert(actions.end(), {Action::free(top), Action::forward(top, to)});
    return actions;
  };
  const Count end = f.end;
  const Kept kept(bases, f.slots);
  for (std::size_t i = 0; i < kept.size(); ++i)
    for (std::size_t q = 0; q <= i; ++q) {
      const Wide below = kept.below(i, q);
      const Count p = kept.at(i);
      if (below >= infinite) continue;
      best.consider(below + kept.piece(i, q, end),
                    [&] { return opening(kept.states(i, q), false, 0); });
      // The top base moves on to j; the piece below it grows.
      for (std::size_t lower = 0; q > 0 && lower < i; ++lower) {
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
    }
}

}  // namespace

Opening nested_finish(const Finish& f) {
  Best best;
  const auto& stored = f.stored;
  if (f.end == 0) return {};
  from_bases(f, stored, best);
  const bool loose = f.hand && !std::binary_search(stored.begin(), stored.end(), *f.hand);
  if (loose && !stored.empty() && *f.hand < stored.back()) {
    std::vector<Count> with = stored;
    with.insert(std::upper_bound(with.begin(), with.end(), *f.hand), *f.hand);
    from_bases(f, with, best);
  } else if (loose) {
    const Count h = *f.hand, last = f.end - 1;
    const auto insert = [&](Count j, std::vector<Count> kept) {
      std::vector<Action> actions = free_all_but(stored, kept);
      if (j > h) actions.push_back(Action::forward(h, j));
      return actions;
    };
    if (stored.empty() && h == 0)
      best.consider(cost(f.end, f.slots), [&] { return insert(0, {}); });
    const Kept kept(stored, f.slots);
    for (std::size_t i = 0; i < kept.size(); ++i)
      for (std::size_t q = 0; q <= i; ++q) {
        const Wide below = kept.below(i, q);
        if (below >= infinite) continue;
        // Run to the end and handed over there, and the rest from the bases.
        best.consider(last - h + below + kept.piece(i, q, last),
                      [&] { return insert(last, kept.states(i, q)); });
        const Count above = f.slots - static_cast<Count>(q) - 1;
        if (above < 1) continue;
        const auto inserted = [&](Count j) {
          return below + kept.piece(i, q, j) + (j - h) + cost(f.end - j, above);
        };
        const Count j = least_of(h, last, inserted);
        best.consider(inserted(j), [&] { return insert(j, kept.states(i, q)); });
      }
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
  for (std::size_t i = 0; i < kept.size(); ++i)
    for (std::size_t q = 0; q <= i; ++q)
      if (kept.below(i, q) < detail::infinite)
        best = std::min(best, kept.below(i, q) + kept.piece(i, q, end));
  if (end == 0) return 0;
  return narrow(best, "the finishing cost");
}

}  // namespace sweepback::binomial
