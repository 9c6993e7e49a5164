// SPDX-License-Identifier: Apache-2.0
// States within an error bound: no number is further off, whatever the numbers are.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "built.hpp"
#include "bytes.hpp"
#include "sweepback/compressed_tier.hpp"
#include "traced.hpp"

namespace {

using namespace sweepback;

template <class T>
using Tier = CompressedTier<std::vector<T>, PlainBytes<std::vector<T>>, bytes::Allocator<std::byte>>;

[[maybe_unused]] const auto* needs = built::needs([] { Tier<float> tier({1}); });

/// The largest error of a number; NaN where there is none to speak of.
template <class T>
double error(const std::vector<T>& x, const std::vector<T>& y) {
  double most = x.size() == y.size() ? 0 : std::nan("");
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double far = std::abs(static_cast<double>(x[i]) - static_cast<double>(y[i]));
    if (!(far <= most)) most = far;
  }
  return most;
}

template <class T>
void stays_within(const std::vector<T>& x, const Lossy& lossy) {
  const std::int64_t before = bytes::alive;
  Tier<T> tier(lossy);
  tier.store(1, x);
  RC_ASSERT(bytes::alive - before == tier.kept_bytes());
  const double off = error(x, tier.load(1));
  RC_LOG() << "off by " << off << " of " << lossy.bound;
  RC_ASSERT(off <= lossy.bound);
}

/// Any finite number that T has, of exponents between two that are drawn.
template <class T>
std::vector<T> anything(std::size_t n) {
  using rc::gen::inRange;
  std::mt19937_64 random(static_cast<std::uint64_t>(*inRange(0, 1'000'000)));
  const int lowest = std::numeric_limits<T>::min_exponent - 30, highest = std::numeric_limits<T>::max_exponent;
  const int from = *inRange(lowest, highest), range = *inRange(1, 200);
  std::vector<T> x(n);
  for (T& each : x) {
    const int exponent = std::min(highest - 1, from + static_cast<int>(random() % static_cast<unsigned>(range)));
    each = static_cast<T>(std::ldexp(static_cast<double>(random() % (1ull << 53)) * 0x1p-53 - 0.5, exponent));
  }
  return x;
}

template <class T>
void keeps_to_any_bound() {
  using rc::gen::inRange;
  Lossy lossy;
  std::size_t n = 1;
  for (int sides = *inRange(0, 4), side = 0; side < sides; ++side) {
    lossy.shape.push_back(static_cast<std::size_t>(*inRange(1, sides == 3 ? 40 : 200)));
    n *= lossy.shape.back();
  }
  if (lossy.shape.empty()) n = static_cast<std::size_t>(*inRange(0, 40'000));
  const auto x = anything<T>(n);
  double largest = std::numeric_limits<double>::denorm_min();
  for (const T each : x) largest = std::max(largest, std::abs(static_cast<double>(each)));
  lossy.bound = std::max(std::numeric_limits<double>::denorm_min(), std::ldexp(largest * 0.77, *inRange(-70, 3)));
  stays_within(x, lossy);
}

TEST(LossyTier, KeepsToAnyBoundFloat) {
  for (int n = 0; n < 10; ++n) ASSERT_TRUE(rc::check(keeps_to_any_bound<float>));
}
TEST(LossyTier, KeepsToAnyBoundDouble) {
  for (int n = 0; n < 10; ++n) ASSERT_TRUE(rc::check(keeps_to_any_bound<double>));
}

template <class T>
std::vector<T> smooth(std::array<std::size_t, 3> n) {
  std::vector<T> x;
  for (std::size_t i = 0; i < n[0]; ++i)
    for (std::size_t j = 0; j < n[1]; ++j)
      for (std::size_t k = 0; k < n[2]; ++k)
        x.push_back(static_cast<T>(std::sin(0.05 * static_cast<double>(i)) * std::cos(0.03 * static_cast<double>(j)) * std::sin(0.04 * static_cast<double>(k) + 1)));
  return x;
}

template <class T>
double ratio(const std::vector<T>& x, const Lossy& lossy) {
  Tier<T> tier(lossy);
  tier.store(0, x);
  EXPECT_LE(error(x, tier.load(0)), lossy.bound);
  std::optional<std::vector<T>> hand = std::vector<T>(3);
  tier.load(0, hand);
  EXPECT_LE(error(x, *hand), lossy.bound);
  return static_cast<double>(x.size() * sizeof(T)) / static_cast<double>(tier.kept_bytes());
}

TEST(LossyTier, SmoothFieldsBecomeMuchLess) {
  const auto x = smooth<float>({64, 100, 90});
  const double line = ratio(x, {1e-3}), plane = ratio(x, {1e-3, {6400, 90}}), box = ratio(x, {1e-3, {64, 100, 90}});
  EXPECT_GT(line, 3);
  EXPECT_GT(plane, line);
  EXPECT_GT(box, 2 * line);
  EXPECT_GT(ratio(smooth<double>({64, 100, 90}), {1e-3, {64, 100, 90}}), 1.8 * box);
  EXPECT_GT(ratio(x, {1e-6, {64, 100, 90}}), 1.5);
  EXPECT_GT(ratio(x, {100}), 100);  // all may be zero
}

TEST(LossyTier, SidesOfOne) {
  const auto x = smooth<float>({1, 1, 100'000});
  EXPECT_EQ(ratio(x, {1e-3, {1, 1, 100'000}}), ratio(x, {1e-3}));
  EXPECT_EQ(ratio(x, {1e-3, {100'000, 1, 1}}), ratio(x, {1e-3}));
  EXPECT_GT(ratio(x, {1e-3, {2, 50'000}}), 2);
  EXPECT_GT(ratio(x, {1e-3, {2, 50'000, 1}}), 2);
}

TEST(LossyTier, WhatItCannotKeepIsSaid) {
  const auto says = [](auto&& work) {
    try {
      work();
    } catch (const OutOfRange& e) {
      return std::string(e.what());
    }
    return std::string("nothing");
  };
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const double bound : {0.0, -1.0, inf, -inf, nan})
    EXPECT_NE(says([&] { Tier<float> tier({bound}); }).find("error bound"), std::string::npos) << bound;
  EXPECT_NE(says([&] { Tier<int> tier({1e-3}); }).find("elements of 4 bytes"), std::string::npos);
  EXPECT_NE(says([&] { Tier<float> tier({1e-3, {1, 2, 3, 4}}); }).find("4 sides"), std::string::npos);
  EXPECT_NE(says([&] { Tier<float> tier({1e-3, {3, 0}}); }).find("side of 0"), std::string::npos);
  for (const double wrong : {inf, -inf, nan}) {
    std::vector<double> x(20'000, 1.0);
    x[17'000] = wrong;
    Tier<double> tier({1e-3});
    EXPECT_NE(says([&] { tier.store(0, x); }).find("number 17000 of a state"), std::string::npos);
    EXPECT_EQ(tier.kept_bytes(), 0);
    EXPECT_THROW(tier.load(0), Io);
  }
  Tier<float> square({1e-3, {20, 20}});
  EXPECT_NE(says([&] { square.store(0, std::vector<float>(401)); }).find("1604 bytes"), std::string::npos);
  square.store(0, std::vector<float>(400));
}

TEST(LossyTier, DamageIsFound) {
  CompressedTier<std::vector<float>, PlainBytes<std::vector<float>>, traced::Allocator<std::byte>> tier(Lossy{1e-3});
  tier.store(5, smooth<float>({10, 50, 50}));
  EXPECT_TRUE(traced::is_found([&] { return tier.load(5); }));
}

TEST(LossyTier, KeepsToWhatIsReserved) {
  std::mt19937 random(1);
  std::vector<float> noise(100'000);
  for (float& each : noise) each = std::uniform_real_distribution<float>(-1, 1)(random);
  Tier<float> tier({1e-3});
  tier.reserve(1, 40'000);
  try {
    tier.store(0, noise);
    FAIL();
  } catch (const Io& e) {
    EXPECT_NE(e.remedy().find("plan with ratio="), std::string::npos) << e.what();
    tier.reserve(1, static_cast<Count>(400'000 / std::stod(e.remedy().substr(16))));
  }
  EXPECT_EQ(tier.kept_bytes(), 0);
  tier.store(0, noise);
}

}  // namespace
