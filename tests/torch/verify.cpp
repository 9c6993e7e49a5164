// SPDX-License-Identifier: Apache-2.0
// States of torch that do not come out the same again are named.
#include "sweepback/verify.hpp"

#include "plain.hpp"
#include "sweepback/torch/same_tensors.hpp"

namespace sweepback::torch {
namespace {

TEST(SameTensors, SeesEveryBitAndTheGenerator) {
  ::torch::manual_seed(3);
  SameTensors look;
  const at::Tensor a = at::randn({3, 4}), zero = at::zeros({2});
  const State x{std::tuple(a, zero), Position::now()};
  const auto mark = look.mark(x);
  EXPECT_EQ(look.difference(mark, {std::tuple(a.t().contiguous().t(), zero.clone()), x.position}), "");
  EXPECT_NE(look.difference(mark, {std::tuple(a, -zero), x.position}), "");
  EXPECT_NE(look.difference(mark, {std::tuple(zero, a), x.position}), "");
  at::randn({1});
  EXPECT_NE(look.difference(mark, {x.value, Position::now()}), "");
}

// `broken`: from the 30th call on, step 7 gives a last bit more.
Count verified(Keep keep, bool broken, Count every = 1) {
  ::torch::manual_seed(1);
  const at::Tensor weight = at::randn({6, 6}).mul_(0.3).requires_grad_();
  int calls = 0;
  Recurrence net(StepFunction([&, weight](Count k, const Value&, const Value& state) {
                   at::Tensor next = at::tanh(at::dropout(state.toTensor().matmul(weight), 0.2, true));
                   if (broken && ++calls > 30 && k == 7) next = next * (1 + 1e-7f);
                   return Stepped{.loss = next.sum() * 0, .state = next};
                 }),
                 {weight});
  Verify<State, SameTensors> verify({.steps = 20, .every = every});
  net.backpropagate(plan(Chain::uniform(20).with_tapes(), Budget::slots(3), {.keep = keep}), no_inputs(), at::randn({4, 6}), {}, verify);
  return verify.compared();
}

TEST(Verify, NamesTheStepOfTorchThatIsAnotherAgain) {
  for (const Keep keep : {Keep::states, Keep::tapes}) {
    EXPECT_GT(verified(keep, false), 20);
    for (const Count every : {1, 4}) {
      try {
        verified(keep, true, every);
        ADD_FAILURE() << name(keep);
      } catch (const Differs& e) {
        EXPECT_EQ(e.state, 8);
        EXPECT_EQ(e.code(), "mismatch");
        EXPECT_NE(e.message().find(every == 1 ? "step 7 gave another x_8" : "before x_8"), std::string::npos) << e.message();
      }
    }
  }
}

}  // namespace
}  // namespace sweepback::torch
