// SPDX-License-Identifier: Apache-2.0
// Tiers that work while steps run: plans beside exhaustive makespans, and streams judged by hand.
#include <gtest/gtest.h>

#include <random>

#include "sweepback/check.hpp"
#include "sweepback/error.hpp"
#include "sweepback/listed_stream.hpp"
#include "sweepback/plan.hpp"

namespace sweepback {
namespace {

using enum TierModel::Unit;

Budget memory_and_disk(Count slots_of_memory, Count store, Count restore, bool overlap = true) {
  return Budget::of({{"memory", slots, slots_of_memory}, {"disk", unbounded, 0, {store}, {restore}, overlap}});
}

/// A chain that hands over `states` states, each reversed at a cost.
Chain states_of(Count states, Count forward, Count reverse) {
  Chain chain = Chain::uniform(states, {.forward = forward, .reverse = reverse});
  chain.final_state = false;
  return chain;
}

/// Least makespans of 2 … 9 states, found by breadth-first search over everything that can be stored,
/// under way and in hand: a forward step takes 1, the reverse of one b, one move at a time takes w to and
/// r from a disk without bound, c states in memory beside the hand. With and without moves while steps run.
struct Row {
  Count b, c, w, r;
  std::array<Count, 8> overlapping, waiting;
};
const Row least[] = {
    {1, 1, 1, 1, {3, 5, 7, 9, 11, 13, 15, 17}, {3, 6, 10, 13, 17, 20, 24, 27}},
    {1, 1, 2, 2, {3, 6, 9, 12, 15, 18, 21, 24}, {3, 6, 10, 15, 19, 23, 28, 32}},
    {1, 1, 4, 4, {3, 6, 10, 15, 19, 23, 27, 32}, {3, 6, 10, 15, 21, 27, 32, 37}},
    {1, 1, 2, 4, {3, 6, 10, 14, 18, 22, 26, 30}, {3, 6, 10, 15, 21, 25, 30, 35}},
    {1, 2, 1, 1, {3, 5, 7, 9, 11, 13, 15, 17}, {3, 5, 8, 11, 14, 18, 21, 24}},
    {1, 2, 2, 2, {3, 5, 7, 10, 12, 15, 17, 20}, {3, 5, 8, 11, 14, 18, 22, 26}},
    {1, 2, 4, 4, {3, 5, 8, 11, 13, 16, 19, 23}, {3, 5, 8, 11, 14, 18, 22, 26}},
    {1, 2, 2, 4, {3, 5, 8, 10, 13, 16, 19, 22}, {3, 5, 8, 11, 14, 18, 22, 26}},
    {1, 3, 1, 1, {3, 5, 7, 9, 11, 13, 15, 17}, {3, 5, 7, 10, 13, 16, 19, 22}},
    {1, 3, 2, 2, {3, 5, 7, 9, 11, 14, 16, 19}, {3, 5, 7, 10, 13, 16, 19, 22}},
    {1, 3, 4, 4, {3, 5, 7, 10, 12, 15, 18, 21}, {3, 5, 7, 10, 13, 16, 19, 22}},
    {1, 3, 2, 4, {3, 5, 7, 10, 12, 15, 17, 20}, {3, 5, 7, 10, 13, 16, 19, 22}},
    {2, 1, 1, 1, {5, 8, 11, 14, 17, 20, 23, 26}, {5, 9, 14, 18, 23, 27, 32, 36}},
    {2, 1, 2, 2, {5, 9, 12, 16, 19, 23, 26, 30}, {5, 9, 14, 20, 25, 30, 36, 41}},
    {2, 1, 4, 4, {5, 9, 14, 20, 24, 29, 34, 39}, {5, 9, 14, 20, 27, 34, 40, 46}},
    {2, 1, 2, 4, {5, 9, 14, 18, 23, 27, 32, 36}, {5, 9, 14, 20, 27, 32, 38, 44}},
    {2, 2, 1, 1, {5, 8, 11, 14, 17, 20, 23, 26}, {5, 8, 12, 16, 20, 25, 29, 33}},
    {2, 2, 2, 2, {5, 8, 11, 15, 18, 22, 25, 29}, {5, 8, 12, 16, 20, 25, 30, 35}},
    {2, 2, 4, 4, {5, 8, 12, 16, 19, 23, 27, 31}, {5, 8, 12, 16, 20, 25, 30, 35}},
    {2, 2, 2, 4, {5, 8, 11, 15, 18, 22, 25, 29}, {5, 8, 12, 16, 20, 25, 30, 35}},
    {2, 3, 1, 1, {5, 8, 11, 14, 17, 20, 23, 26}, {5, 8, 11, 15, 19, 23, 27, 31}},
    {2, 3, 2, 2, {5, 8, 11, 14, 17, 21, 24, 28}, {5, 8, 11, 15, 19, 23, 27, 31}},
    {2, 3, 4, 4, {5, 8, 11, 15, 18, 22, 26, 30}, {5, 8, 11, 15, 19, 23, 27, 31}},
    {2, 3, 2, 4, {5, 8, 11, 14, 17, 21, 24, 28}, {5, 8, 11, 15, 19, 23, 27, 31}},
};

// The plan is never better than what is possible, and never worse than what waiting allows; where the tier
// keeps up with single steps it is the best there is.
TEST(Pipeline, StandsBetweenTheLeastMakespans) {
  Count above = 0, gained = 0;
  for (const Row& row : least)
    for (std::size_t at = 0; at < row.overlapping.size(); ++at) {
      const auto states = static_cast<Count>(at) + 2;
      const Plan p = plan(states_of(states, 1, row.b), memory_and_disk(row.c, row.w, row.r));
      const std::string which = std::to_string(states) + " states, b c w r " + std::to_string(row.b) + ' ' + std::to_string(row.c) + ' ' +
                                std::to_string(row.w) + ' ' + std::to_string(row.r);
      const Verdict verdict = check(p);
      EXPECT_TRUE(verdict.ok) << which << (verdict.violation ? verdict.violation->message : "");
      ASSERT_TRUE(p.bill.makespan);
      EXPECT_GE(*p.bill.makespan, row.overlapping[at]) << which;
      EXPECT_LE(*p.bill.makespan, row.waiting[at]) << which;
      EXPECT_EQ(p.certificate.lower_bound, states - 1 + states * row.b) << which;
      EXPECT_EQ(p.certificate.status == Certificate::Status::exact, p.bill.makespan == p.certificate.lower_bound) << which;
      if (row.w <= 1 && row.r <= row.b) {
        EXPECT_EQ(*p.bill.makespan, row.overlapping[at]) << which;
      }
      above += *p.bill.makespan > row.overlapping[at];
      gained += *p.bill.makespan < row.waiting[at];
    }
  EXPECT_LE(above, 56) << "of 192";
  EXPECT_GE(gained, 104) << "of 124 where anything can be gained";
}

// Random costs and lengths: by the rules, never slower than moves that wait, and never faster than a
// first pass and the reverse steps.
TEST(Pipeline, IsNeverSlowerThanWaiting) {
  std::mt19937 random(7);
  const auto up_to = [&](Count most) { return static_cast<Count>(random() % static_cast<unsigned>(most + 1)); };
  int pipelines = 0;
  for (int n = 0; n < 3000; ++n) {
    const Count states = 1 + up_to(80), forward = 1 + up_to(9), reverse = up_to(20), slots_of_memory = 1 + up_to(6);
    Chain chain = states_of(states, forward, reverse);
    chain.in_place = up_to(1) == 1;
    chain.final_state = up_to(1) == 1;
    const Count store = up_to(60), restore = up_to(60);
    Budget budget = Budget::of({{"memory", slots, slots_of_memory, {up_to(2)}, {up_to(2)}},
                                {"disk", up_to(1) == 1 ? unbounded : slots, up_to(10), {store}, {restore}, true}});
    const Plan p = plan(chain, budget);
    const Verdict verdict = check(p);
    ASSERT_TRUE(verdict.ok) << to_string(budget) << ": " << (verdict.violation ? verdict.violation->message : "");
    budget.tiers[1].overlap = false;
    const Plan waiting = plan(chain, budget);
    EXPECT_EQ(waiting.bill.makespan, std::nullopt);
    EXPECT_LE(*p.bill.makespan, waiting.bill.cost);
    EXPECT_GE(*p.bill.makespan, (states - !chain.final_state) * forward + states * reverse);
    EXPECT_LE(*p.certificate.lower_bound, *p.bill.makespan);
    pipelines += p.engine == "pipeline";
  }
  EXPECT_GT(pipelines, 1000);
}

// Where p u >= w and T(p, c-1) u + p b >= r, nothing stalls, and what a step takes does not grow with n.
TEST(Pipeline, StallsNowhereWithALongEnoughPeriod) {
  // w = 10 and r = 12 at u = 1, b = 0: p = 10 of which 4 slots make 19 steps again.
  const auto makespan = [](Count n) { return plan(states_of(n, 1, 0), memory_and_disk(5, 10, 12)).bill.makespan.value(); };
  for (const Count n : {200, 1000, 5000}) {
    const double each = static_cast<double>(makespan(n)) / static_cast<double>(n);
    EXPECT_LT(each, 1 + static_cast<double>(binomial::forward_steps(10, 4)) / 10) << n;
  }
  EXPECT_LT(makespan(20'000), 5 * 20'000 / 2);
}

TEST(Pipeline, KeepsToBytes) {
  for (const bool in_place : {false, true})
    for (Count memory = 700; memory < 1500; memory += 90) {
      Chain chain = Chain::uniform(300, {.forward = 1000, .reverse = 2000, .state_bytes = 100, .forward_workspace = 30, .adjoint = 50});
      chain.in_place = in_place;
      const Plan p = plan(chain, Budget::of({{"memory", bytes, memory}, {"disk", bytes, 25'000, {50, 10, 1}, {50, 5, 1}, true}}));
      EXPECT_TRUE(check(p).ok);
      EXPECT_EQ(p.engine, "pipeline");
      EXPECT_LE(*p.bill.peak_bytes, memory);
      EXPECT_LE(*p.bill.tiers[1].peak_bytes, 25'000);
      EXPECT_LT(*p.bill.makespan, p.bill.cost);
    }
}

// --- Streams by hand ---------------------------------------------------------------------------------

using A = Action;

Verdict judged(std::vector<Action> actions, Count states = 4, Count memory = 2, bool overlap = true) {
  Referee referee({states_of(states, 10, 10), memory_and_disk(memory, 25, 15, overlap)});
  for (const Action& action : actions)
    if (!referee.see(action)) break;
  return referee.finish();
}

/// x_0 goes to disk while two steps run, and comes back while two are reversed.
const std::vector<Action> there_and_back = {A::store(0),         A::begin_store(0, 1), A::forward(0, 2), A::store(2),      A::wait(0, 1),
                                            A::free(0),          A::forward(2, 3),     A::reverse(3),    A::begin_restore(0, 1), A::restore(2),
                                            A::free(2),          A::reverse(2),        A::wait(0, 1),    A::free(0, 1),    A::restore(0),
                                            A::forward(0, 1),    A::reverse(1),        A::restore(0),    A::free(0),       A::reverse(0)};

TEST(Moves, TakeTheTimeThatIsLeft) {
  const Verdict verdict = judged(there_and_back);
  ASSERT_TRUE(verdict.ok) << verdict.violation->message;
  EXPECT_EQ(verdict.bill.cost, 4 * 10 + 4 * 10 + 25 + 15);
  // The store ends at 25, five after the steps; the restore fifteen after 45, five after the reverse.
  EXPECT_EQ(verdict.bill.makespan, 4 * 10 + 4 * 10 + 5 + 5);
}

/// `there_and_back` without some actions and with others put in.
std::vector<Action> changed(std::size_t at, std::size_t left_out, std::vector<Action> put_in) {
  std::vector<Action> actions = there_and_back;
  actions.erase(actions.begin() + static_cast<long>(at), actions.begin() + static_cast<long>(at + left_out));
  actions.insert(actions.begin() + static_cast<long>(at), put_in.begin(), put_in.end());
  return actions;
}

TEST(Moves, AgainstTheRulesAreNamed) {
  const auto expect = [](const std::vector<Action>& actions, const std::string& rule, Count action, bool overlap = true) {
    const Verdict verdict = judged(actions, 4, 2, overlap);
    ASSERT_TRUE(verdict.violation) << rule;
    EXPECT_EQ(verdict.violation->rule, rule) << verdict.violation->message;
    EXPECT_EQ(verdict.violation->action, action) << verdict.violation->message;
  };
  expect(there_and_back, "transfer", 1, false);                      // the tier does not work beside
  expect(changed(4, 1, {}), "transfer", 4);                          // freed before it is there
  expect(changed(2, 0, {A::begin_store(0, 1)}), "transfer", 2);      // twice
  expect(changed(2, 0, {A::free(0, 1)}), "transfer", 2);
  expect(changed(2, 0, {A::store(0, 1)}), "already_there", 2);
  expect(changed(2, 0, {A::restore(0, 1)}), "not_there", 2);         // not there yet
  expect(changed(2, 0, {A::begin_restore(0, 1)}), "transfer", 2);
  expect(changed(0, 2, {A::begin_store(0, 1)}), "not_there", 0);     // from memory only
  expect(changed(5, 1, {A::begin_store(0, 1)}), "already_there", 5);
  expect(changed(8, 1, {A::begin_restore(1, 1)}), "not_there", 8);
  expect(changed(5, 1, {A::begin_restore(0, 1)}), "already_there", 5);
  expect(changed(12, 1, {A::restore(0)}), "not_there", 12);          // used before it arrived
  expect(changed(12, 1, {A::wait(1, 1)}), "not_there", 12);
  expect(changed(8, 0, {A::store(3)}), "hand", 8);
  expect(changed(12, 0, {A::begin_restore(0, 1)}), "transfer", 12);
  expect(changed(1, 0, {A::begin_store(0, 0)}), "transfer", 1);      // memory is no such tier
  expect(changed(1, 0, {A::begin_store(0, 2)}), "range", 1);
  expect(changed(1, 0, {A::wait(5, 1)}), "range", 1);
  const std::vector<Action> unwaited(there_and_back.begin(), there_and_back.begin() + 3);
  std::vector<Action> left = unwaited;
  for (Count k = 3; k-- > 0;)
    left.insert(left.end(), {A::restore(0), A::forward(0, k + 1)}), left.push_back(A::reverse(k + 1));
  left[3] = A::forward(2, 3), left[4] = A::reverse(3);
  left.insert(left.begin() + 5, {A::restore(0), A::forward(0, 2), A::reverse(2), A::restore(0), A::forward(0, 1), A::reverse(1), A::restore(0), A::reverse(0)});
  left.resize(13);
  expect(left, "left_over", 13);
}

// Memory is taken when a restore begins, and given back when a store that is waited for is freed.
TEST(Moves, TakeRoomInMemory) {
  const Verdict one = judged(there_and_back, 4, 1);
  ASSERT_TRUE(one.violation);
  EXPECT_EQ(one.violation->rule, "budget");
  EXPECT_EQ(one.violation->action, 3);
  EXPECT_EQ(judged(there_and_back).bill.peak_slots, 2);
  EXPECT_EQ(judged(there_and_back).bill.tiers[0].peak_slots, 2);
}

// Of one tier, one after the other: the second store waits for the first, and so does what is not begun
// but done at once.
TEST(Moves, FollowEachOther) {
  const std::vector<Action> two = {A::store(0), A::begin_store(0, 1), A::forward(0, 1), A::store(1), A::begin_store(1, 1), A::wait(1, 1),
                                   A::wait(0, 1), A::free(0, 1)};
  Referee referee({states_of(4, 10, 10), memory_and_disk(2, 25, 15)});
  for (const Action& action : two) ASSERT_TRUE(referee.see(action));
  EXPECT_EQ(referee.finish().bill.makespan, 50);
  const std::vector<Action> mixed = {A::store(0), A::begin_store(0, 1), A::forward(0, 1), A::store(1, 1), A::wait(0, 1)};
  Referee another({states_of(4, 10, 10), memory_and_disk(2, 25, 15)});
  for (const Action& action : mixed) ASSERT_TRUE(another.see(action));
  EXPECT_EQ(another.finish().bill.makespan, 50);
}

TEST(Moves, MemoryAndUnknownTiersAreRefused) {
  EXPECT_THROW(Budget::of({{"memory", slots, 3, {}, {}, true}}), OutOfRange);
}

}  // namespace
}  // namespace sweepback
