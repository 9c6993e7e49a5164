// SPDX-License-Identifier: Apache-2.0
// Example 3: backpropagation through 2,000 time steps of your own recurrent cell, in 5 % of the
// memory that plain backpropagation takes, with the same gradient.
//
// The cell is a leaky reservoir: a state of two tensors, a read-out and a loss inside the step. It
// learns to foretell a sum of two sines.
//
// Expected output:
//
//     a state takes 1024 bytes
//     budget: 5 % of store-everything
//     gradient equal bit for bit: yes
//     peak within the budget: yes
//     each of 2000 steps recorded once: yes
//     the loss falls: yes
#include <torch/torch.h>

#include <cmath>
#include <iostream>
#include <tuple>
#include <vector>

#include "sweepback/torch/recurrence.hpp"

using State = std::tuple<torch::Tensor, torch::Tensor>;

// 1. Any module will do; this one is yours.
struct LeakyCell : torch::nn::Module {
  LeakyCell() {
    recurrent = register_parameter("recurrent", 0.1 * torch::randn({32, 32}));
    input = register_parameter("input", torch::randn({1, 32}));
    read_out = register_parameter("read_out", 0.1 * torch::randn({32, 1}));
  }
  State operator()(const torch::Tensor& x, const State& state) const {
    const auto& [fast, slow] = state;
    const torch::Tensor next = torch::tanh(fast.matmul(recurrent) + x.matmul(input) + slow);
    return {next, 0.99 * slow + 0.01 * next};
  }
  torch::Tensor recurrent, input, read_out;
};

static const char* yes(bool condition) { return condition ? "yes" : "NO"; }

int main() {
  torch::manual_seed(1);
  torch::set_num_threads(1);
  const sweepback::Count steps = 2000;
  const LeakyCell cell;

  // 2. The signal, [steps + 1, batch, 1]: what comes in at time k, and at k + 1 what should come out.
  const torch::Tensor time = torch::arange(steps + 1).view({-1, 1, 1}) + torch::arange(4).view({1, -1, 1});
  const torch::Tensor signal = torch::sin(0.1 * time) + 0.5 * torch::sin(0.037 * time);

  // 3. The step: (k, input, state) -> (loss, state).
  const auto step = sweepback::torch::step<State>(
      [&](sweepback::Count k, const torch::Tensor& x, const State& state) {
        State next = cell(x, state);
        const torch::Tensor error = std::get<0>(next).matmul(cell.read_out) - signal[k + 1];
        return std::pair(error.square().mean() / steps, next);
      });
  const sweepback::torch::Inputs inputs = [&](sweepback::Count k) { return signal[k]; };
  const sweepback::torch::Value x0 = State(torch::zeros({4, 32}), torch::zeros({4, 32}));

  // 4. Measure a step, plan, and go back.
  sweepback::torch::Recurrence net(step, cell.parameters());
  const auto measured = net.measure(inputs, x0);
  const auto budget = measured.store_all_bytes(steps) / 20;
  const auto plan = sweepback::plan(measured.chain(steps), sweepback::Budget::bytes(budget));
  const auto result = net.backpropagate(plan, inputs, x0);
  std::cout << "a state takes " << measured.state_bytes << " bytes\n"
            << "budget: 5 % of store-everything\n";

  // 5. Compare with plain backpropagation.
  std::vector<torch::Tensor> gradients;
  for (torch::Tensor& parameter : cell.parameters()) {
    gradients.push_back(parameter.grad());
    parameter.mutable_grad().reset();
  }
  State state(torch::zeros({4, 32}), torch::zeros({4, 32}));
  torch::Tensor loss = torch::zeros({});
  for (sweepback::Count k = 0; k < steps; ++k) {
    state = cell(signal[k], state);
    loss = loss + (std::get<0>(state).matmul(cell.read_out) - signal[k + 1]).square().mean() / steps;
  }
  loss.backward();
  bool equal = true;
  for (std::size_t i = 0; i < gradients.size(); ++i)
    equal = equal && torch::equal(cell.parameters()[i].grad(), gradients[i]);
  std::cout << "gradient equal bit for bit: " << yes(equal) << '\n'
            << "peak within the budget: " << yes(result.report.bill.peak_bytes <= budget) << '\n'
            << "each of " << result.report.bill.record_steps << " steps recorded once: "
            << yes(result.report.bill == plan.bill) << '\n';

  // 6. Train. Gradients were added to .grad, so any optimizer takes it from here.
  torch::optim::Adam adam(cell.parameters(), 0.01);
  double last = result.loss;
  for (int i = 0; i < 5; ++i) {
    adam.zero_grad();
    last = net.backpropagate(plan, inputs, x0).loss;
    adam.step();
  }
  std::cout << "the loss falls: " << yes(last < result.loss) << '\n';
}
