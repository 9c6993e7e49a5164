// SPDX-License-Identifier: Apache-2.0
// Two sizes of records give two numbers: what any move takes, and what a byte takes.
#include <algorithm>
#include <chrono>
#include <random>

#include "sweepback/error.hpp"
#include "sweepback/spill_directory.hpp"

namespace sweepback {

namespace {

constexpr Count small_bytes = 4096;
constexpr Count rounds_at_most = 64;

struct Times {
  double store = 0, restore = 0;  // seconds a record
};

double median(std::vector<double> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

Times times_of(SpillDirectory& directory, const std::vector<std::byte>& content, Count rounds) {
  const auto timed = [](auto&& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  std::vector<double> stores, restores;
  std::vector<std::byte> back(content.size());
  for (Count n = 0; n < rounds; ++n)
    stores.push_back(timed([&] {
      directory.write(n, content);
      directory.flush(n);
    }));
  for (Count n = 0; n < rounds; ++n)
    restores.push_back(timed([&] {
      directory.read(n, [&](std::size_t, const SpillDirectory::Fill& fill) { fill(back); });
    }));
  directory.remove_all();
  return {median(stores), median(restores)};
}

/// A line through both sizes.
TransferCost cost_of(double small, double large, Count bytes) {
  const double slope = std::max(0.0, (large - small) / static_cast<double>(bytes - small_bytes));
  const double fixed = std::max(0.0, large - slope * static_cast<double>(bytes));
  constexpr Count per = Count{1} << 20;
  return {static_cast<Count>(fixed * 1e9), static_cast<Count>(slope * static_cast<double>(per) * 1e9), per};
}

}  // namespace

TierModel calibrate(const std::filesystem::path& base, Count state_bytes, Count total_bytes) {
  if (state_bytes < 1 || total_bytes < 1)
    throw OutOfRange("measuring with records of " + std::to_string(state_bytes) + " bytes, " + std::to_string(total_bytes) + " in all",
                     "give at least one byte of each", {{"smallest", 1}});
  const Count bytes = std::max(state_bytes, 4 * small_bytes);
  const Count rounds = std::clamp<Count>(total_bytes / bytes, 3, rounds_at_most);
  SpillDirectory directory(base);
  directory.require_free(rounds * SpillDirectory::record_bytes(bytes));
  std::vector<std::byte> content(static_cast<std::size_t>(bytes));
  std::mt19937_64 random(1);  // nothing that a device could compress
  for (std::byte& byte : content) byte = static_cast<std::byte>(random());
  const Times large = times_of(directory, content, rounds);
  content.resize(static_cast<std::size_t>(small_bytes));
  const Times small = times_of(directory, content, 16);
  return {"disk", TierModel::Unit::bytes, directory.free_bytes(), cost_of(small.store, large.store, bytes),
          cost_of(small.restore, large.restore, bytes)};
}

}  // namespace sweepback
