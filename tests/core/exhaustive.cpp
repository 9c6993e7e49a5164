// SPDX-License-Identifier: Apache-2.0
// Certificates are true: on every small case the plan costs what the cheapest of all action
// sequences costs, with as few stores.
#include "exhaustive.hpp"

#include <gtest/gtest.h>

#include <random>

#include "sweepback/check.hpp"
#include "sweepback/error.hpp"
#include "sweepback/plan.hpp"

namespace sweepback {
namespace {

Chain chain_of(const rival::Model& m) {
  Step step{.state_bytes = m.state, .tapes = m.tapes, .tape_has_output = m.output,
            .forward_workspace = m.forward_workspace, .reverse_workspace = m.reverse_workspace,
            .adjoint = m.adjoint};
  if (m.tapes) step.tape_bytes = m.tape;
  Chain chain = Chain::uniform(m.l, step);
  chain.in_place = m.in_place;
  chain.final_state = m.final_state;
  return chain;
}

std::string print(const rival::Model& m) {
  return ::testing::PrintToString(std::vector<int>{
      m.l, m.tapes, m.keep_tapes, m.in_place, m.final_state, m.output, m.state, m.tape,
      m.forward_workspace, m.reverse_workspace, m.adjoint, m.slots, m.bytes});
}

/// Compares the plan with the rival; returns whether a schedule fits.
bool compare(const rival::Model& m) {
  SCOPED_TRACE("l tapes keep_tapes in_place final output state tape of ob adjoint slots bytes: " +
               print(m));
  if (m.l == 1 && m.slots == 0) return false;  // by convention x_0 needs a slot
  const auto rival = rival::Search(m).cheapest();
  const Budget budget = m.slots >= 0 ? Budget::slots(m.slots) : Budget::bytes(m.bytes);
  try {
    const Plan plan =
        sweepback::plan(chain_of(m), budget, {m.keep_tapes ? Keep::tapes : Keep::states});
    if (!rival) {
      ADD_FAILURE() << "a plan where no sequence fits";
      return true;
    }
    const Verdict verdict = check(plan);
    EXPECT_TRUE(verdict.ok) << (verdict.violation ? verdict.violation->message : "");
    const Count steps = plan.bill.forward_steps + plan.bill.record_steps;
    if (plan.certificate.status == Certificate::Status::exact) {
      EXPECT_EQ(steps, rival->steps);
      if (m.slots >= 0) {
        EXPECT_EQ(plan.bill.stores, rival->stores);
      }
    } else {
      EXPECT_EQ(plan.certificate.status, Certificate::Status::exact_in_class);
      EXPECT_TRUE(m.keep_tapes);
      EXPECT_GE(steps, rival->steps);
      EXPECT_LE(*plan.certificate.lower_bound, rival->steps + m.l);  // reverse steps cost 1 each
      rival::Model in_class = m;
      in_class.persistent = true;
      EXPECT_EQ(steps, rival::Search(in_class).cheapest().value_or(rival::Cost{}).steps);
    }
  } catch (const BudgetTooSmall& e) {
    EXPECT_FALSE(rival.has_value() && !m.keep_tapes)
        << "refused, and a sequence of " << rival->steps << " steps fits; " << e.what();
    rival::Model there = m;
    (m.slots >= 0 ? there.slots : there.bytes) = static_cast<int>(e.smallest);
    EXPECT_TRUE(rival::Search(there).cheapest().has_value()) << e.what();
    there.persistent = m.keep_tapes;
    if (m.l == 1 && m.slots >= 0) return false;
    (m.slots >= 0 ? there.slots : there.bytes) -= 1;
    EXPECT_FALSE(rival::Search(there).cheapest().has_value()) << e.what();
  }
  return rival.has_value();
}

TEST(Exhaustive, EverySlotBudget) {
  for (int l = 0; l <= 7; ++l)
    for (int slots = 0; slots <= 8; ++slots)
      for (const bool final_state : {false, true}) {
        compare({.l = l, .final_state = final_state, .slots = slots});
        compare({.l = l, .tapes = true, .final_state = final_state, .slots = slots});
        compare({.l = l, .tapes = true, .keep_tapes = true, .slots = slots});
      }
}

TEST(Exhaustive, ByteBudgetsOfEveryKind) {
  std::mt19937 generator(20260);
  const auto between = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(generator);
  };
  int fitting = 0;
  for (int i = 0; i < 2500; ++i) {
    rival::Model m;
    m.l = between(0, 6);
    m.tapes = between(0, 1);
    m.output = between(0, 3) > 0;
    m.keep_tapes = m.tapes && m.output && between(0, 1);
    m.in_place = between(0, 1);
    m.final_state = between(0, 1);
    m.state = between(1, 4);
    m.tape = between(m.state, 9);
    m.forward_workspace = between(0, 5);
    m.reverse_workspace = between(0, 9);
    m.adjoint = between(0, 3);
    m.bytes = between(0, 4 + 7 * (m.keep_tapes ? m.tape : m.state) + 8);
    fitting += compare(m);
  }
  EXPECT_GT(fitting, 800);
}

rival::Model mixed_of(int l, bool output, int state_units, int tape_units, int units) {
  return {.l = l, .tapes = true, .keep_tapes = true, .output = output, .slots = units,
          .mixed = true, .state_units = state_units, .tape_units = tape_units};
}

// States and tapes both kept: every chain of at most seven steps, every budget of at most eight
// units, states of one unit, tapes of up to three.
TEST(Exhaustive, EveryMixedBudget) {
  for (const bool output : {true, false})
    for (const auto& [s, t] : {std::pair{1, 1}, {1, 2}, {1, 3}, {2, 3}, {3, 1}})
      for (int l = 1; l <= (s == 1 ? 7 : 5); ++l)
        for (int units = 1; units <= 8; ++units) {
          SCOPED_TRACE(::testing::Message() << l << ' ' << units << ' ' << s << ' ' << t << output);
          const auto rival = rival::Search(mixed_of(l, output, s, t, units)).cheapest();
          const PolicyTable table(l, units, {s, t, output, false});
          ASSERT_EQ(table.cost(l, units).has_value(), rival.has_value());
          if (!rival) continue;
          EXPECT_EQ(table.cost(l, units), rival->steps);
          EXPECT_EQ(table.stores(l, units), rival->stores);
        }
}

// In bytes the lower bound of a mixed plan is one, and what is called exact is.
TEST(Exhaustive, MixedInBytes) {
  std::mt19937 generator(20261129);
  const auto between = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(generator);
  };
  int exact = 0, optimal = 0, all = 0;
  for (int i = 0; i < 300; ++i) {
    rival::Model m = mixed_of(between(1, 5), between(0, 2) > 0, 1, 1, -1);
    m.in_place = between(0, 1);
    m.state = between(1, 4);
    m.tape = between(1, 9);
    m.forward_workspace = between(0, 4);
    m.reverse_workspace = between(0, 6);
    m.adjoint = between(0, 3);
    m.bytes = between(4, 50);
    SCOPED_TRACE(print(m));
    try {
      const Plan plan = sweepback::plan(chain_of(m), Budget::bytes(m.bytes), {Keep::mixed});
      EXPECT_TRUE(check(plan).ok);
      const auto rival = rival::Search(m).cheapest();
      ASSERT_TRUE(rival.has_value());
      const Count steps = plan.bill.forward_steps + plan.bill.record_steps;
      EXPECT_GE(steps, rival->steps);
      EXPECT_LE(*plan.certificate.lower_bound, rival->steps + m.l);
      if (plan.certificate.status == Certificate::Status::exact) {
        EXPECT_EQ(steps, rival->steps);
        ++exact;
      }
      optimal += steps == rival->steps;
      ++all;
    } catch (const BudgetTooSmall&) {
    }
  }
  EXPECT_GT(all, 200);
  EXPECT_GT(exact, all / 4);
  EXPECT_GT(optimal, all / 2);
}

}  // namespace
}  // namespace sweepback
