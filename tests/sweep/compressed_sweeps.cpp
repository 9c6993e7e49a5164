// SPDX-License-Identifier: Apache-2.0
// Whole sweeps with compressed states that are hard to compress, or that lose something.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "built.hpp"
#include "bytes.hpp"
#include "sweepback/compressed_tier.hpp"
#include "sweepback/measure_compression.hpp"
#include "sweepback/sweepback.hpp"

namespace {

using namespace sweepback;

[[maybe_unused]] const auto* needs = built::needs([] {
  CompressedTier<std::vector<double>> tier;
  CompressedTier<std::vector<double>> lossy(Lossy{1});
});

/// A field that calms down; its "adjoint" is the states that steps were reversed from.
struct Calm {
  using State = std::vector<float, bytes::Allocator<float>>;
  using Seen = std::vector<State>;

  void forward(Count k, State& x) const {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.9f * x[i] + 0.01f * std::sin(1e-3f * static_cast<float>(i) + static_cast<float>(k));
  }
  void reverse(Count, const State& x, Seen& seen) const { seen.push_back(x); }
};

using Tier = CompressedTier<Calm::State, PlainBytes<Calm::State>, bytes::Allocator<std::byte>>;

constexpr std::size_t numbers = 40'000;
constexpr Count steps = 60, size = numbers * sizeof(float);

Calm::State smooth() {
  Calm::State x(numbers);
  for (std::size_t i = 0; i < numbers; ++i) x[i] = std::sin(2e-3f * static_cast<float>(i));
  return x;
}

Calm::State noise() {
  Calm::State x(numbers);
  std::mt19937 random(1);
  for (float& each : x) each = std::normal_distribution<float>()(random);
  return x;
}

/// In memory for so many states.
Plan planned(double ratio, bool lossy, Count states = 6) {
  Chain chain = Chain::uniform(steps, {.forward = 100, .reverse = 100, .state_bytes = size});
  chain.in_place = true;
  TierModel compressed{"compressed", TierModel::Unit::shared, 0, {2}, {1}};
  compressed.ratio = ratio;
  compressed.lossy = lossy;
  return plan(chain, Budget::of({{"memory", TierModel::Unit::bytes, states * size}, compressed}));
}

Calm::Seen swept(const Plan& plan, std::unique_ptr<Tier> tier, const Calm::State& x0) {
  Calm calm;
  FarTiers<Calm::State> further;
  further.push_back(std::move(tier));
  Sweep sweep(calm, plan, std::move(further));
  Calm::Seen seen;
  sweep.advance(Calm::State(x0));
  EXPECT_EQ(sweep.backward(seen).bill, plan.bill);
  return seen;
}

Calm::Seen everything(const Calm::State& x0) {
  Calm::Seen all;
  Calm::State x = x0;
  for (Count k = 0; k < steps; ++k) {
    all.insert(all.begin(), x);
    Calm{}.forward(k, x);
  }
  return all;
}

TEST(CompressedSweeps, WithoutLossAreTheSame) {
  const Plan plan = planned(1.5, false);
  EXPECT_GT(plan.bill.tiers[1].peak_slots, 0);
  EXPECT_EQ(swept(plan, std::make_unique<Tier>(), smooth()), everything(smooth()));
}

TEST(CompressedSweeps, WithinABoundAreWithinIt) {
  const double bound = 1e-4;
  const Plan plan = planned(2, true);
  EXPECT_GT(plan.bill.tiers[1].stores, 0);
  const auto seen = swept(plan, std::make_unique<Tier>(Lossy{bound}), smooth()), all = everything(smooth());
  ASSERT_EQ(seen.size(), all.size());
  double most = 0;
  for (std::size_t k = 0; k < all.size(); ++k)
    for (std::size_t i = 0; i < numbers; ++i) most = std::max(most, std::abs(static_cast<double>(seen[k][i]) - all[k][i]));
  EXPECT_GT(most, 0);
  EXPECT_LE(most, bound * 1.001) << "a step makes errors smaller, and no state loses twice";
}

TEST(CompressedSweeps, StatesThatCompressLessThanPlannedEndThem) {
  const std::int64_t before = bytes::alive;
  const Plan plan = planned(2, false);
  try {
    swept(plan, std::make_unique<Tier>(), noise());
    FAIL();
  } catch (const Io& e) {
    EXPECT_NE(std::string(e.what()).find("counts on a ratio of 2.00"), std::string::npos) << e.what();
    EXPECT_NE(e.remedy().find("plan with ratio=1."), std::string::npos) << e.what();
  }
  EXPECT_EQ(bytes::alive, before);
  // With what is measured of the states it does.
  std::vector<float> sample;
  for (const Calm::State& x : everything(noise())) sample.insert(sample.end(), x.begin(), x.end());
  const TierModel model = measure_compression(std::as_bytes(std::span(sample)), size, Elements::of<float>());
  const Plan measured = planned(model.ratio, false, 24);
  EXPECT_GT(measured.bill.tiers[1].stores, 0) << model.ratio;
  EXPECT_EQ(swept(measured, std::make_unique<Tier>(), noise()), everything(noise()));
}

}  // namespace
