// SPDX-License-Identifier: Apache-2.0
// What is measured of compressed states holds for them.
#include "sweepback/measure_compression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "built.hpp"
#include "scratch.hpp"
#include "sweepback/compressed_tier.hpp"
#include "sweepback/error.hpp"

namespace {

using namespace sweepback;

[[maybe_unused]] const auto* needs = built::needs([] {
  CompressedTier<std::vector<double>> tier;
  CompressedTier<std::vector<double>> lossy(Lossy{1});
});

constexpr Elements doubles = Elements::of<double>();

/// Waves that are shorter from state to state.
std::vector<double> waves(std::size_t states, std::size_t numbers) {
  std::vector<double> x(states * numbers);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = std::sin(1e-3 * static_cast<double>(1 + i / numbers) * static_cast<double>(i % numbers));
  return x;
}

TEST(MeasureCompression, TheModelHoldsForEachState) {
  const std::size_t numbers = 50'000;
  const auto sample = waves(4, numbers);
  const Count size = numbers * sizeof(double);
  const TierModel model = measure_compression(std::as_bytes(std::span(sample)), size, doubles);
  EXPECT_EQ(model.name, "compressed");
  EXPECT_EQ(model.unit, TierModel::Unit::shared);
  EXPECT_GT(model.ratio, 1.3);
  EXPECT_FALSE(model.lossy);
  EXPECT_FALSE(model.overlap);
  EXPECT_GT(model.store.of(size), 0);
  EXPECT_GT(model.restore.of(size), 0);
  EXPECT_LT(model.store.of(size), 1'000'000'000);
  CompressedTier<std::vector<double>> tier;
  tier.reserve(4, 4 * model.kept(size));
  for (std::size_t n = 0; n < 4; ++n)
    tier.store(static_cast<Count>(n), {sample.begin() + static_cast<std::ptrdiff_t>(n * numbers), sample.begin() + static_cast<std::ptrdiff_t>((n + 1) * numbers)});
  EXPECT_LT(static_cast<double>(tier.kept_bytes()), 0.99 * 4 * static_cast<double>(model.kept(size)));
}

TEST(MeasureCompression, WithinABound) {
  const auto sample = waves(2, 40'000);
  const auto bytes = std::as_bytes(std::span(sample));
  const TierModel model = measure_compression(bytes, 320'000, doubles, {1e-4});
  EXPECT_TRUE(model.lossy);
  EXPECT_GT(model.ratio, measure_compression(bytes, 320'000, doubles).ratio);
  EXPECT_GT(measure_compression(bytes, 320'000, doubles, {1e-4, {200, 200}}).ratio, 1);
  EXPECT_LE(measure_compression(bytes, 320'000, doubles, {1e9}).ratio, 1e6);
  EXPECT_THROW(measure_compression(bytes, 320'000, doubles, {1e-4, {200, 201}}), OutOfRange);
  EXPECT_THROW(measure_compression(bytes, 320'000, {8}, {1e-4}), OutOfRange);
}

TEST(MeasureCompression, NoiseBuysNothing) {
  const auto noise = scratch::content(1 << 20);
  EXPECT_EQ(measure_compression(noise, 1 << 20, doubles).ratio, 1);
  EXPECT_EQ(measure_compression(noise, 8, doubles).ratio, 1);
}

TEST(MeasureCompression, WholeStatesAreWanted) {
  const auto noise = scratch::content(1000);
  for (const Count size : {-1, 0, 7, 300, 1001}) EXPECT_THROW(measure_compression(noise, size, doubles), OutOfRange) << size;
  EXPECT_THROW(measure_compression({}, 1, doubles), OutOfRange);
  EXPECT_NO_THROW(measure_compression(noise, 500, doubles));
}

}  // namespace
