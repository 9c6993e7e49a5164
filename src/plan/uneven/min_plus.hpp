// SPDX-License-Identifier: Apache-2.0
// The inner loop of dense tables: sums of two rows and their minimum.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sweepback::detail::uneven {

using Cell = std::int32_t;
inline constexpr int lanes = 64;   // cells that are worked on at once
inline constexpr int columns = 4;  // sums that share their left rows

/// best[c] = min(best[c], left[n] + (right[n] + c * stride)) for n < count and all four c.
void min_plus_four(const Cell* const* left, const Cell* const* right, std::ptrdiff_t stride, int count,
                   Cell (*best)[lanes]);

/// The same for one column.
void min_plus_one(const Cell* const* left, const Cell* const* right, int count, Cell* best);

}  // namespace sweepback::detail::uneven
