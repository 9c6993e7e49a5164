// SPDX-License-Identifier: Apache-2.0
// The bounds of Gruslys et al. 2016, Appendix B, over a grid.
#include "sweepback/bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sweepback/binomial.hpp"
#include "sweepback/error.hpp"

namespace sweepback::bounds {
namespace {

TEST(Bounds, HoldOnAGrid) {
  for (const Count t : {1, 2, 3, 5, 10, 31, 100, 365, 1000, 10'000, 1'000'000})
    for (const Count m : {1, 2, 3, 4, 7, 10, 20, 50, 100, 500, 1000}) {
      const Count states = states_exact(t, m), tapes = tapes_exact(t, m);
      EXPECT_LE(states, states_by_power(t, m)) << t << ' ' << m;
      EXPECT_LE(states, states_by_runs(t, m)) << t << ' ' << m;
      EXPECT_LE(tapes, tapes_by_runs(t, m)) << t << ' ' << m;
      EXPECT_LE(tapes, states) << t << ' ' << m;
      // The bounds by runs are those of the theorem, whatever a is taken for them.
      for (Count a = 1; a < 40; ++a) {
        const double longest = std::exp(std::lgamma(static_cast<double>(m + a + 1)) -
                                        std::lgamma(static_cast<double>(m + 1)) -
                                        std::lgamma(static_cast<double>(a + 1)));
        if (static_cast<double>(t) <= longest * (1 - 1e-9)) {
          EXPECT_LE(states, (a + 1) * t);
        }
        if (static_cast<double>(t) <= (longest - 1) * (1 - 1e-9)) {
          EXPECT_LE(tapes, a * t);
        }
      }
    }
  for (Count t = 1; t < 300; ++t) EXPECT_EQ(states_exact(t, t), 2 * t - 1);
}

// The longest chain grows like c^r / r! in the slots and r^c / c! in the runs.
TEST(Bounds, TheLongestChainGrowsAsSaid) {
  for (Count r = 1; r <= 6; ++r) {
    const double ratio = static_cast<double>(binomial::longest_chain(2000, r)) /
                         static_cast<double>(binomial::longest_chain(1000, r));
    EXPECT_NEAR(ratio, std::pow(2.0, static_cast<double>(r)), 0.03 * ratio);
    EXPECT_EQ(binomial::longest_chain(1000, r), binomial::longest_chain(r, 1000));
  }
}

TEST(Bounds, TheInverseIsTheFewest) {
  for (const Count t : {1, 2, 3, 10, 100, 1000, 4096})
    for (const double slowdown : {1.0, 1.3, 1.9, 2.0, 2.2, 3.0, 4.5, 10.0, 1000.0}) {
      const auto expect_fewest = [&](auto fewest, auto exact) {
        const double least = static_cast<double>(exact(t, t)) / static_cast<double>(t);
        if (slowdown < least) {
          EXPECT_THROW(fewest(t, slowdown), OutOfRange);
          return;
        }
        const Count slots = fewest(t, slowdown);
        EXPECT_LE(static_cast<double>(exact(t, slots)), slowdown * static_cast<double>(t));
        if (slots > 1) {
          EXPECT_GT(static_cast<double>(exact(t, slots - 1)), slowdown * static_cast<double>(t));
        }
      };
      expect_fewest(fewest_state_slots, states_exact);
      expect_fewest(fewest_tape_slots, tapes_exact);
    }
  EXPECT_EQ(fewest_state_slots(1'000'000'000'000, 11.2), 64);
  EXPECT_EQ(fewest_tape_slots(0, 2), 0);
}

TEST(Bounds, Errors) {
  EXPECT_THROW(states_exact(-1, 2), OutOfRange);
  EXPECT_THROW(states_exact(5, 0), OutOfRange);
  EXPECT_THROW(tapes_by_runs(5, -1), OutOfRange);
  EXPECT_THROW(states_by_power(4'000'000'000'000'000'000, 1), Overflow);
  EXPECT_THROW(fewest_state_slots(5, std::nan("")), OutOfRange);
  EXPECT_THROW(fewest_state_slots(5, 0.5), OutOfRange);
  EXPECT_EQ(fewest_state_slots(5, std::numeric_limits<double>::infinity()), 1);
  EXPECT_THROW(tapes_exact(max_count, 1), Overflow);
  EXPECT_EQ(states_by_power(0, 0), 0);
}

}  // namespace
}  // namespace sweepback::bounds
