// SPDX-License-Identifier: Apache-2.0
// Two tests of a gradient or an adjoint, for tests of your own code. Points and directions are vectors of
// doubles; results say what was found, and whether it is what a right gradient gives.
//
//     const TaylorTest taylor = taylor_test(value, x, gradient);     // value(x) -> double
//     EXPECT_TRUE(taylor.passed) << to_string(taylor);
//
// Taylor test: along a direction d, |f(x + h d) - f(x) - h g.d| shrinks with h^2 where g is the gradient, with
// h where it is not. Dot-product test: for a step's tangent J and its adjoint J^T, w.(J u) = u.(J^T w) for all
// u and w, to rounding.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sweepback/count.hpp"

namespace sweepback {

using Point = std::vector<double>;

struct TaylorOptions {
  Point direction = {};  ///< empty: random, of length 1
  double first = 1e-2;   ///< the largest h, relative to the largest number of x (or 1); it is halved `halvings` times
  int halvings = 8;
  double least_rate = 1.9;
  unsigned seed = 1;  ///< of the direction
};

struct TaylorTest {
  std::vector<double> steps;       ///< h
  std::vector<double> remainders;  ///< |f(x + h d) - f(x) - h g.d|
  double rate = 0;    ///< the power of h with which they shrink, at the smallest h that stand clear of rounding; 2 where none does
  bool passed = false;
};

/// Throws OutOfRange for sizes that differ, options without meaning, or values that are no finite numbers.
TaylorTest taylor_test(const std::function<double(const Point&)>& value, const Point& x, const Point& gradient, const TaylorOptions& options = {});

/// "rate 2.00: 0.0025 leaves 3.1e-06, …"
std::string to_string(const TaylorTest& test);

struct DotProductTest {
  double left = 0, right = 0;  ///< w.(J u) and u.(J^T w), of the pair that is farthest apart
  double apart = 0;            ///< |left - right| over what rounding allows for: the sum of all |products|
  bool passed = false;
};

/// `tangent`: u of `inputs` numbers to J u of `outputs`; `adjoint`: w of `outputs` numbers to J^T w. Throws OutOfRange
/// for results of other sizes, or that are no finite numbers.
DotProductTest dot_product_test(const std::function<Point(const Point&)>& tangent, const std::function<Point(const Point&)>& adjoint, Count inputs,
                                Count outputs, int pairs = 4, double tolerance = 1e-12, unsigned seed = 1);

}  // namespace sweepback
