// SPDX-License-Identifier: Apache-2.0
// Plans from any situation: the cheapest of all ways where that can be searched, and never above the
// rest of the plan that led there.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "exhaustive.hpp"
#include "sweepback/check.hpp"
#include "sweepback/error.hpp"
#include "sweepback/plan.hpp"

namespace sweepback {
namespace {

Chain chain_of(Count l, bool tapes = false, bool final_state = false) {
  Chain chain = Chain::uniform(l, {.tapes = tapes});
  chain.final_state = final_state;
  return chain;
}

void expect_right(const Plan& plan) {
  const Verdict verdict = check(plan);
  EXPECT_TRUE(verdict.ok) << to_string(plan.schedule.situation()) << ": "
                          << (verdict.violation ? verdict.violation->message : "");
}

struct Dice {
  std::mt19937 generator{5};
  int operator()(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(generator);
  }
};

/// A set of stored states and a hand, x_0 among them.
Situation random_situation(Dice& dice, Count l, Count slots, bool end_reached) {
  Situation at;
  at.end = end_reached ? dice(1, static_cast<int>(l)) : l;
  at.reached_end = end_reached;
  const int last = static_cast<int>(at.end) - 1;
  std::vector<Count> states;
  const int stored = dice(0, static_cast<int>(slots));
  for (int i = 0; i < stored; ++i) states.push_back(dice(0, last));
  at.hand = dice(0, 2) ? dice(0, last) : Situation::none;
  if (at.hand != 0 && std::find(states.begin(), states.end(), 0) == states.end()) {
    if (states.empty()) states.push_back(0);
    states[0] = 0;
  }
  std::sort(states.begin(), states.end());
  states.erase(std::unique(states.begin(), states.end()), states.end());
  at.states = states;
  return at;
}

TEST(Finish, AThousandSituationsEqualTheExhaustiveSearch) {
  Dice dice;
  for (int i = 0; i < 1200; ++i) {
    rival::Model m;
    m.l = dice(1, 10);
    m.slots = dice(1, 4);
    m.tapes = dice(0, 1);
    m.final_state = !m.tapes && dice(0, 1);
    const bool reached = !m.final_state || dice(0, 1);
    const Situation at = random_situation(dice, m.l, m.slots, reached);
    rival::Point start;
    for (const Count k : at.states) start.states |= 1u << k;
    start.hand = static_cast<int>(at.hand);
    start.end = static_cast<int>(at.end);
    start.made_final = at.reached_end;
    const auto rival = rival::Search(m).cheapest(start);
    ASSERT_TRUE(rival.has_value());
    const Plan plan =
        sweepback::plan(chain_of(m.l, m.tapes, m.final_state), Budget::slots(m.slots), at);
    expect_right(plan);
    EXPECT_EQ(plan.schedule.situation(), at);
    EXPECT_EQ(plan.certificate.status, Certificate::Status::exact);
    EXPECT_EQ(plan.bill.forward_steps + plan.bill.record_steps, rival->steps) << to_string(at);
    EXPECT_EQ(plan.bill.stores, rival->stores) << to_string(at) << ' ' << m.slots;
  }
}

// Griewank and Walther's bases, moved: c = 2, x_0 and x_1 stored, end 5. Nested 6, and 5 is possible.
TEST(Finish, AStateMayMove) {
  EXPECT_EQ(binomial::finishing_cost({0, 1}, 5, 2), 6);
  const Plan plan = sweepback::plan(chain_of(5), Budget::slots(2), Situation{{0, 1}, {}, -1, 5, true});
  EXPECT_EQ(plan.bill.forward_steps, 5);
  expect_right(plan);
}

TEST(Finish, LongerOnesAreNearTheCheapest) {
  Dice dice;
  Count sum = 0, least = 0;
  for (int i = 0; i < 12; ++i) {
    rival::Model m;
    m.l = dice(13, 14);
    m.slots = dice(2, 3);
    const Situation at = [&] {
      Situation found = random_situation(dice, m.l, m.slots, false);
      found.reached_end = true;
      return found;
    }();
    rival::Point start;
    for (const Count k : at.states) start.states |= 1u << k;
    start.hand = static_cast<int>(at.hand);
    start.end = m.l;
    start.made_final = true;
    const Plan plan = sweepback::plan(chain_of(m.l), Budget::slots(m.slots), at);
    expect_right(plan);
    EXPECT_EQ(plan.certificate.status, Certificate::Status::exact_in_class);
    const auto rival = rival::Search(m).cheapest(start);
    EXPECT_GE(plan.bill.forward_steps, rival->steps);
    sum += plan.bill.forward_steps;
    least += rival->steps;
  }
  EXPECT_LE(static_cast<double>(sum), 1.1 * static_cast<double>(least));
}

// From every position of a plan: the way found costs no more than the rest of that plan.
TEST(Finish, NeverAboveTheOldPlan) {
  for (const auto& [l, c] : {std::pair<Count, Count>{40, 3}, {60, 5}, {100, 2}, {30, 1}})
    for (const bool final_state : {false, true}) {
      const Chain chain = chain_of(l, false, final_state);
      Schedule schedule = plan(chain, Budget::slots(c)).schedule;
      Count rest = plan(chain, Budget::slots(c)).bill.forward_steps;
      Action action;
      Count number = 0;
      do {
        if (number++ % 3 != 0) continue;
        const Situation at = schedule.situation();
        const Plan finish = sweepback::plan(chain, Budget::slots(c), at);
        expect_right(finish);
        ASSERT_LE(finish.bill.forward_steps, rest) << to_string(at);
        // With one slot fewer something is given up; with one more nothing gets dearer.
        if (c > 1) expect_right(sweepback::plan(chain, Budget::slots(c - 1), at));
        const Plan more = sweepback::plan(chain, Budget::slots(c + 1), at);
        expect_right(more);
        EXPECT_LE(more.bill.forward_steps, finish.bill.forward_steps);
      } while (schedule.next(action) &&
               (action.kind != Action::Kind::forward || (rest -= action.last - action.first, true)));
    }
}

TEST(Finish, FromAFreshStartItIsThePlan) {
  for (const Count l : {1, 2, 10, 13, 50, 1000})
    for (const Count c : {1, 2, 5})
      for (const bool final_state : {false, true}) {
        const Chain chain = chain_of(l, false, final_state);
        EXPECT_EQ(plan(chain, Budget::slots(c), Situation::fresh(l)).bill.forward_steps,
                  plan(chain, Budget::slots(c)).bill.forward_steps)
            << l << ' ' << c;
      }
}

TEST(Finish, PositionsAreSavedAndRestored) {
  for (const Situation& at : {Situation{{0, 3, 4}, {}, 6, 20, true}, Situation{{0, 1}, {}, -1, 5, true}}) {
    const Plan plan = sweepback::plan(chain_of(25), Budget::slots(3), at);
    Schedule schedule = plan.schedule;
    Action action;
    do {
      EXPECT_EQ(Schedule(plan.schedule.recipe(), schedule.situation()), schedule);
    } while (schedule.next(action));
  }
}

TEST(Finish, ManyStatesAndLongChains) {
  std::vector<Count> stored{0};
  for (Count i = 1; i < 300; ++i) stored.push_back(i * 3'000'000'000);
  const Situation at{stored, {}, 950'000'000'000, 1'000'000'000'000, true};
  Count before = max_count;
  for (const Count slots : {20, 200, 300, 400}) {
    // The bill is not walked here: 10^12 steps.
    const Count cost = binomial::finishing_cost(stored, at.end, slots);
    EXPECT_LE(cost, before);
    before = cost;
  }
  std::vector<Count> dense;
  for (Count i = 0; i < 900; ++i) dense.push_back(i);
  const Plan plan = sweepback::plan(chain_of(2000), Budget::slots(30), Situation{dense, {}, 1500, 2000, true});
  expect_right(plan);
}

TEST(Finish, Errors) {
  const auto refused = [](const Situation& at, Count slots = 2) {
    EXPECT_THROW(plan(chain_of(10), Budget::slots(slots), at), OutOfRange) << to_string(at);
  };
  refused({{3}, {}, 5, 10, true});
  refused({{0, 11}, {}, -1, 10, true});
  refused({{-1, 0}, {}, -1, 10, true});
  refused({{0, 4, 3}, {}, -1, 10, true});
  refused({{0, 3, 3}, {}, -1, 10, true});
  refused({{0}, {}, 10, 10, true});
  refused({{0}, {}, 3, 11, true});
  refused({{0}, {}, 3, -1, true});
  refused({{}, {}, -1, 10, false});
  EXPECT_THROW(plan(chain_of(10), Budget::slots(0), Situation::fresh(10)), BudgetTooSmall);
  EXPECT_THROW(plan(chain_of(10), Budget::bytes(9), Situation::fresh(10)), OutOfRange);  // no sizes
  EXPECT_THROW(plan(chain_of(10, true), Budget::slots(2), Situation{{0}, {9}, 10, 10, true}),
               Unsupported);
  EXPECT_THROW((void)binomial::finishing_cost({1, 2}, 5, 2), OutOfRange);
  EXPECT_THROW((void)binomial::finishing_cost({0, 2}, 2, 2), OutOfRange);
  EXPECT_EQ(plan(chain_of(10), Budget::slots(2), Situation{{}, {}, -1, 0, true}).bill.cost, 0);
  EXPECT_EQ(plan(chain_of(0), Budget::slots(0), Situation::fresh(0)).bill.cost, 0);
  EXPECT_THROW(plan(chain_of(1'000'000'000'000), Budget::slots(64), Situation::fresh(1'000'000'000'000)),
               Unsupported);
  refused(Situation::fresh(10), -5);
}

}  // namespace
}  // namespace sweepback
