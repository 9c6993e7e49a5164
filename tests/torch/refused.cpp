// SPDX-License-Identifier: Apache-2.0
// Steps that are no functions of their state are found out, never reversed wrongly.
#include "torch/plain.hpp"

namespace sweepback::torch {
namespace {

template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.code() + ": " + error.message();
  }
  return "";
}

Case chain(StepFunction step, std::vector<at::Tensor> parameters) {
  Case c;
  c.step = std::move(step);
  c.parameters = std::move(parameters);
  c.x0 = Value(at::ones({2, 3}));
  c.steps = 8;
  return c;
}

std::string run(const Case& c) {
  return refusal([&] {
    Recurrence(c.step, c.parameters).backpropagate(slots(c, 2, Keep::states), c.inputs, c.x0);
  });
}

TEST(Refused, AStepThatWritesIntoItsState) {
  const at::Tensor w = at::ones({3}).set_requires_grad(true);
  const Case c = chain(step<at::Tensor, Value>([=](const Value&, const at::Tensor& h) {
                         at::Tensor mine = h;
                         mine.mul_(w.detach());
                         return std::pair((mine * w).sum(), mine);
                       }),
                       {w});
  EXPECT_EQ(run(c), "unsupported: step 0 writes into the state it is given");
}

// R07: a cache that grows whenever the step runs.
TEST(Refused, AStepThatRemembers) {
  const at::Tensor w = at::ones({3}).set_requires_grad(true);
  auto cache = std::make_shared<std::vector<at::Tensor>>();
  const Case c = chain(step<at::Tensor, Value>([=](const Value&, const at::Tensor& h) {
                         cache->push_back(h.detach());
                         const at::Tensor next = h * w + 0.01 * static_cast<double>(cache->size());
                         return std::pair(next.sum(), next);
                       }),
                       {w});
  const std::string message = run(c);
  EXPECT_TRUE(message.starts_with("mismatch: step ")) << message;
  EXPECT_FALSE(w.grad().defined());
}

TEST(Refused, AParameterThatIsNotDeclared) {
  const at::Tensor w = at::ones({3}).set_requires_grad(true);
  const at::Tensor forgotten = at::ones({3}).set_requires_grad(true);
  const Case c = chain(step<at::Tensor, Value>([=](const Value&, const at::Tensor& h) {
                         return std::pair((h * w).sum(), h * forgotten);
                       }),
                       {w});
  EXPECT_EQ(run(c),
            "out_of_range: step 7 reads a tensor of shape [3] that requires a gradient and is none "
            "of its parameters, input or state");
  EXPECT_FALSE(forgotten.grad().defined());
}

TEST(Refused, AGraphFromOutside) {
  const at::Tensor w = at::ones({3}).set_requires_grad(true);
  const at::Tensor outside = w * 2;
  const Case c = chain(step<at::Tensor, Value>([=](const Value&, const at::Tensor& h) {
                         return std::pair((h * w).sum(), h * outside);
                       }),
                       {w});
  EXPECT_TRUE(run(c).starts_with("out_of_range: step 7 reads a tensor computed elsewhere"));
  EXPECT_EQ(refusal([&] { Recurrence(c.step, {outside}); }),
            "unsupported: a parameter is computed from other tensors that require a gradient");
}

TEST(Refused, AnOutputWithoutLoss) {
  const at::Tensor w = at::ones({3}).set_requires_grad(true);
  const Case c = chain(step<at::Tensor, Value>([=](const Value&, const at::Tensor& h) {
                         return std::pair(h * w, h * w);
                       }),
                       {w});
  EXPECT_EQ(run(c),
            "out_of_range: step 0 returned a tensor of shape [2, 3] as its output, and no loss says "
            "what that adds");
}

TEST(Refused, AParameterThatChangesUnderTheSweep) {
  const at::Tensor w = at::ones({3}).set_requires_grad(true);
  Case c = chain(step<at::Tensor, Value>([=](const Value&, const at::Tensor& h) {
                   return std::pair(at::Tensor(), h * w);
                 }),
                 {w});
  c.last = [=](const Value& x) {
    const at::NoGradGuard no_grad;
    w.mul_(2);
    const at::AutoGradMode grad(true);
    return x.toTensor().sum();
  };
  EXPECT_EQ(refusal([&] {
              Recurrence(c.step, c.parameters)
                  .backpropagate(slots(c, 2, Keep::states), c.inputs, c.x0, c.last);
            }).substr(0, 28),
            "mismatch: a parameter change");
  EXPECT_FALSE(w.grad().defined());
}

// R10: the caller's x_0 may change while the sweep runs.
TEST(Refused, NothingHappensToASweepWhoseX0Changes) {
  const at::Tensor w = at::full({3}, 0.9).set_requires_grad(true);
  const at::Tensor x0 = at::ones({2, 3});
  Case c = chain(step<at::Tensor, Value>([=](const Value&, const at::Tensor& h) {
                   return std::pair(at::Tensor(), h * w);
                 }),
                 {w});
  c.x0 = Value(x0);
  c.last = [](const Value& x) { return x.toTensor().sum(); };
  plain(c);
  const auto expected = take({w});
  c.last = [=](const Value& x) {
    x0.fill_(7);
    return x.toTensor().sum();
  };
  Recurrence(c.step, c.parameters)
      .backpropagate(slots(c, 2, Keep::states), c.inputs, c.x0, c.last);
  expect_same_bits(take({w}), expected, "x0");
}

// What the step throws arrives untouched, and nothing stays alive.
TEST(Refused, ExceptionsPassUntouched) {
  struct Mine {};
  memory::count();
  const at::Tensor w = at::ones({3}).set_requires_grad(true);
  int left = 10;
  const Case c = chain(step<at::Tensor, Value>([&, w](const Value&, const at::Tensor& h) {
                         if (left-- == 0) throw Mine{};
                         return std::pair((h * w).sum(), h * w);
                       }),
                       {w});
  Recurrence net(c.step, c.parameters);
  const Plan p = slots(c, 3, Keep::tapes);
  const Count before = memory::live();
  EXPECT_THROW(net.backpropagate(p, c.inputs, c.x0), Mine);
  net.program().begin(no_inputs());
  EXPECT_EQ(memory::live(), before);
  EXPECT_FALSE(w.grad().defined());
}

}  // namespace
}  // namespace sweepback::torch
