// SPDX-License-Identifier: Apache-2.0
// The strategies to compare with: their bills are true, they need what they say, and the cheapest
// plan is never above them.
#include <gtest/gtest.h>

#include <array>

#include "sweepback/check.hpp"
#include "sweepback/error.hpp"
#include "sweepback/plan.hpp"

namespace sweepback {
namespace {

constexpr std::array strategies = {Strategy::store_all, Strategy::one_slot, Strategy::halving,
                                   Strategy::sqrt,      Strategy::chen,     Strategy::periodic};

Chain chain_of(Count l, Step step = {}, bool final_state = false) {
  Chain chain = Chain::uniform(l, std::move(step));
  chain.final_state = final_state;
  return chain;
}

void expect_right(const Plan& plan) {
  const Verdict verdict = check(plan);
  EXPECT_TRUE(verdict.ok) << plan.chain.steps() << " steps, " << to_string(plan.budget) << ", "
                          << name(plan.strategy) << ": "
                          << (verdict.violation ? verdict.violation->message : "");
}

/// What the strategy says that it needs.
Count need(const Chain& chain, Budget::Unit unit, const PlanOptions& options) {
  try {
    (void)plan(chain, {unit, 0}, options);
  } catch (const BudgetTooSmall& e) {
    return e.smallest;
  }
  return 0;
}

TEST(Baselines, TenThousandSteps) {
  const Chain chain = chain_of(10'000);
  const auto forward = [&](Strategy strategy, Count slots, Count parts = 0) {
    const Plan plan =
        sweepback::plan(chain, Budget::slots(slots), {.strategy = strategy, .parts = parts});
    expect_right(plan);
    return plan.bill.forward_steps;
  };
  EXPECT_EQ(forward(Strategy::halving, 15), 64'608);
  EXPECT_EQ(need(chain, Budget::Unit::slots, {.strategy = Strategy::halving}), 15);
  EXPECT_EQ(forward(Strategy::sqrt, 200), 19'800);
  EXPECT_EQ(need(chain, Budget::Unit::slots, {.strategy = Strategy::sqrt}), 200);
  for (const auto& [parts, steps, slots] : {std::array<Count, 3>{1, 64'608, 15},
                                            {2, 55'305, 18},
                                            {3, 50'248, 21},
                                            {5, 42'877, 27},
                                            {10, 35'878, 38}}) {
    EXPECT_EQ(forward(Strategy::chen, slots, parts), steps);
    EXPECT_EQ(need(chain, Budget::Unit::slots, {.strategy = Strategy::chen, .parts = parts}), slots);
    EXPECT_LE(forward(Strategy::chen, slots), steps);  // the cheapest k that fits
  }
}

TEST(Baselines, BillsAreTrueAndTheCheapestPlanIsNeverAbove) {
  for (Count l = 0; l <= 40; ++l)
    for (const bool tapes : {false, true})
      for (const bool final_state : {false, true})
        for (const Strategy strategy : strategies) {
          const Chain chain = chain_of(l, {.tapes = tapes}, final_state);
          const Count least = need(chain, Budget::Unit::slots, {.strategy = strategy});
          for (const Count slots : {least, least + 3, least + 11}) {
            const Plan plan = sweepback::plan(chain, Budget::slots(slots), {.strategy = strategy});
            expect_right(plan);
            EXPECT_LE(plan.bill.peak_slots, slots);
            EXPECT_LE(*plan.certificate.lower_bound, plan.bill.cost);
            const Keep keep = plan.keep;  // tapes, of store-all
            EXPECT_LE(sweepback::plan(chain, Budget::slots(slots), {.keep = keep}).bill.cost,
                      plan.bill.cost);
          }
        }
}

TEST(Baselines, InBytesAndInUnits) {
  for (Count l = 1; l <= 60; l += 7)
    for (const bool in_place : {false, true})
      for (const bool output : {false, true})
        for (const Strategy strategy : strategies) {
          Chain chain = chain_of(l, {.forward = 2, .record = 3, .reverse = 4, .state_bytes = 10,
                                     .tape_bytes = 35, .tape_has_output = output,
                                     .forward_workspace = 3, .reverse_workspace = 12,
                                     .adjoint = 10});
          chain.in_place = in_place;
          const Count least = need(chain, Budget::Unit::bytes, {.strategy = strategy});
          ASSERT_GT(least, 0);
          const Plan plan = sweepback::plan(chain, Budget::bytes(least), {.strategy = strategy});
          expect_right(plan);
          EXPECT_THROW(sweepback::plan(chain, Budget::bytes(least - 1), {.strategy = strategy}),
                       BudgetTooSmall);
          EXPECT_LE(sweepback::plan(chain, Budget::bytes(least)).bill.cost, plan.bill.cost)
              << name(strategy) << ' ' << l << ' ' << in_place << output;
        }
  // Segments of tapes between stored states: each step runs twice but those of the last segment.
  const Plan segments =
      plan(chain_of(1000, {.tapes = true}), Budget::slots(1000),
           {.keep = Keep::mixed, .strategy = Strategy::sqrt, .units = {1, 4}});
  expect_right(segments);
  EXPECT_EQ(segments.bill.forward_steps, 992);  // 31 segments of 32 steps
  EXPECT_LE(segments.bill.repetition, 2);
  EXPECT_LE(plan(chain_of(1000, {.tapes = true}), Budget::slots(segments.bill.peak_slots),
                 {.keep = Keep::mixed, .units = {1, 4}})
                .bill.cost,
            segments.bill.cost);
}

// At no budget and length is the cheapest plan above the strategy of Chen et al.
TEST(Baselines, ChenAtEveryBudget) {
  for (const Count l : {1, 2, 10, 100, 1000})
    for (Count bytes = 100; bytes < 6000; bytes += bytes / 3) {
      const Chain chain = chain_of(l, {.state_bytes = 10, .tape_bytes = 35});
      try {
        const Plan chen = plan(chain, Budget::bytes(bytes), {.strategy = Strategy::chen});
        EXPECT_LE(plan(chain, Budget::bytes(bytes)).bill.cost, chen.bill.cost);
      } catch (const BudgetTooSmall& e) {
        EXPECT_GT(e.smallest, bytes);
      }
    }
}

TEST(Baselines, PositionsAreSavedAndRestored) {
  for (const Strategy strategy : {Strategy::halving, Strategy::sqrt, Strategy::chen, Strategy::periodic})
    for (const bool tapes : {false, true}) {
      const Plan plan = sweepback::plan(chain_of(19, {.tapes = tapes}, !tapes), Budget::slots(10),
                                        {.strategy = strategy});
      Schedule schedule = plan.schedule;
      Action action;
      do {
        EXPECT_EQ(Schedule(plan.schedule.recipe(), schedule.situation()), schedule);
      } while (schedule.next(action));
    }
}

TEST(Baselines, Errors) {
  const Chain chain = chain_of(100, {.tapes = true});
  const auto refused = [&](const PlanOptions& options) {
    EXPECT_THROW(plan(chain, Budget::slots(50), options), OutOfRange);
  };
  refused({.keep = Keep::tapes, .strategy = Strategy::halving});
  refused({.keep = Keep::mixed, .strategy = Strategy::chen});
  refused({.strategy = Strategy::halving, .parts = 2});
  refused({.strategy = Strategy::chen, .parts = -1});
  refused({.strategy = Strategy::chen, .period = 3});
  refused({.block = 4});
  EXPECT_THROW(plan(chain_of(100'000'000), Budget::slots(50), {.strategy = Strategy::halving}),
               Unsupported);
}

}  // namespace
}  // namespace sweepback
