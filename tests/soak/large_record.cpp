// SPDX-License-Identifier: Apache-2.0
// A state of more than 4 GiB, to the disk and back: no length on the way has 32 bits.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/vfs.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "sweepback/file_tier.hpp"

namespace {

using namespace sweepback;

constexpr Count gib = Count{1} << 30;
constexpr std::size_t elements = (std::size_t{4} << 30) / 8 + 3;

/// What Linux could hand out, or no bound where it does not say.
Count available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;)
    if (word == "MemAvailable:" && file >> word) return std::stoll(word) * 1024;
  return std::numeric_limits<Count>::max();
}

bool in_memory(const std::filesystem::path& path) {
  constexpr auto tmpfs = 0x01021994;
  struct statfs system {};
  return ::statfs(path.c_str(), &system) == 0 && system.f_type == tmpfs;
}

std::uint64_t pattern(std::size_t i) {
  const std::uint64_t mixed = (i + 1) * 0x9e3779b97f4a7c15u;
  return mixed ^ mixed >> 29;
}

// One buffer serves for both ways, so that 5 GiB of memory are enough.
TEST(LargeRecord, ComesBackAsItWasWritten) {
  const auto base = SpillDirectory::default_base();
  const Count memory = in_memory(base) ? 10 * gib : 5 * gib;
  if (available_memory() < memory) GTEST_SKIP() << available_memory() << " bytes of memory are available, " << memory << " are needed";
  FileTier<std::vector<std::uint64_t>> tier(base);
  try {
    tier.reserve(1, 5 * gib);
  } catch (const Io& e) {
    GTEST_SKIP() << e.what();
  }
  std::optional<std::vector<std::uint64_t>> state(std::in_place, elements);
  for (std::size_t i = 0; i < elements; ++i) (*state)[i] = pattern(i);
  tier.store(7, *state);
  EXPECT_EQ(static_cast<Count>(std::filesystem::file_size(tier.path() / "x_7")), SpillDirectory::record_bytes(elements * 8));
  std::fill(state->begin(), state->end(), 0);
  tier.load(7, state);
  ASSERT_EQ(state->size(), elements);
  std::size_t different = 0;
  for (std::size_t i = 0; i < elements; ++i) different += (*state)[i] != pattern(i);
  EXPECT_EQ(different, 0u);
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  EXPECT_LT(static_cast<Count>(used.ru_maxrss) * 1024, 5 * gib);
}

}  // namespace
