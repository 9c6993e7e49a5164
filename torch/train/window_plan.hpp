// SPDX-License-Identifier: Apache-2.0
// How a window of the text is gone back through: the plan that the options ask for.
#pragma once

#include "options.hpp"
#include "sweepback/torch/blocks.hpp"
#include "sweepback/torch/same_tensors.hpp"
#include "sweepback/verify.hpp"

namespace sweepback::train {

using Verifier = Verify<torch::State, torch::SameTensors>;

struct WindowPlan {
  Plan plan;
  Count block = 1;       ///< time steps of a call
  VerifyOptions verify;  ///< with --verify
};

/// Single steps (`block` 1), blocks, or (0) what is predicted to be faster, in `bytes`. What --verify keeps
/// of states is in them, a twentieth at most. Throws BudgetTooSmall, which names the smallest for both.
WindowPlan plan_window(const Options& options, Count block, Count bytes, const torch::Measured& measured,
                       torch::Recurrence& fused, const torch::BlockInputs& inputs, const torch::Value& state);

}  // namespace sweepback::train
