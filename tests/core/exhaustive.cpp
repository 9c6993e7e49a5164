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

}  // namespace
}  // namespace sweepback
