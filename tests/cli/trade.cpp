// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "common.hpp"

namespace {

using namespace sweepback::testing;

TEST(Trade, PointsFallFromTheSmallestBudget) {
  const auto answer = run(words("trade --steps 100 --state-bytes 10 --tape-bytes 35 --points 8 --json"));
  EXPECT_EQ(answer.code, 0);
  const auto document = answer.json();
  EXPECT_EQ(document.at("schema"), "sweepback.trade/1");
  const auto& points = document.at("points");
  ASSERT_GT(points.size(), 3u);
  for (std::size_t n = 1; n < points.size(); ++n) {
    EXPECT_GT(points[n].at("bytes").get<long>(), points[n - 1].at("bytes").get<long>());
    EXPECT_LT(points[n].at("cost").get<long>(), points[n - 1].at("cost").get<long>());
  }
  EXPECT_EQ(points.back().at("cost"), 200);
}

TEST(Trade, OfAFileForPeopleAndItsErrors) {
  const std::string file = std::string(SWEEPBACK_SOURCE_DIR "/tests/data/chains/resnet152.json");
  const auto answer = run(words("trade --points 6 --chain " + file));
  EXPECT_EQ(answer.code, 0);
  EXPECT_NE(answer.out.find("exact-in-class"), std::string::npos);
  EXPECT_EQ(run(words("trade --steps 10 --json")).code, 2);
  EXPECT_EQ(run(words("trade --steps 10 --state-bytes 1 --points 1")).code, 2);
}

}  // namespace
