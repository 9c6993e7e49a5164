// SPDX-License-Identifier: Apache-2.0
// Binomial coefficients by their neighbours, in whole numbers.
#pragma once

#include "sweepback/count.hpp"

namespace sweepback::detail {

/// a * b / d for a whole quotient; above 2^63 - 1 it is returned as 2^63 - 1.
constexpr Count muldiv(Count a, Count b, Count d) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(x, y, &product)) {
    const Wide quotient = static_cast<Wide>(a) * b / d;
    return quotient > max_count ? max_count : static_cast<Count>(quotient);
  }
  const std::uint64_t quotient = product / static_cast<std::uint64_t>(d);
  return quotient > max_count ? max_count : static_cast<Count>(quotient);
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
