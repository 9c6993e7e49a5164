// SPDX-License-Identifier: Apache-2.0
// States computed again are those of the first pass, bit for bit (devito #1399: a tolerance hid
// that they were not), also of steps that choose their own size (SciMLSensitivity PR 167).
#include <gtest/gtest.h>

#include <array>

#include "plans.hpp"
#include "sweepback/verify.hpp"

namespace {

using namespace toy;
using sweepback::Differs;
using sweepback::MemoryTier;
using sweepback::Phase;
using sweepback::Sweep;
using sweepback::Verify;

struct Logistic {
  using State = double;
  double noise = 0;
  void forward(Count, double& x, Phase phase) {
    x = 3.9 * x * (1 - x);
    if (phase == Phase::recompute) x += noise;
  }
  void reverse(Count, const double& x, Gradient& a) { a.x *= 3.9 * (1 - 2 * x); }
};

TEST(Recompute, OfAChaoticMapIsBitIdentical) {
  Logistic program;
  Verify<double> verify;
  Sweep sweep(program, plan(Chain::uniform(200), Budget::slots(3)), MemoryTier<double>{}, verify);
  sweep.forward(0.3);
  Gradient g;
  const auto bill = sweep.backward(g).bill;
  EXPECT_EQ(verify.compared(), bill.forward_steps - 200 + bill.restores);
}

TEST(Recompute, WithNoiseIsFoundOut) {
  Logistic program{1e-16};
  Verify<double> verify;
  Sweep sweep(program, plan(Chain::uniform(200), Budget::slots(3)), MemoryTier<double>{}, verify);
  sweep.forward(0.3);
  Gradient g;
  EXPECT_THROW(sweep.backward(g), Differs);
}

// Heun's method for y' = -y² with a step-size controller; the size belongs to the state. A step
// tries until the error is small enough.
struct Adaptive {
  struct State {
    double t = 0, y = 1, dt = 0.5;
  };

  static State next(State s) {
    for (;;) {
      const double slope = -s.y * s.y, euler = s.y + s.dt * slope;
      const double heun = s.y + s.dt / 2 * (slope - euler * euler);
      const double error = std::abs(heun - euler) / 1e-4;
      const double change = std::min(4.0, std::max(0.1, 0.9 / std::sqrt(error)));
      if (error <= 1) return {s.t + s.dt, heun, s.dt * change};
      s.dt *= change;
    }
  }
  void forward(Count, State& s) { s = next(s); }

  // By y alone, the sizes of the steps held fixed.
  void reverse(Count, const State& s, Gradient& a) {
    const double dt = next(s).t - s.t;
    const double euler = s.y - dt * s.y * s.y;
    a.theta += dt;
    a.x *= 1 - dt * s.y - dt * euler * (1 - 2 * dt * s.y);
  }
};

TEST(Recompute, TakesTheSameAdaptiveSteps) {
  std::vector<Adaptive::State> states{{}};
  while (states.back().t < 5) states.push_back(Adaptive::next(states.back()));
  const auto l = static_cast<Count>(states.size()) - 1;
  ASSERT_GT(l, 50);
  Adaptive program;
  Gradient all;
  for (Count k = l; k-- > 0;) program.reverse(k, states[static_cast<std::size_t>(k)], all);

  Verify<Adaptive::State> verify;
  Sweep sweep(program, plan(Chain::uniform(l), Budget::slots(4)), MemoryTier<Adaptive::State>{},
              verify);
  const Adaptive::State last = sweep.forward({});
  EXPECT_EQ(last.t, states.back().t);
  EXPECT_EQ(last.y, states.back().y);
  Gradient g;
  sweep.backward(g);
  EXPECT_EQ(g, all);
  EXPECT_GT(verify.compared(), l);
}

}  // namespace
