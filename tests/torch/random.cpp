// SPDX-License-Identifier: Apache-2.0
// Steps that draw random numbers draw the same ones again, and leave the generator where a plain run
// would.
#include "torch/plain.hpp"

namespace sweepback::torch {
namespace {

Case dropout(Count steps) {
  ::torch::manual_seed(11);
  Case c;
  const at::Tensor w = at::randn({8, 8}).mul_(0.4).set_requires_grad(true);
  c.parameters = {w};
  c.step = step<at::Tensor, Value>([=](Count k, const Value&, const at::Tensor& h) {
    at::Tensor next = at::tanh(at::matmul(at::dropout(h, 0.3, true), w));
    if (k % 3 == 0) next = next + 0.1 * at::randn({1});  // one normal of a pair
    return std::pair(next.square().mean(), next);
  });
  c.x0 = Value(at::randn({4, 8}).set_requires_grad(true));
  c.steps = steps;
  return c;
}

TEST(Random, DrawsAreTheSameAgain) {
  const Case c = dropout(50);
  const std::vector<at::Tensor> of = {c.parameters[0], c.x0.toTensor()};
  ::torch::manual_seed(99);
  plain(c);
  const auto expected = take(of);
  const at::Tensor next_draw = at::randn({5});
  Recurrence net(c.step, c.parameters);
  for (const Keep keep : {Keep::states, Keep::tapes}) {
    for (const Count capacity : {1, 3, 10, 100}) {
      ::torch::manual_seed(99);
      net.backpropagate(slots(c, capacity, keep), c.inputs, c.x0);
      EXPECT_TRUE(at::equal(at::randn({5}), next_draw));
      expect_same_bits(take(of), expected, name(keep));
    }
  }
}

// R01: factors 0.9 or 1.1, drawn.
TEST(Random, ProductOfDrawnFactors) {
  Case c;
  c.step = step<std::vector<at::Tensor>, Value>([](const Value&, const std::vector<at::Tensor>& x) {
    const double m = at::rand({1}).item<double>() < 0.5 ? 0.9 : 1.1;
    return std::pair(at::Tensor(), std::vector<at::Tensor>{x[0] * m});
  });
  c.last = [](const Value& x) { return x.toTensorVector()[0]; };
  const at::Tensor x0 = at::ones({1}, at::kDouble).set_requires_grad(true);
  c.x0 = Value(std::vector<at::Tensor>{x0});
  c.steps = 50;
  ::torch::manual_seed(5);
  plain(c);
  const auto expected = take({x0});
  const at::Tensor next_draw = at::rand({3});
  ::torch::manual_seed(5);
  Recurrence(c.step, {}).backpropagate(slots(c, 3, Keep::states), c.inputs, c.x0, c.last);
  EXPECT_TRUE(at::equal(at::rand({3}), next_draw));
  expect_same_bits(take({x0}), expected, "product");
}

TEST(Random, MeasuringLeavesTheGeneratorAlone) {
  const Case c = dropout(10);
  const at::Tensor before = at::detail::getDefaultCPUGenerator().get_state();
  Recurrence net(c.step, c.parameters);
  const Measured with = net.measure(c.inputs, c.x0, 8);
  EXPECT_TRUE(at::equal(before, at::detail::getDefaultCPUGenerator().get_state()));
  EXPECT_FALSE(c.parameters[0].grad().defined());
  // A state of 128 bytes and the generator's position; without draws, the state alone.
  EXPECT_GT(with.state_bytes, 2500);
  const auto still = step<at::Tensor, Value>([w = c.parameters[0]](const Value&, const at::Tensor& h) {
    return std::pair(at::Tensor(), at::tanh(at::matmul(h, w)));
  });
  EXPECT_EQ(Recurrence(still, c.parameters).measure(no_inputs(), c.x0, 8).state_bytes, 128);
}

}  // namespace
}  // namespace sweepback::torch
