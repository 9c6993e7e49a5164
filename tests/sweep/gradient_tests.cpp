// SPDX-License-Identifier: Apache-2.0
// The Taylor test and the dot-product test, on gradients that are right and on some that are not.
#include "sweepback/gradient_tests.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sweepback/sweepback.hpp"

namespace sweepback {
namespace {

double value(const Point& x) { return std::sin(x[0]) * std::exp(x[1]) + x[2] * x[2] * x[2]; }
Point gradient(const Point& x) { return {std::cos(x[0]) * std::exp(x[1]), std::sin(x[0]) * std::exp(x[1]), 3 * x[2] * x[2]}; }
const Point here = {0.3, -0.7, 1.1};

TEST(TaylorTest, PassesWhatIsRight) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const TaylorTest test = taylor_test(value, here, gradient(here), {.seed = seed});
    EXPECT_TRUE(test.passed) << to_string(test);
    EXPECT_NEAR(test.rate, 2, 0.1);
    EXPECT_EQ(test.steps.size(), 9u);
  }
}

TEST(TaylorTest, FailsWhatIsWrong) {
  for (std::size_t n = 0; n < here.size(); ++n)
    for (const double error : {1.0, 1e-2, 1e-3}) {
      Point wrong = gradient(here);
      wrong[n] *= 1 + error;
      const TaylorTest test = taylor_test(value, here, wrong, {.first = 1e-3});
      EXPECT_FALSE(test.passed) << n << ' ' << error << ": " << to_string(test);
    }
}

TEST(TaylorTest, PassesLinearFunctions) {
  const TaylorTest test = taylor_test([](const Point& x) { return 3 * x[0] - x[1]; }, {1, 2}, {3, -1});
  EXPECT_TRUE(test.passed) << to_string(test);
  EXPECT_FALSE(taylor_test([](const Point& x) { return 3 * x[0] - x[1]; }, {1, 2}, {3, -2}).passed);
}

// As a user would: the gradient of a sweep.
TEST(TaylorTest, OfASweep) {
  struct Logistic {
    using State = double;
    void forward(Count, double& x) { x = 3.2 * x * (1 - x); }
    void reverse(Count, const double& x, double& a) { a *= 3.2 * (1 - 2 * x); }
  };
  Logistic program;
  Sweep sweep(program, plan(Chain::uniform(40), Budget::slots(3)));
  const auto last = [&](const Point& x) { return sweep.forward(x[0]); };
  const double x = 0.31;
  double a = 1;
  sweep.forward(x);
  sweep.backward(a);
  const TaylorTest test = taylor_test(last, {x}, {a}, {.first = 1e-3});
  EXPECT_TRUE(test.passed) << to_string(test);
}

TEST(TaylorTest, MeaninglessQuestions) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(taylor_test(value, here, {1, 2}), OutOfRange);
  EXPECT_THROW(taylor_test(value, {}, {}), OutOfRange);
  EXPECT_THROW(taylor_test(value, here, gradient(here), {.direction = {1}}), OutOfRange);
  EXPECT_THROW(taylor_test(value, here, gradient(here), {.first = 0}), OutOfRange);
  EXPECT_THROW(taylor_test(value, here, gradient(here), {.halvings = 0}), OutOfRange);
  EXPECT_THROW(taylor_test(value, {nan, 0, 0}, gradient(here)), OutOfRange);
  EXPECT_THROW(taylor_test([&](const Point&) { return nan; }, here, gradient(here)), OutOfRange);
}

/// A matrix of 3 x 2 and its transpose.
Point times(const Point& u) { return {u[0] + 2 * u[1], 3 * u[0] - u[1], 5 * u[1]}; }
Point transposed(const Point& w) { return {w[0] + 3 * w[1], 2 * w[0] - w[1] + 5 * w[2]}; }

TEST(DotProductTest, TellsRightFromWrong) {
  const DotProductTest right = dot_product_test(times, transposed, 2, 3);
  EXPECT_TRUE(right.passed) << right.apart;
  EXPECT_NEAR(right.left, right.right, 1e-12);
  const auto wrong = [](const Point& w) {
    Point back = transposed(w);
    back[1] *= 1 + 1e-6;
    return back;
  };
  EXPECT_FALSE(dot_product_test(times, wrong, 2, 3).passed);
  EXPECT_TRUE(dot_product_test(times, wrong, 2, 3, 4, 1e-5).passed);
  EXPECT_THROW(dot_product_test(times, transposed, 2, 4), OutOfRange);
  EXPECT_THROW(dot_product_test(times, transposed, 0, 3), OutOfRange);
  EXPECT_THROW(dot_product_test([](const Point&) { return Point{1, 2, NAN}; }, transposed, 2, 3), OutOfRange);
}

}  // namespace
}  // namespace sweepback
