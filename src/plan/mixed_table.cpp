// SPDX-License-Identifier: Apache-2.0
#include "mixed_table.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "sweepback/error.hpp"

namespace sweepback::detail {

namespace {

constexpr Count most_steps = 100'000;
constexpr Count most_cells = Count{1} << 26;

Lanes filled(double value) {
  Lanes lanes;
  std::fill(std::begin(lanes.at), std::end(lanes.at), value);
  return lanes;
}

void lower(Lanes& best, const Lanes& a, const Lanes& b) {
  for (Count i = 0; i < Lanes::width; ++i) best.at[i] = std::min(best.at[i], a.at[i] + b.at[i]);
}

/// One of the sums that a value is the least of: left[j] + right[n-j] over 0 < j < n.
struct Scan {
  const Lanes* left;
  const Lanes* right;

  void four(Count row, Lanes* best) const {
    scan_four(left, right, row, rows_at_once, row, best);
  }
  /// What `four` leaves out of row + r: small j, and those for which a row of the four is needed.
  void rest(Count row, Count r, Lanes& best) const {
    const Count n = row + r;
    for (Count j = 1; j < std::min(rows_at_once, n); ++j) lower(best, left[j], right[n - j]);
    for (Count j = std::max(row, rows_at_once); j < n; ++j) lower(best, left[j], right[n - j]);
  }
};

}  // namespace

MixedTable::MixedTable(Count steps, Count units, const MixedModel& model) : model_(model) {
  rows_ = (steps / rows_at_once + 1) * rows_at_once;
  const Count tiles = units / Lanes::width + 1;
  if (steps > most_steps || tiles > most_cells / Lanes::width / rows_)
    throw Unsupported("a table of " + std::to_string(steps) + " steps and " +
                          std::to_string(units) + " units is too large to compute",
                      "give coarser units (at most " + std::to_string(most_cells) +
                          " steps times units), keep states or tapes alone, or plan in blocks");
  scale_ = static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(steps) + 2));
  const std::size_t tables = model.pinned ? 1 : model.tape_has_output ? 3 : 2;
  for (std::size_t i = 0; i < tables; ++i)
    tables_[i].resize(static_cast<std::size_t>(tiles * rows_));
  for (Count tile = 0; tile < tiles; ++tile) model.pinned ? fill_pinned(tile) : fill(tile);
}

/// A tile being filled, and what its scans read.
struct MixedTable::Tile {
  MixedTable& table;
  Count tile;

  Lanes& row(Base base, Count n) const {
    return table.tables_[static_cast<std::size_t>(base)]
                        [static_cast<std::size_t>(tile * table.rows_ + n)];
  }
  const Lanes* rows(Base base) const { return &row(base, 0); }

  /// Values at `less` units fewer.
  Lanes shifted(Base base, Count n, Count less) const {
    Lanes lanes;
    for (Count i = 0; i < Lanes::width; ++i)
      lanes.at[i] = table.value(base, n, tile * Lanes::width + i - less);
    return lanes;
  }
  /// Values at j, and the cost of running there.
  Lanes after_run(Base base, Count n, Count run) const {
    Lanes lanes = row(base, n);
    for (double& value : lanes.at) value += static_cast<double>(run) * table.scale_;
    return lanes;
  }
};

void MixedTable::fill(Count number) {
  using enum PolicyTable::Base;
  const Tile tile{*this, number};
  const bool output = model_.tape_has_output;
  const Base after_tape = output ? view : loose;
  const auto size = static_cast<std::size_t>(rows_);
  // left: the piece below the split, from a base that is there; right: the piece above it.
  std::vector<Lanes> above_store(size), below_stored(size), below_view(output ? size : 0);
  const auto settle = [&](Count n) {
    above_store[static_cast<std::size_t>(n)] = tile.shifted(loose, n, model_.state_units);
    below_stored[static_cast<std::size_t>(n)] = tile.after_run(stored, n, n);
    if (output) below_view[static_cast<std::size_t>(n)] = tile.after_run(view, n, n);
  };
  const Scan from_stored{below_stored.data(), above_store.data()};
  const Scan from_view{below_view.data(), tile.rows(loose)};

  for (Count row = 0; row < rows_; row += rows_at_once) {
    Lanes split[rows_at_once], beside[rows_at_once];
    std::fill(std::begin(split), std::end(split), filled(infinite));
    std::fill(std::begin(beside), std::end(beside), filled(infinite));
    from_stored.four(row, split);
    if (output) from_view.four(row, beside);
    for (Count r = 0; r < rows_at_once; ++r) {
      const Count n = row + r;
      if (n <= 1) {
        for (const Base base : {loose, stored, view})
          if (base != view || output) tile.row(base, n) = filled(static_cast<double>(n) * scale_);
        settle(n);
        continue;
      }
      from_stored.rest(row, r, split[r]);
      if (output) from_view.rest(row, r, beside[r]);
      const Lanes taped = tile.shifted(after_tape, n - 1, model_.tape_units);
      for (Count i = 0; i < Lanes::width; ++i) {
        const double tape = std::min(infinite, taped.at[i] + scale_);
        tile.row(loose, n).at[i] = std::min(tape, split[r].at[i] + 1);
        tile.row(stored, n).at[i] = std::min(tape, split[r].at[i]);
        if (output) tile.row(view, n).at[i] = std::min(tape, beside[r].at[i]);
      }
      settle(n);
    }
  }
}

void MixedTable::fill_pinned(Count number) {
  const Base only = Base::loose;
  const Tile tile{*this, number};
  const auto size = static_cast<std::size_t>(rows_);
  std::vector<Lanes> above_store(size), below_store(size), above_tape(size), below_tape(size);
  const auto settle = [&](Count n) {
    const auto at = static_cast<std::size_t>(n);
    above_store[at] = tile.shifted(only, n, model_.state_units);
    below_store[at] = tile.after_run(only, n, n);
    for (double& value : below_store[at].at) value += 1;
    above_tape[at] = tile.shifted(only, n, model_.tape_units);
    if (at + 1 < size) below_tape[at + 1] = tile.after_run(only, n, n + 1);
  };
  const Scan store{below_store.data(), above_store.data()};
  const Scan tape{below_tape.data(), above_tape.data()};

  for (Count row = 0; row < rows_; row += rows_at_once) {
    Lanes best[rows_at_once];
    std::fill(std::begin(best), std::end(best), filled(infinite));
    store.four(row, best);
    tape.four(row, best);
    for (Count r = 0; r < rows_at_once; ++r) {
      const Count n = row + r;
      if (n == 0) {
        tile.row(only, n) = filled(0);
      } else {
        store.rest(row, r, best[r]);
        tape.rest(row, r, best[r]);
        lower(best[r], tile.row(only, n - 1), filled(static_cast<double>(n) * scale_));
        tile.row(only, n) = best[r];
      }
      settle(n);
    }
  }
}

}  // namespace sweepback::detail
