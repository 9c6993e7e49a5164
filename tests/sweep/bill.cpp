// SPDX-License-Identifier: Apache-2.0
// The bill is what happens: for slots and bytes, with costs, for every kind of plan. The calls that
// the program counted itself agree.
#include <gtest/gtest.h>

#include "plans.hpp"
#include "sized.hpp"

namespace {

using namespace toy;

template <class Program>
void expect_called_as_billed() {
  for (Count l = 0; l <= 30; l += 3) {
    for (Count c = 1; c <= 9; c += 2) {
      for (const Plan& plan : plans<Program>(l, c)) {
        Program program;
        EXPECT_EQ(there_and_back(program, plan, 0.3).bill, plan.bill);
        EXPECT_EQ(program.forwards, plan.bill.forward_steps) << testing::PrintToString(plan);
        EXPECT_EQ(program.records, plan.bill.record_steps) << testing::PrintToString(plan);
        EXPECT_EQ(program.reverses, l);
      }
    }
  }
}

TEST(Bill, IsWhatTheProgramCounts) {
  expect_called_as_billed<Toy<Plain, Form::in_place, Taping::output>>();
  expect_called_as_billed<Toy<Plain, Form::in_place, Taping::bare>>();
  expect_called_as_billed<Toy<Plain, Form::immutable, Taping::none>>();
  expect_called_as_billed<Toy<Plain, Form::immutable, Taping::output>>();
}

// An in-place program that shares its states copies once a store and once a restore, and x_0 on
// entry.
TEST(Bill, CountsTheCopies) {
  using Program = Toy<Handle, Form::in_place, Taping::none>;
  for (const Plan& plan : plans<Program>(30, 4)) {
    Program program;
    there_and_back(program, plan, 0.3);
    EXPECT_EQ(program.copies, 1 + plan.bill.stores + plan.bill.restores);
  }
}

TEST(Bill, HasTheCostOfTheChain) {
  using Program = Sized<Form::immutable, Taping::output>;
  const Chain chain = Chain::uniform(50, {.forward = 3, .record = 5, .reverse = 7,
                                          .state_bytes = 8, .tape_bytes = 20});
  for (const Keep keep : {Keep::states, Keep::tapes}) {
    const Plan plan = sweepback::plan(chain, Budget::bytes(150), {keep});
    const Measured measured = measure<Program>(plan);
    EXPECT_EQ(measured.bill, plan.bill);
    EXPECT_EQ(measured.bill.cost, 3 * plan.bill.forward_steps + 5 * 50 + 7 * 50);
  }
}

// The report of a sweep under way counts what is done so far.
TEST(Bill, GrowsWhileTheSweepRuns) {
  using Program = Toy<Plain, Form::in_place, Taping::none>;
  Program program;
  sweepback::Sweep sweep(program, plan(chain<Program>(20), Budget::slots(3)));
  EXPECT_EQ(sweep.report().bill.forward_steps, 0);
  sweep.forward(0.3);
  EXPECT_EQ(sweep.report().bill.forward_steps, 20);
  EXPECT_EQ(sweep.report().bill.reverse_steps, 0);
  Gradient g;
  sweep.backward(g);
  EXPECT_EQ(sweep.report().bill, sweep.plan().bill);
}

// Keeping whichever is cheaper never costs more than keeping states only or tapes only, and what is
// run is what was promised (spyro PR 390 wished for the choice).
TEST(Bill, OfTheAutomaticChoiceIsTheCheaper) {
  using Program = Sized<Form::immutable, Taping::output>;
  int states = 0, tapes = 0;
  for (const Count tape_bytes : {8, 16, 24, 80}) {
    for (const Count bytes : {100, 200, 400, 1000}) {
      const Chain chain = Chain::uniform(60, {.state_bytes = 8, .tape_bytes = tape_bytes});
      const auto cost = [&](Keep keep) {
        try {
          return sweepback::plan(chain, Budget::bytes(bytes), {keep}).bill.cost;
        } catch (const sweepback::BudgetTooSmall&) {
          return sweepback::max_count;
        }
      };
      const Plan plan = sweepback::plan(chain, Budget::bytes(bytes));
      EXPECT_EQ(plan.bill.cost, std::min({cost(Keep::states), cost(Keep::tapes), cost(Keep::mixed)}));
      const Measured measured = measure<Program>(plan);
      EXPECT_EQ(measured.bill, plan.bill);
      EXPECT_LE(measured.peak, bytes);
      ++(plan.keep == Keep::states ? states : tapes);
    }
  }
  EXPECT_GT(states, 0);
  EXPECT_GT(tapes, 0);
}

}  // namespace
