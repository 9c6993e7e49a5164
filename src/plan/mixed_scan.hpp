// SPDX-License-Identifier: Apache-2.0
// The inner loop of the mixed programme: a min-plus product over the places to split, eight numbers
// of units at once and four lengths at once, so that what is loaded is used four times.
#pragma once

#include "sweepback/count.hpp"

namespace sweepback::detail {

/// One length, eight numbers of units. Whole numbers below 2^53, exact as doubles.
struct Lanes {
  static constexpr Count width = 8;
  alignas(64) double at[width];
};

constexpr Count rows_at_once = 4;

/// best[r] = min(best[r], min over first <= j < last of left[j] + right[row + r - j]), r = 0 … 3.
/// Runs on the widest vectors that the machine has.
void scan_four(const Lanes* left, const Lanes* right, Count row, Count first, Count last,
               Lanes* best);

}  // namespace sweepback::detail
