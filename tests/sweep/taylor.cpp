// SPDX-License-Identifier: Apache-2.0
// Two paths can be wrong in the same way, so the gradient is also asked what it predicts:
// J(p + h d) - J(p) - h g·d shrinks by four when h is halved. And one sweep serves many
// evaluations: the second parameter must not meet the first one's states (pyadjoint #260).
#include <gtest/gtest.h>

#include "plans.hpp"

namespace {

using namespace toy;
using InPlace = Toy<Vector, Form::in_place, Taping::output>;
using Immutable = Toy<Vector, Form::immutable, Taping::output>;

double value(double theta, Count l, double x0) {
  return store_everything(Map{theta}, l, x0).states.back();
}

template <class Program>
void expect_second_order(Count l, Count c, double theta) {
  Program program;
  program.theta = theta;
  for (const Plan& plan : plans<Program>(l, c)) {
    const Gradient g = there_and_back(program, plan, 0.3).gradient;
    const auto remainder = [&](double h) {
      return std::abs(value(theta + h, l, 0.3 + 2 * h) - value(theta, l, 0.3) -
                      h * (g.theta + 2 * g.x));
    };
    const double rate = std::log2(remainder(2e-4) / remainder(1e-4));
    EXPECT_NEAR(rate, 2, 0.05) << testing::PrintToString(plan);
  }
}

TEST(Taylor, RemainderIsOfSecondOrder) {
  for (const double theta : {0.7, -1.1}) {
    for (const auto& [l, c] : {std::pair{1, 1}, {10, 2}, {56, 3}, {40, 12}}) {
      expect_second_order<InPlace>(l, c, theta);
      expect_second_order<Immutable>(l, c, theta);
    }
  }
}

TEST(Taylor, AWrongGradientIsFoundOut) {
  const double g = store_everything(Map{}, 10, 0.3).gradient.theta * 1.01;
  const auto remainder = [&](double h) {
    return std::abs(value(0.7 + h, 10, 0.3) - value(0.7, 10, 0.3) - h * g);
  };
  EXPECT_LT(std::log2(remainder(2e-4) / remainder(1e-4)), 1.5);
}

template <class Program>
void expect_fresh_at_every_parameter() {
  for (Count c = 1; c <= 4; ++c) {
    for (const Plan& plan : plans<Program>(20, c)) {
      Program program;
      sweepback::Sweep sweep(program, plan);
      for (const double theta : {0.7, -1.1, 2.0, 0.7}) {
        program.theta = theta;
        const Everything all = store_everything(Map{theta}, 20, 0.3);
        const Outcome outcome = go<Program>(sweep, 0.3);
        EXPECT_EQ(outcome.gradient, all.gradient) << testing::PrintToString(plan);
        EXPECT_EQ(outcome.bill, plan.bill) << testing::PrintToString(plan);
      }
    }
  }
}

TEST(Reevaluation, OneSweepServesEveryParameter) {
  expect_fresh_at_every_parameter<InPlace>();
  expect_fresh_at_every_parameter<Immutable>();
}

// Four steps that add m²: J = 4m², dJ/dm = 8m.
TEST(Reevaluation, SumOfSquares) {
  struct Squares {
    using State = double;
    double m = 1;
    void forward(Count, double& x) { x += m * m; }
    void reverse(Count, const double&, Gradient& a) { a.theta += a.x * 2 * m; }
  };
  for (Count c = 1; c <= 4; ++c) {
    Squares program;
    sweepback::Sweep sweep(program, plan(Chain::uniform(4), Budget::slots(c)));
    for (const double m : {1.0, 2.0, 3.0}) {
      program.m = m;
      Gradient g;
      EXPECT_EQ(sweep.forward(0), 4 * m * m);
      sweep.backward(g);
      EXPECT_EQ(g.theta, 8 * m);
    }
  }
}

// u: m, 1.1m, 1.1m·f, ·1.1 with f = 2m; J = u² = 5.8564 m⁴.
TEST(Reevaluation, ParameterMeetsTheStateHalfWay) {
  struct Product {
    using State = double;
    double m = 1;
    void forward(Count k, double& u) { u *= factor(k); }
    void reverse(Count k, const double& u, Gradient& a) {
      if (k == 1) a.theta += a.x * u * 2;
      a.x *= factor(k);
    }
    double factor(Count k) const { return k == 1 ? 2 * m : 1.1; }
  };
  for (Count c = 1; c <= 3; ++c) {
    Product program;
    sweepback::Sweep sweep(program, plan(Chain::uniform(3), Budget::slots(c)));
    for (const double m : {1.0, 2.0, 3.0}) {
      program.m = m;
      const double u = sweep.forward(m);
      EXPECT_NEAR(u * u, 5.8564 * std::pow(m, 4), 1e-10);
      Gradient g{2 * u, 0};
      sweep.backward(g);
      EXPECT_NEAR(g.theta + g.x, 4 * 5.8564 * std::pow(m, 3), 1e-10);  // x_0 is m as well
    }
  }
}

}  // namespace
