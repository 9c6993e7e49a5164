// SPDX-License-Identifier: Apache-2.0
// The brute-force rival: the cheapest of ALL action sequences of the model, found by Dijkstra's
// algorithm over every situation. It knows no theory and shares no code with library or referee.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace rival {

/// A small chain of equal steps and what may be kept. Sizes in bytes; `bytes` or `slots` is the
/// budget, the other is negative.
struct Model {
  int l = 0;
  bool tapes = false, keep_tapes = false, in_place = false, final_state = false, output = true;
  int state = 1, tape = 1, forward_workspace = 0, reverse_workspace = 0, adjoint = 0;
  int slots = -1, bytes = -1;
  // Both kept, in `slots` units; the tape in use, recorded and at once reversed, is outside.
  bool mixed = false;
  int state_units = 1, tape_units = 1;
  bool persistent = false;  // what is kept stays until its step is reversed, x_0 to the end
};

/// Steps run (forward and recorded), then store actions: compared in this order.
struct Cost {
  int steps = 0, stores = 0;
  auto operator<=>(const Cost&) const = default;
};

struct Point {
  std::uint32_t states = 0, tapes = 0;
  int hand = 0, end = 0;  // hand -1: none
  bool made_final = false;
  auto operator<=>(const Point&) const = default;
};

class Search {
 public:
  explicit Search(const Model& model) : m(model) {}

  /// Empty where no sequence fits.
  std::optional<Cost> cheapest() {
    if (m.l == 0) return Cost{};
    return cheapest({0, 0, 0, m.l, false});
  }
  std::optional<Cost> cheapest(const Point& start) {
    visit(start, {});
    while (!queue.empty()) {
      const auto [cost, at] = queue.top();
      queue.pop();
      if (best.at(at) < cost) continue;
      if (at.end == 0 && at.states == 0 && at.tapes == 0) return cost;
      expand(at, cost);
    }
    return std::nullopt;
  }

 private:
  static bool has(std::uint32_t set, int i) { return i >= 0 && (set >> i & 1) != 0; }
  static int count(std::uint32_t set) { return __builtin_popcount(set); }

  void visit(const Point& to, const Cost& cost) {
    const auto [where, fresh] = best.try_emplace(to, cost);
    if (!fresh && where->second <= cost) return;
    where->second = cost;
    queue.push({cost, to});
  }

  bool view(const Point& p) const {  // the hand takes no room of its own
    return !m.in_place && (has(p.states, p.hand) || (m.output && has(p.tapes, p.hand - 1)));
  }
  int hand_bytes(const Point& p) const { return p.hand < 0 || view(p) ? 0 : m.state; }
  bool fits(const Point& p, int more) const {
    if (m.bytes < 0) return true;
    return count(p.states) * m.state + count(p.tapes) * m.tape + m.adjoint + more <= m.bytes;
  }

  bool units_fit(const Point& p) const {
    return !m.mixed || m.slots < 0 ||
           count(p.states) * m.state_units + count(p.tapes) * m.tape_units <= m.slots;
  }

  void expand(const Point& p, const Cost& cost) {
    if (!m.keep_tapes && p.tapes != 0) return reverse(p, cost);  // the tape in use, at once
    reverse(p, cost);
    run(p, cost);
    if (p.hand >= 0 && !has(p.states, p.hand) && (!m.keep_tapes || m.mixed || p.hand == 0))
      store(p, cost);
    for (int i = 0; i <= m.l; ++i) {
      if (has(p.states, i) || (m.output && has(p.tapes, i - 1))) {
        Point q = p;
        q.hand = i;
        if (fits(q, hand_bytes(q))) visit(q, cost);
      }
      if (has(p.states, i) && !(m.persistent && p.end > 0))
        visit({p.states & ~(1u << i), p.tapes, p.hand, p.end, p.made_final}, cost);
      // What is in hand is copied out of it.
      const bool copied = !m.in_place && m.output && p.hand == i + 1 && !has(p.states, i + 1);
      if (has(p.tapes, i) && !m.persistent && (!copied || fits(p, m.state)))
        visit({p.states, p.tapes & ~(1u << i), p.hand, p.end, p.made_final}, cost);
    }
  }

  void run(const Point& p, const Cost& cost) {
    if (p.hand < 0 || p.hand >= m.l) return;
    const Cost more{cost.steps + 1, cost.stores};
    const bool final_one = p.hand + 1 == m.l;
    const int input = m.in_place ? 0 : hand_bytes(p);
    if (fits(p, input + m.state + m.forward_workspace)) {
      // x_l is handed out as soon as it is made.
      const bool handed_out = final_one && !m.tapes && m.final_state && !p.made_final;
      visit({p.states, p.tapes, handed_out ? -1 : p.hand + 1, p.end, p.made_final || final_one},
            more);
    }
    if (!m.tapes || has(p.tapes, p.hand)) return;
    if (m.keep_tapes && !m.mixed && m.slots >= 0 && count(p.tapes) >= m.slots) return;
    const int made = m.in_place || !m.output ? m.state : 0;
    if (!fits(p, input + made + m.tape + m.forward_workspace)) return;
    const Point q{p.states, p.tapes | 1u << p.hand, p.hand + 1, p.end, p.made_final || final_one};
    if (units_fit(q)) visit(q, more);
    if (m.mixed && p.hand == p.end - 1) reverse(q, more);
  }

  void store(const Point& p, const Cost& cost) {
    if (!m.keep_tapes && m.slots >= 0 && count(p.states) >= m.slots) return;
    if (!units_fit({p.states | 1u << p.hand, p.tapes, p.hand, p.end, p.made_final})) return;
    // Storing is a copy in place, and of what a tape holds; else it is keeping a reference.
    if (!fits(p, m.state + (m.in_place ? m.state : 0))) return;
    visit({p.states | 1u << p.hand, p.tapes, p.hand, p.end, p.made_final},
          {cost.steps, cost.stores + 1});
  }

  void reverse(const Point& p, const Cost& cost) {
    const int k = p.end - 1;
    if (k < 0) return;
    if (m.tapes) {
      if (!has(p.tapes, k)) return;
      Point q = p;
      if (q.hand >= k) q.hand = -1;
      if (!fits(q, hand_bytes(q) + m.reverse_workspace)) return;
      visit({q.states, q.tapes & ~(1u << k), q.hand, k, q.made_final}, cost);
    } else {
      if (p.hand != k || (m.final_state && !p.made_final)) return;
      if (!fits(p, hand_bytes(p) + m.reverse_workspace)) return;
      visit({p.states, p.tapes, -1, k, p.made_final}, cost);
    }
  }

  Model m;
  std::map<Point, Cost> best;
  using Entry = std::pair<Cost, Point>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
};

}  // namespace rival
