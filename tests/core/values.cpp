// SPDX-License-Identifier: Apache-2.0
// Values compare, print and refuse nonsense.
#include <gtest/gtest.h>

#include "sweepback/plan.hpp"

namespace sweepback {
namespace {

TEST(Values, ActionsReadAloud) {
  EXPECT_EQ(to_string(Action::forward(0, 6)), "forward 0 to 6");
  EXPECT_EQ(to_string(Action::record(3)), "record step 3");
  EXPECT_EQ(to_string(Action::store(6)), "store x_6");
  EXPECT_EQ(to_string(Action::restore(6)), "restore x_6");
  EXPECT_EQ(to_string(Action::free(6)), "free x_6");
  EXPECT_EQ(to_string(Action::free_tape(2)), "free the tape of step 2");
  EXPECT_EQ(to_string(Action::reverse(9)), "reverse step 9");
  EXPECT_NE(Action::store(6), Action::free(6));
}

TEST(Values, ChainsMergeEqualRuns) {
  const Chain chain = Chain::of({{Step{}, 2}, {Step{}, 3}, {Step{.forward = 4}, 0}});
  EXPECT_EQ(chain, Chain::uniform(5));
  EXPECT_TRUE(chain.equal());
  EXPECT_FALSE(Chain::of({{Step{}, 2}, {Step{.forward = 4}, 1}}).equal());
  EXPECT_FALSE(Chain::of({{Step{.state_bytes = 8}, 2}}, {.state_bytes = 9}).equal());
  EXPECT_TRUE(Chain::of({{Step{.state_bytes = 8}, 2}}, {.state_bytes = 8}).equal());
  EXPECT_TRUE(Chain{}.equal());
  EXPECT_EQ(Chain{}.steps(), 0);
}

TEST(Values, BudgetsPrint) {
  EXPECT_EQ(to_string(Budget::slots(1)), "1 slot");
  EXPECT_EQ(to_string(Budget::bytes(512)), "512 bytes");
  EXPECT_NE(Budget::slots(4), Budget::bytes(4));
}

TEST(Values, PlansAreEqualWhenTheyAreMadeEqual) {
  const Plan a = plan(Chain::uniform(50), Budget::slots(4));
  EXPECT_EQ(a, plan(Chain::uniform(50), Budget::slots(4)));
  EXPECT_NE(a, plan(Chain::uniform(50), Budget::slots(5)));
}

TEST(Values, SituationsPrintShort) {
  Situation many = Situation::fresh(100);
  for (Count i = 0; i < 20; ++i) many.states.push_back(i);
  EXPECT_EQ(to_string(many),
            "x_0 in hand, 20 states (x_0, x_1, x_2, x_3, x_4, x_5, x_6, x_7, …, x_19) stored, "
            "no tapes kept, steps 0 to 99 to reverse");
}

}  // namespace
}  // namespace sweepback
