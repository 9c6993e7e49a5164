// SPDX-License-Identifier: Apache-2.0
// The closed forms against the dynamic programmes they solve, reference values and limits.
#include "sweepback/binomial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "reference.hpp"
#include "sweepback/error.hpp"

namespace sweepback::binomial {
namespace {

/// The dynamic programme, cost first and stores second, for leaves of one or two states.
struct Programme {
  struct Value {
    Count steps, stores;
    auto operator<=>(const Value&) const = default;
  };
  std::vector<std::vector<Value>> value;               // [c][l]
  std::vector<std::vector<std::vector<Count>>> cheap;  // splits that are cheapest
  std::vector<std::vector<Count>> split;               // the earliest with the fewest stores

  Programme(Count most_l, Count most_c, Count leaf) {
    const Value none{max_count / 4, 0};
    value.assign(static_cast<std::size_t>(most_c + 1), std::vector<Value>(most_l + 1, none));
    cheap.assign(value.size(), std::vector<std::vector<Count>>(most_l + 1));
    split.assign(value.size(), std::vector<Count>(most_l + 1, 0));
    for (Count c = 0; c <= most_c; ++c) {
      auto& v = value[c];
      v[0] = v[1] = {0, 0};
      for (Count l = 2; l <= most_l; ++l) {
        if (c == 0) {
          if (l <= leaf) v[l] = {l - 1, 0};
          continue;
        }
        for (Count j = 1; j < l; ++j) {
          const Value right = value[c - 1][l - j], left = v[j];
          const Value sum{j + right.steps + left.steps, right.stores + left.stores + (l - j >= 2)};
          if (sum.steps < v[l].steps) cheap[c][l].clear();
          if (sum.steps <= v[l].steps) cheap[c][l].push_back(j);
          if (sum < v[l]) split[c][l] = j;
          v[l] = std::min(v[l], sum);
        }
      }
    }
  }
};

class Leaf : public ::testing::TestWithParam<Count> {};

TEST_P(Leaf, ClosedFormsEqualTheDynamicProgramme) {
  const Count leaf = GetParam(), most_l = 200, most_c = 10;
  const Programme programme(most_l, most_c, leaf);
  for (Count c = 1; c <= most_c; ++c)
    for (Count l = 1; l <= most_l; ++l) {
      const Room room{c, leaf};
      const auto& best = programme.value[c][l];
      ASSERT_EQ(forward_steps(l, room), best.steps) << l << ' ' << c;
      ASSERT_EQ(stores(l, room), best.stores) << l << ' ' << c;
      if (l < 2) continue;
      const auto& cheap = programme.cheap[c][l];
      const Interval all = first_splits(l, room);
      ASSERT_EQ(all, (Interval{cheap.front(), cheap.back()})) << l << ' ' << c;
      ASSERT_EQ(all.max - all.min + 1, static_cast<Count>(cheap.size())) << "not an interval";
      ASSERT_EQ(split(l, room), programme.split[c][l]) << l << ' ' << c;
    }
}

TEST_P(Leaf, RunsAddUpAndNoneIsAboveTheRepetition) {
  for (Count c = 1; c <= 8; ++c)
    for (Count l = 1; l <= 150; ++l) {
      const Room room{c, GetParam()};
      Count steps = 0, total = 0;
      for (const auto& [runs, times] : binomial::runs(l, room)) {
        steps += times;
        total += runs * times;
        ASSERT_LE(runs, repetition(l, room));
      }
      ASSERT_EQ(steps, l);
      ASSERT_EQ(total, forward_steps(l, room));
    }
}

INSTANTIATE_TEST_SUITE_P(OneAndTwo, Leaf, ::testing::Values(1, 2));

TEST(Reference, Uniform) {
  for (const auto& row : reference::uniform) {
    EXPECT_EQ(forward_steps(row.l, row.c), row.forward_steps) << row.l << ' ' << row.c;
    EXPECT_EQ(stores(row.l, row.c), row.stores) << row.l << ' ' << row.c;
    EXPECT_EQ(repetition(row.l, row.c), row.repetition) << row.l << ' ' << row.c;
    EXPECT_EQ(first_splits(row.l, row.c), (Interval{row.split_min, row.split_max}));
    // The reference's split is another of the ones with the fewest stores: ours is the earliest.
    EXPECT_LE(split(row.l, row.c), row.split_fewest_stores) << row.l << ' ' << row.c;
    EXPECT_GE(split(row.l, row.c), row.split_min);
  }
}

TEST(Reference, Large) {
  for (const auto& row : reference::large) {
    EXPECT_EQ(forward_steps(row.l, row.c), row.forward_steps) << row.l << ' ' << row.c;
    EXPECT_EQ(stores(row.l, row.c), row.stores) << row.l << ' ' << row.c;
  }
  for (const auto& row : reference::exhaustive) {
    EXPECT_EQ(forward_steps(row.l, row.c), row.forward_steps);
    EXPECT_EQ(stores(row.l, row.c), row.stores);
  }
  for (const auto& row : reference::not_convex) {
    EXPECT_EQ(forward_steps(row.l, row.c - 1), row.fewer);
    EXPECT_EQ(forward_steps(row.l, row.c), row.here);
    EXPECT_EQ(forward_steps(row.l, row.c + 1), row.more);
  }
}

TEST(Reference, NamedValues) {
  const long values[][3] = {
      {10, 2, 20},          {10, 3, 15},         {11, 2, 24},         {56, 3, 210},
      {200, 1, 19900},      {10000, 1, 49995000}, {10000, 2, 932820}, {10000, 3, 278730},
      {10000, 10, 57624},   {10000, 15, 45155},  {10000, 40, 29097},  {10000, 200, 19798},
      {1000000, 10, 11647922}, {1000000000000, 64, 10171068893645},   {924, 6, 4752},
      {1321126, 2, 1430339625}, {84672316, 20, 887043312}, {264385837, 50, 1814412608},
      {1000000000, 20, 13072016240}, {1000000000000, 40, 12891823897820}};
  for (const auto& [l, c, steps] : values) EXPECT_EQ(forward_steps(l, c), steps) << l << ' ' << c;
  EXPECT_EQ(first_splits(10000, 15), (Interval{816, 3876}));
  EXPECT_EQ(first_splits(10000, 2), (Interval{9859, 9860}));
  EXPECT_EQ(split(10, 2), 6);
  EXPECT_EQ(runs(56, 3), (std::map<Count, Count>{{5, 21}, {4, 15}, {3, 10}, {2, 6}, {1, 3}, {0, 1}}));
  // As many slots as states, or one fewer: no step runs twice.
  for (const auto& [l, c, steps] : {std::array{4L, 4L, 3L}, {4, 3, 3}, {5, 5, 4}, {5, 4, 4}, {5, 10, 4}})
    EXPECT_EQ(forward_steps(l, c), steps);
}

TEST(TurnedRound, LongestChain) {
  EXPECT_EQ(longest_chain(3, 3), 20);
  EXPECT_EQ(longest_chain(3, 5), 56);
  EXPECT_EQ(longest_chain(6, 6), 924);
  for (Count c = 1; c <= 9; ++c)
    for (Count r = 1; r <= 9; ++r) {
      const Count l = longest_chain(c, r);
      EXPECT_EQ(repetition(l, c), r);
      EXPECT_EQ(repetition(l + 1, c), r + 1);
    }
  EXPECT_THROW(longest_chain(100, 100), Overflow);
  EXPECT_THROW(longest_chain(-1, 3), OutOfRange);
}

TEST(TurnedRound, FewestSlots) {
  for (Count l = 2; l <= 300; ++l) {
    for (Count r = 1; r <= 12; ++r) {
      const Count c = fewest_slots_for_runs(l, r);
      EXPECT_LE(repetition(l, c), r);
      if (c > 1) {
        EXPECT_GT(repetition(l, c - 1), r);
      }
    }
    for (Count steps = l - 1; steps < 8 * l; steps += 1 + l / 9) {
      const Count c = fewest_slots_for_forward_steps(l, steps);
      EXPECT_LE(forward_steps(l, c), steps);
      if (c > 1) {
        EXPECT_GT(forward_steps(l, c - 1), steps);
      }
    }
  }
  EXPECT_EQ(fewest_slots_for_runs(0, 0), 0);
  EXPECT_EQ(fewest_slots_for_runs(1, 0), 1);
  EXPECT_THROW(fewest_slots_for_runs(2, 0), OutOfRange);
  EXPECT_THROW(fewest_slots_for_forward_steps(10, 8), OutOfRange);
  EXPECT_EQ(fewest_slots_for_forward_steps(1000000000000, 10171068893645), 64);
}

TEST(Limits, TheLargestCountsAndTheFirstOverflow) {
  for (const auto& row : reference::largest) {
    EXPECT_LT(forward_steps(row.below_2_53, row.c), 1L << 53);
    EXPECT_GE(forward_steps(row.below_2_53 + 1, row.c), 1L << 53);
    EXPECT_GT(forward_steps(row.below_2_63, row.c), 0);
    EXPECT_THROW(forward_steps(row.below_2_63 + 1, row.c), Overflow) << row.c;
  }
  EXPECT_THROW(forward_steps(1000000000000000, 2), Overflow);
  EXPECT_THROW(forward_steps(1000000000000000000, 5), Overflow);
  EXPECT_THROW(forward_steps(1000000000000000000, 60), Overflow);
  EXPECT_EQ(repetition(1000000000000000000, 2), 1414213561);  // no loop could count to it
  EXPECT_EQ(forward_steps(1000000000000, 3), 13626904473498545);
}

TEST(Limits, Arguments) {
  EXPECT_EQ(forward_steps(0, 0), 0);
  EXPECT_EQ(forward_steps(1, 0), 0);
  EXPECT_EQ(forward_steps(5, max_count), 4);
  EXPECT_THROW(forward_steps(2, 0), OutOfRange);
  EXPECT_THROW(forward_steps(-1, 3), OutOfRange);
  EXPECT_THROW(forward_steps(3, -1), OutOfRange);
  EXPECT_THROW(first_splits(1, 3), OutOfRange);
  EXPECT_THROW(runs(100000000, 1), OutOfRange);  // 10^8 rows
}

}  // namespace
}  // namespace sweepback::binomial
