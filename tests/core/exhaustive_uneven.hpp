// SPDX-License-Identifier: Apache-2.0
// The brute-force rival for unequal steps: the cheapest of ALL action sequences in bytes, found by
// Dijkstra's algorithm over every situation, an action at a time. It knows no theory and no normal
// form, and shares no code with library or referee. It also replays a list of actions by its rules,
// which allow tapes at some steps only.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace rival::uneven {

struct Step {
  int forward = 1, record = 1, reverse = 1;
  int state = 1, tape = -1;  // of its output; -1: it has no tape
  bool output = true;
  int forward_workspace = 0, reverse_workspace = 0, adjoint = 0;
};

enum class Keep { states, tapes, mixed };

struct Model {
  std::vector<Step> steps;
  int input = 1, input_adjoint = 0;
  bool in_place = false, final_state = false;
  Keep keep = Keep::states;
  int bytes = 0;

  int l() const { return static_cast<int>(steps.size()); }
};

enum class Do { forward, record, store, restore, free, free_tape, reverse };

struct Cost {
  int cost = 0, stores = 0;
  auto operator<=>(const Cost&) const = default;
};

struct Point {
  std::uint32_t states = 0, tapes = 0;
  int hand = 0, end = 0;  // hand -1: none
  bool made_final = false;
  bool in_use = false;  // the tape just recorded has to be reversed at once
  auto operator<=>(const Point&) const = default;
};

class Rules {
 public:
  explicit Rules(const Model& model) : m(model) {}

  Point start() const { return {0, 0, 0, m.l(), false, false}; }
  static bool over(const Point& p) { return p.end == 0 && p.states == 0 && p.tapes == 0; }

  /// One step of `what`, from state or step i; false where the rules forbid it.
  bool act(Do what, int i, Point& p, Cost& cost) const {
    if (p.in_use && !(what == Do::reverse && i == p.end - 1)) return false;
    p.in_use = false;
    switch (what) {
      case Do::forward: {
        if (i >= m.l() || p.hand != i) return false;
        const int in = hand_bytes(p), out = state(i + 1);
        if (!fits(p, (m.in_place ? std::max(in, out) : in + out) + step(i).forward_workspace))
          return false;
        arrive(p, i + 1);
        cost.cost += step(i).forward;
        return true;
      }
      case Do::record: {
        if (i >= m.l() || p.hand != i || step(i).tape < 0 || has(p.tapes, i)) return false;
        if (m.keep == Keep::states && i != p.end - 1) return false;
        const int in = hand_bytes(p), out = state(i + 1);
        const int states = m.in_place ? std::max(in, out) : in + (step(i).output ? 0 : out);
        if (!fits(p, states + step(i).tape + step(i).forward_workspace)) return false;
        p.tapes |= 1u << i;
        arrive(p, i + 1);
        p.in_use = m.keep == Keep::states;
        cost.cost += step(i).record;
        return true;
      }
      case Do::store:
        if (p.hand != i || has(p.states, i)) return false;
        if (m.keep == Keep::tapes && i != 0) return false;
        if (!fits(p, state(i) + (m.in_place ? state(i) : 0))) return false;
        p.states |= 1u << i;
        ++cost.stores;
        return true;
      case Do::restore:
        if (!kept(p, i)) return false;
        p.hand = i;
        return fits(p, hand_bytes(p));
      case Do::free:
        if (!has(p.states, i)) return false;
        p.states &= ~(1u << i);
        return true;
      case Do::free_tape:
        if (!has(p.tapes, i)) return false;
        // What is in hand is copied out of it.
        if (!m.in_place && p.hand == i + 1 && step(i).output && !has(p.states, i + 1) &&
            !fits(p, state(i + 1)))
          return false;
        p.tapes &= ~(1u << i);
        return true;
      case Do::reverse:
        if (i < 0 || i != p.end - 1) return false;
        if (step(i).tape >= 0) {
          if (!has(p.tapes, i)) return false;
          if (p.hand >= i) p.hand = -1;
        } else if (p.hand != i) {
          return false;
        }
        if (m.final_state && !p.made_final && step(m.l() - 1).tape < 0) return false;
        if (!fits(p, hand_bytes(p) + step(i).reverse_workspace)) return false;
        p.tapes &= ~(1u << i);
        if (step(i).tape < 0) p.hand = -1;
        p.end = i;
        cost.cost += step(i).reverse;
        return true;
    }
    return false;
  }

 private:
  static bool has(std::uint32_t set, int i) { return i >= 0 && (set >> i & 1) != 0; }
  const Step& step(int k) const { return m.steps[static_cast<std::size_t>(k)]; }
  int state(int i) const { return i == 0 ? m.input : step(i - 1).state; }
  bool kept(const Point& p, int i) const {
    return has(p.states, i) || (i > 0 && has(p.tapes, i - 1) && step(i - 1).output);
  }
  int hand_bytes(const Point& p) const {
    return p.hand < 0 || (!m.in_place && kept(p, p.hand)) ? 0 : state(p.hand);
  }
  void arrive(Point& p, int i) const {
    p.hand = i;
    p.made_final = p.made_final || i == m.l();
  }
  bool fits(const Point& p, int more) const {
    int alive = more + (p.end == 0 ? m.input_adjoint : step(p.end - 1).adjoint);
    for (int i = 0; i <= m.l(); ++i) {
      if (has(p.states, i)) alive += state(i);
      if (has(p.tapes, i)) alive += step(i).tape;
    }
    return alive <= m.bytes;
  }

  Model m;
};

/// Empty where no sequence fits.
inline std::optional<Cost> cheapest(const Model& m) {
  const Rules rules(m);
  std::map<Point, Cost> best{{rules.start(), {}}};
  using Entry = std::pair<Cost, Point>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  queue.push({{}, rules.start()});
  while (!queue.empty()) {
    const auto [cost, at] = queue.top();
    queue.pop();
    if (best.at(at) < cost) continue;
    if (Rules::over(at)) return cost;
    for (const Do what : {Do::forward, Do::record, Do::store, Do::restore, Do::free, Do::free_tape,
                          Do::reverse})
      for (int i = 0; i <= m.l(); ++i) {
        Point to = at;
        Cost there = cost;
        if (!rules.act(what, i, to, there)) continue;
        const auto [where, fresh] = best.try_emplace(to, there);
        if (!fresh && where->second <= there) continue;
        where->second = there;
        queue.push({there, to});
      }
  }
  return std::nullopt;
}

}  // namespace rival::uneven
