// SPDX-License-Identifier: Apache-2.0
// The long torture: l = 2,000, memory for 4 states, disk for 8.
#include "torture.hpp"

namespace sweepback::durable {
namespace {

TEST(Torture, AHundredRunsKilledOnce) { torture(100, 1, 60'000); }
TEST(Torture, FiveRunsKilledTwentyTimes) { torture(5, 20, 30'000); }

}  // namespace
}  // namespace sweepback::durable
