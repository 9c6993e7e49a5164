// SPDX-License-Identifier: Apache-2.0
// States of torch in files: every bit comes back, and gradients are those of memory alone.
#include <filesystem>

#include "plain.hpp"
#include "sweepback/file_tier.hpp"
#include "sweepback/torch/state_codec.hpp"
#include "train/options.hpp"
#include "train/trainer.hpp"

namespace sweepback::torch {
namespace {

State again(const State& x) {
  StateCodec codec;
  const auto bytes = codec.bytes(x);
  const std::vector<std::byte> record(bytes.begin(), bytes.end());
  return codec.state(record.size(), [&](std::span<std::byte> room) { std::copy(record.begin(), record.end(), room.begin()); });
}

TEST(StateCodec, EveryBitComesBack) {
  ::torch::manual_seed(3);
  const at::Tensor odd = at::tensor({0.0, -0.0, std::nan(""), HUGE_VAL}, at::kDouble);
  c10::Dict<std::string, at::Tensor> dict;
  dict.insert("a", at::randn({3, 4}).t());
  dict.insert("b", at::arange(5));
  for (const Value& value : {Value(odd), Value(at::randn({2, 3}).to(at::kHalf)), Value(at::empty({0, 3})), Value(at::ones({2}) > 0),
                             Value(std::tuple(odd, at::randn({7}), std::int64_t{3})), Value(dict), Value(std::vector<at::Tensor>{odd, odd})}) {
    at::randn({1});  // another position of the generator
    const State x{value, Position::now()};
    const State y = again(x);
    EXPECT_EQ(y.value.tagKind(), value.tagKind());
    std::vector<at::Tensor> left, right;
    each_tensor(x.value, [&](const at::Tensor& tensor) { left.push_back(tensor); });
    each_tensor(y.value, [&](const at::Tensor& tensor) { right.push_back(tensor); });
    expect_same_bits(left, right, value.tagKind());
    for (std::size_t n = 0; n < left.size(); ++n) EXPECT_EQ(left[n].strides(), right[n].strides());
    y.position.restore();
    const at::Tensor next = at::randn({5});
    x.position.restore();
    EXPECT_TRUE(at::equal(next, at::randn({5})));
  }
  StateCodec codec;
  EXPECT_THROW(codec.state(40, [](std::span<std::byte> room) { std::fill(room.begin(), room.end(), std::byte{7}); }), Io);
  EXPECT_THROW(codec.state(0, [](std::span<std::byte>) {}), Io);
}

TEST(Tiers, GradientsAreThoseOfMemory) {
  using enum TierModel::Unit;
  ::torch::manual_seed(1);
  const at::Tensor weight = at::randn({6, 6}).mul_(0.3).requires_grad_();
  const auto step = [weight](Count, const Value&, const Value& state) {
    const at::Tensor x = state.toTensor();
    const at::Tensor next = at::tanh(at::dropout(x.matmul(weight), 0.2, true));
    return Stepped{.loss = next.square().sum(), .state = next};
  };
  Recurrence net(StepFunction(step), {weight});
  const Value x0 = at::randn({4, 6});
  Chain chain = net.measure(no_inputs(), x0).chain(120);
  const auto gradient = [&](const Plan& plan, FarTiers<State> further) {
    ::torch::manual_seed(9);
    NoObserver nothing;
    const Result result = net.backpropagate(plan, no_inputs(), x0, {}, nothing, std::move(further));
    EXPECT_EQ(result.report.bill, plan.bill);
    return take({weight});
  };
  const auto expected = gradient(plan(chain, Budget::bytes(max_count), {.strategy = Strategy::store_all}), {});
  const Count memory = smallest_budget(chain, Keep::states) + 4 * *chain.step().state_bytes;
  for (const bool overlap : {false, true}) {
    const Plan p = plan(chain, Budget::of({{"memory", bytes, memory}, {"disk", unbounded, 0, {1}, {1}, overlap}}), {.keep = Keep::states});
    EXPECT_GT(p.bill.tiers[1].stores, 0);
    FarTiers<State> further;
    further.push_back(std::make_unique<FileTier<State, StateCodec>>(std::filesystem::temp_directory_path(), StateCodec()));
    expect_same_bits(gradient(p, std::move(further)), expected, overlap ? "while steps run" : "waiting");
  }
}

}  // namespace
}  // namespace sweepback::torch
