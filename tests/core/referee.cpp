// SPDX-License-Identifier: Apache-2.0
// The referee names the first broken rule and the action: every rule is broken once on purpose.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "sweepback/check.hpp"
#include "sweepback/error.hpp"

namespace sweepback {
namespace {

using A = Action;

struct Case {
  std::string rule;
  Count action;
  Rules rules;
  std::vector<Action> stream;
};

Rules states(Count l, Count slots) {
  Chain chain = Chain::uniform(l);
  chain.final_state = false;
  return {chain, Budget::slots(slots), Keep::states};
}

Rules recorded(Count l, Count slots, Keep keep) {
  return {Chain::uniform(l, {.tapes = true}), Budget::slots(slots), keep};
}

Rules sized(Count l, Count bytes, bool in_place) {
  Chain chain = Chain::uniform(l, {.state_bytes = 10, .reverse_workspace = 3, .adjoint = 1});
  chain.final_state = false;
  chain.in_place = in_place;
  return {chain, Budget::bytes(bytes), Keep::states};
}

Rules with_final(Count l) { return {Chain::uniform(l), Budget::slots(5), Keep::states}; }

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"range", 0, states(3, 2), {A::forward(0, 4)}},
      {"range", 0, states(3, 2), {A::forward(2, 2)}},
      {"range", 0, states(3, 2), {A::forward(-1, 2)}},
      {"range", 0, states(3, 2), {A::store(4)}},
      {"range", 0, states(3, 2), {A::reverse(3)}},
      {"range", 0, states(3, 2), {Action{Action::Kind::reverse, 0, 2, 2}}},
      {"hand", 0, states(3, 2), {A::forward(1, 2)}},
      {"hand", 0, states(3, 2), {A::store(1)}},
      {"hand", 1, states(3, 2), {A::forward(0, 1), A::reverse(2)}},
      {"hand", 2, states(2, 2), {A::forward(0, 1), A::reverse(1), A::forward(1, 2)}},
      {"hand", 0, recorded(3, 2, Keep::tapes), {A::record(1)}},
      {"not_there", 1, states(3, 2), {A::forward(0, 1), A::restore(0)}},
      {"not_there", 0, states(3, 2), {A::free(0)}},
      {"not_there", 0, recorded(3, 2, Keep::tapes), {A::free_tape(0)}},
      {"not_there", 1, recorded(1, 2, Keep::states), {A::forward(0, 1), A::reverse(0)}},
      {"not_there", 3, recorded(2, 2, Keep::tapes),
       {A::record(0), A::record(1), A::reverse(1), A::restore(2)}},
      {"already_there", 1, states(3, 2), {A::store(0), A::store(0)}},
      {"already_there", 3, recorded(3, 3, Keep::mixed),
       {A::store(0), A::record(0), A::restore(0), A::record(0)}},
      {"order", 1, states(3, 2), {A::store(0), A::reverse(0)}},
      {"order", 4, states(2, 2),
       {A::store(0), A::forward(0, 1), A::reverse(1), A::restore(0), A::reverse(1)}},
      {"tapes", 0, states(3, 2), {A::record(0)}},
      {"keep", 2, recorded(3, 2, Keep::states), {A::store(0), A::record(0), A::record(1)}},
      {"keep", 1, recorded(3, 2, Keep::tapes), {A::record(0), A::store(1)}},
      {"budget", 2, states(3, 1), {A::store(0), A::forward(0, 1), A::store(1)}},
      {"budget", 2, recorded(3, 1, Keep::tapes), {A::record(0), A::record(1), A::record(2)}},
      {"budget", 2, recorded(2, 1, Keep::tapes), {A::record(0), A::record(1), A::reverse(1)}},
      {"budget", 1, sized(3, 30, false), {A::store(0), A::forward(0, 2)}},  // two beside x_0: 31
      {"budget", 0, sized(3, 20, true), {A::store(0)}},                     // a copy: 21
      {"budget", 0, sized(1, 13, true), {A::reverse(0)}},                   // workspace: 14
      {"final_state", 2, with_final(2), {A::store(0), A::forward(0, 1), A::reverse(1)}},
      {"unfinished", 0, states(1, 1), {}},
      {"unfinished", 3, states(2, 2), {A::store(0), A::forward(0, 1), A::reverse(1)}},
      {"left_over", 2, states(1, 1), {A::store(0), A::reverse(0)}},
      {"left_over", 4, recorded(1, 3, Keep::mixed),
       {A::store(0), A::record(0), A::reverse(0), A::restore(0)}},
  };
  return all;
}

Verdict judge(const Rules& rules, const std::vector<Action>& stream) {
  Referee referee(rules);
  for (const Action& action : stream)
    if (!referee.see(action)) break;
  return referee.finish();
}

TEST(Referee, NamesTheFirstBrokenRule) {
  std::set<std::string> broken;
  for (const Case& c : cases()) {
    const Verdict verdict = judge(c.rules, c.stream);
    ASSERT_FALSE(verdict.ok) << c.rule;
    EXPECT_EQ(verdict.violation->rule, c.rule) << verdict.violation->message;
    EXPECT_EQ(verdict.violation->action, c.action) << verdict.violation->message;
    EXPECT_FALSE(verdict.violation->message.empty());
    broken.insert(verdict.violation->rule);
  }
  EXPECT_EQ(broken, (std::set<std::string>{"range", "hand", "not_there", "already_there", "order",
                                           "tapes", "keep", "budget", "final_state", "unfinished",
                                           "left_over"}));
}

TEST(Referee, StaysWithItsVerdict) {
  Referee referee(states(2, 2));
  EXPECT_FALSE(referee.see(A::reverse(0)));
  EXPECT_FALSE(referee.see(A::store(0)));
  EXPECT_EQ(referee.finish().violation->rule, "order");
}

// Not nested, with a wasted step and a store that is never used: allowed, and counted.
TEST(Referee, CountsWhatAStreamFromElsewhereDoes) {
  const std::vector<Action> stream{A::store(0),      A::forward(0, 1), A::store(1),
                                   A::forward(1, 3), A::restore(1),    A::forward(1, 2),
                                   A::reverse(2),    A::restore(0),    A::forward(0, 1),
                                   A::free(0),       A::reverse(1),    A::free(1)};
  Rules rules = states(3, 2);
  const Verdict early = judge(rules, stream);
  EXPECT_EQ(early.violation->rule, "unfinished");  // x_0 was freed too early
  std::vector<Action> whole(stream.begin(), stream.begin() + 9);
  for (const Action& action : {A::reverse(1), A::restore(0), A::free(0), A::reverse(0), A::free(1)})
    whole.push_back(action);
  const Verdict verdict = judge(rules, whole);
  ASSERT_TRUE(verdict.ok) << verdict.violation->message;
  EXPECT_EQ(verdict.bill.forward_steps, 1 + 2 + 1 + 1);
  EXPECT_EQ(verdict.bill.stores, 2);
  EXPECT_EQ(verdict.bill.restores, 3);
  EXPECT_EQ(verdict.bill.repetition, 2);
  EXPECT_EQ(verdict.bill.peak_slots, 2);
  EXPECT_EQ(verdict.bill.cost, 5 + 3);
}

// Tapes and states in units; the tape that is reversed at once is outside the count.
TEST(Referee, CountsUnitsWhereBothAreKept) {
  Rules rules{Chain::uniform(3, {.tapes = true}), Budget::slots(7), Keep::mixed, 2, 5};
  const std::vector<Action> stream{A::store(0),   A::record(0),  A::forward(1, 2), A::record(2),
                                   A::reverse(2), A::restore(1), A::record(1),     A::reverse(1),
                                   A::free(0),    A::reverse(0)};
  const Verdict verdict = judge(rules, stream);
  ASSERT_TRUE(verdict.ok) << verdict.violation->message;
  EXPECT_EQ(verdict.bill.peak_slots, 7);
  rules.budget = Budget::slots(6);
  EXPECT_EQ(judge(rules, stream).violation->rule, "budget");
}

// A chain of unequal steps is judged by each step's own sizes and costs.
TEST(Referee, KnowsUnequalSteps) {
  Chain chain = Chain::of({{{.forward = 2, .reverse = 3, .state_bytes = 5, .adjoint = 1}, 1},
                           {{.forward = 7, .reverse = 1, .state_bytes = 50, .adjoint = 2}, 1}},
                          {.state_bytes = 4, .adjoint = 6});
  chain.final_state = false;
  const std::vector<Action> stream{A::store(0),   A::forward(0, 1), A::reverse(1),
                                   A::restore(0), A::free(0),       A::reverse(0)};
  const Verdict verdict = judge({chain, std::nullopt, Keep::states}, stream);
  ASSERT_TRUE(verdict.ok) << verdict.violation->message;
  EXPECT_EQ(verdict.bill.cost, 2 + 1 + 3);
  EXPECT_EQ(verdict.bill.peak_bytes, 4 + 5 + 2);
}

TEST(Referee, NeedsSizesForBytes) {
  EXPECT_THROW(Referee({Chain::uniform(2), Budget::bytes(10), Keep::states}), OutOfRange);
}

TEST(Referee, APlanWithAWrongBillIsRefused) {
  Plan plan = sweepback::plan(Chain::uniform(9), Budget::slots(3));
  EXPECT_TRUE(check(plan).ok);
  ++plan.bill.stores;
  EXPECT_EQ(check(plan).violation->rule, "bill");
}

}  // namespace
}  // namespace sweepback
