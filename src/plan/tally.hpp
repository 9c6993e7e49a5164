// SPDX-License-Identifier: Apache-2.0
// The bill of a schedule that has no closed form: its actions are counted.
#pragma once

#include "sweepback/plan.hpp"

namespace sweepback::detail {

/// What `schedule` does and keeps, as the sweep will report it. Work proportional to its actions.
Bill tally(Schedule schedule, const Chain& chain, Keep keep, Units units,
           const std::vector<TierModel>& tiers = {});

}  // namespace sweepback::detail
