// SPDX-License-Identifier: Apache-2.0
// Fused kernels over blocks of time: the gradient of the same blocks with everything stored, bit for
// bit, that of single steps to rounding, and a budget that holds.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "sweepback/check.hpp"
#include "sweepback/torch/blocks.hpp"
#include "sweepback/torch/memory.hpp"
#include "train/char_model.hpp"
#include "train/store_all.hpp"

namespace sweepback::train {
namespace {

constexpr Count length = 60, batch = 3;

struct Net {
  CharModel model;
  std::vector<at::Tensor> parameters;
  at::Tensor window;
  torch::Value x0;

  Net(Cell cell, Count layers) {
    ::torch::manual_seed(7);
    at::set_num_threads(1);
    model = std::make_shared<CharModelImpl>(CharModelImpl::Shape{cell, layers, 24, 11});
    parameters = model->parameters();
    window = at::randint(11, {length + 1, batch}, at::kLong);
    x0 = torch::Value(model->zero_state(batch));
  }

  StoreAll single() const {
    return store_all(step_of(model, length), inputs_of(window), x0, parameters, length, [] {});
  }
  StoreAll blocks(Count block) const {
    const auto whole = block_of(model, length);
    const auto inputs = block_inputs_of(window);
    const auto end = [=](Count q) { return std::min((q + 1) * block, length); };
    return store_all([=](Count q, const torch::Value& input,
                         const torch::Value& state) { return whole(q * block, end(q), input, state); },
                     [=](Count q) { return inputs(q * block, end(q)); }, x0, parameters,
                     (length + block - 1) / block, [] {});
  }
};

TEST(TorchBlocks, GradientOfTheSameBlocksBitForBit) {
  for (const Cell cell : {Cell::lstm, Cell::gru, Cell::rnn})
    for (const Count layers : {1, 2})
      for (const Count block : {1, 7, 16, 60}) {
        const Net net(cell, layers);
        torch::Recurrence fused(block_of(net.model, length), net.parameters);
        const auto inputs = block_inputs_of(net.window);
        torch::memory::count();
        const auto planned = torch::plan_blocks(fused, inputs, net.x0, length,
                                                Budget::bytes(Count{1} << 30), {.block = block});
        ASSERT_EQ(planned.block, block);
        // As little as holds a schedule: much runs again.
        const Count smallest = [&] {
          try {
            (void)plan(planned.plan.chain, Budget::bytes(0), {.block = block});
          } catch (const BudgetTooSmall& e) {
            return e.smallest;
          }
          return Count{0};
        }();
        const StoreAll stored = net.blocks(block), single = net.single();
        for (const Count bytes : {smallest, 2 * smallest, Count{1} << 30}) {
          const Plan plan =
              sweepback::plan(planned.plan.chain, Budget::bytes(bytes), {.block = block});
          EXPECT_TRUE(check(plan).ok);
          torch::memory::reset_peak();
          const Count before = torch::memory::live();
          const torch::Result result = fused.backpropagate(plan, inputs, net.x0);
          EXPECT_EQ(result.report.bill, plan.bill);
          if (block > 1) {
            EXPECT_LE(torch::memory::peak() - before, bytes + 4096) << name(cell) << layers << block;
          }
          const auto gradients = take_gradients(net.parameters);
          EXPECT_TRUE(same_bits(gradients, stored.gradients)) << name(cell) << layers << block;
          EXPECT_LE(relative_difference(gradients, single.gradients), 2e-6);
          EXPECT_NEAR(result.loss, single.loss, 1e-5);
        }
      }
}

TEST(TorchBlocks, TheirLengthIsChosen) {
  const Net net(Cell::lstm, 1);
  torch::Recurrence fused(block_of(net.model, length), net.parameters);
  torch::Recurrence cell(step_of(net.model, length), net.parameters);
  const auto inputs = block_inputs_of(net.window);
  const Count all = cell.measure(inputs_of(net.window), net.x0).store_all_bytes(length);
  Budget budget = Budget::bytes(all / 3);
  const auto in_budget = [&] { return torch::plan_blocks(fused, inputs, net.x0, length, budget); };
  torch::PlannedBlocks planned;
  try {
    planned = in_budget();
  } catch (const BudgetTooSmall& e) {  // some kernels' workspace alone is more than this small net
    budget = Budget::bytes(2 * e.smallest);
    planned = in_budget();
  }
  EXPECT_GE(planned.block, 1);
  EXPECT_LE(*planned.plan.bill.peak_bytes, budget.amount);
  const torch::Result result = fused.backpropagate(planned.plan, inputs, net.x0);
  EXPECT_EQ(result.report.bill, planned.plan.bill);
  const auto gradients = take_gradients(net.parameters);
  EXPECT_TRUE(same_bits(gradients, net.blocks(planned.block).gradients));
}

TEST(TorchBlocks, AreRefusedBySingleSteps) {
  const Net net(Cell::gru, 1);
  torch::Recurrence single(step_of(net.model, length), net.parameters);
  Chain chain = Chain::uniform(length, {.state_bytes = 1, .tape_bytes = 1});
  chain.blocks = true;
  EXPECT_THROW(single.backpropagate(plan(chain, Budget::bytes(1 << 20), {.block = 5}),
                                    inputs_of(net.window), net.x0),
               Unsupported);
}

}  // namespace
}  // namespace sweepback::train
