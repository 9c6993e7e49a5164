// SPDX-License-Identifier: Apache-2.0
// The situations that the search goes through, and the moves between them: what each needs, costs and
// leaves (search.cpp has the normal form).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "engines.hpp"
#include "sweepback/error.hpp"

namespace sweepback::detail::uneven {

using Set = std::uint32_t;  // of states or of steps

constexpr int most = most_searched_steps;
constexpr int none = most + 1;

constexpr Set only(int i) { return Set{1} << i; }
constexpr Set below(int i) { return only(i) - 1; }
constexpr bool has(Set set, int i) { return (set >> i & 1) != 0; }
constexpr Set all_but_first(Set set) { return set & (set - 1); }

struct Point {
  Set states = 0, tapes = 0;
  int hand = 0, end = 0;
  bool made_final = false;  // or no need to

  std::uint64_t key() const {
    const std::uint64_t sets_of = states | tapes << most;
    return sets_of << 16 | static_cast<std::uint64_t>(hand << 8 | end << 1 | int{made_final});
  }
  static Point of(std::uint64_t key) {
    const auto sets_of = static_cast<Set>(key >> 16);
    const auto rest = static_cast<int>(key & 0xffff);
    return {sets_of & below(most), sets_of >> most, rest >> 8, rest >> 1 & 0x7f, (rest & 1) != 0};
  }
};

/// An action, what is given up for it, and what is restored for it. (Where states alone are kept, a
/// record and its reverse are one move.)
struct Move {
  Action::Kind kind = Action::Kind::forward;
  std::uint8_t restored = none;
  std::uint16_t states = 0, tapes = 0;
};

/// The chain's numbers, and what a move needs and does by them.
class Model {
 public:
  Model(const Chain& chain, Keep keep, Count bytes)
      : line_(Line::in_bytes(chain, keep)), keep_(keep), bytes_(bytes), in_place_(chain.in_place),
        l_(line_.real_steps) {
    int k = 0;
    for (const Run& run : chain.runs())
      for (Count repeat = 0; repeat < run.repeat; ++repeat, ++k) {
        const Step& step = run.step;
        forward_work_[at(k)] = step.forward_workspace;
        reverse_work_[at(k)] = step.reverse_workspace;
        forward_[at(k)] = line_.forward(k, k + 1);
        record_[at(k)] =
            narrow(Wide{step.record_cost()} + step.record_call, "the cost of a record");
        reverse_[at(k)] = narrow(Wide{step.reverse} + step.reverse_call, "the cost of a reverse");
        if (taped(k)) taped_ |= only(k);
        if (line_.output[at(k)]) outputs_ |= only(k);
      }
    wants_final_ = chain.final_state && l_ > 0 && !taped(l_ - 1);
    for (std::vector<Count>* sums : {&states_bytes_, &tapes_bytes_, &records_, &reverses_})
      sums->assign(only(l_), 0);
    for (Set set = 1; set < only(l_); ++set) {
      const int first = std::countr_zero(set);
      const Set others = all_but_first(set);
      states_bytes_[set] = states_bytes_[others] + line_.state[at(first)];
      tapes_bytes_[set] = tapes_bytes_[others] + line_.tape[at(first)];
      records_[set] = records_[others] + (taped(first) ? record_[at(first)] : 0);
      reverses_[set] = reverses_[others] + reverse_[at(first)];
    }
  }

  Point start() const { return {0, 0, 0, l_, !wants_final_}; }
  /// False where a step needs more than there is, whatever else is kept.
  bool every_step_fits() const {
    Count least_adjoint = infinite;
    for (int k = l_ - 1; k >= 0; --k) {
      const bool of_tape = !in_place_ && k > 0 && has(outputs_, k - 1);
      const Count in = of_tape ? std::min(line_.state[at(k)], line_.tape[at(k - 1)])
                               : line_.state[at(k)];
      const Count out = line_.state[at(k + 1)], adjoint = line_.adjoint[at(k + 1)];
      least_adjoint = std::min(least_adjoint, adjoint);
      const Count read = taped(k) ? line_.tape[at(k)] : in;
      if (read + reverse_work_[at(k)] + adjoint > bytes_) return false;
      if (!taped(k)) continue;
      const Count states = in_place_ ? std::max(in, out) : in + (has(outputs_, k) ? 0 : out);
      if (states + line_.tape[at(k)] + forward_work_[at(k)] + least_adjoint > bytes_) return false;
    }
    return true;
  }

  bool keeps_tapes() const { return keep_ != Keep::states; }

  /// No schedule from here on costs less; `infinite` where there is none.
  Count at_least(const Point& p) const {
    const Set left = below(p.end), to_start = left & ~p.tapes;
    const Set there = available(p) | (p.hand == none ? 0 : only(p.hand));
    Count cost = reverses_[left] + records_[to_start];
    if (!p.made_final) cost += forward_[at(l_ - 1)];
    const Set missing = to_start & ~there;
    if (missing != 0 && (there & below(std::countr_zero(missing))) == 0) return infinite;
    for (Set set = missing; set != 0; set = all_but_first(set)) {
      const int k = std::countr_zero(set) - 1;
      if (has(p.tapes, k)) cost += std::min(forward_[at(k)], record_[at(k)]);
      else if (!keeps_tapes() || !taped(k)) cost += forward_[at(k)];
    }
    return cost;
  }

  /// Calls `to(move)` for every move of the normal form, but for what it gives up, and with what it
  /// may give up and must.
  template <class To>
  void moves(const Point& p, To&& to) const {
    const Set there = available(p);
    if (p.hand != none) moves_from(p, p.hand, none, to);
    for (Set set = there; set != 0; set = all_but_first(set))
      if (const int i = std::countr_zero(set); i != p.hand) moves_from(p, i, i, to);
    const int k = p.end - 1;
    if (!has(p.tapes, k)) return;
    Move reverse{Action::Kind::reverse};
    to(reverse, droppable(p, p.hand) & ~(only(k) << most), Set{0});
    const bool fit = fits(p, reverse);
    const Count later = states_bytes_[p.states & below(k)] + tapes_bytes_[p.tapes & ~only(k)] +
                        line_.adjoint[at(k)];
    for (Set set = there; set != 0; set = all_but_first(set))
      if (const int i = std::countr_zero(set);
          i != p.hand && (!fit || later + (in_place_ ? line_.state[at(i)] : 0) > bytes_)) {
        reverse.restored = static_cast<std::uint8_t>(i);
        to(reverse, droppable(p, i) & ~(only(k) << most), Set{0});
      }
  }

  bool fits(const Point& p, const Move& move) const {
    const Set states = p.states & ~Set{move.states}, tapes = p.tapes & ~Set{move.tapes};
    const Count alive = states_bytes_[states] + tapes_bytes_[tapes] + line_.adjoint[at(p.end)];
    const int hand = hand_of(p, move);
    const bool kept = hand != none && holds(states, tapes, hand);
    const Count in = hand == none || (kept && !in_place_) ? 0 : line_.state[at(hand)];
    if (move.restored != none &&
        alive + (kept ? 0 : last_holder_bytes(p, hand)) + (in_place_ ? in : 0) > bytes_)
      return false;
    const auto run = [&](int k, bool makes_out) {
      const Count out = line_.state[at(k + 1)];
      return (in_place_ ? std::max(in, out) : in + (makes_out ? out : 0)) + forward_work_[at(k)];
    };
    Count more = 0;
    switch (move.kind) {
      case Action::Kind::forward: more = run(hand, true); break;
      case Action::Kind::store: more = line_.state[at(hand)] + (in_place_ ? in : 0); break;
      case Action::Kind::record:
        more = run(hand, !has(outputs_, hand));
        if (!keeps_tapes()) more = std::max(more, reverse_work_[at(hand)]);
        more += line_.tape[at(hand)];
        break;
      default: {
        const int k = p.end - 1;
        more = (taped(k) && hand >= k ? 0 : in) + reverse_work_[at(k)];
      }
    }
    return alive + more <= bytes_;
  }

  struct Cost {
    Count cost = 0;
    std::uint32_t stores = 0;
  };

  /// What the move leads to; false where the normal form rules it out.
  bool follow(Point& p, const Move& move, Cost& cost) const {
    const int hand = hand_of(p, move);
    Count more = 0;
    p.states &= ~Set{move.states};
    p.tapes &= ~Set{move.tapes};
    p.hand = hand;
    switch (move.kind) {
      case Action::Kind::forward:
        more = forward_[at(hand)];
        p.hand = hand + 1;
        if (p.hand == l_) p.made_final = true;
        if (holds(p.states, p.tapes, p.hand)) return false;
        break;
      case Action::Kind::store:
        p.states |= only(hand);
        ++cost.stores;
        break;
      case Action::Kind::record:
        more = record_[at(hand)];
        p.hand = hand + 1;
        if (keeps_tapes()) {
          p.tapes |= only(hand);
          break;
        }
        [[fallthrough]];
      default:
        --p.end;
        more += reverse_[at(p.end)];
        if (!taped(p.end)) p.hand = none;
        p.tapes &= below(p.end);
        p.states &= below(p.end);
    }
    if (p.hand >= p.end) p.hand = none;
    cost.cost = narrow(Wide{cost.cost} + more, "the cost of a schedule");
    if (views(p)) p.hand = std::countr_zero(available(p));
    return true;
  }

  /// Writes the move, made at `p`, behind `actions`, given that `hand` is in hand, and returns what
  /// is then.
  int write(const Point& p, const Move& move, int hand, std::vector<Action>& actions) const {
    const int i = hand_of(p, move);
    Set states = move.states, tapes = move.tapes;
    const bool restores = move.restored != none && move.restored != hand;
    if (restores) {  // its last holder goes after it
      const bool kept = holds(p.states & ~states, p.tapes & ~tapes, i);
      const bool state_last = !kept && last_holder_is_state(p, i);
      if (state_last) states &= ~only(i);
      if (!kept && !state_last) tapes &= ~only(i - 1);
    }
    give_up(states, tapes, actions);
    if (restores) {
      actions.push_back(Action::restore(i));
      hand = i;
    }
    give_up(move.states & ~states, move.tapes & ~tapes, actions);
    const int k = p.end - 1;
    switch (move.kind) {
      case Action::Kind::forward:
        if (!actions.empty() && actions.back().kind == Action::Kind::forward)
          actions.back().last = i + 1;
        else
          actions.push_back(Action::forward(i, i + 1));
        return i + 1;
      case Action::Kind::store: actions.push_back(Action::store(i)); return i;
      case Action::Kind::record:
        actions.push_back(Action::record(i));
        if (keeps_tapes()) return i + 1;
        [[fallthrough]];
      default:
        actions.push_back(Action::reverse(k));
        give_up(p.states & ~Set{move.states} & only(k), 0, actions);
        return !taped(k) || hand >= k ? none : hand;
    }
  }

  /// Whether the move needs `p.hand` itself in hand, and not just any view, as `hand` is.
  bool needs_hand(const Point& p, const Move& move, int hand) const {
    if (move.restored != none) return false;
    if (move.kind != Action::Kind::reverse || !taped(p.end - 1)) return true;
    return hand != none &&
           !holds(p.states & ~Set{move.states}, p.tapes & ~Set{move.tapes}, hand);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static int hand_of(const Point& p, const Move& move) {
    return move.restored != none ? move.restored : p.hand;
  }
  bool taped(int k) const { return line_.taped[at(k)] != 0; }
  Set available(const Point& p) const {
    return (p.states | (p.tapes & outputs_) << 1) & below(p.end);
  }
  bool holds(Set states, Set tapes, int i) const {
    return has(states | (tapes & outputs_) << 1, i);
  }
  /// What is in hand takes no room, and anything else kept can be restored in its place. (Beside an
  /// adjoint that has grown too large, nothing can.)
  bool views(const Point& p) const {
    if (in_place_ || p.hand == none || !holds(p.states, p.tapes, p.hand)) return false;
    return states_bytes_[p.states] + tapes_bytes_[p.tapes] + line_.adjoint[at(p.end)] <= bytes_;
  }
  /// All that is kept, but a tape of which the state in hand is a view, stored nowhere: to give that
  /// up is to copy the state first, which storing it does as well.
  Set droppable(const Point& p, int hand) const {
    Set tapes = p.tapes;
    if (!in_place_ && hand != none && holds(0, tapes, hand) && !has(p.states, hand))
      tapes &= ~only(hand - 1);
    return tapes << most | p.states;
  }
  bool last_holder_is_state(const Point& p, int i) const {
    if (!has(p.states, i)) return false;
    if (!in_place_) return true;  // it is moved, where what a tape holds would be copied
    return !holds(0, p.tapes, i) || line_.state[at(i)] <= line_.tape[at(i - 1)];
  }
  Count last_holder_bytes(const Point& p, int i) const {
    return last_holder_is_state(p, i) ? line_.state[at(i)] : line_.tape[at(i - 1)];
  }

  static void give_up(Set states, Set tapes, std::vector<Action>& actions) {
    for (; states != 0; states = all_but_first(states))
      actions.push_back(Action::free(std::countr_zero(states)));
    for (; tapes != 0; tapes = all_but_first(tapes))
      actions.push_back(Action::free_tape(std::countr_zero(tapes)));
  }

  template <class To>
  void moves_from(const Point& p, int i, int restored, To& to) const {
    const auto offer = [&](Action::Kind kind, Set must) {
      to(Move{kind, static_cast<std::uint8_t>(restored)}, droppable(p, i) & ~must, must);
    };
    if (i == p.end - 1 && !taped(i) && p.made_final) offer(Action::Kind::reverse, 0);
    if (i + 1 < p.end || !p.made_final) offer(Action::Kind::forward, 0);
    if (taped(i) && (keeps_tapes() || i == p.end - 1)) {
      // A kept tape is made again only where that is the cheaper way to its output.
      const bool again = has(p.tapes, i);
      if (!again) offer(Action::Kind::record, 0);
      else if (!has(outputs_, i) && record_[at(i)] < forward_[at(i)])
        offer(Action::Kind::record, only(i) << most);
    }
    if (!has(p.states, i) && (keep_ != Keep::tapes || i == 0)) offer(Action::Kind::store, 0);
  }

  Line line_;
  Keep keep_;
  Count bytes_;
  bool in_place_, wants_final_ = false;
  int l_;
  Set taped_ = 0, outputs_ = 0;
  std::array<Count, most> forward_{}, record_{}, reverse_{}, forward_work_{}, reverse_work_{};
  std::vector<Count> states_bytes_, tapes_bytes_, records_, reverses_;  // of sets
};

}  // namespace sweepback::detail::uneven
