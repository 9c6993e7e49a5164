// SPDX-License-Identifier: Apache-2.0
// The two published planners to compare with: their tables, value by value, and their schedules,
// replayed in bytes.
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "../../src/plan/uneven/engines.hpp"
#include "../../src/plan/uneven/layers.hpp"
#include "../../src/plan/uneven/rotor.hpp"
#include "reference_mixed.hpp"
#include "sweepback/check.hpp"
#include "sweepback/error.hpp"

namespace sweepback {
namespace {

using namespace detail::uneven;

using Sizes = std::vector<int>;

struct BudgetCost {
  int bytes, cost;
};
struct Instance {
  Sizes state, adjoint;  // of x_0 … x_l
  // Of steps, whose tapes hold their output.
  Sizes tape, forward_workspace, reverse_workspace, forward, reverse;
  std::vector<BudgetCost> costs;
};

// Random chains; the costs are those of an independent program for the recurrence of Beaumont et
// al. (2019), the cheapest persistent schedule in so many bytes.
const std::vector<Instance> published = {
    {{1, 2, 2, 3, 2, 1}, {1, 2, 2, 3, 2, 0}, {8, 6, 6, 8, 3},
     {0, 0, 0, 0, 0}, {1, 2, 2, 3, 2}, {2, 3, 2, 4, 1}, {4, 6, 4, 8, 2},
     {{17, 48}, {18, 48}, {20, 43}, {21, 43}, {23, 41}, {24, 41}, {26, 40}, {27, 40}, {29, 38},
      {30, 38}, {32, 38}, {33, 38}}},
    {{1, 2, 1, 1, 3, 3}, {1, 2, 1, 1, 3, 0}, {4, 4, 4, 6, 4},
     {3, 0, 3, 0, 1}, {1, 3, 1, 2, 6}, {4, 1, 4, 1, 1}, {8, 2, 8, 2, 2},
     {{14, 52}, {15, 44}, {17, 43}, {18, 42}, {20, 39}, {21, 39}, {23, 35}, {24, 35}, {26, 34},
      {27, 34}, {29, 33}}},
    {{1, 3, 2, 2, 3, 1}, {1, 3, 2, 2, 3, 0}, {4, 7, 3, 5, 6},
     {0, 0, 0, 0, 0}, {1, 3, 2, 2, 3}, {2, 3, 5, 1, 1}, {4, 6, 10, 2, 2},
     {{16, 49}, {17, 47}, {19, 42}, {20, 41}, {22, 40}, {23, 40}, {25, 39}, {26, 39}, {28, 37},
      {29, 36}}},
    {{2, 1, 3, 1, 3, 3}, {2, 1, 3, 1, 3, 0}, {7, 6, 5, 9, 5},
     {0, 0, 0, 1, 3}, {5, 4, 4, 4, 6}, {3, 1, 5, 2, 1}, {6, 2, 10, 4, 2},
     {{19, 50}, {20, 47}, {22, 47}, {23, 46}, {25, 45}, {26, 42}, {28, 42}, {29, 42}, {31, 40},
      {32, 40}, {34, 39}, {35, 39}, {37, 37}, {38, 37}, {40, 36}}},
    {{1, 1, 2, 1, 2, 3, 1}, {1, 1, 2, 1, 2, 3, 0}, {3, 6, 7, 5, 4, 7},
     {0, 0, 0, 0, 0, 0}, {1, 1, 2, 1, 2, 3}, {3, 5, 4, 2, 3, 2}, {6, 10, 8, 4, 6, 4},
     {{14, 92}, {15, 84}, {17, 76}, {18, 74}, {20, 71}, {21, 68}, {23, 68}, {24, 66}, {26, 63},
      {27, 63}, {29, 63}, {30, 61}, {32, 61}, {33, 59}, {35, 59}, {36, 57}}},
    {{3, 2, 3, 1, 1, 2, 2}, {3, 2, 3, 1, 1, 2, 0}, {6, 3, 6, 1, 6, 7},
     {0, 3, 0, 3, 2, 2}, {4, 5, 6, 1, 1, 4}, {3, 5, 4, 3, 5, 4}, {6, 10, 8, 6, 10, 8},
     {{19, 99}, {20, 92}, {22, 87}, {23, 84}, {25, 84}, {26, 82}, {28, 79}, {29, 79}, {31, 76},
      {32, 75}, {34, 75}, {35, 75}}},
    {{1, 1, 2, 3, 1, 3, 2}, {1, 1, 2, 3, 1, 3, 0}, {1, 5, 9, 4, 3, 6},
     {0, 0, 0, 0, 0, 0}, {1, 1, 2, 3, 1, 3}, {5, 3, 3, 2, 1, 5}, {10, 6, 6, 4, 2, 10},
     {{17, 73}, {18, 68}, {20, 65}, {21, 63}, {23, 62}, {24, 62}, {26, 60}, {27, 60}, {29, 59},
      {30, 59}, {32, 57}}},
    {{3, 2, 3, 3, 2, 3, 3}, {3, 2, 3, 3, 2, 3, 0}, {3, 9, 9, 7, 7, 8},
     {2, 2, 0, 1, 2, 1}, {3, 5, 5, 4, 4, 4}, {2, 2, 1, 2, 3, 1}, {4, 4, 2, 4, 6, 2},
     {{23, 44}, {24, 44}, {26, 42}, {27, 41}, {29, 40}, {30, 39}, {32, 38}, {33, 38}, {35, 36},
      {36, 36}, {38, 36}, {39, 36}}},
};

// Three steps of equal costs: the cheapest persistent schedule costs 9, the cheapest of all 8.
const Instance counterexample = {{2, 2, 2, 2}, {2, 2, 2, 0}, {3, 2, 3}, {0, 0, 0}, {2, 2, 2},
                                 {1, 1, 1},    {1, 1, 1},    {{10, 9}}};

Chain chain_of(const Instance& from) {
  std::vector<Run> runs;
  for (std::size_t k = 0; k < from.tape.size(); ++k) {
    Step step;
    step.forward = from.forward[k];
    step.reverse = from.reverse[k];
    step.state_bytes = from.state[k + 1];
    step.tape_bytes = from.tape[k];
    step.forward_workspace = from.forward_workspace[k];
    step.reverse_workspace = from.reverse_workspace[k];
    step.adjoint = from.adjoint[k + 1];
    runs.push_back({step, 1});
  }
  return Chain::of(runs, {from.state[0], from.adjoint[0]});
}

/// Up to eight steps of any size and cost.
Chain random_chain(std::mt19937& random) {
  const auto up_to = [&](Count most) {
    return std::uniform_int_distribution<Count>(0, most)(random);
  };
  const bool output = up_to(1) == 0;
  const Count workspace = up_to(1) * 4, calls = up_to(1) * 3;
  std::vector<Run> runs;
  for (Count k = 1 + up_to(7); k > 0; --k) {
    Step step;
    step.forward = up_to(9);
    if (up_to(1) == 0) step.record = up_to(9);
    step.reverse = up_to(9);
    step.forward_call = up_to(calls);
    step.record_call = up_to(calls);
    step.reverse_call = up_to(calls);
    step.state_bytes = up_to(9);
    step.tape_bytes = up_to(20);
    step.tape_has_output = up_to(3) == 0 ? !output : output;
    step.forward_workspace = up_to(workspace);
    step.reverse_workspace = up_to(workspace);
    step.adjoint = up_to(9);
    runs.push_back({step, 1});
  }
  Input input;
  if (up_to(1) == 0) input = {up_to(9), up_to(9)};
  Chain chain = Chain::of(runs, input);
  chain.in_place = up_to(3) == 0;
  return chain;
}

Verdict replay(const Chain& chain, Count bytes, const std::vector<Action>& actions) {
  Referee referee({.chain = chain, .budget = Budget::bytes(bytes), .keep = Keep::mixed});
  for (const Action& action : actions)
    if (!referee.see(action)) break;
  return referee.finish();
}

/// The bill of a schedule that keeps the rules.
Bill bill_of(const Chain& chain, Count bytes, const std::vector<Action>& actions) {
  const Verdict verdict = replay(chain, bytes, actions);
  EXPECT_TRUE(verdict.ok) << chain.steps() << " steps, " << bytes << " bytes: "
                          << (verdict.violation ? verdict.violation->message : "");
  return verdict.bill;
}

using Planner = std::vector<Action> (*)(const Chain&, Count, int);
using Cost = double (*)(const Chain&, Count, int);

double rotor_says(const Chain& chain, Count bytes, int slots) {
  const int memory = parts_of(bytes, slots);
  return rotor_cost(rotor_numbers(Persistent(chain, "rotor"), bytes, memory), memory);
}

double layers_say(const Chain& chain, Count bytes, int slots) {
  const Persistent line(chain, "layers");
  const Count room = bytes - layers_reserve(line);
  if (room < 0) return std::numeric_limits<double>::infinity();
  const int memory = parts_of(room, slots);
  return layers_cost(layers_numbers(line, room, memory), memory);
}

constexpr int exact = 1'000'000;  // parts of one byte

TEST(UnevenBaselines, RotorAsPublished) {
  for (const Instance& instance : published) {
    const Chain chain = chain_of(instance);
    for (const auto& [bytes, cost] : instance.costs) {
      EXPECT_EQ(rotor_says(chain, bytes, exact), cost) << bytes;
      EXPECT_EQ(bill_of(chain, bytes, rotor_actions(chain, bytes, exact)).cost, cost) << bytes;
    }
  }
}

// Here x_k is there, stored or in a tape, whenever step k is reversed; but x_1 comes and goes while
// the tape of step 1 stays.
TEST(UnevenBaselines, RotorIsNotTheCheapestOfAll) {
  const Chain chain = chain_of(counterexample);
  EXPECT_EQ(rotor_says(chain, 10, exact), 9);
  EXPECT_EQ(bill_of(chain, 10, rotor_actions(chain, 10, exact)).cost, 9);
  using A = Action;
  const std::vector<A> cheaper = {
      A::store(0),   A::forward(0, 1), A::record(1), A::record(2), A::reverse(2), A::restore(0),
      A::forward(0, 1), A::store(1),   A::reverse(1), A::free(1),  A::restore(0), A::record(0),
      A::reverse(0), A::free(0)};
  EXPECT_EQ(bill_of(chain, 10, cheaper).cost, 8);
}

TEST(UnevenBaselines, LayersOfEqualStepsAreTheMixedStrategy) {
  for (const auto& [alpha, units, steps, cost] : reference::msm) {
    const Chain chain =
        Chain::uniform(steps, {.reverse = 0, .state_bytes = 1, .tape_bytes = alpha});
    const Count bytes = layers_reserve(Persistent(chain, "layers")) + units;
    EXPECT_EQ(layers_say(chain, bytes, exact), cost) << alpha << ' ' << units << ' ' << steps;
    EXPECT_EQ(bill_of(chain, bytes, layers_actions(chain, bytes, exact)).cost, cost);
  }
}

/// From the smallest budget up, in parts of a byte and in larger ones: within every budget, at the
/// cost of the table, and never dearer with more.
void expect_planned(const Chain& chain, Planner planner, Cost says) {
  for (const int slots : {exact, 40, 7}) {
    Count smallest = 0, there = 0;
    try {
      planner(chain, 0, slots);
    } catch (const BudgetTooSmall& error) {
      EXPECT_TRUE(error.bytes);
      EXPECT_EQ(error.given, 0);
      smallest = error.smallest;
      there = error.cost_there;
      EXPECT_EQ(says(chain, smallest, slots), there);
      EXPECT_THROW(planner(chain, smallest - 1, slots), BudgetTooSmall);
    } catch (const OutOfRange&) {
      EXPECT_EQ(slots, 7);  // too few parts for the things that are alive at once
      continue;
    }
    double before = std::numeric_limits<double>::infinity();
    for (Count bytes = smallest; bytes < smallest + 120; bytes += bytes < smallest + 10 ? 1 : 13) {
      const Bill bill = bill_of(chain, bytes, planner(chain, bytes, slots));
      const double cost = says(chain, bytes, slots);
      EXPECT_EQ(static_cast<double>(bill.cost), cost) << bytes << " in " << slots;
      EXPECT_LE(cost, before) << bytes << " in " << slots;
      before = cost;
    }
  }
}

TEST(UnevenBaselines, RotorStaysWithinEveryBudget) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 150; ++trial)
    expect_planned(random_chain(random), rotor_actions, rotor_says);
}

TEST(UnevenBaselines, LayersStayWithinEveryBudget) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 150; ++trial)
    expect_planned(random_chain(random), layers_actions, layers_say);
}

// With room for everything, each step is run once, and x_0 alone is stored.
TEST(UnevenBaselines, NothingIsStoredForNothing) {
  for (const Planner planner : {rotor_actions, layers_actions}) {
    const Chain chain = chain_of(published[0]);
    const Bill bill = bill_of(chain, 1000, planner(chain, 1000, exact));
    EXPECT_EQ(bill.forward_steps, 0);
    EXPECT_EQ(bill.stores, 1);
    EXPECT_TRUE(planner(Chain{}, 0, 500).empty());
  }
}

TEST(UnevenBaselines, LongChainsDoNotRecur) {
  const Chain chain = Chain::uniform(300, {.state_bytes = 1, .tape_bytes = 3});
  for (const Planner planner : {rotor_actions, layers_actions}) {
    bill_of(chain, 10, planner(chain, 10, 500));
    bill_of(chain, 60, planner(chain, 60, 500));
  }
}

TEST(UnevenBaselines, Errors) {
  const Chain chain = chain_of(published[0]);
  Chain fused = Chain::uniform(4, {.state_bytes = 1, .tape_bytes = 2});
  fused.blocks = true;
  for (const Planner planner : {rotor_actions, layers_actions}) {
    EXPECT_THROW(planner(Chain::uniform(4, {.state_bytes = 1}), 100, 500), Unsupported);
    EXPECT_THROW(planner(fused, 100, 500), Unsupported);
    EXPECT_THROW(planner(Chain::uniform(200'000, {.state_bytes = 1, .tape_bytes = 2}), 100, 500),
                 Unsupported);
    EXPECT_THROW(planner(Chain::uniform(50'000, {.state_bytes = 1, .tape_bytes = 2}), 5000, 500),
                 Unsupported);
    EXPECT_THROW(planner(Chain::uniform(4, {.tapes = true}), 100, 500), OutOfRange);
    EXPECT_THROW(planner(chain, -1, 500), OutOfRange);
    EXPECT_THROW(planner(chain, 100, 0), OutOfRange);
  }
  EXPECT_THROW(rotor_actions(chain, 100, 2), OutOfRange);  // x_0, an adjoint and a tape are three
}

}  // namespace
}  // namespace sweepback
