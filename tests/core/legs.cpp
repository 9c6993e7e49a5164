// SPDX-License-Identifier: Apache-2.0
// Plans from any situation of any chain and budget: by the rules, within the budget, and at most one pass
// dearer than the rest of the plan that led there.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "exhaustive.hpp"
#include "sweepback/check.hpp"
#include "sweepback/error.hpp"
#include "sweepback/plan.hpp"

namespace sweepback {
namespace {

using enum TierModel::Unit;

void expect_right(const Plan& plan, const Situation& at) {
  const Verdict verdict = check(plan);
  EXPECT_TRUE(verdict.ok) << to_string(at) << ": " << (verdict.violation ? verdict.violation->message : "");
  EXPECT_EQ(plan.schedule.situation(), at);
  EXPECT_GE(plan.bill.time(), plan.certificate.lower_bound.value_or(0));
}

Budget two_tiers(Count memory, Count disk) { return Budget::of({{"memory", slots, memory}, {"disk", slots, disk, {2}, {2}}}); }

/// Calls `see(at, rest)` at every n-th position of a plan where nothing moves and no tape is kept.
template <class See>
void each_position(const Plan& plan, Count n, See&& see) {
  Schedule schedule = plan.schedule;
  Count rest = plan.bill.cost, number = 0;
  for (Action action;;) {
    Situation at = schedule.situation();
    if (at.end == 0) break;
    if (at.hand >= at.end) at.hand = Situation::none;
    if (number++ % n == 0 && at.tapes.empty() && at.moving.empty()) see(at, rest);
    if (!schedule.next(action)) break;
    const bool steps = action.kind == Action::Kind::forward || action.kind == Action::Kind::record || action.kind == Action::Kind::reverse;
    if (steps) rest -= action.last - action.first;
    if (action.tier > 0 && action.kind != Action::Kind::free) rest -= 2;
  }
}

// Theory: all that is lost is made again in one pass at most, and then the old plan would go on.
TEST(Legs, AtMostOnePassAboveTheOldPlan) {
  for (const auto& [l, memory, disk] : {std::array<Count, 3>{40, 3, 4}, {60, 1, 6}, {90, 4, 8}, {25, 0, 5}})
    for (const bool final_state : {false, true}) {
      Chain chain = Chain::uniform(l);
      chain.final_state = final_state;
      each_position(plan(chain, two_tiers(memory, disk)), 3, [&, memory = memory, disk = disk](Situation at, Count rest) {
        const Plan whole = plan(chain, two_tiers(memory, disk), at);
        expect_right(whole, at);
        const Count moves = 4 * static_cast<Count>(at.states.size() + (at.further.empty() ? 0 : at.further[0].size()));
        EXPECT_LE(whole.bill.cost, rest + at.end + moves) << to_string(at);
        for (const auto& [m, d] : {std::pair{memory - 1, disk}, {memory, disk - 2}, {memory + 2, disk + 1}, {Count{1}, Count{1}}})
          try {
            if (m >= 0) expect_right(plan(chain, two_tiers(m, d), at), at);
          } catch (const BudgetTooSmall& e) {  // x_0 lies in memory, which is to have no slot
            EXPECT_EQ(m, 0);
            EXPECT_GT(e.cost_there, 0);
            expect_right(plan(chain, two_tiers(e.smallest, d), at), at);
          }
        // Killed: what was in memory is lost.
        if (at.further.empty() || at.further[0].front() != 0) return;
        at.states.clear();
        at.hand = Situation::none;
        const Plan resumed = plan(chain, two_tiers(memory, disk), at);
        expect_right(resumed, at);
        EXPECT_LE(resumed.bill.cost, rest + at.end + moves) << to_string(at);
      });
    }
}

TEST(Legs, UnequalStepsInBytes) {
  std::mt19937 random(7);
  const auto draw = [&](Count low, Count high) { return std::uniform_int_distribution<Count>(low, high)(random); };
  int lowered = 0;
  for (int n = 0; n < 40; ++n) {
    const bool tapes = n % 4 == 3;
    std::vector<sweepback::Run> runs;
    for (int k = 0; k < 14; ++k) {
      Step step{.forward = draw(1, 9), .state_bytes = draw(1, 12), .forward_workspace = draw(0, 3), .adjoint = draw(0, 3)};
      if (tapes) step.tape_bytes = step.state_bytes.value() + draw(0, 20);
      runs.push_back({step, 1});
    }
    Chain chain = Chain::of(runs, {draw(1, 9), draw(0, 3)});
    chain.in_place = n % 2 == 0;
    chain.final_state = n % 3 == 0;
    PlanOptions options;
    if (tapes) options.keep = Keep::states;
    const Count smallest = smallest_budget(chain, options.keep), more = draw(0, 40);
    each_position(plan(chain, Budget::bytes(smallest + more), options), 4, [&](const Situation& at, Count) {
      for (const Count amount : {smallest + more, smallest + more + 15, smallest + more / 2, smallest}) {
        try {
          expect_right(plan(chain, Budget::bytes(amount), at, options), at);
          lowered += amount < smallest + more;
        } catch (const BudgetTooSmall& e) {  // a state in hand takes room that a fresh start does not need
          EXPECT_LT(amount, smallest + more);
          EXPECT_GT(e.smallest, amount);
        }
      }
    });
  }
  EXPECT_GT(lowered, 500);
}

TEST(Legs, EqualStepsInBytes) {
  for (const bool in_place : {false, true})
    for (const Count tape : {0, 30}) {
      Chain chain = Chain::uniform(50, {.state_bytes = 10});
      if (tape > 0) chain = Chain::uniform(50, {.state_bytes = 10, .tape_bytes = tape});
      chain.in_place = in_place;
      PlanOptions options;
      options.keep = Keep::states;
      each_position(plan(chain, Budget::bytes(100), options), 2, [&](const Situation& at, Count rest) {
        const Plan same = plan(chain, Budget::bytes(100), at, options);
        expect_right(same, at);
        EXPECT_LE(same.bill.cost, rest) << to_string(at);
        expect_right(plan(chain, Budget::bytes(60), at, options), at);
        if (tape > 0) expect_right(plan(chain, Budget::bytes(400), at), at);  // tapes may be kept from here on
      });
    }
}

// Small ones beside the cheapest way of all.
TEST(Legs, BesideTheExhaustiveSearch) {
  std::mt19937 random(11);
  Count sum = 0, least = 0;
  for (int n = 0; n < 300; ++n) {
    rival::Model m;
    m.l = std::uniform_int_distribution<int>(4, 10)(random);
    m.slots = std::uniform_int_distribution<int>(1, 4)(random);
    Chain chain = Chain::uniform(m.l);
    chain.final_state = m.final_state = false;
    Situation at{{0}, {}, Situation::none, m.l, true};
    for (int i = 1; i < m.l && static_cast<int>(at.states.size()) < m.slots; ++i)
      if (random() % 4 == 0) at.states.push_back(i);
    rival::Point start;
    for (const Count k : at.states) start.states |= 1u << k;
    start.hand = -1;
    start.end = m.l;
    start.made_final = true;
    const auto rival = rival::Search(m).cheapest(start);
    // As a chain of unequal steps, which are planned in legs.
    std::vector<sweepback::Run> runs{{{.forward = 1, .name = "a"}, 1}, {{.forward = 1, .name = "b"}, m.l - 1}};
    Chain uneven = Chain::of(runs);
    uneven.final_state = false;
    const Plan legs = plan(uneven, Budget::slots(m.slots), at);
    expect_right(legs, at);
    EXPECT_GE(legs.bill.forward_steps, rival->steps);
    EXPECT_LE(*legs.certificate.lower_bound, rival->steps + m.l);
    sum += legs.bill.forward_steps;
    least += rival->steps;
  }
  EXPECT_LE(static_cast<double>(sum), 1.25 * static_cast<double>(least));
  RecordProperty("percent", std::to_string(100 * sum / least));
}

TEST(Legs, Blocks) {
  Chain chain = Chain::uniform(60, {.state_bytes = 10, .tape_bytes = 40});
  chain.blocks = true;
  PlanOptions options;
  options.keep = Keep::states;
  options.block = 5;
  Count seen = 0;
  each_position(plan(chain, Budget::bytes(400), options), 2, [&](const Situation& at, Count) {
    for (const Count amount : {400, 330, 700})
      try {
        expect_right(plan(chain, Budget::bytes(amount), at, options), at);
        ++seen;
      } catch (const BudgetTooSmall&) {
        EXPECT_LT(amount, 400);
      }
  });
  EXPECT_GT(seen, 20);
}

TEST(Legs, PositionsAreSavedAndRestored) {
  Chain chain = Chain::uniform(30);
  const Situation at{{0, 5}, {}, 21, 27, true, {{0, 9, 14}}, {}};
  const Plan found = plan(chain, two_tiers(2, 3), at);
  expect_right(found, at);
  Schedule schedule = found.schedule;
  Action action;
  do {
    EXPECT_EQ(Schedule(found.schedule.recipe(), schedule.situation()).situation(), schedule.situation());
  } while (schedule.next(action));
  EXPECT_EQ(schedule.situation().end, 0);
}

TEST(Legs, WhatIsOfNoUseIsGivenUp) {
  const Situation at{{0, 3, 8, 10}, {}, 3, 7, true};
  const Plan found = plan(Chain::uniform(10), Budget::slots(2), at);
  expect_right(found, at);
  EXPECT_LE(found.bill.peak_slots, 2);
}

TEST(Legs, Errors) {
  const Chain chain = Chain::uniform(10);
  const auto refused = [&](const Situation& at) { EXPECT_THROW(plan(chain, two_tiers(2, 2), at), OutOfRange) << to_string(at); };
  refused({{3}, {}, 5, 10, true, {{4}}, {}});
  refused({{}, {}, -1, 10, true, {{0, 11}}, {}});
  refused({{}, {}, -1, 10, true, {{0, 4, 3}}, {}});
  refused({{0}, {}, -1, 10, true, {{}, {3}}, {}});
  EXPECT_THROW(plan(chain, two_tiers(2, 2), Situation{{0}, {}, -1, 10, true, {}, {{3, 1, true}}}), Unsupported);
  EXPECT_THROW(plan(chain, Budget::slots(3), Situation{{0}, {}, -1, 10, true, {{3}}, {}}), OutOfRange);
  Budget lossy = two_tiers(2, 2);
  lossy.tiers[1].lossy = true;
  EXPECT_THROW(plan(chain, lossy, Situation{{}, {}, -1, 10, true, {{0}}, {}}), Unsupported);
  const Situation half{{0}, {}, -1, 10, true, {{5}}, {}};
  const Plan found = plan(chain, lossy, half);  // x_5 would lose twice: it is given up
  EXPECT_EQ(*found.schedule.begin(), Action::free(5, 1));
  EXPECT_TRUE(check(found).ok);
}

TEST(Chain, Parts) {
  const Chain chain = Chain::of({{{.forward = 1, .state_bytes = 4}, 3}, {{.forward = 2, .state_bytes = 5}, 4}, {{.forward = 3, .state_bytes = 6}, 5}}, {7, 8});
  for (Count first = 0; first <= 12; ++first)
    for (Count last = first; last <= 12; ++last) {
      const Chain part = chain.part(first, last);
      EXPECT_EQ(part.steps(), last - first);
      Count sum = 0;
      for (const sweepback::Run& run : part.runs()) sum += run.repeat;
      EXPECT_EQ(sum, last - first);
      EXPECT_EQ(part.input().state_bytes, first == 0 ? 7 : first <= 3 ? 4 : first <= 7 ? 5 : 6);
      EXPECT_EQ(part.final_state, last == 12);
    }
  EXPECT_EQ(chain.part(0, 12), chain);
  EXPECT_TRUE(Chain::uniform(9, {.state_bytes = 3}).part(2, 5).equal());
  EXPECT_THROW((void)chain.part(0, 13), OutOfRange);
  EXPECT_THROW((void)chain.part(-1, 3), OutOfRange);
  EXPECT_THROW((void)chain.part(5, 4), OutOfRange);
}

}  // namespace
}  // namespace sweepback
