// SPDX-License-Identifier: Apache-2.0
// Tiers that work while steps run: the sweep is that of memory alone whatever they take and wherever they
// fail; it does what the plan says, and what it waits for is reported.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <random>
#include <thread>

#include "counted.hpp"
#include "plans.hpp"

namespace {

using namespace toy;
using sweepback::Action;
using sweepback::FarTier;
using sweepback::FarTiers;
using sweepback::Sweep;
using sweepback::TierModel;

struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Keeps copies of states' values, takes its time, fails at its n-th move, and is used by one thread at a time.
template <class Box>
struct Elsewhere final : FarTier<typename Box::State> {
  using State = typename Box::State;

  std::chrono::microseconds longest{50};
  int fails_at = -1;

  void store(Count i, const State& x) override {
    const Busy busy(*this);
    EXPECT_TRUE(kept_.emplace(i, Box::get(x)).second) << "x_" << i << " is there already";
  }
  void load(Count i, std::optional<State>& hand) override {
    const Busy busy(*this);
    hand.reset();
    hand.emplace(Box::make(kept_.at(i)));
  }
  void drop(Count i) override {
    EXPECT_FALSE(busy_.exchange(true));
    EXPECT_EQ(kept_.erase(i), 1u) << "x_" << i << " is not there";
    busy_ = false;
  }
  void clear() noexcept override { kept_.clear(); }
  bool empty() const { return kept_.empty(); }

 private:
  struct Busy {
    explicit Busy(Elsewhere& tier) : tier(tier) {
      EXPECT_FALSE(tier.busy_.exchange(true)) << "two threads";
      if (tier.longest.count() > 0)
        std::this_thread::sleep_for(std::chrono::microseconds(tier.random_() % static_cast<unsigned long>(tier.longest.count())));
      if (tier.moves_++ == tier.fails_at) {
        tier.busy_ = false;
        throw Broken("the tier is broken");
      }
    }
    ~Busy() { tier.busy_ = false; }
    Elsewhere& tier;
  };

  std::map<Count, double> kept_;
  std::atomic<bool> busy_ = false;
  std::mt19937 random_{3};
  int moves_ = 0;
};

/// Plans of chains with and without tapes whose disk works while steps run.
template <class Program>
std::vector<Plan> overlapping_plans() {
  using enum TierModel::Unit;
  std::vector<Plan> plans;
  for (const Count l : {3, 9, 30})
    for (const Count c : {1, 2, 4})
      for (const auto& [store, restore] : {std::pair<Count, Count>{1, 1}, {2, 2}, {9, 4}})
        for (const bool tapes : {false, true}) {
          if (tapes && Program::taping == Taping::none) continue;
          const Plan p = plan(chain<Program>(l, tapes, l != 9), Budget::of({{"memory", slots, c}, {"disk", unbounded, 0, {store}, {restore}, true}}));
          if (p.engine == "pipeline") plans.push_back(p);
        }
  EXPECT_GT(plans.size(), 15u);
  return plans;
}

template <class Program>
void expect_the_gradient_of_memory() {
  for (const Plan& plan : overlapping_plans<Program>()) {
    Program program;
    FarTiers<typename Program::State> further;
    auto elsewhere = std::make_unique<Elsewhere<typename Program::Box>>();
    const auto& tier = *elsewhere;
    further.push_back(std::move(elsewhere));
    Sweep sweep(program, plan, std::move(further));
    for (const double x0 : {0.3, -0.7}) {  // a sweep runs again
      const Outcome outcome = go<Program>(sweep, x0);
      EXPECT_EQ(outcome.gradient, store_everything(program, plan.chain.steps(), x0).gradient);
      EXPECT_EQ(outcome.bill, plan.bill);
      EXPECT_TRUE(tier.empty());
    }
  }
}

TEST(Overlap, GivesTheGradientOfMemory) {
  expect_the_gradient_of_memory<Toy<Vector, Form::in_place, Taping::none>>();
  expect_the_gradient_of_memory<Toy<Vector, Form::in_place, Taping::output>>();
  expect_the_gradient_of_memory<Toy<Vector, Form::immutable, Taping::output>>();
  expect_the_gradient_of_memory<Toy<MoveOnly, Form::immutable, Taping::none>>();
}

// Wherever it fails, the error comes out, nothing is left alive, and the sweep runs again.
TEST(Overlap, FailuresLeaveNothingAlive) {
  using Program = Toy<Counted, Form::in_place, Taping::none>;
  for (const Plan& plan : overlapping_plans<Program>()) {
    const int moves = static_cast<int>(plan.bill.tiers[1].stores + plan.bill.tiers[1].restores);
    for (int fails_at = 0; fails_at < moves; fails_at += 1 + moves / 5) {
      Program program;
      FarTiers<CountedState> further;
      auto elsewhere = std::make_unique<Elsewhere<Counted>>();
      elsewhere->fails_at = fails_at;
      elsewhere->longest = std::chrono::microseconds(0);
      further.push_back(std::move(elsewhere));
      Sweep sweep(program, plan, std::move(further));
      EXPECT_THROW(go<Program>(sweep, 0.3), Broken) << fails_at << " of " << moves;
      EXPECT_EQ(CountedState::alive, 0);
      EXPECT_EQ(go<Program>(sweep, 0.3).gradient, store_everything(program, plan.chain.steps(), 0.3).gradient);
    }
  }
}

// A sweep that is left on the way stops its moves first.
TEST(Overlap, MayBeLeftAtAnyMoment) {
  using Program = Toy<Vector, Form::immutable, Taping::none>;
  for (const Plan& plan : overlapping_plans<Program>()) {
    Program program;
    FarTiers<typename Program::State> further;
    further.push_back(std::make_unique<Elsewhere<typename Program::Box>>());
    Sweep sweep(program, plan, std::move(further));
    sweep.advance(Program::Box::make(0.3));
    for (int n = 0; n < 5 && sweep.step_back(); ++n) {
    }
  }
}

struct Sleeper {
  using State = std::vector<double>;
  void forward(Count, State&) {}
  void reverse(Count, const State&, double&) {}
};

// What a slow tier takes is waited for, and reported; a fast one hides behind the steps.
TEST(Overlap, WaitingIsReported) {
  using enum TierModel::Unit;
  struct Vectors {
    using State = std::vector<double>;
    static double get(const State& x) { return x[0]; }
    static State make(double value) { return {value}; }
  };
  Chain chain = Chain::uniform(12);
  chain.in_place = true;
  const Plan plan = sweepback::plan(chain, Budget::of({{"memory", slots, 2}, {"disk", unbounded, 0, {1}, {1}, true}}));
  ASSERT_EQ(plan.engine, "pipeline");
  Sleeper program;
  FarTiers<Sleeper::State> further;
  auto slow = std::make_unique<Elsewhere<Vectors>>();
  slow->longest = std::chrono::milliseconds(4);
  further.push_back(std::move(slow));
  Sweep sweep(program, plan, std::move(further));
  double adjoint = 0;
  sweep.advance({1.0});
  const auto begin = std::chrono::steady_clock::now();
  const auto before = sweep.report().stalled;
  const auto report = sweep.backward(adjoint);
  EXPECT_GT(report.stalled, before);
  EXPECT_LT(report.stalled - before, std::chrono::steady_clock::now() - begin);
}

}  // namespace
