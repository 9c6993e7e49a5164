// SPDX-License-Identifier: Apache-2.0
// Gradients known on paper, on chains where other tools lost something.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "plans.hpp"

namespace {

using namespace toy;

// x' = a x, a = 2, l = 10: x_10 = 1024 and d/da = 5120. Dropping the steps that do not fill a
// period gives 2304 (Checkpointing.jl, periodic scheme).
TEST(ClosedForm, PowersOfTwo) {
  struct Doubling {
    using State = double;
    double a = 2;
    void forward(Count, double& x) { x *= a; }
    void reverse(Count, const double& x, Gradient& g) {
      g.theta += g.x * x;
      g.x *= a;
    }
  };
  Doubling program;
  for (Count l = 0; l <= 40; ++l) {
    for (Count c = 1; c <= 12; ++c) {
      sweepback::Sweep sweep(program, plan(Chain::uniform(l), Budget::slots(c)));
      Gradient g;
      ASSERT_EQ(sweep.forward(1), std::ldexp(1, static_cast<int>(l)));
      sweep.backward(g);
      ASSERT_EQ(g.theta, std::ldexp(static_cast<double>(l), static_cast<int>(l) - 1)) << l;
      ASSERT_EQ(g.x, std::ldexp(1, static_cast<int>(l)));
    }
  }
}

// x' = x + dt theta x in segments, each with a sweep of its own: the adjoint of the state carried
// from one to the next must not be lost (deepwave #105, #120).
struct Growth {
  using State = double;
  static constexpr double dt = 0.01, theta = 0.8;
  void forward(Count, double& x) { x += dt * theta * x; }
  void reverse(Count, const double& x, Gradient& g) {
    g.theta += g.x * dt * x;
    g.x += g.x * dt * theta;
  }
};

TEST(ClosedForm, AnySplitIntoSegments) {
  const Count l = 60;
  const double x0 = 1.5, expected = l * Growth::dt *
                                    std::pow(1 + Growth::dt * Growth::theta, l - 1) * x0;
  Growth program;
  for (const Count segments : {1, 2, 3, 7, 60}) {
    for (Count c = 1; c <= 8; ++c) {
      const auto border = [&](Count s) { return s * l / segments; };
      const auto sweep_of = [&](Count s, double x, auto&& use) {
        sweepback::Sweep sweep(
            program, plan(Chain::uniform(border(s + 1) - border(s)), Budget::slots(c)));
        use(sweep, sweep.forward(x));
      };
      std::vector<double> starts{x0};
      for (Count s = 0; s < segments; ++s)
        sweep_of(s, starts.back(), [&](auto&, double last) { starts.push_back(last); });
      Gradient g;
      for (Count s = segments; s-- > 0;)
        sweep_of(s, starts[static_cast<std::size_t>(s)],
                 [&](auto& sweep, double) { sweep.backward(g); });
      EXPECT_NEAR(g.theta, expected, 1e-14 * expected * static_cast<double>(l))
          << segments << " segments, " << c << " slots";
    }
  }
}

// Explicit Euler with its matrix in the program, the number of steps found by a loop over a time in
// floating point: d sum(y)/dy0 = (31397, -74.6); dA against a difference (Checkpointing.jl #52).
struct Oscillator {
  using State = std::array<double, 2>;
  std::array<double, 4> a{0, 1, -100, 0};
  double dt = 0.2;

  void forward(Count, State& y) {
    y = {y[0] + dt * (a[0] * y[0] + a[1] * y[1]), y[1] + dt * (a[2] * y[0] + a[3] * y[1])};
  }
  struct Adjoint {
    State y{1, 1};
    std::array<double, 4> a{};
  };
  void reverse(Count, const State& y, Adjoint& g) {
    const State w = g.y;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) g.a[2 * i + j] += dt * w[i] * y[j];
    g.y = {w[0] + dt * (a[0] * w[0] + a[2] * w[1]), w[1] + dt * (a[1] * w[0] + a[3] * w[1])};
  }
};

TEST(ClosedForm, MatrixOfTheProgram) {
  Count l = 0;
  for (double t = 0.2; t < 2.0; t += 0.2) ++l;
  ASSERT_EQ(l, 10);
  const Oscillator::State y0{1, 0.5};
  const auto sum = [&](Oscillator program) {
    auto y = y0;
    for (Count k = 0; k < l; ++k) program.forward(k, y);
    return y[0] + y[1];
  };
  for (const Count c : {2, 3, 4}) {
    Oscillator program;
    sweepback::Sweep sweep(program, plan(Chain::uniform(l), Budget::slots(c)));
    sweep.forward(y0);
    Oscillator::Adjoint g;
    sweep.backward(g);
    EXPECT_NEAR(g.y[0], 31397, 1e-8);
    EXPECT_NEAR(g.y[1], -74.6, 1e-8);
    for (std::size_t e = 0; e < 4; ++e) {
      Oscillator up, down;
      up.a[e] += 1e-5, down.a[e] -= 1e-5;
      EXPECT_NEAR(g.a[e], (sum(up) - sum(down)) / 2e-5, 1e-6 * std::abs(g.a[e])) << e;
    }
  }
}

// y' = -50 y + t, a thousand Euler steps, losses at steps 250, 500 and 1000 added: the discrete
// gradient, exact to rounding, and a bill that shows the slots were used (SciMLSensitivity #300).
TEST(ClosedForm, StiffDecayWithLossesOnTheWay) {
  struct Decay {
    using State = double;
    double rate = 50, dt = 1e-3;
    static bool loss(Count k) { return k == 250 || k == 500 || k == 1000; }
    void forward(Count k, double& y) { y += dt * (static_cast<double>(k) * dt - rate * y); }
    void reverse(Count k, const double& y, Gradient& g) {
      if (loss(k + 1)) g.x += 1;
      g.theta -= g.x * dt * y;
      g.x -= g.x * dt * rate;
    }
  };
  const Count l = 1000;
  Decay program;
  std::vector<double> y{1};
  for (Count k = 0; k < l; ++k) program.forward(k, y.emplace_back(y.back()));
  Gradient all{0, 0};
  for (Count k = l; k-- > 0;) program.reverse(k, y[static_cast<std::size_t>(k)], all);
  for (const Count c : {1, 5, 20, 1000}) {
    Chain chain = Chain::uniform(l);
    chain.final_state = false;
    sweepback::Sweep sweep(program, plan(chain, Budget::slots(c)));
    sweep.advance(1);
    Gradient g{0, 0};
    const sweepback::Bill bill = sweep.backward(g).bill;
    EXPECT_NEAR(g.theta, all.theta, 1e-13 * std::abs(all.theta));
    EXPECT_NEAR(g.x, all.x, 1e-13 * std::abs(all.x));
    EXPECT_EQ(bill.forward_steps, sweepback::binomial::forward_steps(l, c));
    EXPECT_EQ(bill.peak_slots, std::min<Count>(c, l - 1));
  }
}

}  // namespace
