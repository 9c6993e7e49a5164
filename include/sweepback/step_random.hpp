// SPDX-License-Identifier: Apache-2.0
// Random numbers that belong to a step: a function of seed and step alone, so that a step that runs again
// draws what it drew before, whatever ran in between. There is no state to keep.
//
//     void forward(Count k, State& x) {
//       StepRandom random(seed, k);
//       std::normal_distribution<double> normal;      // made anew as well: it keeps every second number back
//       for (double& each : x) each += sigma * normal(random);
//     }
//
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3; SC'11): ten rounds
// mix a counter, which holds step, stream and number of the draw, under a key, which is the seed. The draws
// are the same on every machine; what std's distributions make of them is their library's matter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include "sweepback/count.hpp"
#include "sweepback/error.hpp"

namespace sweepback {

/// The bijection itself: ten rounds. `counter` and `key` are the article's, word 0 first.
constexpr std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) noexcept {
  constexpr int rounds = 10;
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0], b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

/// A UniformRandomBitGenerator with 2^33 draws for each step and stream.
class StepRandom {
 public:
  using result_type = std::uint64_t;
  static constexpr result_type min() noexcept { return 0; }
  static constexpr result_type max() noexcept { return std::numeric_limits<result_type>::max(); }

  /// `stream`: others of the same step, as for each thread or rank. Throws OutOfRange for a step below 0.
  constexpr StepRandom(std::uint64_t seed, Count step, std::uint32_t stream = 0)
      : key_{low(seed), high(seed)}, counter_{0, stream, low(static_cast<std::uint64_t>(step)), high(static_cast<std::uint64_t>(step))} {
    if (step < 0) throw OutOfRange("random numbers of step " + std::to_string(step), "count steps from 0", {{"step", step}});
  }

  /// Throws Overflow after the last.
  constexpr result_type operator()() {
    const std::size_t half = draws_ % 2;
    if (half == 0) {
      if (draws_ >> 33 != 0) throw Overflow("a step drew 2^33 random numbers, which is all it has", "take another stream for what follows");
      counter_[0] = static_cast<std::uint32_t>(draws_ / 2);
      block_ = philox4x32(counter_, key_);
    }
    ++draws_;
    return std::uint64_t{block_[2 * half + 1]} << 32 | block_[2 * half];
  }

 private:
  static constexpr std::uint32_t low(std::uint64_t word) noexcept { return static_cast<std::uint32_t>(word); }
  static constexpr std::uint32_t high(std::uint64_t word) noexcept { return static_cast<std::uint32_t>(word >> 32); }

  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_, block_{};
  std::uint64_t draws_ = 0;
};
static_assert(std::uniform_random_bit_generator<StepRandom>);

}  // namespace sweepback
