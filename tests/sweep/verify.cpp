// SPDX-License-Identifier: Apache-2.0
// The verifying observer names the step that does not repeat itself, or the state that changed while it
// was kept; steps that do repeat themselves are never flagged.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "plans.hpp"
#include "sweepback/verify.hpp"

namespace {

using namespace toy;
using sweepback::Differs;
using sweepback::Sweep;
using sweepback::Verify;
using sweepback::Within;

template <class Program>
void never_flagged() {
  for (const auto& [l, c] : {std::pair{1, 1}, {12, 2}, {20, 3}, {9, 9}})
    for (const Plan& plan : plans<Program>(l, c)) {
      Program program;
      Verify<typename Program::State> verify;
      Sweep sweep(program, plan, sweepback::MemoryTier<typename Program::State>{}, verify);
      for (const double x0 : {0.3, -0.4}) EXPECT_EQ(go<Program>(sweep, x0).gradient, store_everything(program, l, x0).gradient);
      EXPECT_EQ(verify.compared() > 0, plan.bill.restores > 0) << l << ' ' << c;
    }
}

TEST(Verify, NeverFlagsStepsThatRepeatThemselves) {
  never_flagged<Toy<Vector, Form::in_place, Taping::none>>();
  never_flagged<Toy<Vector, Form::in_place, Taping::output>>();
  never_flagged<Toy<Vector, Form::immutable, Taping::output>>();
}

/// x' = x + 1, but for the `nth` run of step `bad`.
struct Faulty {
  using State = double;
  Count bad, nth, runs = 0;
  double error = 1e-3;
  void forward(Count k, double& x) {
    x += 1;
    if (k == bad && ++runs == nth) x += error;
  }
  void reverse(Count, const double&, double&) {}
};

/// The state at which it is found out; -1: not at all.
template <class V>
Count found(Faulty program, V& verify, Count l = 30, Count c = 3) {
  Sweep sweep(program, plan(Chain::uniform(l), Budget::slots(c)), sweepback::MemoryTier<double>{}, verify);
  double a = 0;
  try {
    sweep.forward(0);
    sweep.backward(a);
  } catch (const Differs& e) {
    EXPECT_NE(e.message().find("x_" + std::to_string(e.state)), std::string::npos) << e.message();
    EXPECT_FALSE(e.remedy().empty());
    return e.state;
  }
  return -1;
}

TEST(Verify, NamesTheStep) {
  int flagged = 0;
  for (Count bad = 0; bad < 28; ++bad)
    for (const Count nth : {2, 3}) {
      Verify<double> verify;
      const Count state = found({bad, nth}, verify);
      if (state < 0) continue;  // it does not run so often
      EXPECT_EQ(state, bad + 1);
      ++flagged;
    }
  EXPECT_GT(flagged, 40);
  Verify<double> verify;
  EXPECT_EQ(found({5, 1}, verify), 6) << "the first pass itself was another";
}

TEST(Verify, EveryFewStatesNamesTheNextOne) {
  Verify<double> verify({.every = 4});
  const Count state = found({5, 2}, verify);
  EXPECT_EQ(state % 4, 0);
  EXPECT_GE(state, 6);
  Verify<double> fits({.steps = 1000, .every = 1, .bytes = 2400});
  EXPECT_GE(fits.every(), 7);
  EXPECT_LE(fits.every(), 8);
  EXPECT_LE(fits.bytes(), 2400);
  EXPECT_GT(fits.bytes(), 2000);
  EXPECT_THROW(Verify<double>({.every = 0}), sweepback::OutOfRange);
  EXPECT_THROW(Verify<double>({.bytes = 100}), sweepback::OutOfRange);
}

TEST(Verify, WithinATolerance) {
  const auto numbers = [](const double& x) { return std::vector<double>{x, x > 1e9 ? std::numeric_limits<double>::quiet_NaN() : 0}; };
  using Tolerant = Verify<double, Within<double>>;
  Tolerant loose({}, {numbers, {1e-2}}), tight({}, {numbers, {1e-6}}), fields({}, {numbers, {1e-6, 0}});
  EXPECT_EQ(found({5, 2}, loose), -1);
  EXPECT_EQ(found({5, 2}, tight), 6);
  EXPECT_EQ(found({5, 2}, fields), 6);
  EXPECT_GT(loose.compared(), 30);
  EXPECT_THROW(Within<double>(numbers, {}), sweepback::OutOfRange);
  EXPECT_THROW(Within<double>(numbers, {-1}), sweepback::OutOfRange);
  EXPECT_THROW(Within<double>(numbers, {std::nan("")}), sweepback::OutOfRange);
}

/// Keeps states, and changes one of them while it is kept.
struct Leaky {
  sweepback::MemoryTier<double> kept;
  Count changes;
  void store(Count i, double&& x) { kept.store(i, i == changes ? x + 1e-9 : double{x}); }
  const double& view(Count i) const { return kept.view(i); }
  double take(Count i) { return kept.take(i); }
  void drop(Count i) { kept.drop(i); }
  void clear() { kept.clear(); }
};

TEST(Verify, NamesTheStateThatChangedWhileItWasKept) {
  const Plan plan = sweepback::plan(Chain::uniform(30), Budget::slots(3));
  Count stored = 0;
  for (const auto& action : plan.schedule)
    if (action.kind == sweepback::Action::Kind::store && action.first > 0 && stored == 0) stored = action.first;
  for (const Count changes : {Count{0}, stored}) {
    Faulty program{-1, 0};
    Verify<double> verify;
    Sweep<Faulty, Leaky, Verify<double>> sweep(program, plan, Leaky{{}, changes}, verify);
    double a = 0;
    try {
      sweep.forward(0);
      sweep.backward(a);
      ADD_FAILURE() << "not found out";
    } catch (const Differs& e) {
      EXPECT_EQ(e.state, changes);
      EXPECT_NE(e.message().find("came back"), std::string::npos) << e.message();
    }
  }
}

// Several observers see all; each only what it asks for.
TEST(Observers, SeeTheSame) {
  struct Counting {
    Count actions = 0;
    void action(const sweepback::ActionEvent&) { ++actions; }
  };
  Counting counting;
  Verify<double> verify;
  sweepback::Observers<double, Counting, Verify<double>> both(counting, verify);
  const Plan plan = sweepback::plan(Chain::uniform(30), Budget::slots(3));
  Faulty program{-1, 0};
  Sweep sweep(program, plan, sweepback::MemoryTier<double>{}, both);
  double a = 0;
  sweep.forward(0);
  sweep.backward(a);
  EXPECT_GT(counting.actions, 30);
  EXPECT_GT(verify.compared(), 30);
}

}  // namespace
