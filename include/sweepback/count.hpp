// SPDX-License-Identifier: Apache-2.0
// Whole numbers: every count, size and cost of Sweepback fits in 63 bits or is an error.
#pragma once

#include <cstdint>
#include <optional>

namespace sweepback {

/// Steps, slots, bytes and costs. Never negative in a valid value; -1 stands for "none" where said.
using Count = std::int64_t;

/// Sums and products on the way to a Count: no intermediate value can wrap.
__extension__ typedef __int128 Wide;

inline constexpr Count max_count = INT64_MAX;

/// `value` as a Count; throws Overflow, naming `what`, where it is above 2^63 - 1.
Count narrow(Wide value, const char* what);

}  // namespace sweepback
