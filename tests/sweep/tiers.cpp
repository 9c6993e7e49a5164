// SPDX-License-Identifier: Apache-2.0
// The sweep asks a tier for nothing but what the concept lists; test doubles are models of it.
#include <gtest/gtest.h>

#include <map>

#include "counted.hpp"
#include "plans.hpp"

namespace {

using namespace toy;
using sweepback::MemoryTier;
using sweepback::Sweep;

/// Keeps states in a map, checks the contract of every call, and may be out of room.
template <class State>
struct StrictTier {
  struct Full {};

  std::map<Count, State> kept;
  std::size_t room = 1000;
  Count stores = 0, takes = 0, drops = 0;

  void store(Count i, State&& x) {
    if (kept.size() == room) throw Full{};
    EXPECT_TRUE(kept.emplace(i, std::move(x)).second) << "x_" << i << " is there already";
    ++stores;
  }
  const State& view(Count i) const { return kept.at(i); }
  State take(Count i) {
    ++takes;
    State x = std::move(kept.at(i));
    kept.erase(i);
    return x;
  }
  void drop(Count i) {
    ++drops;
    EXPECT_EQ(kept.erase(i), 1u) << "x_" << i << " is not there";
  }
  void clear() { kept.clear(); }
};

/// A tier that lives elsewhere.
template <class State>
struct TierReference {
  StrictTier<State>* tier;
  void store(Count i, State&& x) { tier->store(i, std::move(x)); }
  const State& view(Count i) const { return std::as_const(*tier).view(i); }
  State take(Count i) { return tier->take(i); }
  void drop(Count i) { tier->drop(i); }
  void clear() { tier->clear(); }
};
static_assert(sweepback::Tier<StrictTier<double>, double>);
static_assert(sweepback::Tier<TierReference<double>, double>);

template <class Program>
void expect_contract() {
  for (const auto& [l, c] : {std::pair{1, 1}, {12, 2}, {20, 3}, {9, 9}}) {
    for (const Plan& plan : plans<Program>(l, c)) {
      StrictTier<typename Program::State> tier;
      Program program;
      Sweep sweep(program, plan, TierReference<typename Program::State>{&tier});
      const Outcome outcome = go<Program>(sweep, 0.3);
      EXPECT_EQ(outcome.gradient, store_everything(program, l, 0.3).gradient);
      EXPECT_EQ(outcome.bill, plan.bill);
      EXPECT_TRUE(tier.kept.empty());
      EXPECT_EQ(tier.stores, plan.bill.stores);
      EXPECT_EQ(tier.takes + tier.drops, tier.stores);
    }
  }
}

TEST(Tiers, AreUsedAsTheContractSays) {
  expect_contract<Toy<Vector, Form::in_place, Taping::output>>();
  expect_contract<Toy<Vector, Form::immutable, Taping::output>>();
  expect_contract<Toy<MoveOnly, Form::immutable, Taping::none>>();
}

TEST(Tiers, ThatFailLeaveNothingAlive) {
  using Program = Toy<Counted, Form::in_place, Taping::none>;
  Program program;
  StrictTier<CountedState> tier;
  tier.room = 2;
  Sweep sweep(program, plan(chain<Program>(30), Budget::slots(5)),
              TierReference<CountedState>{&tier});
  EXPECT_THROW(sweep.forward(Counted::make(0.3)), StrictTier<CountedState>::Full);
  EXPECT_EQ(CountedState::alive, 0);
  tier.room = 5;
  EXPECT_EQ(go<Program>(sweep, 0.3).gradient, store_everything(program, 30, 0.3).gradient);
}

TEST(MemoryTier, KeepsUnderTheStatesNumber) {
  MemoryTier<std::string> tier;
  for (const Count i : {0, 6, 9}) tier.store(i, "x" + std::to_string(i));
  EXPECT_EQ(tier.view(6), "x6");
  EXPECT_EQ(tier.take(0), "x0");
  tier.drop(9);
  EXPECT_EQ(tier.view(6), "x6");
  for (const Count gone : {0, 9, 1}) {
    EXPECT_THROW(tier.view(gone), sweepback::OutOfRange);
    EXPECT_THROW(tier.take(gone), sweepback::OutOfRange);
    EXPECT_THROW(tier.drop(gone), sweepback::OutOfRange);
  }
  tier.clear();
  EXPECT_THROW(tier.view(6), sweepback::OutOfRange);
}

}  // namespace
