// SPDX-License-Identifier: Apache-2.0
// Budgets with tiers, and what is planned for them: read back equal; anything else is one typed error.
#include <gtest/gtest.h>

#include <sstream>

#include "common.hpp"
#include "sweepback/json_actions.hpp"

namespace sweepback {
namespace {

using testing::again;

Budget three_tiers() {
  using enum TierModel::Unit;
  return Budget::of({{"memory", bytes, 400}, {"a \"fast\" one", slots, 3, {2}, {1, 3, 7}}, {"disk", unbounded, 0, {0, 10, 3}, {9}}});
}

Plan tiered() { return plan(Chain::uniform(30, {.forward = 100, .state_bytes = 100}), three_tiers()); }

Plan pipeline() {
  using enum TierModel::Unit;
  return plan(Chain::uniform(30, {.forward = 100, .state_bytes = 100}),
              Budget::of({{"memory", bytes, 400}, {"disk", unbounded, 0, {120}, {130}, true}}));
}

void come_back_equal(const Plan& plan) {
  EXPECT_EQ(again(plan.budget), plan.budget);
  EXPECT_EQ(again(plan.bill), plan.bill);
  EXPECT_EQ(again(plan), plan);
  EXPECT_TRUE(check(again(plan)).ok);
  EXPECT_EQ(again(Rules::of(plan)).budget, plan.budget);
  Schedule schedule = plan.schedule;
  for (Action action; schedule.next(action);) {
    EXPECT_EQ(again(action), action);
    EXPECT_EQ(again(schedule.situation()), schedule.situation());
    EXPECT_EQ(again(schedule), schedule) << to_string(schedule.situation());
  }
}

TEST(Tiers, ComeBackEqual) { come_back_equal(tiered()); }

TEST(Tiers, ThatWorkWhileStepsRunComeBackEqual) {
  const Plan plan = pipeline();
  ASSERT_EQ(plan.engine, "pipeline");
  ASSERT_TRUE(plan.bill.makespan);
  come_back_equal(plan);
}

TEST(Tiers, OfCompressedStatesComeBackEqual) {
  using enum TierModel::Unit;
  for (const bool lossy : {false, true}) {
    const Plan plan = sweepback::plan(Chain::uniform(30, {.forward = 100, .state_bytes = 100}),
                                      Budget::of({{"memory", bytes, 700}, {"compressed", shared, 0, {2}, {3}, false, 2.75, lossy}}));
    ASSERT_GT(plan.bill.tiers[1].stores, 0);
    come_back_equal(plan);
  }
}

void stream_is_checked(const Plan& plan, const std::string& part) {
  std::string text = json::header_line(Rules::of(plan));
  for (const Action& action : plan.schedule) json::append_line(text, action, plan.budget.tiers);
  EXPECT_NE(text.find(part), std::string::npos) << text;
  std::istringstream in(text);
  json::ActionReader reader(in);
  const Verdict verdict = json::check(reader);
  EXPECT_TRUE(verdict.ok);
  EXPECT_EQ(verdict.bill, plan.bill);
}

TEST(Tiers, StreamsNameThem) {
  stream_is_checked(tiered(), R"("to":"a \"fast\" one"})");
  for (const char* part : {R"({"begin_store":0,"to":"disk"})", R"({"begin_restore":0,"from":"disk"})", R"({"wait":0,"at":"disk"})"})
    stream_is_checked(pipeline(), part);
}

TEST(Tiers, EveryCostComesBackEqual) {
  for (const Count fixed : {0, 1, 7})
    for (const Count units : {0, 1, 3})
      for (const Count size : {1, 2, 4}) {
        const TransferCost cost{fixed, units, size};
        const Budget budget = Budget::of({{"memory", TierModel::Unit::slots, 2}, {"disk", TierModel::Unit::unbounded, 0, cost, cost}});
        EXPECT_EQ(again(budget), budget) << fixed << " and " << units << " for every " << size;
      }
}

TEST(Tiers, OtherDocumentsAreRefused) {
  const auto refused = [](const std::string& tiers) {
    EXPECT_THROW(json::from_json<Budget>(json::parse("{\"tiers\":" + tiers + "}")), Error) << tiers;
  };
  for (const char* tiers : {"[]", "{}", "[1]", "[{}]", R"([{"name":""}])", R"([{"name":"m"}])", R"([{"name":"m","slots":1,"bytes":1}])",
                            R"([{"name":"m","slots":-1}])", R"([{"name":"m","slots":1,"store":-1}])",
                            R"([{"name":"m","slots":1,"store":{"units":1,"bytes":0}}])", R"([{"name":"m","slots":1,"store":"2"}])",
                            R"([{"name":"m","slots":1},{"name":"m","slots":1}])", R"([{"name":"m","slots":1,"speed":1}])",
                            R"([{"name":"m","slots":1,"overlap":true}])", R"([{"name":"m","bytes":1},{"name":"c","shared":true,"slots":1}])",
                            R"([{"name":"m","bytes":1},{"name":"c","shared":true,"ratio":"2"}])", R"([{"name":"m","bytes":1},{"name":"c","shared":1}])", R"([{"name":"m","slots":1},{"name":"d","overlap":1}])"})
    refused(tiers);
  EXPECT_THROW(json::from_json<Budget>(json::parse(R"({"slots":2,"tiers":[{"name":"m","slots":1}]})")), Error);
  EXPECT_NO_THROW(json::from_json<Budget>(json::parse(R"({"slots":1,"tiers":[{"name":"m","slots":1}]})")));
  for (const char* action : {R"({"store":1,"to":16})", R"({"store":1,"from":1})", R"({"forward":[0,1],"to":1})", R"({"to":1,"from":1})",
                             R"({"store":1,"to":1,"from":1})", R"({"restore":1,"from":-1})", R"({"wait":1})", R"({"begin_store":1})", R"({"begin_store":1,"from":1})",
                             R"({"wait":1,"to":1})", R"({"begin_restore":[1,2],"from":1})"})
    EXPECT_THROW(json::from_json<Action>(json::parse(action)), Error) << action;
}

}  // namespace
}  // namespace sweepback
