// SPDX-License-Identifier: Apache-2.0
#include "sweepback/gradient_tests.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <random>

#include "sweepback/error.hpp"

namespace sweepback {

namespace {

Point random_point(std::size_t size, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Point point(size);
  for (double& each : point) each = normal(random);
  return point;
}

double dot(const Point& a, const Point& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

double finite(double value, const std::string& what) {
  if (!std::isfinite(value)) throw OutOfRange(what + " is " + std::to_string(value), "test where everything is a finite number");
  return value;
}

std::string short_text(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.2g", value);
  return digits;
}

Point direction_of(const TaylorOptions& options, std::size_t size) {
  if (!options.direction.empty()) return options.direction;
  std::mt19937_64 random(options.seed);
  Point direction = random_point(size, random);
  const double length = std::sqrt(dot(direction, direction));
  for (double& each : direction) each /= length;
  return direction;
}

/// The power of h over the last two halvings that stand clear of rounding: there an error of first order
/// shows most.
double rate_of(const std::vector<double>& remainders, double rounding) {
  std::size_t last = 0;
  while (last + 1 < remainders.size() && remainders[last + 1] > 300 * rounding) ++last;
  if (last == 0) return remainders[0] > 300 * rounding ? 0 : 2;
  const std::size_t before = last >= 2 ? last - 2 : 0;
  return std::log2(remainders[before] / remainders[last]) / static_cast<double>(last - before);
}

}  // namespace

TaylorTest taylor_test(const std::function<double(const Point&)>& value, const Point& x, const Point& gradient, const TaylorOptions& options) {
  const Point direction = direction_of(options, x.size());
  if (x.empty() || gradient.size() != x.size() || direction.size() != x.size())
    throw OutOfRange("a point of " + std::to_string(x.size()) + " numbers, a gradient of " + std::to_string(gradient.size()) + " and a direction of " +
                         std::to_string(direction.size()),
                     "give as many of each, at least one");
  if (!(options.first > 0) || options.halvings < 1 || options.halvings > 60)
    throw OutOfRange("a first step of " + std::to_string(options.first) + ", halved " + std::to_string(options.halvings) + " times",
                     "give a step above 0 and 1 to 60 halvings");
  double scale = 0;
  for (const double each : x) scale = std::max(scale, std::abs(finite(each, "a number of the point")));
  const double here = finite(value(x), "the value"), slope = finite(dot(gradient, direction), "the derivative");
  TaylorTest test;
  double h = options.first * (scale > 0 ? scale : 1), largest = std::abs(here);
  for (int n = 0; n <= options.halvings; ++n, h /= 2) {
    Point there = x;
    for (std::size_t i = 0; i < x.size(); ++i) there[i] += h * direction[i];
    const double found = finite(value(there), "the value");
    largest = std::max(largest, std::abs(found));
    test.steps.push_back(h);
    test.remainders.push_back(std::abs(found - here - h * slope));
  }
  test.rate = rate_of(test.remainders, std::numeric_limits<double>::epsilon() * largest);
  test.passed = test.rate >= options.least_rate;
  return test;
}

std::string to_string(const TaylorTest& test) {
  char rate[32];
  std::snprintf(rate, sizeof rate, "rate %.2f", test.rate);
  std::string text = rate;
  for (std::size_t n = 0; n < test.steps.size(); ++n) text += (n == 0 ? ": " : ", ") + short_text(test.steps[n]) + " leaves " + short_text(test.remainders[n]);
  return text;
}

DotProductTest dot_product_test(const std::function<Point(const Point&)>& tangent, const std::function<Point(const Point&)>& adjoint, Count inputs,
                                Count outputs, int pairs, double tolerance, unsigned seed) {
  if (inputs < 1 || outputs < 1 || pairs < 1 || !(tolerance >= 0))
    throw OutOfRange("a test of " + std::to_string(pairs) + " pairs of " + std::to_string(inputs) + " and " + std::to_string(outputs) + " numbers",
                     "give at least one of each, and a tolerance from 0 on");
  std::mt19937_64 random(seed);
  DotProductTest worst;
  worst.apart = -1;
  for (int n = 0; n < pairs; ++n) {
    const Point u = random_point(static_cast<std::size_t>(inputs), random), w = random_point(static_cast<std::size_t>(outputs), random);
    const Point forward = tangent(u), back = adjoint(w);
    if (forward.size() != w.size() || back.size() != u.size())
      throw OutOfRange("a tangent of " + std::to_string(forward.size()) + " numbers and an adjoint of " + std::to_string(back.size()),
                       "give " + std::to_string(outputs) + " and " + std::to_string(inputs));
    double size = 0;
    for (std::size_t i = 0; i < w.size(); ++i) size += std::abs(finite(forward[i], "the tangent") * w[i]);
    for (std::size_t i = 0; i < u.size(); ++i) size += std::abs(finite(back[i], "the adjoint") * u[i]);
    const double left = dot(forward, w), right = dot(u, back), apart = size > 0 ? std::abs(left - right) / size : 0;
    if (apart > worst.apart) worst = {left, right, apart, apart <= tolerance};
  }
  return worst;
}

}  // namespace sweepback
