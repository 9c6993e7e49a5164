// SPDX-License-Identifier: Apache-2.0
// States and tapes mixed: the table, its schedules, and what they are never worse than.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "reference_mixed.hpp"
#include "sweepback/check.hpp"
#include "sweepback/error.hpp"
#include "sweepback/plan.hpp"

namespace sweepback {
namespace {

Chain chain_of(Count l, bool output = true) {
  return Chain::uniform(l, {.tapes = true, .tape_has_output = output});
}

Plan mixed(Count l, Count units, Count alpha, bool output = true, bool pin = false) {
  return plan(chain_of(l, output), Budget::slots(units),
              {.keep = Keep::mixed, .units = {1, alpha}, .pin_input = pin});
}

Count steps_of(const Plan& plan) { return plan.bill.forward_steps + plan.bill.record_steps; }

void expect_right(const Plan& plan) {
  const Verdict verdict = check(plan);
  EXPECT_TRUE(verdict.ok) << plan.chain.steps() << " steps, " << to_string(plan.budget) << ": "
                          << (verdict.violation ? verdict.violation->message : "");
}

TEST(Mixed, ReferenceValues) {
  for (const auto& [alpha, units, steps, cost] : reference::msm) {
    const PolicyTable table(steps, units, {1, alpha, true, true});
    EXPECT_EQ(table.cost(steps, units), cost) << alpha << ' ' << units << ' ' << steps;
  }
  for (const auto& [output, alpha, steps, units, cost, exhaustive] : reference::v_form) {
    const PolicyTable table(steps, units, {1, alpha, output != 0, false});
    EXPECT_EQ(table.cost(steps, units), cost) << alpha << ' ' << steps << ' ' << units;
  }
  for (const auto& [steps, units, cost] : reference::maddison)
    EXPECT_EQ(PolicyTable(steps, units, {1, 1, false, false}).cost(steps, units), cost);
}

// Gruslys et al. 2016, section 3.4, and what dropping bases gains.
TEST(Mixed, AThousandSteps) {
  EXPECT_EQ(steps_of(mixed(1000, 100, 5, true, true)), 1995);
  EXPECT_EQ(steps_of(mixed(1000, 100, 2)), 1949);
  EXPECT_EQ(steps_of(mixed(1000, 100, 2, false)), 1960);
  const PolicyTable pinned(1000, 70, {1, 2, true, true}), free(1000, 70, {1, 2});
  EXPECT_EQ(pinned.fewest_units(1000, 2000).value_or(-1) + 1, 63);  // and one for x_0
  EXPECT_EQ(free.fewest_units(1000, 2000), 62);
  // Not convex in the number of steps: scans may not stop where values rise.
  const PolicyTable small(11, 2, {1, 2, true, true});
  EXPECT_EQ(small.cost(9, 2), 20);
  EXPECT_EQ(small.cost(10, 2), 24);
  EXPECT_EQ(small.cost(11, 2), 27);
}

// The recurrences as policy_table.hpp states them, term by term.
TEST(Mixed, TheTableIsTheRecurrence) {
  constexpr Count most_steps = 45, most_units = 21, none = 1'000'000;
  for (const bool output : {true, false})
    for (const auto& [s, t] : {std::pair<Count, Count>{1, 1}, {1, 2}, {2, 7}, {3, 1}, {5, 23}}) {
      std::vector v(most_units + 1, std::vector<Count>(most_steps + 1, none));
      auto g = v;
      for (Count m = 0; m <= most_units; ++m)
        for (Count n = 0; n <= most_steps; ++n) {
          if (n <= 1) {
            v[m][n] = g[m][n] = n;
            continue;
          }
          const Count tape = m >= t ? 1 + (output ? g : v)[m - t][n - 1] : none;
          v[m][n] = g[m][n] = tape;
          for (Count j = 1; j < n; ++j) {
            if (m >= s) v[m][n] = std::min(v[m][n], j + v[m - s][n - j] + v[m][j]);
          }
          v[m][n] = std::min(v[m][n], none);
          for (Count j = 1; j < n; ++j) g[m][n] = std::min(g[m][n], j + v[m][n - j] + g[m][j]);
        }
      const PolicyTable table(most_steps, most_units, {s, t, output, false});
      for (Count m = 0; m <= most_units; ++m)
        for (Count n = 0; n <= most_steps; ++n)
          ASSERT_EQ(table.cost(n, m).value_or(none), v[m][n]) << n << ' ' << m << ' ' << s << t;
    }
}

TEST(Mixed, EveryScheduleIsItsTable) {
  for (const bool output : {true, false})
    for (const bool pin : {false, true}) {
      if (pin && !output) continue;
      for (const auto& [s, t] : {std::pair<Count, Count>{1, 1}, {1, 2}, {1, 5}, {2, 7}, {3, 2}}) {
        const PolicyTable table(40, 40, {s, t, output, pin});
        for (Count l = 0; l <= 40; ++l)
          for (Count units = s; units <= 30; ++units) {
            const Plan plan = sweepback::plan(
                chain_of(l, output), Budget::slots(units),
                {.keep = Keep::mixed, .units = {s, t}, .pin_input = pin});
            expect_right(plan);
            const Count inside = units - (pin ? s : 0);
            ASSERT_EQ(steps_of(plan), table.cost(l, inside)) << l << ' ' << units;
            ASSERT_EQ(plan.bill.stores, *table.stores(l, inside) + (pin && l > 1))
                << l << ' ' << units << ' ' << s << ' ' << t << ' ' << output << pin;
            EXPECT_LE(plan.bill.peak_slots, units);
          }
      }
    }
}

// At equal memory nothing that keeps one kind alone is cheaper.
TEST(Mixed, IsNeverAboveStatesOrTapes) {
  for (const Count alpha : {1, 2, 4})
    for (const bool output : {true, false}) {
      const PolicyTable table(200, 60, {1, alpha, output, false});
      for (Count l = 1; l <= 200; ++l)
        for (Count units = 1; units <= 60; ++units) {
          ASSERT_LE(table.cost(l, units), binomial::forward_steps(l, units) + l);
          // Of m tapes the one in use lies outside the units here, and x_0 inside.
          if (output && units > 1) {
            ASSERT_LE(table.cost(l, units),
                      binomial::forward_steps(l + 1, (units - 1) / alpha + 1));
          }
        }
    }
}

TEST(Mixed, PositionsAreSavedAndRestored) {
  for (const bool output : {true, false})
    for (const bool pin : {false, true}) {
      if (pin && !output) continue;
      for (const Count units : {1, 4, 9}) {
        const Plan plan = mixed(23, units, 2, output, pin);
        Schedule schedule = plan.schedule;
        Action action, same;
        do {
          Schedule restored(plan.schedule.recipe(), schedule.situation());
          EXPECT_EQ(restored, schedule);
          Schedule ahead = schedule;
          for (int i = 0; i < 5; ++i) {
            const bool more = ahead.next(action);
            ASSERT_EQ(restored.next(same), more);
            if (more) {
              ASSERT_EQ(action, same);
            }
          }
        } while (schedule.next(action));
      }
    }
}

TEST(Mixed, BytesTakeTheBestOfAllKinds) {
  for (const bool output : {true, false})
    for (const bool in_place : {false, true}) {
      Chain chain = Chain::uniform(120, {.forward = 2, .record = 3, .reverse = 5,
                                         .state_bytes = 100, .tape_bytes = 353,
                                         .tape_has_output = output, .forward_workspace = 11,
                                         .reverse_workspace = 70, .adjoint = 100});
      chain.in_place = in_place;
      Count before = max_count;
      for (Count bytes = 900; bytes < 50'000; bytes += 1411) {
        const Plan plan = sweepback::plan(chain, Budget::bytes(bytes), {.keep = Keep::mixed});
        expect_right(plan);
        EXPECT_LE(*plan.bill.peak_bytes, bytes);
        EXPECT_LE(*plan.certificate.lower_bound, plan.bill.cost);
        EXPECT_LE(plan.bill.cost,
                  sweepback::plan(chain, Budget::bytes(bytes), {.keep = Keep::states}).bill.cost);
        if (output) {
          EXPECT_LE(plan.bill.cost,
                    sweepback::plan(chain, Budget::bytes(bytes), {.keep = Keep::tapes}).bill.cost);
        }
        EXPECT_LE(sweepback::plan(chain, Budget::bytes(bytes)).bill.cost, plan.bill.cost);
        EXPECT_LE(plan.bill.cost, before) << bytes;
        before = plan.bill.cost;
      }
    }
}

// Windows of unequal lengths, and budgets that shrink: one table, the same plans.
TEST(Mixed, OneTableAnswersAllThatIsShorterAndSmaller) {
  const PlanOptions own{.keep = Keep::mixed, .units = {1, 3}};
  PlanOptions shared = own;
  shared.table = policy_table(chain_of(60), Budget::slots(40), own);
  for (Count l = 0; l <= 60; l += 7)
    for (Count units = 1; units <= 40; units += 5)
      EXPECT_EQ(plan(chain_of(l), Budget::slots(units), shared).bill,
                plan(chain_of(l), Budget::slots(units), own).bill);
  const auto sized = [](Count l) {
    return Chain::uniform(l, {.state_bytes = 100, .tape_bytes = 460, .adjoint = 100});
  };
  const PlanOptions bytes{.keep = Keep::mixed};
  PlanOptions from_table = bytes;
  from_table.table = policy_table(sized(200), Budget::bytes(20'000), bytes);
  for (Count l = 1; l <= 200; l += 37)
    for (Count budget = 2'000; budget <= 20'000; budget += 3'000)
      EXPECT_EQ(plan(sized(l), Budget::bytes(budget), from_table).bill,
                plan(sized(l), Budget::bytes(budget), bytes).bill);
}

TEST(Mixed, LeastMemoryForATime) {
  for (const double ratio : {1.0, 1.05, 1.3, 2.0, 5.0})
    for (const bool sized : {false, true}) {
      Step step{.reverse = 2, .tapes = true};
      if (sized) step.state_bytes = 100, step.tape_bytes = 350;
      const Chain chain = Chain::uniform(150, step);
      for (const Keep keep : {Keep::tapes, Keep::mixed, Keep::automatic}) {
        if (keep == Keep::automatic && !sized) continue;  // in slots that keeps states alone
        const Plan plan = plan_for_time(chain, ratio, {.keep = keep, .units = {1, 3}});
        expect_right(plan);
        EXPECT_LE(static_cast<double>(plan.bill.cost), ratio * 450);
        try {
          const Plan less = sweepback::plan(chain, {plan.budget.unit, plan.budget.amount - 1},
                                            {.keep = keep, .units = {1, 3}});
          EXPECT_GT(static_cast<double>(less.bill.cost), ratio * 450);
        } catch (const BudgetTooSmall&) {
        }
      }
    }
  EXPECT_THROW(plan_for_time(chain_of(10), 0.9), OutOfRange);
  EXPECT_THROW(plan_for_time(chain_of(10), std::nan("")), OutOfRange);
  EXPECT_THROW(plan_for_time(chain_of(10), 1.0, {.keep = Keep::states}), OutOfRange);
}

TEST(Mixed, EdgesAndErrors) {
  EXPECT_EQ(mixed(0, 0, 2).bill, Bill{.peak_bytes = 0});
  EXPECT_EQ(steps_of(mixed(1, 1, 2)), 1);
  try {
    (void)mixed(10, 0, 2);
    ADD_FAILURE();
  } catch (const BudgetTooSmall& e) {
    EXPECT_EQ(e.smallest, 1);
    EXPECT_EQ(e.cost_there, 9 * 10 / 2 + 2 * 10);
  }
  EXPECT_THROW(mixed(10, 5, 0), OutOfRange);
  EXPECT_THROW(mixed(10, 5, -1), OutOfRange);
  EXPECT_THROW(mixed(10, 5, 2, false, true), OutOfRange);
  EXPECT_THROW(mixed(200'000, 5, 2), Unsupported);
  EXPECT_THROW(PolicyTable(-1, 5), OutOfRange);
  EXPECT_THROW(PolicyTable(5, -1), OutOfRange);
  EXPECT_THROW((void)PolicyTable(5, 5).cost(6, 5), OutOfRange);
  EXPECT_THROW((void)PolicyTable(5, 5).cost(5, 6), OutOfRange);
  EXPECT_THROW(plan(chain_of(5), Budget::slots(5), {.keep = Keep::states, .pin_input = true}),
               OutOfRange);
  EXPECT_EQ(PolicyTable(5, 0).cost(5, 0), std::nullopt);
  EXPECT_THROW((void)PolicyTable(5, 5).fits(PolicyTable::Base::loose, 6, 5), OutOfRange);
  EXPECT_THROW((void)PolicyTable(5, 5).decide(PolicyTable::Base::loose, 6, 5), OutOfRange);
  EXPECT_FALSE(PolicyTable(5, 5).fits(PolicyTable::Base::loose, 5, -1));
  EXPECT_THROW(mixed(10, 5, max_count), OutOfRange);
  // Tapes far smaller than a state: all of them fit where one state more does not.
  for (const bool output : {true, false}) {
    const Chain small = Chain::uniform(
        100, {.state_bytes = 1000, .tape_bytes = 1, .tape_has_output = output});
    for (const Keep keep : {Keep::mixed, Keep::automatic}) {
      const Plan all = plan(small, Budget::bytes(store_all_bytes(small)), {.keep = keep});
      EXPECT_EQ(all.bill.forward_steps, 0);
      expect_right(all);
      EXPECT_LE(plan_for_time(small, 1.5, {.keep = keep}).bill.cost, 300);
      try {
        (void)plan(small, Budget::bytes(10), {.keep = keep});
        ADD_FAILURE();
      } catch (const BudgetTooSmall& e) {
        EXPECT_EQ(plan(small, Budget::bytes(e.smallest), {.keep = keep}).bill.cost, e.cost_there);
      }
    }
    EXPECT_LE(plan_for_time(small, 2, {.keep = Keep::states}).bill.cost, 400);
  }
  // A plan of one kind says what it is the cheapest of where both might be kept.
  Step step{.forward = 2, .record = 2, .reverse = 2, .state_bytes = 4, .tape_bytes = 8,
            .forward_workspace = 4, .reverse_workspace = 5, .adjoint = 1};
  const Certificate certificate = plan(Chain::uniform(3, step), Budget::bytes(24)).certificate;
  EXPECT_EQ(certificate.status, Certificate::Status::exact_in_class);
  EXPECT_LE(certificate.lower_bound, 16);
  step = {.state_bytes = 1, .tape_bytes = 0};
  Chain free_tapes = Chain::uniform(4, step);
  free_tapes.in_place = true;
  EXPECT_LE(plan(free_tapes, Budget::bytes(2), {.keep = Keep::mixed}).certificate.lower_bound, 8);
  // A tape of one unit holds where it goes on from: no state is ever stored.
  EXPECT_EQ(plan(chain_of(8), Budget::slots(9), {.keep = Keep::mixed, .units = {9, 1}}).bill.stores,
            0);
}

}  // namespace
}  // namespace sweepback
