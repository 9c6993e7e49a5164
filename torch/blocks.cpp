// SPDX-License-Identifier: Apache-2.0
#include "sweepback/torch/blocks.hpp"

#include <algorithm>
#include <variant>

namespace sweepback::torch {

namespace {

constexpr Count shorter = 4, longer = 32;

/// The best length, as far as two measured ones tell.
Count choose(Recurrence& net, const BlockInputs& inputs, const Value& x0, Count length,
             Budget budget, const PlanOptions& options) {
  if (length < 2 * shorter) return 1;
  const Measured few = net.measure(inputs, x0, shorter, 2 * shorter);
  const Count most = std::clamp<Count>(length / 2, shorter + 1, longer);
  const Measured many = net.measure(inputs, x0, most, std::min(length, 2 * most));
  const Plan plan = sweepback::plan(chain_of_blocks(few, many, length), budget, options);
  return std::get<BlocksRecipe>(plan.schedule.recipe()).block;
}

}  // namespace

PlannedBlocks plan_blocks(Recurrence& net, const BlockInputs& inputs, const Value& x0, Count length,
                          Budget budget, PlanOptions options) {
  const bool given = options.block > 0;
  PlannedBlocks planned;
  planned.block = std::min(std::max<Count>(1, length),
                           given ? options.block : choose(net, inputs, x0, length, budget, options));
  while (true) {
    options.block = planned.block;
    planned.measured = net.measure(inputs, x0, planned.block, std::min(length, 4 * planned.block));
    Chain chain = planned.measured.chain(length);
    chain.blocks = true;
    try {
      planned.plan = sweepback::plan(chain, budget, options);
      return planned;
    } catch (const BudgetTooSmall&) {
      if (given || planned.block == 1) throw;
      planned.block = std::max<Count>(1, planned.block * 3 / 4);  // their workspace does not fit
    }
  }
}

}  // namespace sweepback::torch
