// SPDX-License-Identifier: Apache-2.0
// A user of sweepback::torch: backpropagation through 20 steps of a tiny recurrence in 3 slots.
#include <cstdio>

#include <torch/torch.h>

#include <sweepback/torch/recurrence.hpp>

int main() {
  const auto weight = torch::full({4, 4}, 0.25, torch::requires_grad());
  const auto step = sweepback::torch::step<torch::Tensor, sweepback::torch::Value>(
      [=](const sweepback::torch::Value&, const torch::Tensor& state) {
        const auto next = torch::tanh(torch::matmul(weight, state));
        return std::pair(next.sum(), next);
      });
  sweepback::torch::Recurrence net(step, {weight});
  const auto chain = sweepback::Chain::uniform(20, {.tapes = true});
  const auto plan =
      sweepback::plan(chain, sweepback::Budget::slots(3), {.keep = sweepback::Keep::states});
  const auto x0 = torch::ones({4});
  const auto result = net.backpropagate(plan, sweepback::torch::no_inputs(), x0);

  const auto again = weight.detach().clone().requires_grad_();
  auto state = x0;
  auto loss = torch::zeros({});
  for (int k = 0; k < 20; ++k) {
    state = torch::tanh(torch::matmul(again, state));
    loss = loss + state.sum();
  }
  loss.backward();
  std::printf("libtorch %s: loss %g, plain %g\n", TORCH_VERSION, result.loss, loss.item<double>());
  return torch::allclose(weight.grad(), again.grad()) ? 0 : 1;
}
