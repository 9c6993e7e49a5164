// SPDX-License-Identifier: Apache-2.0
// The numbers of a PolicyTable (policy_table.hpp has the recurrences).
//
// Invariants
//  1. a value is `scale * cost + stores`, scale a power of two above every number of stores, so the
//     least value is the least cost and of that the fewest stores; all are below 2^53;
//  2. tiles of eight numbers of units, from few to many; within a tile lengths ascend. A value looks
//     at shorter lengths of no more units only, so each is there when it is needed.
#pragma once

#include <vector>

#include "mixed_scan.hpp"
#include "sweepback/policy_table.hpp"

namespace sweepback::detail {

class MixedTable {
 public:
  using Base = PolicyTable::Base;

  MixedTable(Count steps, Count units, const MixedModel& model);

  double scale() const { return scale_; }

  /// `infinite` where no schedule fits. Pinned bases have one table, that of `loose`.
  double value(Base base, Count n, Count units) const {
    if (units < 0) return infinite;
    const std::vector<Lanes>& table = tables_[static_cast<std::size_t>(base)];
    return table[static_cast<std::size_t>(units / Lanes::width * rows_ + n)]
        .at[units % Lanes::width];
  }

  static constexpr double infinite = 1152921504606846976.0;  // 2^60: sums stay exact enough

 private:
  struct Tile;
  void fill(Count tile);
  void fill_pinned(Count tile);

  MixedModel model_;
  Count rows_;
  double scale_;
  std::vector<Lanes> tables_[3];
};

}  // namespace sweepback::detail
