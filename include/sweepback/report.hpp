// SPDX-License-Identifier: Apache-2.0
// What a sweep did: the bill, measured.
#pragma once

#include <chrono>

#include "sweepback/plan.hpp"

namespace sweepback {

/// Counted while running, never copied from the plan. `bill` equals the plan's after a whole sweep.
struct Report {
  Bill bill;
  std::chrono::steady_clock::duration stalled{};  ///< of tiers that work while steps run: what the sweep waited for them
};

}  // namespace sweepback
