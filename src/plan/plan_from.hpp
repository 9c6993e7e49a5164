// SPDX-License-Identifier: Apache-2.0
// From any situation to the end: what the planners of such ways share.
#pragma once

#include "sweepback/plan.hpp"

namespace sweepback::detail {

/// Equal steps, states kept in memory alone (finish.cpp). The budget may be in bytes.
bool finishes(const Chain& chain, const Budget& budget, const PlanOptions& options);
Plan plan_finish(const Chain& chain, const Budget& budget, const Situation& at);

/// Any chain and budget that `plan` answers (legs.cpp).
Plan plan_legs(const Chain& chain, const Budget& budget, const Situation& at, const PlanOptions& options);

}  // namespace sweepback::detail
