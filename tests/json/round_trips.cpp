// SPDX-License-Identifier: Apache-2.0
// What is written is read back equal: every plan, every position of a schedule, random chains.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "common.hpp"

namespace sweepback {
namespace {

using testing::again;

TEST(RoundTrips, Plans) {
  int plans = 0;
  testing::for_many_plans([&](const Plan& plan) {
    ++plans;
    ASSERT_EQ(again(plan), plan) << json::to_json(plan);
    ASSERT_EQ(again(plan.bill), plan.bill);
    ASSERT_EQ(again(plan.budget), plan.budget);
    ASSERT_EQ(again(plan.chain), plan.chain);
    if (plan.first_store) {
      ASSERT_EQ(again(*plan.first_store), *plan.first_store);
    }
  });
  EXPECT_GT(plans, 1000);
}

TEST(RoundTrips, EveryPositionOfASchedule) {
  testing::for_many_plans([&](const Plan& plan) {
    if (plan.chain.steps() > 10) return;
    Schedule schedule = plan.schedule;
    for (Action action; schedule.next(action);) {
      ASSERT_EQ(again(schedule), schedule) << to_string(schedule.situation());
      ASSERT_EQ(again(action), action);
    }
  });
}

TEST(RoundTrips, Numbers) {
  for (const Count number : {Count{0}, Count{1} << 53, (Count{1} << 53) + 1, max_count}) {
    EXPECT_EQ(again(Budget::bytes(number)), Budget::bytes(number));
    const Step step{.forward = number, .record = number, .state_bytes = number};
    EXPECT_EQ(again(Chain::uniform(3, step)), Chain::uniform(3, step));
  }
  const Chain longest = Chain::uniform(max_count / 2);
  EXPECT_EQ(again(longest), longest);
  EXPECT_EQ(again(Action::forward(max_count - 1, max_count)),
            Action::forward(max_count - 1, max_count));
}

TEST(RoundTrips, RulesAndVerdicts) {
  testing::for_many_plans([&](const Plan& plan) {
    const Rules rules = Rules::of(plan), read = again(rules);
    EXPECT_EQ(read.chain, rules.chain);
    EXPECT_EQ(read.budget, rules.budget);
    EXPECT_EQ(read.keep, rules.keep);
    const Verdict verdict = check(plan), same = again(verdict);
    EXPECT_TRUE(same.ok) << name(plan.strategy) << ' ' << name(plan.keep) << ' '
                         << to_string(plan.budget) << ": " << same.violation->message;
    EXPECT_EQ(same.bill, verdict.bill);
  });
  Rules mixed{Chain::uniform(3).with_tapes(), std::nullopt, Keep::mixed, 2, 7};
  const Rules read = again(mixed);
  EXPECT_EQ(read.chain, mixed.chain);
  EXPECT_EQ(read.budget, std::nullopt);
  EXPECT_EQ(read.keep, Keep::mixed);
  EXPECT_EQ(read.state_units, 2);
  EXPECT_EQ(read.tape_units, 7);
  Verdict broken{false, {}, Violation{5, "order", "step 3 is reversed"}};
  EXPECT_EQ(json::to_json(broken).at("violation").at("line"), 7);
  EXPECT_EQ(again(broken).violation->action, 5);
  EXPECT_EQ(again(broken).violation->rule, "order");
}

TEST(RoundTrips, Errors) {
  const BudgetTooSmall unknown(3, 16, -1, true);
  const json::Json written = json::to_json(unknown);
  EXPECT_EQ(written.at("schema"), "sweepback.error/1");
  EXPECT_EQ(written.at("error"), "budget_too_small");
  EXPECT_EQ(written.at("smallest"), 16);
  EXPECT_TRUE(written.at("cost_there").is_null());
  const Error read = again<Error>(unknown);
  EXPECT_EQ(read.code(), unknown.code());
  EXPECT_STREQ(read.what(), unknown.what());
  EXPECT_EQ(read.numbers().size(), unknown.numbers().size());
}

Step any_step() {
  const auto number = [] {
    return *rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t bits) {
      return static_cast<Count>(bits >> (1 + bits % 63));
    });
  };
  const auto maybe = [&]() -> std::optional<Count> {
    if (*rc::gen::arbitrary<bool>()) return std::nullopt;
    return number();
  };
  const auto flag = [] { return *rc::gen::arbitrary<bool>(); };
  Step step;
  for (Count Step::*field :
       {&Step::forward, &Step::reverse, &Step::forward_call, &Step::record_call,
        &Step::reverse_call, &Step::forward_workspace, &Step::reverse_workspace, &Step::adjoint})
    step.*field = number();
  for (std::optional<Count> Step::*field :
       {&Step::record, &Step::state_bytes, &Step::tape_bytes, &Step::block_tape})
    step.*field = maybe();
  step.tapes = flag();
  step.tape_has_output = flag();
  if (flag()) step.name = "a name";
  return step;
}

TEST(RoundTrips, RandomChains) {
  EXPECT_TRUE(rc::check([] {
    std::vector<sweepback::Run> runs;
    const int kinds = *rc::gen::inRange(0, 5);
    for (int i = 0; i < kinds; ++i) runs.push_back({any_step(), *rc::gen::inRange(0, 9)});
    Input input;
    if (*rc::gen::arbitrary<bool>()) input.state_bytes = *rc::gen::inRange(0, 999);
    if (*rc::gen::arbitrary<bool>()) input.adjoint = *rc::gen::inRange(0, 999);
    Chain chain = Chain::of(std::move(runs), input);
    chain.in_place = *rc::gen::arbitrary<bool>();
    chain.final_state = *rc::gen::arbitrary<bool>();
    chain.blocks = *rc::gen::arbitrary<bool>();
    RC_ASSERT(again(chain) == chain);
  }));
}

}  // namespace
}  // namespace sweepback
