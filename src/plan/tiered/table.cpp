// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <algorithm>

#include "sweepback/binomial.hpp"
#include "sweepback/error.hpp"

namespace sweepback::detail::tiered {

Wide Table::work(Count states, const std::vector<Level>& levels) {
  Wide rows = 0;
  for (std::size_t k = 0; k < levels.size(); ++k)
    if (k > 0 || levels[k].store > 0)
      rows += levels[k].unbounded ? 1 : std::min(levels[k].slots, std::max<Count>(1, states - 1));
  return rows * states * states / 2;
}

Table::Table(Count states, Count forward, std::vector<Level> levels)
    : states_(states), forward_(forward), levels_(std::move(levels)), closed_form_(levels_[0].store == 0) {
  Wide each = forward;
  for (Level& level : levels_) {
    level.slots = level.unbounded ? 1 : std::min(level.slots, std::max<Count>(1, states - 1));
    each = std::max({each, static_cast<Wide>(forward) + level.store + level.restore});
  }
  narrow((each + 1) * states * states * 4, "the cost of a schedule in little memory");
  const auto n = static_cast<std::size_t>(states);
  nothing_.assign(n + 1, infinite);
  for (std::size_t i = 0; i < std::min<std::size_t>(2, n + 1); ++i) nothing_[i] = 0;
  if (closed_form_) {
    memory_ = nothing_;
    if (levels_[0].slots > 0)
      for (Count i = 2; i <= states; ++i)
        memory_[static_cast<std::size_t>(i)] =
            forward * binomial::forward_steps(i, levels_[0].slots) + (i - 1) * levels_[0].restore;
  }
  rows_.resize(levels_.size());
  lost_.resize(levels_.size());
  for (std::size_t k = closed_form_; k < levels_.size(); ++k) {
    const Level& level = levels_[k];
    const std::vector<Count>& below = whole(static_cast<int>(k) - 1);
    if (level.lossy) lost_[k] = fill_lost(level, below);
    rows_[k].reserve(static_cast<std::size_t>(level.slots));
    for (Count m = 1; m <= level.slots; ++m) {
      Row& row = rows_[k].emplace_back();
      row.loose = row.stored = below;
      const std::vector<Count>& above = level.unbounded ? row.loose : m == 1 ? below : rows_[k][static_cast<std::size_t>(m) - 2].loose;
      fill_row(k, below, above, row);
    }
  }
}

/// `above`: loose with a slot less; where the level has no bound, the row itself.
void Table::fill_row(std::size_t at, const std::vector<Count>& below, const std::vector<Count>& above, Row& row) {
  const Level& level = levels_[at];
  std::vector<Count> there(below.size());  // forward to j, and what the piece below j costs when come back to
  if (there.size() > 1) there[1] = forward_ + level.restore;
  for (std::size_t n = 2; n < below.size(); ++n) {
    Count best = below[n];
    const Count* of_above = above.data() + n;
    for (std::size_t j = 1; j < n; ++j) best = std::min(best, there[j] + *(of_above - j));
    row.stored[n] = best;
    row.loose[n] = std::min(below[n], level.store + best);
    there[n] = static_cast<Count>(n) * forward_ + level.restore + (level.lossy ? lost_[at][n] : best);
  }
}

std::vector<Count> Table::fill_lost(const Level& level, const std::vector<Count>& below) const {
  std::vector<Count> lost = below, there(below.size());
  for (std::size_t n = 1; n < below.size(); ++n) {
    for (std::size_t j = 1; j < n; ++j) lost[n] = std::min(lost[n], there[j] + below[n - j]);
    there[n] = static_cast<Count>(n) * forward_ + level.restore + lost[n];
  }
  return lost;
}

Count Table::loose(Count n) const {
  if (n == 0) return 0;
  return std::min(infinite, whole(static_cast<int>(levels_.size()) - 1)[static_cast<std::size_t>(n)]);
}

/// Loose pieces with all slots of this level and of those below.
const std::vector<Count>& Table::whole(int level) const {
  if (level < 0) return nothing_;
  if (level == 0 && closed_form_) return memory_;
  const auto& rows = rows_[static_cast<std::size_t>(level)];
  return rows.empty() ? whole(level - 1) : rows.back().loose;
}

/// Null where there is no slot.
const Table::Row* Table::row(int level, Count slots) const {
  return slots == 0 ? nullptr : &rows_[static_cast<std::size_t>(level)][static_cast<std::size_t>(slots) - 1];
}

/// The first of the cheapest splits of a stored piece.
Count Table::split(const Piece& piece) const {
  const auto at = static_cast<std::size_t>(piece.level);
  const Level& level = levels_[at];
  const Row& of = *row(piece.level, piece.slots);
  const Row* less = level.unbounded ? &of : row(piece.level, piece.slots - 1);
  const std::vector<Count>& above = less && !piece.lost ? less->loose : whole(piece.level - 1);
  const std::vector<Count>& again = level.lossy ? lost_[at] : of.stored;
  const auto n = static_cast<std::size_t>(piece.states);
  for (std::size_t j = 1; j < n; ++j)
    if (static_cast<Count>(j) * forward_ + level.restore + again[j] + above[n - j] == stored(piece)) return static_cast<Count>(j);
  throw std::logic_error("a piece of the table has no split");
}

/// What a stored piece costs.
Count Table::stored(const Piece& piece) const {
  const auto n = static_cast<std::size_t>(piece.states);
  return piece.lost ? lost_[static_cast<std::size_t>(piece.level)][n] : row(piece.level, piece.slots)->stored[n];
}

}  // namespace sweepback::detail::tiered
