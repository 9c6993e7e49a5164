// SPDX-License-Identifier: Apache-2.0
// `compare` and `bounds`.
#include <gtest/gtest.h>

#include "common.hpp"
#include "sweepback/count.hpp"

namespace sweepback::testing {
namespace {

Result compare(const std::string& options) { return call(words("compare " + options)); }

nlohmann::json row(const nlohmann::json& document, const std::string& scheme) {
  for (const auto& row : document.at("rows"))
    if (row.at("scheme") == scheme) return row;
  return nullptr;
}

TEST(Compare, TenThousandStepsInFifteenSlots) {
  const nlohmann::json document = compare("--steps 10000 --slots 15 --json").json();
  EXPECT_EQ(document.at("schema"), "sweepback.compare/1");
  const auto forward = [&](const char* scheme) {
    return row(document, scheme).at("bill").at("forward_steps").get<Count>();
  };
  EXPECT_EQ(forward("optimal"), 45'155);
  EXPECT_EQ(forward("halving"), 64'608);
  EXPECT_EQ(forward("sqrt"), 19'800);
  EXPECT_EQ(row(document, "sqrt").at("needs"), 200);
  EXPECT_EQ(row(document, "sqrt").at("fits"), false);
  EXPECT_EQ(row(document, "optimal").at("fits"), true);
  const std::string text = compare("--steps 10000 --slots 15").out;
  for (const char* said : {"4.52", "6.46", "1.98", "200 slots: does not fit"})
    EXPECT_NE(text.find(said), std::string::npos) << said << " in\n" << text;
}

// At equal memory no scheme is below the best of the optimal ones.
TEST(Compare, NothingIsBelowTheOptimum) {
  for (const char* options :
       {"--steps 300 --slots 3..60", "--steps 300 --slots 5..200 --tape-units 4",
        "--steps 300 --slots 9..90 --state-units 2 --tape-units 7 --tape-has-output no",
        "--steps 100 --slots 12 --state-units 3 --tape-units 6",
        "--steps 300 --state-bytes 1KiB --budget 2%..60%",
        "--steps 300 --state-bytes 1KiB --tape-bytes 4KiB --budget 3%..60%",
        "--steps 0 --slots 2", "--steps 1 --slots 1"}) {
    const nlohmann::json document = compare(std::string(options) + " --json").json();
    for (const auto& one : document.at("rows")) {
      if (!one.at("fits").get<bool>()) continue;
      Count best = max_count;
      for (const auto& other : document.at("rows"))
        if (other.at("budget") == one.at("budget") && other.at("fits").get<bool>() &&
            other.at("scheme").get<std::string>().starts_with("optimal"))
          best = std::min(best, other.at("bill").at("cost").get<Count>());
      EXPECT_LE(best, one.at("bill").at("cost").get<Count>()) << options << one.dump();
    }
    EXPECT_EQ(compare(options).code, 0);
  }
}

TEST(Compare, WrongUsage) {
  for (const char* options : {"", "--steps 10", "--slots 3", "--steps 10 --slots 9..3",
                              "--steps 10 --slots 3 --budget 5%", "--steps 10 --slots 3..x",
                              "--steps 10 --budget 5%", "--steps 10 --slots 3 --tape-units 0",
                              "--steps 10 --slots 5 --tape-units 9223372036854775807",
                              "--steps 10 --state-bytes 8 --budget 99 --tape-units 2"}) {
    EXPECT_EQ(compare(options).code, 2) << options;
    EXPECT_EQ(compare(std::string(options) + " --json").json().at("schema"), "sweepback.error/1");
  }
  EXPECT_NE(compare("--help").out.find("Examples:"), std::string::npos);
}

TEST(BoundsCommand, PrintsTheExactValuesBeside) {
  const nlohmann::json document = call(words("bounds --steps 1000 --slots 50 --json")).json();
  EXPECT_EQ(document.at("schema"), "sweepback.bounds/1");
  EXPECT_EQ(document.at("states").at("exact"), 2948);
  EXPECT_EQ(document.at("tapes").at("exact"), 1950);
  EXPECT_GE(document.at("states").at("by_power"), 2948);
  EXPECT_EQ(document.at("states").at("by_runs"), 3000);
  EXPECT_EQ(document.at("tapes").at("by_runs"), 2000);
  EXPECT_NE(call(words("bounds --steps 1000 --slots 50")).out.find("2,948"), std::string::npos);
  EXPECT_EQ(call(words("bounds --steps 1e15 --slots 1")).code, 0);
  EXPECT_EQ(call(words("bounds --steps 0 --slots 0")).code, 0);
  for (const char* options : {"--steps 10", "--slots 3", "--steps 10 --slots 0", "--steps -1 --slots 2"})
    EXPECT_EQ(call(words(std::string("bounds ") + options)).code, 2) << options;
}

}  // namespace
}  // namespace sweepback::testing
