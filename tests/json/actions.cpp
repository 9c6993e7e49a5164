// SPDX-License-Identifier: Apache-2.0
// Action streams: every plan's stream is read back action by action and passes the referee; what is
// no stream is refused with its line.
#include <gtest/gtest.h>

#include <sstream>

#include "common.hpp"

namespace sweepback {
namespace {

using json::ActionReader;

std::string stream_of(const Plan& plan) {
  std::string text = json::header_line(Rules::of(plan));
  for (const Action& action : plan.schedule) json::append_line(text, action, plan.budget.tiers);
  return text;
}

TEST(ActionStreams, OfEveryPlanPassTheReferee) {
  testing::for_many_plans([](const Plan& plan) {
    std::istringstream in(stream_of(plan));
    ActionReader reader(in);
    Schedule schedule = plan.schedule;
    for (Action expected, read; schedule.next(expected);) {
      ASSERT_TRUE(reader.next(read));
      ASSERT_EQ(read, expected);
    }
    Action none;
    ASSERT_FALSE(reader.next(none));
    std::istringstream once_more(stream_of(plan));
    ActionReader judged(once_more);
    const Verdict verdict = json::check(judged);
    ASSERT_TRUE(verdict.ok) << verdict.violation->message;
    ASSERT_EQ(verdict.bill, plan.bill) << stream_of(plan);
  });
}

TEST(ActionStreams, LinesAreReadHoweverTheyAreSpaced) {
  std::istringstream in(
      "{\"schema\": \"sweepback.actions/1\", \"steps\": 2, \"slots\": 1, \"keep\": \"states\"}\r\n"
      "\n  {\"store\" : 0}\r\n{ \"forward\":[0 , 1]}\n{\"reverse\":[1,2]}\n{\"restore\":0}\n"
      "{\"free\":0}\n{\"reverse\":0}");
  ActionReader reader(in);
  EXPECT_EQ(reader.rules().chain.steps(), 2);
  EXPECT_FALSE(reader.rules().chain.final_state);
  EXPECT_EQ(reader.rules().budget, Budget::slots(1));
  const Verdict verdict = json::check(reader);
  EXPECT_TRUE(verdict.ok);
  EXPECT_EQ(verdict.bill.cost, 3);
}

TEST(ActionStreams, ABrokenRuleHasItsLine) {
  const auto line_of = [](const std::string& actions) {
    std::istringstream in("{\"schema\":\"sweepback.actions/1\",\"steps\":2,\"slots\":1}\n" +
                          actions);
    ActionReader reader(in);
    Count line = 0;
    const Verdict verdict = json::check(reader, &line);
    return std::to_string(line) + ' ' + (verdict.ok ? "ok" : verdict.violation->rule);
  };
  EXPECT_EQ(line_of("{\"forward\":[1,2]}\n"), "2 hand");
  EXPECT_EQ(line_of("{\"store\":0}\n\n{\"reverse\":0}\n"), "4 order");
  EXPECT_EQ(line_of("{\"store\":0}\n{\"store\":0}\n"), "3 already_there");
  EXPECT_EQ(line_of("{\"store\":0}\n{\"forward\":[0,1]}\n"), "4 unfinished");
  EXPECT_EQ(line_of("{\"forward\":[0,7]}\n"), "2 range");
}

std::string outcome_of(const std::string& text) {
  try {
    std::istringstream in(text);
    ActionReader reader(in);
    for (Action action; reader.next(action);) {
    }
    return "ok";
  } catch (const Error& e) {
    return e.code() + ": " + e.message();
  }
}

TEST(ActionStreams, WhatIsNoneIsRefusedWithItsLine) {
  EXPECT_EQ(outcome_of(""), "bad_file: the stream is empty");
  EXPECT_EQ(outcome_of("\n\n"), "bad_file: the stream is empty");
  EXPECT_EQ(outcome_of("{\"schema\":\"sweepback.plan/1\"}"),
            "bad_file: the stream: line 1: the document is a \"sweepback.plan/1\"");
  const std::string header = "{\"schema\":\"sweepback.actions/1\",\"steps\":5}\n";
  EXPECT_EQ(outcome_of(header), "ok");
  EXPECT_EQ(outcome_of(header + "{\"store\":-1}"), "out_of_range: the stream: line 2: store is -1");
  EXPECT_EQ(
      outcome_of(header + "{\"store\":0}\n{\"store\":1e3}"),
      "bad_file: the stream: line 3: store is 1000.0, which is not written as a whole number");
  EXPECT_EQ(outcome_of(header + "{\"store\":9223372036854775808}"),
            "overflow: the stream: line 2: store is above 2^63-1");
  EXPECT_EQ(outcome_of(header + "{\"record\":9223372036854775807}"),
            "overflow: the stream: line 2: record is 2^63-1");
  EXPECT_EQ(outcome_of(header + "{\"record\":[1,3]}"), "ok");
  for (const char* wrong :
       {"{\"record\":[2,2]}", "{\"reverse\":[3,1]}", "{\"jump\":1}", "{\"store\":1,\"free\":1}", "{}", "{\"store\":0,\"to\":\"disk\"}", "[1]",
        "{\"forward\":3}", "{\"store\":[1,2]}", "{\"forward\":[1,2,3]}", "{\"store\":01}",
        "{\"store\":0} {\"store\":1}", "{\"store\":null}", "{\"store\":0"})
    EXPECT_TRUE(outcome_of(header + wrong).starts_with("bad_file: the stream: line 2")) << wrong;
  EXPECT_TRUE(
      outcome_of(header + "{\"store\":" + std::string(5000, ' ') + "0}").starts_with("bad_file"));
  for (const char* wrong :
       {"\"steps\":-1", "\"slots\":2", "\"steps\":5,\"slots\":1,\"bytes\":1",
        "\"steps\":5,\"keep\":\"all\"", "\"steps\":5,\"keep\":\"tapes\",\"tapes\":false",
        "\"steps\":5,\"tiers\":[]",
        "\"steps\":5,\"chain\":{\"schema\":\"sweepback.chain/1\",\"steps\":[{}]}"})
    EXPECT_NE(outcome_of(std::string("{\"schema\":\"sweepback.actions/1\",") + wrong + "}\n"), "ok")
        << wrong;
}

}  // namespace
}  // namespace sweepback
