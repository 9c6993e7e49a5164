// SPDX-License-Identifier: Apache-2.0
// Every plan passes the referee, its bill is what happens, and a larger budget never costs more.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "random_plans.hpp"
#include "sweepback/check.hpp"
#include "sweepback/error.hpp"
#include "sweepback/plan.hpp"

namespace sweepback {
namespace {

Chain without_final(Count steps, Step step = {}) {
  Chain chain = Chain::uniform(steps, std::move(step));
  chain.final_state = false;
  return chain;
}

void expect_right(const Plan& plan) {
  const Verdict verdict = check(plan);
  EXPECT_TRUE(verdict.ok) << plan.chain.steps() << " steps, " << to_string(plan.budget) << ", "
                          << name(plan.keep) << ": " << verdict.violation->message;
}

TEST(Plans, EverySmallSlotBudgetPassesTheReferee) {
  for (Count l = 0; l <= 70; ++l)
    for (Count c = 1; c <= 12; ++c)
      for (const bool tapes : {false, true})
        for (const bool final_state : {false, true}) {
          Chain chain = Chain::uniform(l, {.tapes = tapes});
          chain.final_state = final_state;
          expect_right(plan(chain, Budget::slots(c)));
          expect_right(plan(chain, Budget::slots(c), {.keep = Keep::tapes}));
          expect_right(plan(chain, Budget::slots(l + 1), {.strategy = Strategy::store_all}));
          expect_right(plan(chain, Budget::slots(c), {.strategy = Strategy::one_slot}));
        }
}

RC_GTEST_PROP(Plans, EveryBudgetPassesTheReferee, ()) {
  const test::Question q = test::random_question(60);
  try {
    const Plan plan = sweepback::plan(q.chain, q.budget, {.keep = q.keep});
    const Verdict verdict = check(plan);
    if (!verdict.ok) RC_FAIL(verdict.violation->message);
    if (q.budget.unit == Budget::Unit::bytes) {
      RC_ASSERT(*plan.bill.peak_bytes <= q.budget.amount);
      // What the plan needs is enough for it.
      RC_ASSERT(sweepback::plan(q.chain, Budget::bytes(*plan.bill.peak_bytes), {.keep = q.keep})
                    .bill.cost == plan.bill.cost);
    }
    RC_ASSERT(sweepback::plan(q.chain, {q.budget.unit, q.budget.amount + 1}, {.keep = q.keep})
                  .bill.cost <= plan.bill.cost);
    if (plan.certificate.lower_bound)
      RC_ASSERT(*plan.certificate.lower_bound <= plan.bill.cost);
  } catch (const BudgetTooSmall& e) {
    RC_ASSERT(e.smallest > e.given);
    const Plan there =
        sweepback::plan(q.chain, {q.budget.unit, e.smallest}, {.keep = q.keep});
    RC_ASSERT(there.bill.cost == e.cost_there);
  }
}

RC_GTEST_PROP(Plans, StrategiesNeedWhatTheySay, ()) {
  const test::Question q = test::random_question(40);
  const Strategy strategy = *rc::gen::element(Strategy::store_all, Strategy::one_slot);
  const PlanOptions options{q.keep, strategy};
  Count need = 0;
  try {
    (void)plan(q.chain, {q.budget.unit, 0}, options);
  } catch (const BudgetTooSmall& e) {
    need = e.smallest;
    RC_ASSERT_THROWS_AS(plan(q.chain, {q.budget.unit, need - 1}, options), BudgetTooSmall);
  }
  const Plan plan = sweepback::plan(q.chain, {q.budget.unit, need}, options);
  const Verdict verdict = check(plan);
  if (!verdict.ok) RC_FAIL(verdict.violation->message);
  RC_ASSERT(plan.certificate.status == Certificate::Status::baseline);
  RC_ASSERT(*plan.certificate.lower_bound <= plan.bill.cost);
}

TEST(Plans, TenStepsInTwoSlots) {
  const Plan plan = sweepback::plan(without_final(10), Budget::slots(2));
  std::vector<std::string> actions;
  for (const Action& action : plan.schedule) actions.push_back(to_string(action));
  const std::vector<std::string> begin(actions.begin(), actions.begin() + 8);
  EXPECT_EQ(begin, (std::vector<std::string>{"store x_0", "forward 0 to 6", "store x_6",
                                             "forward 6 to 9", "reverse step 9", "restore x_6",
                                             "forward 6 to 8", "reverse step 8"}));
  EXPECT_EQ(plan.bill.forward_steps, 20);
  EXPECT_EQ(plan.first_store, (FirstStore{6, {6, 6}}));
  EXPECT_EQ(sweepback::plan(Chain::uniform(10), Budget::slots(2)).bill.forward_steps, 24);
}

TEST(Plans, TenThousandSteps) {
  const Plan plan = sweepback::plan(without_final(10000), Budget::slots(15));
  EXPECT_EQ(plan.bill.forward_steps, 45155);
  EXPECT_EQ(plan.bill.stores, 6124);  // 6123 and x_0
  EXPECT_EQ(plan.bill.repetition, 5);
  EXPECT_EQ(plan.first_store->optimal, (binomial::Interval{816, 3876}));
  expect_right(plan);
  Chain chain = Chain::uniform(10000);
  EXPECT_EQ(sweepback::plan(chain, Budget::slots(15)).bill.forward_steps, 45160);
}

// Gruslys et al. 2016, section 3: a network of 1000 steps in 5 % of the memory. One third more time
// where a reverse step costs two forward steps.
TEST(Plans, GruslysCountsForwardAndRecordSteps) {
  const Chain chain = Chain::uniform(1000, {.reverse = 2, .tapes = true});
  const auto counted = [&](Keep keep) {
    const Plan plan = sweepback::plan(chain, Budget::slots(50), {.keep = keep});
    expect_right(plan);
    return plan.bill.forward_steps + plan.bill.record_steps;
  };
  EXPECT_EQ(counted(Keep::states), 2948);
  EXPECT_EQ(counted(Keep::tapes), 1950);
  const Plan store_all = plan(chain, Budget::slots(1000), {.strategy = Strategy::store_all});
  EXPECT_EQ(store_all.bill.cost, 3000);
  EXPECT_NEAR((1950 + 2000) / 3000.0, 1.317, 0.0005);
}

// ISM and HSM as the recurrences of Gruslys et al. 2016 have them.
TEST(Plans, HsmAndIsmRecurrences) {
  constexpr Count most_t = 150, most_m = 20;
  std::vector<std::vector<Count>> hsm(most_m + 1, std::vector<Count>(most_t + 1, max_count / 4));
  auto ism = hsm;
  for (Count m = 1; m <= most_m; ++m) {
    hsm[m][0] = ism[m][0] = 0;
    for (Count t = 1; t <= most_t; ++t) {
      if (m == 1) {
        hsm[m][t] = ism[m][t] = t * (t + 1) / 2;
        continue;
      }
      if (m >= t) hsm[m][t] = 2 * t - 1, ism[m][t] = t;
      for (Count y = 1; y <= t; ++y) {
        if (y < t) hsm[m][t] = std::min(hsm[m][t], y + hsm[m - 1][t - y] + hsm[m][y]);
        ism[m][t] = std::min(ism[m][t], y + ism[m - 1][t - y] + ism[m][y - 1]);
      }
    }
    for (Count t = 1; t <= most_t; ++t) {
      const Chain chain = Chain::uniform(t, {.tapes = true});
      const Bill states = plan(chain, Budget::slots(m), {.keep = Keep::states}).bill;
      const Bill tapes = plan(chain, Budget::slots(m), {.keep = Keep::tapes}).bill;
      ASSERT_EQ(states.forward_steps + states.record_steps, hsm[m][t]) << t << ' ' << m;
      ASSERT_EQ(tapes.forward_steps + tapes.record_steps, ism[m][t]) << t << ' ' << m;
    }
  }
}

// In-place states of 8 MiB, reversed from the state: one slot and the state in hand.
TEST(Plans, TheSmallestBudgetIsNamedToTheByte) {
  constexpr Count mib = 1 << 20;
  Chain chain = without_final(100, {.state_bytes = 8 * mib});
  chain.in_place = true;
  for (const Count bytes : {Count{0}, Count{1}, 16 * mib - 1}) {
    try {
      (void)plan(chain, Budget::bytes(bytes));
      ADD_FAILURE() << bytes;
    } catch (const BudgetTooSmall& e) {
      EXPECT_EQ(e.given, bytes);
      EXPECT_EQ(e.smallest, 16 * mib);
      EXPECT_EQ(e.cost_there, 100 * 99 / 2 + 100);
      EXPECT_NE(std::string(e.what()).find("16777216"), std::string::npos);
    }
  }
  EXPECT_EQ(plan(chain, Budget::bytes(16 * mib)).bill.forward_steps, 100 * 99 / 2);
}

TEST(Plans, EveryMebibyteIsUsed) {
  constexpr Count mib = 1 << 20;
  Chain chain = without_final(1000, {.state_bytes = mib});
  chain.in_place = true;
  EXPECT_EQ(plan(chain, Budget::bytes(11 * mib)).bill.forward_steps, 3636);
  EXPECT_EQ(plan(chain, Budget::bytes(51 * mib)).bill.forward_steps, 1948);
  EXPECT_EQ(plan(chain, Budget::bytes(1001 * mib)).bill.forward_steps, 999);
  for (Count m = 2; m < 1010; ++m)
    EXPECT_LE(plan(chain, Budget::bytes((m + 1) * mib)).bill.cost,
              plan(chain, Budget::bytes(m * mib)).bill.cost);
}

TEST(Plans, ForRuns) {
  for (Count l = 0; l <= 60; ++l)
    for (Count most = 2; most <= 6; ++most)
      for (const bool tapes : {false, true})
        for (const Keep keep : {Keep::states, Keep::tapes}) {
          const Chain chain = without_final(l, {.tapes = tapes});
          const Plan plan = plan_for_runs(chain, most, {.keep = keep});
          expect_right(plan);
          EXPECT_LE(plan.bill.repetition, most);
          if (plan.budget.amount > 1) {
            EXPECT_GT(sweepback::plan(chain, Budget::slots(plan.budget.amount - 1), {.keep = keep})
                          .bill.repetition,
                      most);
          }
        }
  EXPECT_THROW(plan_for_runs(Chain::uniform(5, {.tapes = true}), 0), OutOfRange);
  EXPECT_THROW(plan_for_runs(Chain::uniform(5), -1), OutOfRange);
}

TEST(Plans, StoreEverythingAndShares) {
  Chain chain = without_final(1000, {.state_bytes = 100, .tape_bytes = 350, .reverse_workspace = 9,
                                     .adjoint = 100});
  EXPECT_EQ(store_all_bytes(chain), 350000);
  EXPECT_EQ(Budget::share(chain, 0.05).amount, 17500);
  EXPECT_THROW(Budget::share(chain, 0), OutOfRange);
  EXPECT_THROW(Budget::share(chain, -1), OutOfRange);
  EXPECT_THROW(Budget::share(chain, std::nan("")), OutOfRange);
  EXPECT_THROW(Budget::share(Chain::uniform(10), 0.5), OutOfRange);
}

// A tape that does not hold its step's output is no place to start again from, but all of them kept
// is still every step run once.
TEST(Plans, StoreEverythingOfTapesWithoutOutput) {
  for (const bool in_place : {false, true})
    for (Count l = 0; l <= 5; ++l) {
      Chain chain = Chain::uniform(l, {.state_bytes = 100, .tape_bytes = 30,
                                       .tape_has_output = false, .forward_workspace = 7,
                                       .reverse_workspace = 400, .adjoint = 100});
      chain.in_place = in_place;
      const Plan plan =
          sweepback::plan(chain, Budget::bytes(10'000), {.strategy = Strategy::store_all});
      expect_right(plan);
      EXPECT_EQ(plan.bill.forward_steps, 0);
      EXPECT_EQ(plan.bill.restores, 0);
      EXPECT_EQ(plan.bill.cost, 2 * l);
      EXPECT_EQ(plan.certificate.lower_bound, 2 * l);
      EXPECT_EQ(store_all_bytes(chain), l == 0 ? 0 : l * 30 + (in_place ? 100 : 200));
    }
}

TEST(Plans, AutomaticTakesTheCheapestKind) {
  const Chain chain = Chain::uniform(
      150, {.forward = 10, .record = 20, .reverse = 40, .state_bytes = 100, .tape_bytes = 350});
  for (Count bytes = 800; bytes < 54000; bytes += 3501) {
    const Count states = plan(chain, Budget::bytes(bytes), {.keep = Keep::states}).bill.cost;
    const Count tapes = plan(chain, Budget::bytes(bytes), {.keep = Keep::tapes}).bill.cost;
    const Count mixed = plan(chain, Budget::bytes(bytes), {.keep = Keep::mixed}).bill.cost;
    EXPECT_LE(mixed, std::min(states, tapes)) << bytes;
    EXPECT_EQ(plan(chain, Budget::bytes(bytes)).bill.cost, mixed) << bytes;
  }
}

TEST(Plans, ALengthOfAMillionMillionTakesNoMemoryAndNoTime) {
  const Plan plan = sweepback::plan(without_final(1000000000000), Budget::slots(64));
  EXPECT_EQ(plan.bill.forward_steps, 10171068893645);
  Schedule schedule = plan.schedule;
  Action action;
  for (int i = 0; i < 100000; ++i) ASSERT_TRUE(schedule.next(action));
  EXPECT_LE(schedule.situation().states.size(), 64u);
}

TEST(Plans, EdgesAndErrors) {
  for (const Count c : {Count{0}, Count{1}, Count{2}}) {
    const Plan empty = plan(Chain::uniform(0), Budget::slots(c));
    EXPECT_EQ(empty.bill, Bill{.peak_bytes = 0}) << c;
    EXPECT_EQ(empty.schedule.begin(), std::default_sentinel);
  }
  for (const Chain& nothing : {Chain::of({}), Chain::of({}, {4096, 4096}), Chain::uniform(0, {.state_bytes = 8})})
    for (const Keep keep : {Keep::automatic, Keep::states, Keep::tapes, Keep::mixed})
      for (const Budget& budget : {Budget::slots(3), Budget::bytes(100)})
        EXPECT_TRUE(check(plan(nothing, budget, {.keep = keep})).ok) << name(keep);
  EXPECT_EQ(plan(without_final(1), Budget::slots(1)).bill.forward_steps, 0);
  for (const Count l : {Count{1}, Count{2}}) {
    try {
      (void)plan(Chain::uniform(l), Budget::slots(0));
      ADD_FAILURE();
    } catch (const BudgetTooSmall& e) {
      EXPECT_EQ(e.smallest, 1);
      EXPECT_FALSE(e.bytes);
    }
  }
  EXPECT_THROW(Chain::uniform(-1), OutOfRange);
  EXPECT_THROW(Budget::slots(-1), OutOfRange);
  EXPECT_THROW(Budget::bytes(-1), OutOfRange);
  EXPECT_THROW(plan(Chain::uniform(3), Budget{Budget::Unit::slots, -5}), OutOfRange);
  EXPECT_THROW(plan(Chain::uniform(3), Budget::bytes(1000)), OutOfRange);  // sizes not known
  EXPECT_THROW(Chain::uniform(3, {.forward = -1}), OutOfRange);
  EXPECT_THROW(Chain::uniform(max_count), Overflow);
  EXPECT_THROW(plan(Chain::of({{Step{}, 2}, {Step{.forward = 2}, 1}}), Budget::bytes(2)), OutOfRange);
  EXPECT_THROW(plan(Chain::uniform(3, {.tape_bytes = 1, .tape_has_output = false}),
                    Budget::slots(2), {.keep = Keep::tapes}),
               Unsupported);
  EXPECT_THROW(plan(Chain::uniform(1000, {.forward = max_count / 100}), Budget::slots(2)), Overflow);
  EXPECT_THROW(plan(without_final(1000000000000000), Budget::slots(2)), Overflow);
  EXPECT_EQ(plan(without_final(1000000000000000000), Budget::slots(max_count)).bill.forward_steps,
            999999999999999999);
}

TEST(Plans, ARecordCheaperThanAForwardStepIsSaid) {
  const Chain chain = Chain::uniform(20, {.forward = 5, .record = 3, .tapes = true});
  const Certificate certificate = plan(chain, Budget::slots(4)).certificate;
  EXPECT_EQ(certificate.status, Certificate::Status::exact_in_class);
  EXPECT_FALSE(certificate.class_name.empty());
}

}  // namespace
}  // namespace sweepback
