// SPDX-License-Identifier: Apache-2.0
// Unequal steps and a tier beside memory.
#include <gtest/gtest.h>

#include <random>

#include "sweepback/check.hpp"
#include "sweepback/error.hpp"
#include "sweepback/plan.hpp"

namespace sweepback {
namespace {

using enum TierModel::Unit;

struct Random {
  std::mt19937 engine{11};
  Count in(Count least, Count most) { return least + static_cast<Count>(engine() % static_cast<unsigned>(most - least + 1)); }
};

// Steps whose reverses differ are unequal, and their schedules those of equal steps: the plans are as
// cheap as the hierarchical programme's, which are exact.
TEST(Spilled, EqualsTheHierarchicalProgrammeWhereSizesDoNotMatter) {
  Random random;
  int spilled = 0;
  for (int n = 0; n < 300; ++n) {
    const Count states = random.in(2, 40), forward = random.in(1, 5), memory = random.in(1, 4);
    const Budget budget = Budget::of({{"memory", slots, memory}, {"disk", random.in(0, 1) ? unbounded : slots, random.in(0, 5), {random.in(0, 9)}, {random.in(0, 9)}}});
    std::vector<sweepback::Run> runs;
    Count reverses = 0;
    for (Count k = 0; k < states; ++k) {
      const Count reverse = k == 0 ? 100 : random.in(0, 9);
      reverses += reverse;
      runs.push_back({{.forward = forward, .reverse = reverse}, 1});
    }
    Chain uneven = Chain::of(runs, {});
    Chain equal = Chain::uniform(states, {.forward = forward, .reverse = 0});
    uneven.final_state = equal.final_state = false;
    ASSERT_FALSE(uneven.equal());
    const Plan p = plan(uneven, budget);
    ASSERT_TRUE(check(p).ok);
    EXPECT_EQ(p.bill.cost - reverses, plan(equal, budget).bill.cost) << states << " states, " << to_string(budget);
    EXPECT_LE(*p.certificate.lower_bound, p.bill.cost);
    EXPECT_NE(p.certificate.status, Certificate::Status::exact_in_class);
    spilled += p.engine == "spilled";
  }
  EXPECT_GT(spilled, 100);
}

Chain random_chain(Random& random, Count most) {
  std::vector<sweepback::Run> runs;
  const Count l = random.in(2, most);
  for (Count k = 0; k < l; ++k) {
    Step step{.forward = random.in(1, 9), .reverse = random.in(0, 9), .state_bytes = random.in(1, 40)};
    if (random.in(0, 1)) step.tape_bytes = *step.state_bytes + random.in(0, 60);
    step.forward_workspace = random.in(0, 20);
    step.adjoint = random.in(0, 12);
    runs.push_back({step, 1});
  }
  Chain chain = Chain::of(runs, {random.in(1, 30), 0});
  chain.in_place = random.in(0, 1);
  chain.final_state = random.in(0, 1);
  return chain;
}

Budget with_disk(Count memory, const TierModel& disk) { return Budget::of({{"memory", bytes, memory}, disk}); }

// Within memory and the tier, never dearer than memory alone, never below the bound.
TEST(Spilled, KeepsToBytes) {
  Random random;
  int cheaper = 0, below = 0;
  for (int n = 0; n < 200; ++n) {
    const Chain chain = random_chain(random, 30);
    const Count smallest = smallest_budget(chain);
    const TierModel disk{"disk", random.in(0, 1) ? unbounded : bytes, random.in(0, 120), {random.in(0, 5), 1, 20}, {random.in(0, 5), 1, 10}};
    const Count memory = smallest + random.in(0, 100);
    const Plan p = plan(chain, with_disk(memory, disk));
    const Verdict verdict = check(p);
    ASSERT_TRUE(verdict.ok) << verdict.violation->message;
    EXPECT_LE(*p.bill.peak_bytes, memory);
    if (disk.unit == bytes) {
      EXPECT_LE(*p.bill.tiers[1].peak_bytes, disk.capacity);
    }
    const Plan alone = plan(chain, Budget::bytes(memory));
    EXPECT_LE(p.bill.cost, alone.bill.cost);
    EXPECT_LE(*p.certificate.lower_bound, p.bill.cost);
    cheaper += p.bill.cost < alone.bill.cost;
    try {
      (void)plan(chain, with_disk(0, disk));
      ADD_FAILURE();
    } catch (const BudgetTooSmall& e) {
      EXPECT_LE(e.smallest, smallest);
      below += e.smallest < smallest;
      EXPECT_EQ(plan(chain, with_disk(e.smallest, disk)).bill.cost, e.cost_there);
      if (disk.unit == unbounded) {
        EXPECT_THROW(plan(chain, with_disk(e.smallest - 1, disk)), BudgetTooSmall);
      }
    }
  }
  EXPECT_GT(cheaper, 50);
  EXPECT_GT(below, 50);
}

// Equal steps with tapes: states and tapes both in memory, states in the tier. Left open, the cheaper kind is kept.
TEST(Spilled, KeepsTapesOfEqualSteps) {
  const Chain chain = Chain::uniform(60, {.forward = 10, .record = 11, .reverse = 20, .state_bytes = 10, .tape_bytes = 15});
  const Budget budget = with_disk(300, {"disk", unbounded, 0, {4}, {4}});
  const Plan states = plan(chain, budget, {.keep = Keep::states}), mixed = plan(chain, budget, {.keep = Keep::mixed});
  EXPECT_TRUE(check(states).ok);
  EXPECT_TRUE(check(mixed).ok);
  EXPECT_EQ(mixed.keep, Keep::mixed);
  EXPECT_LT(mixed.bill.cost, states.bill.cost);
  EXPECT_EQ(plan(chain, budget).bill.cost, mixed.bill.cost);
  EXPECT_THROW(plan(chain, budget, {.keep = Keep::tapes}), Unsupported);
  const Budget slow = with_disk(300, {"disk", unbounded, 0, {1}, {1}});
  EXPECT_LE(plan(chain, slow).bill.cost, plan(chain, slow, {.keep = Keep::states}).bill.cost);
}

TEST(Spilled, WhatIsNotPlannedIsSaid) {
  Random random;
  const Chain chain = random_chain(random, 10);
  const TierModel disk{"disk", unbounded, 0, {0, 1, 1}, {0, 1, 1}};
  EXPECT_THROW(plan(chain, with_disk(1000, disk), {.engine = Engine::staircases}), Unsupported);
  EXPECT_THROW(plan(chain, with_disk(1000, disk), {.strategy = Strategy::rotor}), Unsupported);
  std::vector<sweepback::Run> runs(1500, sweepback::Run{{.forward = 1}, 1});
  for (std::size_t k = 0; k < runs.size(); ++k) runs[k].step.forward = static_cast<Count>(k % 3);
  EXPECT_THROW(plan(Chain::of(runs, {}), Budget::of({{"memory", slots, 3}, {"disk", unbounded}})), Unsupported);
  runs.resize(20);
  EXPECT_THROW(plan(Chain::of(runs, {}), Budget::of({{"memory", slots, 3}, disk})), OutOfRange);  // a rate, and no sizes
}

}  // namespace
}  // namespace sweepback
