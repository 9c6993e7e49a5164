// SPDX-License-Identifier: Apache-2.0
// The schedule of a table, read off piece by piece. Included by table.hpp.
#pragma once

#include "in_memory.hpp"
#include "table.hpp"

namespace sweepback::detail::tiered {

template <class Leaf>
std::vector<Action> Table::actions(Leaf&& leaf) const {
  std::vector<Action> actions;
  if (states_ > 0) write(0, states_, false, actions, leaf);
  return actions;
}

template <class Leaf>
void Table::write(Count first, Count states, bool stored, std::vector<Action>& actions, Leaf&& leaf) const {
  const auto top = static_cast<int>(levels_.size()) - 1;
  std::vector<Piece> open{{top, levels_.back().slots, first, states, stored}};
  while (!open.empty()) {
    Piece piece = open.back();
    open.pop_back();
    if (piece.is_stored) {
      const Level& level = levels_[static_cast<std::size_t>(piece.level)];
      actions.push_back(Action::restore(piece.base, level.tier));
      piece.lost = level.lossy;
    }
    for (;;) {
      const bool memory = piece.level == 0 && closed_form_;
      const Row* of = memory ? nullptr : row(piece.level, piece.slots);
      const auto n = static_cast<std::size_t>(piece.states);
      const int tier = levels_[static_cast<std::size_t>(piece.level)].tier;
      if (piece.is_stored && (!of || n == 1 || this->stored(piece) == whole(piece.level - 1)[n])) {
        actions.push_back(Action::free(piece.base, tier));
        piece.is_stored = false;
        if (std::exchange(piece.lost, false)) {
          --piece.level;
          piece.slots = levels_[static_cast<std::size_t>(piece.level)].slots;
          if (n > 1) continue;
        }
      }
      if (n == 1) {
        leaf(piece.base, actions);
        break;
      }
      if (memory) {
        in_memory(piece.base, piece.states, levels_[0].slots, actions, leaf);
        break;
      }
      if (!piece.is_stored && (!of || of->loose[n] == whole(piece.level - 1)[n])) {
        --piece.level;
        piece.slots = levels_[static_cast<std::size_t>(piece.level)].slots;
        continue;
      }
      if (!piece.is_stored) actions.push_back(Action::store(piece.base, tier));
      piece.is_stored = true;
      const Count j = split(piece);
      actions.push_back(Action::forward(piece.base, piece.base + j));
      Piece below = piece;
      below.states = j;
      open.push_back(below);
      const Level& level = levels_[static_cast<std::size_t>(piece.level)];
      if (piece.lost)
        piece = {piece.level - 1, levels_[static_cast<std::size_t>(piece.level) - 1].slots, piece.base + j, piece.states - j, false};
      else
        piece = {piece.level, piece.slots - !level.unbounded, piece.base + j, piece.states - j, false};
    }
  }
}

}  // namespace sweepback::detail::tiered
