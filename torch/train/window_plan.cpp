// SPDX-License-Identifier: Apache-2.0
#include "window_plan.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace sweepback::train {

namespace {

/// With the tiers that were asked for. A state on its way is written out beside itself.
Plan plan_steps(const Options& options, Count bytes, torch::Measured measured) {
  if (options.tiers.empty()) return plan(measured.chain(options.length), Budget::bytes(bytes), {.keep = options.keep});
  measured.forward_workspace += measured.state_bytes;
  measured.reverse_workspace += measured.state_bytes;
  std::vector<TierModel> tiers = options.tiers;
  tiers.insert(tiers.begin(), {"memory", TierModel::Unit::bytes, bytes});
  return plan(measured.chain(options.length), Budget::of(tiers), {.keep = options.keep});
}

WindowPlan steps_or_blocks(const Options& options, Count block, Count bytes, const torch::Measured& measured,
                           torch::Recurrence& fused, const torch::BlockInputs& inputs, const torch::Value& state) {
  std::optional<WindowPlan> steps;
  std::optional<BudgetTooSmall> refusal;
  try {
    if (block <= 1) steps = WindowPlan{plan_steps(options, bytes, measured), 1, {}};
  } catch (const BudgetTooSmall& e) {
    refusal = e;
  }
  if (block != 1) {
    try {
      torch::PlannedBlocks blocks = torch::plan_blocks(fused, inputs, state, options.length, Budget::bytes(bytes),
                                                       {.keep = options.keep, .block = block});
      // A choice of one step in a call is left to single steps: a block of 1 in a mark means those.
      const bool chosen = block != 0 || blocks.block > 1;
      if (chosen && (!steps || blocks.plan.bill.cost < steps->plan.bill.cost)) return {std::move(blocks.plan), blocks.block, {}};
    } catch (const BudgetTooSmall& e) {
      if (!refusal || e.smallest < refusal->smallest) refusal = e;
    }
  }
  if (!steps) throw *refusal;
  return std::move(*steps);
}

VerifyOptions verify_in(const Options& options, Count bytes) { return {.steps = options.length, .bytes = bytes / 20}; }

}  // namespace

WindowPlan plan_window(const Options& options, Count block, Count bytes, const torch::Measured& measured,
                       torch::Recurrence& fused, const torch::BlockInputs& inputs, const torch::Value& state) {
  const auto beside = [&](Count all) { return options.verify ? Verifier(verify_in(options, all)).bytes() : 0; };
  try {
    const Count left = std::max<Count>(0, bytes - beside(bytes));
    WindowPlan found = steps_or_blocks(options, block, left, measured, fused, inputs, state);
    if (options.verify) found.verify = verify_in(options, bytes);
    return found;
  } catch (const BudgetTooSmall& e) {
    if (!options.verify) throw;
    Count enough = e.smallest;
    while (enough - beside(enough) < e.smallest) enough = e.smallest + beside(enough);
    throw BudgetTooSmall(bytes, enough, e.cost_there, true);
  }
}

}  // namespace sweepback::train
