// SPDX-License-Identifier: Apache-2.0
// Compressed states in memory's own bytes: used where that is cheaper, within the bytes, nearly the best share.
#include <gtest/gtest.h>

#include <random>

#include "sweepback/check.hpp"
#include "sweepback/error.hpp"
#include "sweepback/plan.hpp"

namespace sweepback {
namespace {

using enum TierModel::Unit;

TierModel compressed(double ratio, Count store, Count restore, bool lossy = false) {
  return {"compressed", shared, 0, {store}, {restore}, false, ratio, lossy};
}

Chain chain_of(Count steps, bool in_place) {
  Chain chain = Chain::uniform(steps, {.forward = 10, .reverse = 20, .state_bytes = 100, .forward_workspace = 30, .adjoint = 50});
  chain.in_place = in_place;
  return chain;
}

/// The cheapest over every number of compressed states, each a budget of its own.
Count best_share(const Chain& chain, Count memory, const TierModel& tier) {
  Count best = max_count;
  for (Count d = 0; d * tier.kept(100) <= memory && d <= chain.steps(); ++d) {
    try {
      const Budget budget = Budget::of({{"memory", bytes, memory - d * tier.kept(100)}, {"compressed", slots, d, tier.store, tier.restore, false, 1, tier.lossy}});
      best = std::min(best, plan(chain, budget).bill.cost);
    } catch (const BudgetTooSmall&) {
    }
  }
  return best;
}

TEST(Shared, IsNearlyTheBestShare) {
  std::mt19937 random(5);
  const auto up_to = [&](Count most) { return static_cast<Count>(random() % static_cast<unsigned>(most + 1)); };
  int used = 0;
  double worst = 1, sum = 0;
  constexpr int cases = 200;
  for (int n = 0; n < cases; ++n) {
    const Chain chain = chain_of(1 + up_to(60), up_to(1) == 1);
    const Count memory = 450 + up_to(1500);
    const TierModel tier = compressed(1 + static_cast<double>(up_to(40)) / 10, up_to(8), up_to(8), up_to(3) == 0);
    const Plan p = plan(chain, Budget::of({{"memory", bytes, memory}, tier}));
    const Verdict verdict = check(p);
    ASSERT_TRUE(verdict.ok) << verdict.violation->message;
    EXPECT_LE(*p.bill.peak_bytes, memory);
    EXPECT_LE(p.bill.cost, plan(chain, Budget::bytes(memory)).bill.cost);
    EXPECT_LE(*p.certificate.lower_bound, p.bill.cost);
    const double above = static_cast<double>(p.bill.cost) / static_cast<double>(best_share(chain, memory, tier));
    EXPECT_GE(above, 1);
    worst = std::max(worst, above);
    sum += above;
    used += p.bill.tiers[1].stores > 0;
  }
  EXPECT_GT(used, cases / 4);
  EXPECT_LT(worst, 1.02);
  EXPECT_LT(sum / cases, 1.002);
}

// A ratio of one buys nothing; a large one for nothing is as good as so many states more.
TEST(Shared, IsUsedOnlyWhereItIsCheaper) {
  const Chain chain = chain_of(300, true);
  const Plan alone = plan(chain, Budget::bytes(1000));
  const Plan useless = plan(chain, Budget::of({{"memory", bytes, 1000}, compressed(1, 1, 1)}));
  EXPECT_EQ(useless.bill.cost, alone.bill.cost);
  EXPECT_EQ(useless.bill.tiers[1].stores, 0);
  const Plan large = plan(chain, Budget::of({{"memory", bytes, 1000}, compressed(100, 0, 0)}));
  EXPECT_EQ(large.bill.forward_steps, 300);  // every state is kept
  EXPECT_EQ(large.bill.tiers[1].peak_bytes, large.bill.tiers[1].peak_slots);
}

TEST(Shared, StandsBesideADisk) {
  const Chain chain = chain_of(500, true);
  for (const bool overlap : {false, true}) {
    const TierModel disk{"disk", unbounded, 0, {12}, {8}, overlap};
    const Plan both = plan(chain, Budget::of({{"memory", bytes, 1000}, compressed(1.5, 1, 1), disk}));
    const Verdict verdict = check(both);
    EXPECT_TRUE(verdict.ok) << verdict.violation->message;
    EXPECT_LE(both.bill.time(), plan(chain, Budget::of({{"memory", bytes, 1000}, disk})).bill.time());
    EXPECT_LE(both.bill.time(), plan(chain, Budget::of({{"memory", bytes, 1000}, compressed(1.5, 1, 1)})).bill.cost);
    EXPECT_GT(both.bill.tiers[2].stores, 0);
  }
}

TEST(Shared, TooSmallAndMeaningless) {
  const Chain chain = chain_of(50, true);
  try {
    (void)plan(chain, Budget::of({{"memory", bytes, 10}, compressed(2, 1, 1)}));
    ADD_FAILURE();
  } catch (const BudgetTooSmall& e) {
    EXPECT_EQ(plan(chain, Budget::of({{"memory", bytes, e.smallest}, compressed(2, 1, 1)})).bill.cost, e.cost_there);
    EXPECT_THROW((void)plan(chain, Budget::of({{"memory", bytes, e.smallest - 1}, compressed(2, 1, 1)})), BudgetTooSmall);
    EXPECT_LT(e.smallest, smallest_budget(chain));
  }
  EXPECT_THROW(Budget::of({{"memory", slots, 3}, compressed(2, 1, 1)}), OutOfRange);
  EXPECT_THROW(Budget::of({compressed(2, 1, 1)}), OutOfRange);
  for (const double ratio : {0.5, 0.0, -1.0, 1e300, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(Budget::of({{"memory", bytes, 300}, compressed(ratio, 1, 1)}), OutOfRange) << ratio;
  EXPECT_THROW(Budget::of({{"memory", bytes, 300, {}, {}, false, 2}}), OutOfRange);
  EXPECT_THROW(plan(Chain::uniform(5), Budget::of({{"memory", bytes, 300}, compressed(2, 1, 1)})), OutOfRange);  // no sizes
  EXPECT_TRUE(check(plan(chain_of(0, true), Budget::of({{"memory", bytes, 300}, compressed(2, 1, 1)}))).ok);
  EXPECT_TRUE(check(plan(chain_of(1, true), Budget::of({{"memory", bytes, 300}, compressed(2, 1, 1)}))).ok);
}

}  // namespace
}  // namespace sweepback
