// SPDX-License-Identifier: Apache-2.0
// Several kinds of storage, equal steps: the hierarchical programme (H-Revolve: Herrmann & Pallez 2020;
// with a level without bound Disk-Revolve: Aupy, Herrmann, Hovland & Robert 2016).
//
// n states are to be handed over in reverse order, x_0 in hand and nothing stored; u is the cost of a
// forward step, level k has c_k slots, a store costs w_k and a restore r_k there, level 0 is memory.
//
//     loose_k(n, m)   with m slots of level k and all of the levels below
//     stored_k(n, m)  x_0 in one of those m slots already
//
//     stored_k(n, m) = min{ loose_{k-1}(n, c_{k-1}), min over 1 <= j < n of
//                           j u + loose_k(n-j, m-1) + r_k + stored_k(j, m) }
//     loose_k(n, m)  = min{ loose_{k-1}(n, c_{k-1}), w_k + stored_k(n, m) }
//
// Cheapest among all schedules where w and r do not fall from one level to the next, also against an
// exhaustive search (tests). A level without bound has m = m-1, and one row. In memory that stores for
// nothing, level 0 is the closed form u T(n, c_0) + (n-1) r_0. O(n^2) for every other slot.
//
// What comes back from a level that loses something is not stored there again, nor what is run from it, so
// that no state has lost twice. In place of stored_k(j, m), when x_0 has come back, then stands
//
//     lost_k(n) = min{ loose_{k-1}(n, c_{k-1}), min over 1 <= j < n of
//                      j u + loose_{k-1}(n-j, c_{k-1}) + r_k + lost_k(j) }
#pragma once

#include <vector>

#include "sweepback/action.hpp"

namespace sweepback::detail::tiered {

struct Level {
  Count slots = 0;
  bool unbounded = false;
  Count store = 0, restore = 0;
  int tier = 0;  ///< its number in the budget
  bool lossy = false;
};

class Table {
 public:
  static constexpr Count infinite = max_count / 4;

  /// Additions and comparisons that such a table takes.
  static Wide work(Count states, const std::vector<Level>& levels);

  /// Throws Overflow where a schedule's cost might not fit.
  Table(Count states, Count forward, std::vector<Level> levels);

  /// Of all states: `infinite` where there is no schedule.
  Count cost() const { return loose(states_); }

  /// Of a piece of n states in all slots; `stored`: x_0 in the last level already, and
  /// come back to.
  Count loose(Count n) const;
  Count stored(Count n) const { return lost_.back().empty() ? rows_.back().back().stored[static_cast<std::size_t>(n)] : lost_.back()[static_cast<std::size_t>(n)]; }

  /// The cheapest schedule with the fewest stores in high levels; `leaf` writes what is done with x_i
  /// in hand when it is its turn.
  template <class Leaf>
  std::vector<Action> actions(Leaf&& leaf) const;

  /// The same of n states from x_base, behind `actions`; `stored`: it is come back to, in the last level.
  template <class Leaf>
  void write(Count base, Count n, bool stored, std::vector<Action>& actions, Leaf&& leaf) const;

 private:
  struct Row {
    std::vector<Count> loose, stored;  // by the number of states
  };
  struct Piece {
    int level;
    Count slots, base, states;
    bool is_stored;  // in the level; it is then come back to
    bool lost = false;  // and has been, in one that loses something
  };

  void fill_row(std::size_t level, const std::vector<Count>& below, const std::vector<Count>& above, Row& row);
  std::vector<Count> fill_lost(const Level& level, const std::vector<Count>& below) const;
  const std::vector<Count>& whole(int level) const;
  Count split(const Piece& piece) const;
  Count stored(const Piece& piece) const;
  const Row* row(int level, Count slots) const;

  Count states_, forward_;
  std::vector<Level> levels_;
  bool closed_form_;                    // of level 0, whose rows are not there then
  std::vector<Count> nothing_, memory_;  // below level 0; of level 0 in closed form
  std::vector<std::vector<Row>> rows_;    // by level, then slots - 1
  std::vector<std::vector<Count>> lost_;  // by level; empty where nothing is lost
};

}  // namespace sweepback::detail::tiered

#include "table_actions.hpp"
