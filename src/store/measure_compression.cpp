// SPDX-License-Identifier: Apache-2.0
// The tier itself is timed, with states that are bytes: what it takes is in proportion to them.
#include "sweepback/measure_compression.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <vector>

#include "sweepback/compressed_tier.hpp"
#include "sweepback/error.hpp"

namespace sweepback {

namespace {

constexpr double enough_seconds = 0.1;
constexpr int fewest_rounds = 3;

/// Bytes that are looked at where they lie, and come back into a vector.
struct Sample {
  Elements of;

  std::span<const std::byte> bytes(std::span<const std::byte> x) const { return x; }
  Elements elements() const { return of; }
  template <class Fill>
  std::span<const std::byte> state(std::size_t n, Fill&& fill) {
    back.resize(n);
    fill(std::span(back));
    return back;
  }
  std::vector<std::byte> back = {};
};
using Tier = CompressedTier<std::span<const std::byte>, Sample>;

double seconds(auto&& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TransferCost cost_of(std::vector<double> times, Count bytes) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  constexpr Count per = Count{1} << 20;
  return {0, std::max<Count>(1, std::llround(*middle * 1e9 * static_cast<double>(per) / static_cast<double>(bytes))), per};
}

/// Two digits of 98 % of it, and 1 at least.
double planned(double ratio) { return std::clamp(std::floor(ratio * 98) / 100, 1.0, 1e6); }

TierModel measure(Tier& tier, std::span<const std::byte> sample, Count state_bytes) {
  const auto size = static_cast<Count>(sample.size());
  if (state_bytes < 1 || size < 1 || size % state_bytes != 0)
    throw OutOfRange("a sample of " + std::to_string(size) + " bytes is no whole number of states of " + std::to_string(state_bytes),
                     "give one state or several, one after the other", {{"sample", size}, {"state", state_bytes}});
  double worst = std::numeric_limits<double>::infinity();
  std::vector<double> stores, restores;
  for (double all = 0; all < enough_seconds || stores.size() < fewest_rounds * (sample.size() / static_cast<std::size_t>(state_bytes));)
    for (std::size_t at = 0; at < sample.size(); at += static_cast<std::size_t>(state_bytes)) {
      const auto state = sample.subspan(at, static_cast<std::size_t>(state_bytes));
      std::optional<std::span<const std::byte>> hand;
      stores.push_back(seconds([&] { tier.store(0, state); }));
      worst = std::min(worst, static_cast<double>(state_bytes) / static_cast<double>(tier.kept_bytes()));
      restores.push_back(seconds([&] { tier.load(0, hand); }));
      tier.clear();
      all += stores.back() + restores.back();
    }
  TierModel model{"compressed", TierModel::Unit::shared, 0, cost_of(std::move(stores), state_bytes), cost_of(std::move(restores), state_bytes)};
  model.ratio = planned(worst);
  return model;
}

}  // namespace

TierModel measure_compression(std::span<const std::byte> sample, Count state_bytes, const Elements& elements) {
  Tier tier(Sample{elements});
  return measure(tier, sample, state_bytes);
}

TierModel measure_compression(std::span<const std::byte> sample, Count state_bytes, const Elements& elements, const Lossy& lossy) {
  Tier tier(lossy, Sample{elements});
  TierModel model = measure(tier, sample, state_bytes);
  model.lossy = true;
  return model;
}

}  // namespace sweepback
