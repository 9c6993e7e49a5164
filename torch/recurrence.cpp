// SPDX-License-Identifier: Apache-2.0
#include "sweepback/torch/recurrence.hpp"

#include <torch/torch.h>

#include <numeric>
#include <utility>

namespace sweepback::torch {

Recurrence::Recurrence(StepFunction step, std::vector<at::Tensor> parameters)
    : program_(std::move(step), std::move(parameters)) {}

Recurrence::Recurrence(BlockFunction block, std::vector<at::Tensor> parameters)
    : program_(std::move(block), std::move(parameters)) {}

Measured Recurrence::measure(const BlockInputs& inputs, const Value& x0, Count block, Count steps) {
  return torch::measure(program_, inputs, x0, block, steps);
}

Measured Recurrence::measure(const Inputs& inputs, const Value& x0, Count steps) {
  return torch::measure(program_, inputs, x0, steps);
}

Result Recurrence::backpropagate(const Plan& plan, Inputs inputs, const Value& x0, FinalLoss last) {
  NoObserver nothing;
  return backpropagate(plan, std::move(inputs), x0, std::move(last), nothing);
}

Result Recurrence::backpropagate(const Plan& plan, BlockInputs inputs, const Value& x0,
                                 FinalLoss last) {
  NoObserver nothing;
  return backpropagate(plan, std::move(inputs), x0, std::move(last), nothing);
}

Result Recurrence::result(const Program& program, State last, Report report) {
  const std::vector<double>& losses = program.losses();
  return {std::accumulate(losses.begin(), losses.end(), 0.0), losses, std::move(last.value),
          std::move(report)};
}

}  // namespace sweepback::torch
