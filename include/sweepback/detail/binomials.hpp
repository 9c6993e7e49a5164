// SPDX-License-Identifier: Apache-2.0
// Binomial coefficients by their neighbours, in whole numbers.
#pragma once

#include "sweepback/count.hpp"

namespace sweepback::detail {

/// a * b / d for a whole quotient, where a * b is above 2^63 - 1.
Count muldiv_wide(Count a, Count b, Count d);

/// a * b / d for a whole quotient; above 2^63 - 1 it is returned as 2^63 - 1.
inline Count muldiv(Count a, Count b, Count d) {
  Count product = 0;
  if (__builtin_mul_overflow(a, b, &product)) [[unlikely]] return muldiv_wide(a, b, d);
  return static_cast<Count>(static_cast<std::uint64_t>(product) / static_cast<std::uint64_t>(d));
}

/// B(c,r) = C(c+r,c), 0 for a negative argument; every value above 2^63 - 1 is returned as
/// 2^63 - 1. At most 63 multiplications.
constexpr Count binomial(Count c, Count r) {
  if (c < 0 || r < 0) return 0;
  const Count few = c < r ? c : r, many = c < r ? r : c;
  Wide value = 1;
  for (Count i = 1; i <= few; ++i) {
    value = value * (static_cast<Wide>(many) + i) / i;  // C(many+i, i) is whole
    if (value > max_count) return max_count;
  }
  return static_cast<Count>(value);
}

}  // namespace sweepback::detail
