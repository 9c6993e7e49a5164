// SPDX-License-Identifier: Apache-2.0
// The shortest path over all that can be stored, in hand and left to hand over: Dijkstra's algorithm
// with steps run, then stores, as the length.
#include <algorithm>
#include <bit>
#include <queue>
#include <unordered_map>

#include "finish.hpp"
#include "sweepback/error.hpp"

namespace sweepback::detail {

namespace {

struct Point {
  std::uint32_t stored;
  std::int8_t hand, end;  // hand -1: none

  std::uint64_t key() const {
    return std::uint64_t{stored} << 16 | static_cast<std::uint64_t>(hand + 1) << 8 |
           static_cast<std::uint64_t>(end);
  }
};

constexpr Count per_step = 1 << 10;  // above every number of stores

struct Reached {
  Count length;
  Point from;
  Action action;
  bool handed;
};

}  // namespace

Opening searched_finish(const Finish& f,
                        const std::function<void(Count, std::vector<Action>&)>& handed) {
  Point start{0, static_cast<std::int8_t>(f.hand.value_or(-1)), static_cast<std::int8_t>(f.end)};
  for (const Count i : f.stored) start.stored |= 1u << i;
  std::unordered_map<std::uint64_t, Reached> best;
  using Entry = std::pair<Count, Point>;
  const auto later = [](const Entry& a, const Entry& b) { return a.first > b.first; };
  std::priority_queue<Entry, std::vector<Entry>, decltype(later)> queue(later);
  best[start.key()] = {0, start, {}, false};
  queue.push({0, start});

  const auto has = [](std::uint32_t set, int i) { return (set >> i & 1) != 0; };
  while (!queue.empty()) {
    const Count length = queue.top().first;
    const Point p = queue.top().second;
    queue.pop();
    if (best.at(p.key()).length < length) continue;
    if (p.end == 0 && p.stored == 0) {
      std::vector<std::pair<Action, bool>> path;
      for (Point at = p; at.key() != start.key();) {
        const Reached& step = best.at(at.key());
        path.push_back({step.action, step.handed});
        at = step.from;
      }
      Opening opening{length / per_step, {}};
      for (auto step = path.rbegin(); step != path.rend(); ++step) {
        auto& actions = opening.actions;
        const Action& action = step->first;
        if (step->second)
          handed(action.first, actions);
        else if (action.kind == Action::Kind::forward && !actions.empty() &&
                 actions.back().kind == Action::Kind::forward && actions.back().last == action.first)
          actions.back().last = action.last;
        else
          actions.push_back(action);
      }
      return opening;
    }
    const auto go = [&](Point to, Count more, Action action, bool hands = false) {
      Reached& known = best.try_emplace(to.key(), Reached{max_count, p, action, hands}).first->second;
      if (known.length <= length + more) return;
      known = {length + more, p, action, hands};
      queue.push({length + more, to});
    };
    for (int i = 0; i < f.end; ++i)
      if (has(p.stored, i)) go({p.stored & ~(1u << i), p.hand, p.end}, 0, Action::free(i));
    if (std::popcount(p.stored) > f.slots) continue;  // that comes first
    const auto hand = p.hand;
    const auto next = static_cast<std::int8_t>(hand + 1);
    if (hand >= 0 && hand == p.end - 1 && !has(p.stored, hand))
      go({p.stored, -1, static_cast<std::int8_t>(p.end - 1)}, 0, Action::reverse(hand), true);
    if (hand >= 0 && next < p.end) go({p.stored, next, p.end}, per_step, Action::forward(hand, next));
    if (hand >= 0 && !has(p.stored, hand) && std::popcount(p.stored) < f.slots)
      go({p.stored | 1u << hand, hand, p.end}, 1, Action::store(hand));
    for (int i = 0; i < f.end; ++i)
      if (has(p.stored, i) && i != hand)
        go({p.stored, static_cast<std::int8_t>(i), p.end}, 0, Action::restore(i));
  }
  throw OutOfRange("no schedule leads to the end from there: x_0 is neither stored nor in hand",
                   "plan from a situation that holds x_0");
}

}  // namespace sweepback::detail
