// SPDX-License-Identifier: Apache-2.0
// Backpropagation through time inside a memory budget.
//
//     sweepback::torch::Recurrence net(step, cell->parameters());
//     auto costs = net.measure(inputs, x0);                       // of one step, in ns and bytes
//     auto plan = sweepback::plan(costs.chain(10'000), sweepback::Budget::bytes(64 << 20));
//     auto result = net.backpropagate(plan, inputs, x0);          // adds to .grad, as backward() does
//     optimizer.step();
#pragma once

#include <vector>

#include "sweepback/plan.hpp"
#include "sweepback/report.hpp"
#include "sweepback/sweep.hpp"
#include "sweepback/torch/measure.hpp"
#include "sweepback/torch/memory.hpp"
#include "sweepback/torch/program.hpp"

namespace sweepback::torch {

/// What one call of backpropagate() found.
struct Result {
  double loss = 0.0;           ///< the sum of the contributions, the final loss included
  std::vector<double> losses;  ///< of each step, the final loss (if any) last
  Value state;                 ///< x_l, cut off from its history: the start of the next window
  Report report;               ///< what ran; its bill equals the plan's
};

class Recurrence {
 public:
  /// As Program's. The parameters are shared with the caller, as tensors are.
  Recurrence(StepFunction step, std::vector<at::Tensor> parameters);
  Recurrence(BlockFunction block, std::vector<at::Tensor> parameters);

  /// Costs and sizes of a step, by running some (see measure.hpp). Leaves gradients and the random
  /// generator as they are.
  Measured measure(const Inputs& inputs, const Value& x0, Count steps = 16);

  /// The same of a block of `block` steps, among the first `steps`.
  Measured measure(const BlockInputs& inputs, const Value& x0, Count block, Count steps);

  /// Runs plan.chain.steps() steps from `x0` and comes back. Gradients of the loss are added, once,
  /// to the `.grad` of the parameters, and of `x0` and inputs where they require one. The random
  /// generator stands afterwards where running the steps once would leave it. Throws what Program
  /// and Sweep throw; gradients are then untouched.
  Result backpropagate(const Plan& plan, Inputs inputs, const Value& x0, FinalLoss last = {});

  /// The same in blocks, for a plan of a chain with `blocks`.
  Result backpropagate(const Plan& plan, BlockInputs inputs, const Value& x0, FinalLoss last = {});

  /// The same, and `observer` sees every action (sweepback/observer.hpp). `further`: where states go,
  /// one for each tier of the plan's budget after memory (see state_codec.hpp for files).
  template <class AnyInputs, class Observer>
  Result backpropagate(const Plan& plan, AnyInputs inputs, const Value& x0, FinalLoss last,
                       Observer& observer, FarTiers<State> further = {});

  Program& program() { return program_; }

 private:
  static Result result(const Program& program, State last, Report report);

  Program program_;
};

template <class AnyInputs, class Observer>
Result Recurrence::backpropagate(const Plan& plan, AnyInputs inputs, const Value& x0, FinalLoss last,
                                 Observer& observer, FarTiers<State> further) {
  program_.begin(std::move(inputs));
  Sweep sweep(program_, plan, MemoryTier<State>(), observer, std::move(further));
  State end = sweep.forward(program_.start(x0));
  const memory::Exemption handed_out(bytes_of(end));
  Adjoint adjoint = program_.seed(end, last);
  Report report;
  {
    const PositionGuard generator(end.position);
    report = sweep.backward(adjoint);
  }
  program_.deposit(x0, std::move(adjoint));
  return result(program_, std::move(end), report);
}

}  // namespace sweepback::torch
