// SPDX-License-Identifier: Apache-2.0
// What a sweep did: the bill, measured.
#pragma once

#include <chrono>
#include <vector>

#include "sweepback/plan.hpp"

namespace sweepback {

/// Counted while running, never copied from the plan. `bill` equals the plan's after a whole sweep in which
/// no state was lost. Where the course was changed it is that of the last plan, from there on.
struct Report {
  Bill bill;
  std::vector<Bill> earlier = {};  ///< of the plans followed before, each of what was done by it
  Count lost = 0;         ///< states that could not be read back, and were made again from those below
  Count extra_steps = 0;  ///< run for that, and in the bill
  std::chrono::steady_clock::duration stalled{};  ///< of tiers that work while steps run: what the sweep waited for them
};

}  // namespace sweepback
