// SPDX-License-Identifier: Apache-2.0
// Plans for programs that run many steps in one call, from what calls are measured to cost.
#pragma once

#include "sweepback/torch/recurrence.hpp"

namespace sweepback::torch {

struct PlannedBlocks {
  Count block = 1;    ///< steps of a call
  Measured measured;  ///< of such calls
  Plan plan;          ///< of the chain of them; its costs are nanoseconds
};

/// Measures calls of two lengths, chooses the length that is cheapest in `budget` (options.block = 0;
/// or takes the one given), measures calls of that length and plans. Throws as measure() and plan()
/// do; BudgetTooSmall where not even the shortest calls fit.
PlannedBlocks plan_blocks(Recurrence& net, const BlockInputs& inputs, const Value& x0, Count length,
                          Budget budget, PlanOptions options = {.block = 0});

}  // namespace sweepback::torch
