// SPDX-License-Identifier: Apache-2.0
// Budgets in bytes hold at every instant, counted by the allocator; nothing grows from call to call.
#include <unistd.h>

#include <fstream>

#include "torch/plain.hpp"
#include "train/char_model.hpp"
#include "train/store_all.hpp"
#include "train/watch.hpp"

namespace sweepback::torch {
namespace {

using train::Cell;
using train::CharModelImpl;

Case characters(Cell cell, Count layers, Count hidden, Count steps) {
  ::torch::manual_seed(21);
  train::use_threads(1);
  memory::count();
  Case c;
  const auto model = std::make_shared<CharModelImpl>(CharModelImpl::Shape{cell, layers, hidden, 31});
  c.parameters = model->parameters();
  c.step = train::step_of(model, steps);
  c.inputs = train::inputs_of(at::randint(31, {steps + 1, 8}, at::kLong));
  c.x0 = Value(model->zero_state(8));
  c.steps = steps;
  return c;
}

TEST(Memory, CountsEveryByteOnce) {
  memory::count();
  memory::count();
  const Count before = memory::live();
  memory::reset_peak();
  {
    const at::Tensor a = at::empty({1000});
    const at::Tensor view = a.narrow(0, 0, 10);
    EXPECT_EQ(memory::live() - before, 4000);
    { const at::Tensor b = at::empty({3}, at::kDouble); }
    EXPECT_EQ(memory::peak() - before, 4024);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data_ptr()) % 64, 0u);
    memory::Exemption exemption(1000);
    EXPECT_EQ(memory::live() - before, 3000);
    exemption.set(0);
    EXPECT_EQ(memory::live() - before, 4000);
  }
  EXPECT_EQ(memory::live(), before);
  const at::Tensor none = at::empty({0});
  EXPECT_EQ(memory::live(), before);
}

TEST(Memory, NoBytesAreReleasedAsWell) {
  memory::count();
  const Count before = memory::live();
  c10::Allocator* allocator = c10::GetAllocator(c10::DeviceType::CPU);
  allocator->raw_deallocate(allocator->raw_allocate(0));
  EXPECT_EQ(memory::live(), before);
}

TEST(Memory, PeakIsWithinTheBudgetAtEveryInstant) {
  for (const Cell cell : {Cell::rnn, Cell::gru, Cell::lstm}) {
    const Case c = characters(cell, 2, 32, 40);
    Recurrence net(c.step, c.parameters);
    const Chain chain = net.measure(c.inputs, c.x0).chain(c.steps);
    for (const Keep keep : {Keep::states, Keep::tapes, Keep::automatic}) {
      const Count smallest = smallest_budget(chain, keep);
      const Count most = std::max(smallest, store_all_bytes(chain));
      for (int i = 0; i <= 6; ++i) {
        const Count budget = smallest + (most - smallest) * i / 6;
        const Plan p = plan(chain, Budget::bytes(budget), {.keep = keep});
        train::Watch watch(nullptr);
        const Result result = net.backpropagate(p, c.inputs, c.x0, {}, watch);
        EXPECT_EQ(result.report.bill, p.bill) << name(keep) << " " << budget;
        EXPECT_LE(watch.peak_bytes(), *p.bill.peak_bytes) << name(keep) << " " << budget;
        EXPECT_LE(*p.bill.peak_bytes, budget);
        EXPECT_GT(watch.peak_bytes(), *p.bill.peak_bytes / 2) << "the plan counts far too much";
        take(c.parameters);
      }
      EXPECT_THROW(plan(chain, Budget::bytes(smallest - 1), {.keep = keep}), BudgetTooSmall);
    }
  }
}

TEST(Memory, StepsThatDrawAreWithinTheBudgetToo) {
  memory::count();
  Case c;
  const at::Tensor w = at::randn({32, 32}).mul_(0.2).set_requires_grad(true);
  c.step = step<at::Tensor, Value>([=](const Value&, const at::Tensor& h) {
    const at::Tensor next = at::tanh(at::matmul(at::dropout(h, 0.2, true), w));
    return std::pair(next.square().mean(), next);
  });
  c.parameters = {w};
  c.x0 = Value(at::randn({4, 32}));
  c.steps = 100;
  Recurrence net(c.step, c.parameters);
  const Chain chain = net.measure(c.inputs, c.x0).chain(c.steps);
  for (const Keep keep : {Keep::states, Keep::tapes}) {
    const Plan p = plan(chain, Budget::bytes(smallest_budget(chain, keep) * 3), {.keep = keep});
    train::Watch watch(nullptr);
    net.backpropagate(p, c.inputs, c.x0, {}, watch);
    EXPECT_LE(watch.peak_bytes(), *p.bill.peak_bytes);
  }
}

TEST(Memory, StoreEverythingIsPredicted) {
  for (const Cell cell : {Cell::rnn, Cell::gru, Cell::lstm}) {
    const Case c = characters(cell, 1, 64, 200);
    const Measured measured = Recurrence(c.step, c.parameters).measure(c.inputs, c.x0);
    const auto plain =
        train::store_all(c.step, c.inputs, c.x0, c.parameters, c.steps, [] {});
    EXPECT_NEAR(static_cast<double>(measured.store_all_bytes(c.steps)),
                static_cast<double>(plain.held_bytes), 0.01 * static_cast<double>(plain.held_bytes));
  }
}

Count resident_bytes() {
  std::ifstream file("/proc/self/statm");
  Count total = 0, resident = 0;
  file >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

TEST(Memory, IsFlatOverTwoHundredCalls) {
  const Case c = characters(Cell::lstm, 1, 32, 20);
  Recurrence net(c.step, c.parameters);
  const Chain chain = net.measure(c.inputs, c.x0).chain(c.steps);
  const Plan p = plan(chain, Budget::bytes(2 * smallest_budget(chain)));
  Count live = 0, resident = 0;
  for (int call = 0; call < 200; ++call) {
    net.backpropagate(p, c.inputs, c.x0);
    if (call == 20) {
      live = memory::live();
      resident = resident_bytes();
    }
  }
  EXPECT_EQ(memory::live(), live);
  EXPECT_LT(resident_bytes() - resident, 2 << 20);
}

TEST(Memory, ARecurrenceLeavesNothingBehind) {
  const Case c = characters(Cell::gru, 1, 32, 20);
  const Count before = memory::live();
  {
    Recurrence net(c.step, c.parameters);
    net.backpropagate(slots(c, 4, Keep::tapes), c.inputs, c.x0);
  }
  take(c.parameters);
  EXPECT_EQ(memory::live(), before);
}

}  // namespace
}  // namespace sweepback::torch
