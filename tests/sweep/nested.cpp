// SPDX-License-Identifier: Apache-2.0
// Any number of sweeps at once: inside each other, and taking turns.
#include <gtest/gtest.h>

#include "plans.hpp"

namespace {

using namespace toy;
using sweepback::Sweep;
using Program = Toy<Plain, Form::in_place, Taping::none>;

/// Steps first … first+l-1 of the map.
struct Part : Map {
  using State = double;
  Count first = 0;
  void forward(Count k, double& x) { x = next(first + k, x); }
  void reverse(Count k, const double& x, Gradient& a) { back(first + k, x, a); }
};

/// One step is `inner` steps of the map, reversed by a sweep of its own.
struct Outer : Map {
  using State = double;
  Plan plan;
  void forward(Count k, double& x) {
    Part part{{theta}, k * plan.chain.steps()};
    Sweep sweep(part, plan);
    x = sweep.forward(x);
  }
  void reverse(Count k, const double& x, Gradient& a) {
    Part part{{theta}, k * plan.chain.steps()};
    Sweep sweep(part, plan);
    sweep.forward(x);
    sweep.backward(a);
  }
};

TEST(Nested, ASweepInsideEachStep) {
  for (Count c = 1; c <= 4; ++c) {
    for (Count inner = 1; inner <= 4; ++inner) {
      Outer program{{}, plan(Chain::uniform(10), Budget::slots(inner))};
      Sweep sweep(program, plan(Chain::uniform(6), Budget::slots(c)));
      Gradient g;
      EXPECT_EQ(sweep.forward(0.3), store_everything(Map{}, 60, 0.3).states.back());
      EXPECT_EQ(sweep.backward(g).bill, sweep.plan().bill);
      EXPECT_EQ(g, store_everything(Map{}, 60, 0.3).gradient);
    }
  }
}

/// A step that reverses a chain of its own, so sweeps stand in each other `depth` deep.
double deep_gradient(Count depth, double x0) {
  struct Deep {
    using State = double;
    Count depth;
    void forward(Count, double& x) {
      x = 0.5 * x + (depth > 0 ? 0.1 * deep_gradient(depth - 1, x) : 0);
    }
    void reverse(Count, const double&, Gradient& a) { a.x *= 0.5; }
  };
  Deep program{depth};
  Sweep sweep(program, plan(Chain::uniform(3), Budget::slots(1)));
  Gradient g;
  const double last = sweep.forward(x0);
  sweep.backward(g);
  return last + g.x;
}

TEST(Nested, FiveDeep) {
  EXPECT_EQ(deep_gradient(5, 0.3), deep_gradient(5, 0.3));
  EXPECT_NE(deep_gradient(5, 0.3), deep_gradient(4, 0.3));
}

// Two sweeps advanced in turns, of the same program and the same plan.
TEST(Interleaved, SteppingBackInTurns) {
  Program program;
  const Plan plan = sweepback::plan(chain<Program>(30), Budget::slots(3));
  Sweep one(program, plan), two(program, plan);
  const Everything first = store_everything(program, 30, 0.3);
  const Everything second = store_everything(program, 30, -1.2);
  one.advance(0.3);
  two.advance(-1.2);
  for (Count k = 30; k-- > 0;) {
    const auto a = one.step_back();
    const auto b = two.step_back();
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->k, k);
    EXPECT_EQ(a->state, first.states[static_cast<std::size_t>(k)]);
    EXPECT_EQ(b->state, second.states[static_cast<std::size_t>(k)]);
  }
  EXPECT_FALSE(one.step_back());
  EXPECT_FALSE(two.step_back());
  EXPECT_EQ(one.report().bill, plan.bill);
}

// One sweep stands between its phases while another goes there and back.
TEST(Interleaved, BetweenTheTwoPhases) {
  Program program;
  const Plan plan = sweepback::plan(chain<Program>(20), Budget::slots(2));
  Sweep outer(program, plan);
  outer.forward(0.3);
  for (const double x0 : {1.0, 2.0}) {
    const Gradient expected = store_everything(program, 20, x0).gradient;
    EXPECT_EQ(there_and_back(program, plan, x0).gradient, expected);
  }
  Gradient g;
  EXPECT_EQ(outer.backward(g).bill, plan.bill);
  EXPECT_EQ(g, store_everything(program, 20, 0.3).gradient);
}

// Some steps handed over, the others reversed: the adjoint of those handed over is the caller's.
TEST(Interleaved, SteppingBackAndThenBackward) {
  Program program;
  Sweep sweep(program, plan(chain<Program>(20), Budget::slots(3)));
  sweep.advance(0.3);
  Gradient g;
  for (Count k = 20; k-- > 8;) program.back(k, sweep.step_back()->state, g);
  ASSERT_EQ(sweep.step_back()->k, 7);  // handed over, not yet reversed
  sweep.backward(g);
  EXPECT_EQ(g, store_everything(program, 20, 0.3).gradient);
}

}  // namespace
