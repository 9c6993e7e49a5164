// SPDX-License-Identifier: Apache-2.0
#include "sweepback/detail/state_coder.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace sweepback::detail {

namespace {

/// 1.29 of 1.298: never more than it is.
std::string two_digits(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", std::floor(ratio * 100 + 1e-9) / 100);
  return text;
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

void throw_compresses_less(const KeptSoFar& so_far) {
  const double planned = so_far.mean_size * static_cast<double>(so_far.planned_states) / static_cast<double>(so_far.planned_bytes);
  const double seen = so_far.least_ratio;
  const bool pays = std::floor(seen * 100 + 1e-9) > 100;
  throw Io("compressed states would take " + std::to_string(so_far.needed) + " bytes, and the plan has set aside " +
               std::to_string(so_far.planned_bytes) + ": it counts on a ratio of " + two_digits(planned) +
               ", and a state of this run has " + two_digits(seen),
           pays ? "plan with ratio=" + two_digits(seen) : std::string("plan without the compressed tier: it buys nothing here"),
           {{"needed", so_far.needed}, {"set_aside", so_far.planned_bytes}});
}

void throw_not_as_kept(Count i, const char* how) {
  throw Io("the compressed state " + std::to_string(i) + " " + how,
           "nothing was restored: start again, and check the memory (or what else writes there)", {{"state", i}});
}

}  // namespace sweepback::detail
