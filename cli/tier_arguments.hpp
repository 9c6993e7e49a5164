// SPDX-License-Identifier: Apache-2.0
// Tiers as they are typed: NAME:CAPACITY[:store=COST,restore=COST,overlap].
#pragma once

#include <string>
#include <vector>

#include "sweepback/budget.hpp"

namespace sweepback::cli {

/// | part      | text                                                                              |
/// |-----------|-----------------------------------------------------------------------------------|
/// | CAPACITY  | `3slots`, `64GiB`, `unbounded`                                                     |
/// | COST      | of a state: `5` cost units; `2GB/s`, `80us`, `2GB/s+80us`: nanoseconds             |
///
/// Throws Error "usage" and what the numbers throw.
TierModel parse_tier(const std::string& text);

/// These, and those in the file (`sweepback.tiers/1`), where there is one.
std::vector<TierModel> list_tiers(const std::vector<std::string>& typed, const std::string& file);

/// The budget of these, and of those in the file (`sweepback.tiers/1`), where there is one.
Budget read_tiers(const std::vector<std::string>& typed, const std::string& file);

}  // namespace sweepback::cli
