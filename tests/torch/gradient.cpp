// SPDX-License-Identifier: Apache-2.0
// The gradient is that of plain backpropagation, bit for bit: cells, layers, plans, what is frozen,
// what is shared, and at a second parameter value.
#include "torch/plain.hpp"
#include "train/char_model.hpp"

namespace sweepback::torch {
namespace {

using train::Cell;
using train::CharModel;
using train::CharModelImpl;

Case characters(Cell cell, Count layers, Count steps) {
  ::torch::manual_seed(7);
  Case c;
  const auto model =
      std::make_shared<CharModelImpl>(CharModelImpl::Shape{cell, layers, 24, 11});
  c.parameters = model->parameters();
  c.step = train::step_of(model, steps);
  c.inputs = train::inputs_of(at::randint(11, {steps + 1, 3}, at::kLong));
  std::vector<at::Tensor> x0 = model->zero_state(3);
  for (at::Tensor& tensor : x0) tensor.normal_().set_requires_grad(true);
  c.x0 = Value(x0);
  c.steps = steps;
  return c;
}

std::vector<at::Tensor> with_state(const Case& c) {
  std::vector<at::Tensor> all = c.parameters;
  each_tensor(c.x0, [&](const at::Tensor& tensor) { all.push_back(tensor); });
  return all;
}

TEST(Gradient, OfEveryCellAndDepthIsPlains) {
  for (const Cell cell : {Cell::rnn, Cell::gru, Cell::lstm}) {
    for (const Count layers : {1, 2, 3}) {
      SCOPED_TRACE(std::string(train::name(cell)) + " of " + std::to_string(layers));
      const Case c = characters(cell, layers, 23);
      expect_plain_gradients(c, with_state(c), {1, 3, 7, 100});
    }
  }
}

TEST(Gradient, OfEveryLengthIsPlains) {
  for (const Count steps : {1, 2, 3, 4, 5, 9, 16, 17}) {
    SCOPED_TRACE(steps);
    const Case c = characters(Cell::lstm, 1, steps);
    expect_plain_gradients(c, with_state(c), {1, 2, 3, 4, 30});
  }
}

TEST(Gradient, AtASecondParameterValueIsPlains) {
  const Case c = characters(Cell::gru, 2, 20);
  Recurrence net(c.step, c.parameters);
  for (int round = 0; round < 3; ++round) {
    plain(c);
    const auto expected = take(with_state(c));
    net.backpropagate(slots(c, 3, Keep::tapes), c.inputs, c.x0);
    expect_same_bits(take(with_state(c)), expected, "round " + std::to_string(round));
    const at::NoGradGuard no_grad;
    for (const at::Tensor& parameter : c.parameters) parameter.mul_(1.5).add_(0.01);
  }
}

TEST(Gradient, IsAddedOnceToWhatIsThere) {
  const Case c = characters(Cell::lstm, 1, 12);
  const auto fill = [&] {
    for (const at::Tensor& parameter : c.parameters)
      parameter.mutable_grad() = at::full_like(parameter, 0.1);
  };
  fill();
  plain(c);
  const auto expected = take(c.parameters);
  fill();
  Recurrence net(c.step, c.parameters);
  net.backpropagate(slots(c, 2, Keep::states), c.inputs, c.x0);
  expect_same_bits(take(c.parameters), expected, "added");
}

TEST(Gradient, FrozenParametersStayWithout) {
  const Case c = characters(Cell::lstm, 2, 10);
  c.parameters[1].set_requires_grad(false);
  c.parameters[7].set_requires_grad(false);
  Case frozen = c;
  std::vector<at::Tensor> x0;
  each_tensor(c.x0, [&](const at::Tensor& tensor) { x0.push_back(tensor.detach()); });
  frozen.x0 = Value(x0);
  expect_plain_gradients(frozen, c.parameters);
  plain(frozen);
  const auto gradients = take(c.parameters);
  EXPECT_FALSE(gradients[1].defined());
  EXPECT_TRUE(gradients[0].defined());
}

TEST(Gradient, HooksSeeTheWholeGradientOnce) {
  const Case c = characters(Cell::rnn, 1, 15);
  int calls = 0;
  c.parameters[2].register_hook([&](const at::Tensor& gradient) {
    ++calls;
    return gradient * 2;
  });
  plain(c);
  const auto expected = take(c.parameters);
  EXPECT_EQ(calls, 1);
  Recurrence net(c.step, c.parameters);
  net.backpropagate(slots(c, 3, Keep::tapes), c.inputs, c.x0);
  EXPECT_EQ(calls, 2);
  expect_same_bits(take(c.parameters), expected, "hooked");
}

// A weight that stands twice in a step: its contributions mix in the order of the whole graph.
TEST(Gradient, OfAWeightUsedTwiceInAStepIsPlains) {
  ::torch::manual_seed(3);
  Case c;
  const at::Tensor w = at::randn({9, 9}).mul_(0.4).set_requires_grad(true);
  const at::Tensor b = at::randn({9}).set_requires_grad(true);
  c.parameters = {w, b};
  c.step = step<at::Tensor, Value>([=](const Value&, const at::Tensor& h) {
    const at::Tensor once = at::tanh(at::linear(h, w, b));
    const at::Tensor next = at::tanh(at::linear(once, w, b)) + b * 0.1;
    return std::pair(next.square().mean(), next);
  });
  c.x0 = Value(at::randn({4, 9}).set_requires_grad(true));
  c.steps = 40;
  expect_plain_gradients(c, {w, b, c.x0.toTensor()});
}

TEST(Gradient, OfTheFinalStateAloneIsPlains) {
  ::torch::manual_seed(4);
  Case c;
  const at::Tensor w = at::randn({6, 6}).mul_(0.5).set_requires_grad(true);
  const at::Tensor head = at::randn({6, 2}).set_requires_grad(true);
  c.parameters = {w, head};
  c.step = step<at::Tensor, Value>([=](const Value&, const at::Tensor& h) {
    return std::pair(at::Tensor(), at::tanh(at::matmul(h, w)));
  });
  c.last = [=](const Value& x) { return at::matmul(x.toTensor(), head).square().sum(); };
  c.x0 = Value(at::randn({3, 6}).set_requires_grad(true));
  c.steps = 17;
  expect_plain_gradients(c, {w, head, c.x0.toTensor()});
}

// Inputs at every time position, and what made them.
TEST(Gradient, OfInputsFlowsOnIntoWhatMadeThem) {
  ::torch::manual_seed(5);
  constexpr Count steps = 16;
  const at::Tensor w = at::randn({4, 4}).mul_(0.3).set_requires_grad(true);
  const at::Tensor u = at::randn({5, 4}).mul_(0.3).set_requires_grad(true);
  const at::Tensor b = at::randn({4}).set_requires_grad(true);
  std::vector<at::Tensor> leaves;
  for (Count k = 0; k < steps; ++k) leaves.push_back(at::randn({12, 5}).set_requires_grad(true));
  const auto make = [&](bool encoded) {
    std::vector<at::Tensor> xs = leaves;
    if (encoded)
      for (at::Tensor& x : xs) x = at::sin(x) + b.sum();
    return xs;
  };
  for (const bool encoded : {false, true}) {
    Case c;
    c.parameters = {w, u, b};
    c.steps = steps;
    c.x0 = Value(at::zeros({12, 4}).set_requires_grad(true));
    c.step = step<at::Tensor>([=](const at::Tensor& x, const at::Tensor& h) {
      const at::Tensor next = at::tanh(at::matmul(h, w) + at::matmul(x, u) + b);
      return std::pair(next.sum(), next);
    });
    const auto run = [&](auto&& go) {
      c.inputs = [xs = make(encoded)](Count k) { return Value(xs[static_cast<std::size_t>(k)]); };
      go();
      std::vector<at::Tensor> of = leaves;
      of.insert(of.end(), {w, u, b, c.x0.toTensor()});
      return take(of);
    };
    const auto expected = run([&] { plain(c); });
    ASSERT_TRUE(expected[3].defined());
    Recurrence net(c.step, c.parameters);
    for (const Keep keep : {Keep::states, Keep::tapes})
      for (const Count capacity : {1, 2, 4, 16, 100})
        expect_same_bits(run([&] {
                           net.backpropagate(slots(c, capacity, keep), c.inputs, c.x0);
                         }),
                         expected, std::string(name(keep)) + (encoded ? " encoded" : " leaves"));
  }
}

// R05's chain: tanh cells of four, double precision, a thousand steps.
TEST(Gradient, OfALongTanhChainIsPlains) {
  ::torch::manual_seed(6);
  const auto options = at::TensorOptions(at::kDouble);
  Case c;
  const at::Tensor w = at::randn({4, 4}, options).mul_(0.4).set_requires_grad(true);
  const at::Tensor u = at::randn({3, 4}, options).set_requires_grad(true);
  const at::Tensor b = at::randn({4}, options).set_requires_grad(true);
  const at::Tensor xs = at::randn({1000, 12, 3}, options);
  c.parameters = {w, u, b};
  c.inputs = [xs](Count k) { return Value(xs[k]); };
  c.step = step<at::Tensor>([=](const at::Tensor& x, const at::Tensor& h) {
    const at::Tensor next = at::tanh(at::matmul(h, w) + at::matmul(x, u) + b);
    return std::pair(next.sum(), next);
  });
  c.x0 = Value(at::zeros({12, 4}, options).set_requires_grad(true));
  c.steps = 1000;
  expect_plain_gradients(c, {w, u, b, c.x0.toTensor()}, {8});
}

// The error of a first-order expansion falls with the square of the step (double precision).
TEST(Gradient, PassesTheTaylorTest) {
  ::torch::manual_seed(8);
  const auto options = at::TensorOptions(at::kDouble);
  Case c;
  const at::Tensor w = at::randn({5, 5}, options).mul_(0.4).set_requires_grad(true);
  c.parameters = {w};
  c.step = step<at::Tensor, Value>([=](const Value&, const at::Tensor& h) {
    const at::Tensor next = at::tanh(at::matmul(h, w)) + 0.1 * h;
    return std::pair(next.square().sum(), next);
  });
  c.x0 = Value(at::randn({2, 5}, options));
  c.steps = 30;
  Recurrence net(c.step, c.parameters);
  const Plan p = slots(c, 4, Keep::states);
  const double at_w = net.backpropagate(p, c.inputs, c.x0).loss;
  const at::Tensor gradient = take({w})[0];
  const at::Tensor direction = at::randn({5, 5}, options);
  const double slope = (gradient * direction).sum().item<double>();
  const at::Tensor start = w.detach().clone();
  const auto error = [&](double h) {
    {
      const at::NoGradGuard no_grad;
      w.copy_(start + h * direction);
    }
    const double there = net.backpropagate(p, c.inputs, c.x0).loss;
    return std::abs(there - at_w - h * slope);
  };
  for (double h = 1e-2; h > 1e-4; h /= 2)
    EXPECT_NEAR(std::log2(error(h) / error(h / 2)), 2.0, 0.1) << h;
}

}  // namespace
}  // namespace sweepback::torch
