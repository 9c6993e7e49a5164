// SPDX-License-Identifier: Apache-2.0
// Blocks: the planned cost is what the referee counts, and the least over all block lengths.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "sweepback/check.hpp"
#include "sweepback/error.hpp"
#include "sweepback/plan.hpp"

namespace sweepback {
namespace {

Chain fused(Count l, Step step = {.forward = 3, .record = 4, .reverse = 9, .forward_call = 20,
                                  .record_call = 25, .reverse_call = 30, .state_bytes = 100,
                                  .tape_bytes = 350, .block_tape = 800, .adjoint = 100}) {
  Chain chain = Chain::uniform(l, std::move(step));
  chain.blocks = true;
  return chain;
}

void expect_right(const Plan& plan) {
  const Verdict verdict = check(plan);
  EXPECT_TRUE(verdict.ok) << plan.chain.steps() << " steps, " << to_string(plan.budget) << ": "
                          << (verdict.violation ? verdict.violation->message : "");
}

RC_GTEST_PROP(Blocks, TheBestLengthIsTheBestOfAll, ()) {
  Step step;
  step.forward = *rc::gen::inRange<Count>(0, 9);
  step.record = step.forward + *rc::gen::inRange<Count>(0, 5);
  step.reverse = *rc::gen::inRange<Count>(0, 9);
  step.forward_call = *rc::gen::inRange<Count>(0, 60);
  step.record_call = *rc::gen::inRange<Count>(0, 60);
  step.reverse_call = *rc::gen::inRange<Count>(0, 60);
  step.state_bytes = *rc::gen::inRange<Count>(1, 20);
  if (*rc::gen::arbitrary<bool>()) {
    step.tape_bytes = *step.state_bytes + *rc::gen::inRange<Count>(0, 40);
    step.block_tape = *step.tape_bytes + *rc::gen::inRange<Count>(0, 40);
  }
  step.forward_workspace = *rc::gen::inRange<Count>(0, 40);
  step.reverse_workspace = *rc::gen::inRange<Count>(0, 40);
  Chain chain = fused(*rc::gen::inRange<Count>(0, 40), step);
  chain.in_place = *rc::gen::arbitrary<bool>();
  chain.final_state = *rc::gen::arbitrary<bool>();
  const Budget budget = Budget::bytes(*rc::gen::inRange<Count>(0, 3000));

  std::optional<Count> least;
  for (Count block = 1; block <= std::max<Count>(1, chain.steps()); ++block) {
    try {
      const Plan plan = sweepback::plan(chain, budget, {.block = block});
      const Verdict verdict = check(plan);
      if (!verdict.ok) RC_FAIL(verdict.violation->message);
      RC_ASSERT(*plan.bill.peak_bytes <= budget.amount);
      if (!least || plan.bill.cost < *least) least = plan.bill.cost;
    } catch (const BudgetTooSmall& e) {
      RC_ASSERT(e.smallest > budget.amount);
      RC_ASSERT(sweepback::plan(chain, Budget::bytes(e.smallest), {.block = block}).bill.cost ==
                e.cost_there);
    }
  }
  if (least)
    RC_ASSERT(sweepback::plan(chain, budget, {.block = 0}).bill.cost == *least);
  else
    RC_ASSERT_THROWS_AS(sweepback::plan(chain, budget, {.block = 0}), BudgetTooSmall);
}

// Four blocks of three, the last of one step: a plan that weighed it as long as the others took five of
// two, for 197.
TEST(Blocks, AShorterLastBlockIsWeighedAsItIs) {
  Chain chain = fused(10, {.forward = 4, .record = 5, .reverse = 3, .reverse_call = 17,
                           .state_bytes = 6, .tape_bytes = 16, .block_tape = 35,
                           .forward_workspace = 15});
  chain.final_state = false;
  EXPECT_EQ(plan(chain, Budget::bytes(138), {.block = 0}).bill.cost, 196);
}

TEST(Blocks, AreBetweenSegmentsAndEverything) {
  const Chain chain = fused(1000);
  const Count all = store_all_bytes(chain);
  EXPECT_EQ(all, 350'000);  // of single steps
  const Plan tight = plan(chain, Budget::bytes(all / 20), {.block = 0});
  expect_right(tight);
  const Plan single = plan(chain, Budget::bytes(all / 20), {.block = 1});
  expect_right(single);
  EXPECT_LT(tight.bill.cost, single.bill.cost);
  // Everything in one call.
  const Plan whole = plan(chain, Budget::bytes(10'000'000), {.block = 0});
  expect_right(whole);
  EXPECT_EQ(whole.bill.cost, 25 + 30 + 1000 * (4 + 9));
  EXPECT_EQ(whole.bill.forward_steps, 0);
}

TEST(Blocks, PositionsAreSavedAndRestored) {
  for (const Count block : {1, 3, 5}) {
    const Plan plan = sweepback::plan(fused(23), Budget::bytes(5'000), {.block = block});
    Schedule schedule = plan.schedule;
    Action action;
    do {
      EXPECT_EQ(Schedule(plan.schedule.recipe(), schedule.situation()), schedule);
    } while (schedule.next(action));
  }
}

TEST(Blocks, TheRefereeKnowsTheirRules) {
  Rules rules{fused(6), std::nullopt, Keep::states, 1, 1};
  const auto verdict = [&](std::initializer_list<Action> actions, bool blocks = true) {
    Rules judged = rules;
    judged.chain.blocks = blocks;
    Referee referee(judged);
    for (const Action& action : actions)
      if (!referee.see(action)) break;
    const Verdict verdict = referee.finish();
    return verdict.violation ? verdict.violation->rule : "ok";
  };
  using A = Action;
  EXPECT_EQ(verdict({A::store(0), A::forward(0, 3), A::record(3, 6), A::reverse(3, 6), A::restore(0),
                     A::free(0), A::record(0, 3), A::reverse(0, 3)}),
            "ok");
  EXPECT_EQ(verdict({A::record(0, 6), A::reverse(0, 6)}), "ok");
  EXPECT_EQ(verdict({A::record(0, 6), A::reverse(0, 6)}, false), "blocks");
  EXPECT_EQ(verdict({A::record(0, 7)}), "range");
  EXPECT_EQ(verdict({A::record(0, 6), A::reverse(3, 6)}), "keep");
  EXPECT_EQ(verdict({A::record(0, 5), A::reverse(0, 5)}), "order");
  rules.keep = Keep::mixed;
  EXPECT_EQ(verdict({A::record(0, 6), A::reverse(3, 6)}), "not_there");
  EXPECT_EQ(verdict({A::store(0), A::record(0, 3), A::restore(0), A::record(0, 2)}),
            "already_there");
  EXPECT_EQ(verdict({A::store(0), A::record(0, 3), A::restore(0), A::forward(0, 2), A::record(2, 4)}),
            "already_there");
  EXPECT_EQ(verdict({A::record(0, 3), A::free_tape(1)}), "not_there");
  EXPECT_EQ(verdict({A::record(0, 3), A::free_tape(0)}), "unfinished");
}

TEST(Blocks, Errors) {
  EXPECT_THROW(plan(fused(10), Budget::slots(3)), Unsupported);
  EXPECT_THROW(plan(fused(10), Budget::bytes(5000), {.keep = Keep::mixed}), Unsupported);
  EXPECT_THROW(plan(fused(10), Budget::bytes(5000), {.strategy = Strategy::halving}), Unsupported);
  EXPECT_THROW(plan(fused(10), Budget::bytes(5000), {.block = -1}), OutOfRange);
  EXPECT_THROW(plan(Chain::uniform(10, {.state_bytes = 1}), Budget::bytes(5000), {.block = 2}),
               OutOfRange);
  EXPECT_EQ(plan(fused(0), Budget::bytes(0), {.block = 0}).bill.cost, 0);
}

}  // namespace
}  // namespace sweepback
