// SPDX-License-Identifier: Apache-2.0
// States kept in fewer bytes: what comes back is what was stored, every byte is counted, and what does not
// fit or is damaged is said.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>

#include "built.hpp"
#include "scratch.hpp"
#include "sized.hpp"
#include "traced.hpp"
#include "sweepback/compressed_tier.hpp"

namespace {

using namespace toy;
using sweepback::CompressedTier;
using sweepback::Io;
using sweepback::PlainBytes;
using sweepback::TierModel;

[[maybe_unused]] const auto* needs = built::needs([] { CompressedTier<std::vector<double>> tier; });

template <class State>
using Counting = CompressedTier<State, PlainBytes<State>, bytes::Allocator<std::byte>>;

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <class T>
std::vector<T> smooth(std::size_t n, double phase = 0) {
  std::vector<T> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<T>(std::sin(1e-3 * static_cast<double>(i) + phase));
  return x;
}

template <class T>
std::vector<T> noise(std::size_t bytes, unsigned seed) {
  const auto content = scratch::content(bytes / sizeof(T) * sizeof(T), seed);
  std::vector<T> x(content.size() / sizeof(T));
  if (!x.empty()) std::memcpy(x.data(), content.data(), content.size());
  return x;
}

constexpr Count block = 25;  // a chunk's own

template <class T>
void comes_back(const std::vector<T>& x) {
  const std::int64_t before = bytes::alive;
  Counting<std::vector<T>> tier;
  tier.store(3, x);
  EXPECT_EQ(bytes::alive - before, tier.kept_bytes());
  const auto size = static_cast<Count>(x.size() * sizeof(T)), chunks = (size + 65535) / 65536;
  EXPECT_LE(tier.kept_bytes(), size + block * chunks);
  EXPECT_TRUE(same(tier.load(3), x)) << size << " bytes";
  std::optional<std::vector<T>> hand = std::vector<T>(7);
  tier.load(3, hand);
  EXPECT_TRUE(same(*hand, x)) << size << " bytes";
  tier.drop(3);
  EXPECT_EQ(tier.kept_bytes(), 0);
  EXPECT_EQ(bytes::alive, before);
}

TEST(CompressedTier, WhatComesBackIsWhatWasStored) {
  const double nan = std::bit_cast<double>(std::uint64_t{0x7ff4'dead'beef'0001});
  comes_back<double>({});
  comes_back<double>({-0.0});
  comes_back<double>({nan, -nan, -0.0, std::numeric_limits<double>::infinity(), 5e-324});
  comes_back<char>({'x'});
  for (const std::size_t size : {2, 63, 64, 65, 511, 4096, 65535, 65536, 65537, 200'001, 1 << 21}) {
    comes_back(std::vector<std::uint8_t>(size, 7));
    comes_back(noise<std::uint8_t>(size, 1));
    comes_back(noise<float>(size, 2));
    comes_back(noise<std::int16_t>(size, 3));
    comes_back(smooth<float>(size / 4));
    comes_back(smooth<double>(size / 8));
    comes_back(noise<std::complex<double>>(size, 4));
    comes_back(noise<std::array<float, 3>>(size, 5));
    comes_back(noise<std::array<std::uint8_t, 7>>(size, 6));
    comes_back(noise<std::array<double, 100>>(size, 7));
  }
}

TEST(CompressedTier, OfAnything) {
  EXPECT_TRUE(rc::check([] {
    // Stretches of noise, of one byte and of a ramp: chunks of every kind.
    std::vector<std::uint32_t> x;
    std::uint32_t value = *rc::gen::arbitrary<std::uint32_t>();
    for (int part = *rc::gen::inRange(0, 6); part > 0; --part) {
      const int kind = *rc::gen::inRange(0, 3), length = *rc::gen::inRange(0, 20'000);
      std::mt19937 random(value);
      for (int n = 0; n < length; ++n) x.push_back(kind == 0 ? static_cast<std::uint32_t>(random()) : kind == 1 ? value : value += 1000);
    }
    const std::int64_t before = bytes::alive;
    Counting<std::vector<std::uint32_t>> tier;
    tier.store(0, x);
    RC_ASSERT(bytes::alive - before == tier.kept_bytes());
    RC_ASSERT(same(tier.load(0), x));
  }));
}

struct Point {
  float x, y;
  int n;
};

TEST(CompressedTier, StatesThatAreNoVectors) {
  CompressedTier<Point> points;
  points.store(7, {1, -0.0f, 3});
  points.store(8, {2, 1, 4});
  EXPECT_EQ(points.load(7).n, 3);
  EXPECT_TRUE(std::signbit(points.load(7).y));
  EXPECT_EQ(points.load(8).n, 4);
  CompressedTier<std::array<double, 3000>> arrays;
  std::array<double, 3000> x{};
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1e-3 * static_cast<double>(i));
  arrays.store(0, x);
  EXPECT_EQ(arrays.load(0), x);
  EXPECT_LT(arrays.kept_bytes(), 18'000);
}

TEST(CompressedTier, SmoothFieldsBecomeLess) {
  const auto ratio = [](const auto& x) {
    CompressedTier<std::decay_t<decltype(x)>> tier;
    tier.store(0, x);
    return static_cast<double>(std::as_bytes(std::span(x)).size()) / static_cast<double>(tier.kept_bytes());
  };
  EXPECT_GT(ratio(smooth<double>(1 << 18)), 1.9);
  EXPECT_GT(ratio(smooth<float>(1 << 18)), 1.5);
  EXPECT_GT(ratio(std::vector<double>(1 << 18)), 100);
  std::vector<float> bounded(1 << 18);  // nothing smooth, signs and exponents alike: recurrent states
  std::mt19937 random(1);
  for (float& each : bounded) each = std::tanh(std::normal_distribution<float>()(random));
  EXPECT_GT(ratio(bounded), 1.15);
  EXPECT_GT(ratio(noise<double>(1 << 20, 1)), 0.999);
}

TEST(CompressedTier, KeepsToWhatIsReserved) {
  Counting<std::vector<double>> tier;
  const Count size = 800'000, planned = size / 2 + 1;  // a ratio of two, for two states
  tier.reserve(2, 2 * planned);
  tier.store(0, std::vector<double>(100'000, 1.0));
  const Count before = tier.kept_bytes();
  const std::int64_t alive = bytes::alive;
  bytes::reset();
  try {
    tier.store(1, noise<double>(static_cast<std::size_t>(size), 1));
    FAIL();
  } catch (const Io& e) {
    EXPECT_NE(e.message().find("a ratio of 1.99"), std::string::npos) << e.what();
    EXPECT_NE(e.message().find("has 0.99"), std::string::npos) << e.what();
    EXPECT_NE(e.remedy().find("without the compressed tier"), std::string::npos) << e.what();
    EXPECT_EQ(e.numbers().at(0).second, before + size + 13 * block);
  }
  EXPECT_LE(bytes::peak - alive, 2 * planned - before) << "more than was set aside, while it was tried";
  EXPECT_EQ(bytes::alive, alive) << "something is kept of what does not fit";
  EXPECT_EQ(tier.kept_bytes(), before);
  EXPECT_THROW(tier.load(1), Io);
  EXPECT_TRUE(same(tier.load(0), std::vector<double>(100'000, 1.0)));
  tier.store(1, std::vector<double>(100'000, 2.0));

  CompressedTier<std::vector<float>> waves;
  waves.reserve(1, 40'000);
  try {
    waves.store(0, smooth<float>(100'000));  // 400,000 bytes, between five and six times what is kept
    FAIL();
  } catch (const Io& e) {
    EXPECT_NE(e.message().find("a ratio of 10.00"), std::string::npos) << e.what();
    EXPECT_NE(e.remedy().find("plan with ratio=5."), std::string::npos) << e.what();
    waves.reserve(1, static_cast<Count>(400'000 / std::stod(e.remedy().substr(16))));
  }
  waves.store(0, smooth<float>(100'000));
}

// --- in a sweep -----------------------------------------------------------------------------------

template <class Program>
void sweeps(bool overlap) {
  using rc::gen::inRange;
  sweepback::Step step;
  step.state_bytes = *inRange<Count>(200, 300'000);  // of fewer bytes a record's own would be more: refused
  Chain chain = Chain::uniform(*inRange<Count>(1, 40), step);
  chain.in_place = Program::in_place;
  const Count memory = smallest_budget(chain, Keep::states) + *inRange<Count>(0, 3) * *step.state_bytes;
  using enum TierModel::Unit;
  const Plan plan = sweepback::plan(chain, Budget::of({{"memory", bytes, memory}, {"compressed", unbounded, 0, {1}, {1}, overlap}}));
  sweepback::FarTiers<bytes::Block> further;
  auto tier = std::make_unique<CompressedTier<bytes::Block>>();
  const auto& seen = *tier;
  further.push_back(std::move(tier));
  Program program{chain.step()};
  sweepback::Sweep sweep(program, plan, std::move(further));
  Digest adjoint;
  sweep.advance(bytes::block(*step.state_bytes, 1));
  RC_ASSERT(sweep.backward(adjoint).bill == plan.bill);
  RC_ASSERT(adjoint.value == digest_of_everything(chain.steps(), bytes::block(*step.state_bytes, 1)));
  RC_ASSERT(seen.kept_bytes() == 0);
}

TEST(CompressedTier, Sweeps) {
  EXPECT_TRUE(rc::check([] { sweeps<Sized<Form::in_place, Taping::none>>(*rc::gen::arbitrary<bool>()); }));
  EXPECT_TRUE(rc::check([] { sweeps<Sized<Form::immutable, Taping::none>>(*rc::gen::arbitrary<bool>()); }));
}

// In memory's bytes: no more of them are alive than was planned, with the compressed ones.
TEST(CompressedTier, SharesMemoryWithTheOthers) {
  EXPECT_TRUE(rc::check([] {
    using rc::gen::inRange;
    using Program = Sized<Form::in_place, Taping::none>;
    const Count size = *inRange<Count>(500, 100'000);
    Chain chain = Chain::uniform(*inRange<Count>(2, 60), {.state_bytes = size});
    chain.in_place = true;
    const Count memory = smallest_budget(chain, Keep::states) + *inRange<Count>(0, 6) * size;
    TierModel compressed{"compressed", TierModel::Unit::shared, 0, {1}, {1}};
    compressed.ratio = 1.5 + *inRange(0, 10);
    const Plan plan = sweepback::plan(chain, Budget::of({{"memory", TierModel::Unit::bytes, memory}, compressed}));
    RC_CLASSIFY(plan.bill.tiers[1].stores > 0);
    sweepback::FarTiers<bytes::Block> further;
    further.push_back(std::make_unique<Counting<bytes::Block>>());
    const Measured measured = measure<Program>(plan, std::move(further));
    RC_ASSERT(measured.bill == plan.bill);
    RC_ASSERT(measured.peak <= *plan.bill.peak_bytes);
    RC_ASSERT(measured.peak <= memory);
    RC_ASSERT(measured.left == 0);
    RC_ASSERT(measured.digest == digest_of_everything(chain.steps(), bytes::block(size, 1)));
  }));
}

// --- damage ---------------------------------------------------------------------------------------

TEST(CompressedTier, DamageIsFound) {
  const auto found_in = [](const std::vector<float>& x) {
    CompressedTier<std::vector<float>, PlainBytes<std::vector<float>>, traced::Allocator<std::byte>> tier;
    tier.store(5, x);
    EXPECT_TRUE(traced::is_found([&] { return tier.load(5); }));
    EXPECT_TRUE(same(tier.load(5), x));
  };
  found_in(smooth<float>(50'000));
  std::vector<float> numbers(70'000);
  std::mt19937 random(1);
  for (float& each : numbers) each = std::normal_distribution<float>()(random);
  found_in(numbers);
  found_in({1, 2, 3});
}

}  // namespace
