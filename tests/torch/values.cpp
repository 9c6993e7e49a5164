// SPDX-License-Identifier: Apache-2.0
// States of every form, TorchScript steps among them: types kept, what is no tensor passed through.
#include <torch/script.h>

#include "torch/plain.hpp"

namespace sweepback::torch {
namespace {

::torch::jit::Module script(const std::string& code) {
  ::torch::jit::Module module("step");
  module.register_parameter("w", at::randn({6, 6}).mul_(0.4).set_requires_grad(true), false);
  module.register_parameter("b", at::randn({6}).set_requires_grad(true), false);
  module.define(code);
  return module;
}

Case scripted(const ::torch::jit::Module& module, Value x0) {
  Case c;
  for (const at::Tensor& parameter : module.parameters()) c.parameters.push_back(parameter);
  const at::Tensor xs = at::randn({12, 3, 6});
  c.inputs = [xs](Count k) { return Value(xs[k]); };
  c.step = step(module);
  c.x0 = std::move(x0);
  c.steps = 12;
  return c;
}

void warm_up(const Case& c) {  // TorchScript compiles a step anew while it watches the first runs
  for (int i = 0; i < 3; ++i) plain(c);
  take(c.parameters);
  Recurrence(c.step, c.parameters).measure(c.inputs, c.x0, 4);
}

TEST(Values, TorchScriptTuple) {
  ::torch::manual_seed(1);
  const Case c = scripted(script(R"(
    def forward(self, x, state: Tuple[Tensor, Tensor]):
        h, m = state
        h = torch.tanh(torch.matmul(h, self.w) + x + self.b)
        m = 0.9 * m + h
        return (h * m).sum(), (h, m)
  )"), Value(std::tuple(at::zeros({3, 6}).set_requires_grad(true), at::zeros({3, 6}))));
  warm_up(c);
  expect_plain_gradients(c, {c.parameters[0], c.parameters[1]}, {1, 3, 20});
}

TEST(Values, TorchScriptListDictNumbersAndNone) {
  ::torch::manual_seed(2);
  const Case c = scripted(script(R"(
    def forward(self, x, state: Tuple[List[Tensor], Dict[str, Tensor], int, Optional[str], bool]):
        hs, memory, count, tag, flag = state
        h = torch.tanh(torch.matmul(hs[0], self.w) + x + self.b * count)
        memory_next = {"m": 0.5 * memory["m"] + h}
        return (h * memory_next["m"]).sum() / (1 + count), ([h, hs[0]], memory_next, count + 1, tag, flag)
  )"), [] {
    c10::List<at::Tensor> hs({at::zeros({3, 6}), at::zeros({3, 6})});
    c10::Dict<std::string, at::Tensor> memory;
    memory.insert("m", at::zeros({3, 6}));
    return Value(c10::ivalue::Tuple::create(
        {Value(hs), Value(memory), Value(0), Value("tag"), Value(true)}));
  }());
  warm_up(c);
  expect_plain_gradients(c, c.parameters, {1, 3, 20});

  Recurrence net(c.step, c.parameters);
  const Value end = net.backpropagate(slots(c, 3, Keep::states), c.inputs, c.x0).state;
  const std::vector<Value> elements = end.toTupleRef().elements().vec();
  EXPECT_EQ(elements[0].toTensorList().size(), 2u);
  EXPECT_TRUE(elements[1].toGenericDict().contains("m"));
  EXPECT_EQ(elements[2].toInt(), 12);
  EXPECT_EQ(elements[3].toStringRef(), "tag");
  EXPECT_TRUE(elements[4].toBool());
  EXPECT_FALSE(elements[0].toTensorVector()[0].requires_grad());
}

TEST(Values, NamedTupleKeepsItsType) {
  const auto type = c10::TupleType::createNamed(
      c10::QualifiedName("Spikes"), std::vector<std::string>{"h", "step", "tag"},
      std::vector<c10::TypePtr>{c10::TensorType::get(), c10::IntType::get(),
                                c10::NoneType::get()});
  const Value state = c10::ivalue::Tuple::createNamed({at::ones({2}), 3, Value()}, type);
  const Value mapped = map_tensors(state, [](const at::Tensor& t) { return t * 2; });
  ASSERT_TRUE(mapped.toTupleRef().type()->schema());
  EXPECT_EQ(mapped.toTupleRef().type()->name()->name(), "Spikes");
  EXPECT_EQ(mapped.toTupleRef().elements()[1].toInt(), 3);
  EXPECT_TRUE(mapped.toTupleRef().elements()[2].isNone());
  EXPECT_TRUE(at::equal(mapped.toTupleRef().elements()[0].toTensor(), at::full({2}, 2.0)));
}

// One tensor in two places of the state is one tensor still.
TEST(Values, ATensorThatStandsTwiceIsPlains) {
  ::torch::manual_seed(3);
  Case c;
  const at::Tensor w = at::randn({5, 5}).mul_(0.4).set_requires_grad(true);
  using Pair = std::tuple<at::Tensor, at::Tensor>;
  c.parameters = {w};
  c.step = step<Pair, Value>([=](const Value&, const Pair& state) {
    const auto& [a, b] = state;
    const at::Tensor next = at::tanh(at::matmul(a, w) + 0.3 * b + 0.2 * a * b);
    return std::pair(next.square().mean(), Pair(next, next));
  });
  const at::Tensor h = at::randn({3, 5}).set_requires_grad(true);
  c.x0 = Value(Pair(h, h));
  c.steps = 25;
  expect_plain_gradients(c, {w, h});
}

// Whole numbers beside the rest, and a part of the state that only passes through.
TEST(Values, WholeNumbersAndPassengers) {
  ::torch::manual_seed(4);
  Case c;
  const at::Tensor w = at::randn({5, 5}).mul_(0.4).set_requires_grad(true);
  using Parts = std::tuple<at::Tensor, at::Tensor, at::Tensor>;
  c.parameters = {w};
  c.step = step<Parts, Value>([=](const Value&, const Parts& state) {
    const auto& [h, count, context] = state;
    const at::Tensor next = at::tanh(at::matmul(h, w) + context * count);
    return std::pair(next.square().mean(), Parts(next, count + 1, context));
  });
  const at::Tensor context = at::randn({3, 5}).set_requires_grad(true);
  c.x0 = Value(Parts(at::randn({3, 5}), at::zeros({1}, at::kLong), context));
  c.steps = 14;
  expect_plain_gradients(c, {w, context});
}

TEST(Values, ObjectsAreRefused) {
  const Value object = script("def forward(self, x):\n    return x\n")._ivalue();
  EXPECT_THROW(each_tensor(object, [](const at::Tensor&) {}), Unsupported);
}

}  // namespace
}  // namespace sweepback::torch
