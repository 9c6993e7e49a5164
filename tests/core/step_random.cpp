// SPDX-License-Identifier: Apache-2.0
// The known answers of Random123, and that a step's draws are its own.
#include "sweepback/step_random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace sweepback {
namespace {

using Block = std::array<std::uint32_t, 4>;

std::vector<std::uint64_t> draws(StepRandom random, int count = 9) {
  std::vector<std::uint64_t> drawn;
  for (int n = 0; n < count; ++n) drawn.push_back(random());
  return drawn;
}

// kat_vectors of Random123 1.14, lines "philox4x32 10".
TEST(StepRandom, GivesTheKnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox4x32({ones, ones, ones, ones}, {ones, ones}), (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// Where seed, step, stream and number of the draw lie: programs rely on it from one version to the next.
TEST(StepRandom, DrawsFromItsPlaceInTheCounter) {
  const std::uint64_t seed = 0x299f31d0a4093822;
  const Count step = 0x0370734413198a2e;
  StepRandom random(seed, step, 7);
  for (std::uint32_t block = 0; block < 3; ++block) {
    const Block words = philox4x32({block, 7, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0});
    EXPECT_EQ(random(), std::uint64_t{words[1]} << 32 | words[0]);
    EXPECT_EQ(random(), std::uint64_t{words[3]} << 32 | words[2]);
  }
  constexpr std::uint64_t known = StepRandom(0, 0)();
  static_assert(known == 0xe169c58d6627e8d5);
}

TEST(StepRandom, RepeatsAStepAndNoOther) {
  EXPECT_EQ(draws(StepRandom(1, 2, 3)), draws(StepRandom(1, 2, 3)));
  std::set<std::vector<std::uint64_t>> seen;
  for (const std::uint64_t seed : {0ull, 1ull, 1ull << 32, ~0ull})
    for (const Count step : {Count{0}, Count{1}, Count{1} << 32, max_count})
      for (const std::uint32_t stream : {0u, 1u, ~0u}) seen.insert(draws(StepRandom(seed, step, stream)));
  EXPECT_EQ(seen.size(), 4u * 4u * 3u);
}

TEST(StepRandom, RefusesAStepBelowZero) {
  try {
    StepRandom(1, -1);
    FAIL();
  } catch (const OutOfRange& e) {
    EXPECT_EQ(e.numbers().at(0).second, -1);
  }
}

TEST(StepRandom, FeedsTheDistributionsOfTheLibrary) {
  constexpr int count = 100'000;
  double sum = 0, squares = 0;
  std::array<int, 6> faces{};
  for (Count step = 0; step < count / 100; ++step) {
    StepRandom random(5, step);
    std::normal_distribution<double> normal;
    std::uniform_int_distribution<std::size_t> die(0, faces.size() - 1);
    for (int n = 0; n < 100; ++n) {
      const double x = normal(random);
      sum += x;
      squares += x * x;
      ++faces[die(random)];
    }
  }
  const double error = 1 / std::sqrt(count);
  EXPECT_LT(std::abs(sum / count), 5 * error);
  EXPECT_LT(std::abs(squares / count - 1), 5 * std::sqrt(2.0) * error);
  for (const int each : faces) EXPECT_NEAR(each, count / 6.0, 5 * std::sqrt(count * 5.0 / 36));
}

}  // namespace
}  // namespace sweepback
