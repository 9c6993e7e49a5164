// SPDX-License-Identifier: Apache-2.0
// What compressed states save and cost here: waves of sound over an even and an uneven ground (finite
// differences), states of a recurrent network (tanh of something random), and noise; without loss and within
// error bounds. Ratios are those to plan with (include/sweepback/measure_compression.hpp).
//
//     bench/compress
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "sweepback/error.hpp"
#include "sweepback/measure_compression.hpp"

using namespace sweepback;

namespace {

using Shape = std::vector<std::size_t>;

/// A field now and a step before, of a source at one place, after so many steps.
template <class T>
std::vector<T> waves_in_plane(std::size_t n, int steps, bool even) {
  std::vector<T> now(n * n), before(n * n), next(n * n), speed(n * n, T(0.25));
  for (std::size_t i = 0; !even && i < n * n; ++i) {
    const double y = static_cast<double>(i / n), x = static_cast<double>(i % n);
    speed[i] = static_cast<T>(0.1 + 0.3 * y / static_cast<double>(n) + 0.03 * std::sin(0.05 * x) * std::cos(0.09 * y));
  }
  for (int step = 0; step < steps; ++step) {
    for (std::size_t i = n + 1; i < n * n - n - 1; ++i)
      if (i % n != 0 && i % n != n - 1) next[i] = 2 * now[i] - before[i] + speed[i] * (now[i - 1] + now[i + 1] + now[i - n] + now[i + n] - 4 * now[i]);
    const double t = 0.05 * (step - 60);
    next[n / 3 * n + n / 2] += static_cast<T>((1 - 2 * t * t) * std::exp(-t * t));
    std::swap(before, now);
    std::swap(now, next);
  }
  now.insert(now.end(), before.begin(), before.end());
  return now;
}

std::vector<float> waves_in_space(std::size_t n, int steps) {
  const std::size_t m = n * n;
  std::vector<float> now(m * n), before(m * n), next(m * n);
  for (int step = 0; step < steps; ++step) {
    for (std::size_t i = m + n + 1; i < m * n - m - n - 1; ++i) {
      const std::size_t x = i % n, y = i / n % n;
      if (x == 0 || x == n - 1 || y == 0 || y == n - 1) continue;
      next[i] = 2 * now[i] - before[i] + 0.2f * (now[i - 1] + now[i + 1] + now[i - n] + now[i + n] + now[i - m] + now[i + m] - 6 * now[i]);
    }
    const double t = 0.1 * (step - 30);
    next[n / 3 * m + n / 2 * n + n / 2] += static_cast<float>((1 - 2 * t * t) * std::exp(-t * t));
    std::swap(before, now);
    std::swap(now, next);
  }
  return now;
}

std::vector<float> recurrent(std::size_t n) {
  std::mt19937_64 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> x(n);
  for (float& each : x) each = std::tanh(normal(random));
  return x;
}

std::vector<double> noise(std::size_t n) {
  std::mt19937_64 random(1);
  std::vector<double> x(n);
  for (double& each : x) {
    const std::uint64_t bits = random();
    std::memcpy(&each, &bits, sizeof bits);
  }
  return x;
}

void row(const char* name, const std::string& how, const TierModel& tier, Count size) {
  const auto rate = [&](const TransferCost& cost) { return static_cast<double>(size) / static_cast<double>(cost.of(size)); };
  std::printf("%-34s %-22s %7.2f  %6.2f GB/s  %6.2f GB/s\n", name, how.c_str(), tier.ratio, rate(tier.store), rate(tier.restore));
}

/// `bounds`: parts of the largest number.
template <class T>
void measure(const char* name, const std::vector<T>& x, const std::vector<double>& bounds, const Shape& shape) {
  const auto bytes = std::as_bytes(std::span(x));
  const Count size = static_cast<Count>(bytes.size());
  row(name, "without loss", measure_compression(bytes, size, Elements::of<T>()), size);
  double largest = 0;
  for (const T each : x) largest = std::max(largest, std::abs(static_cast<double>(each)));
  for (const double bound : bounds)
    for (const Shape& sides : {Shape{}, shape}) {
      char how[32];
      std::snprintf(how, sizeof how, "%.0e of max, %s", bound, sides.empty() ? "line" : shape.size() == 3 && shape[0] > 2 ? "box" : "plane");
      row(name, how, measure_compression(bytes, size, Elements::of<T>(), {bound * largest, sides}), size);
    }
}

}  // namespace

int main() try {
  std::printf("%-34s %-22s %7s  %11s  %11s\n", "states", "kept", "ratio", "store", "restore");
  const Shape plane{2 * 512, 512};
  measure("waves, 512 x 512, float, even", waves_in_plane<float>(512, 600, true), {1e-3, 1e-6}, plane);
  measure("waves, 512 x 512, float, uneven", waves_in_plane<float>(512, 1500, false), {1e-3, 1e-6}, plane);
  measure("waves, 512 x 512, double, even", waves_in_plane<double>(512, 600, true), {1e-3, 1e-6}, plane);
  measure("waves, 512 x 512, double, uneven", waves_in_plane<double>(512, 1500, false), {1e-3, 1e-6}, plane);
  measure("waves, 128 x 128 x 128, float", waves_in_space(128, 250), {1e-3, 1e-6}, {128, 128, 128});
  measure("recurrent states, float", recurrent(1 << 19), {1e-3}, {1 << 9, 1 << 10});
  measure("noise, double", noise(1 << 18), {}, {});
} catch (const Error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
