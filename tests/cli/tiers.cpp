// SPDX-License-Identifier: Apache-2.0
// plan --tier and --tiers, clean, calibrate.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "common.hpp"

namespace {

using namespace sweepback::testing;

TEST(Tiers, AreTypedAndPlanned) {
  const auto answer = call(words("plan --steps 40 --forward-cost 1 --tier memory:2slots --tier disk:2slots:store=5,restore=5 --json"));
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto document = answer.json();
  EXPECT_EQ(document["bill"]["cost"], 141 + 40);  // 40 states: the general programme of two levels
  EXPECT_EQ(document["bill"]["tiers"][1]["name"], "disk");
  EXPECT_EQ(document["budget"]["tiers"][0]["slots"], 2);
  EXPECT_EQ(document["certificate"]["status"], "exact");
}

TEST(Tiers, RatesAndTimesAreNanoseconds) {
  const auto answer = call(words("plan --steps 10 --state-bytes 1MB --forward-cost 1.5ms --reverse-cost 2us "
                                 "--tier memory:1slots --tier disk:unbounded:store=2GB/s+80us,restore=500MB/s --json"));
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto document = answer.json();
  EXPECT_EQ(document["chain"]["runs"][0]["forward"], 1'500'000);
  EXPECT_EQ(document["chain"]["runs"][0]["reverse"], 2'000);
  const auto& tiers = document["bill"]["tiers"];
  const long moves = 580'000 * tiers[1]["stores"].get<long>() + 2'000'000 * tiers[1]["restores"].get<long>();
  EXPECT_EQ(document["bill"]["cost"], 1'500'000 * document["bill"]["forward_steps"].get<long>() + 20'000 + moves);
}

TEST(Tiers, TheStreamNamesThemAndIsChecked) {
  const std::string plan = "plan --steps 30 --tier memory:1slots --tier 'slow disk':unbounded:store=3,restore=1 --actions";
  const auto stream = shell("$SWEEPBACK " + plan);
  EXPECT_EQ(stream.code, 0);
  EXPECT_NE(stream.out.find("{\"store\":0,\"to\":\"slow disk\"}"), std::string::npos) << stream.out;
  EXPECT_EQ(shell("$SWEEPBACK " + plan + " | $SWEEPBACK check -").code, 0);
  const auto broken = shell("$SWEEPBACK " + plan + " | sed 's/slow disk\"}/tape\"}/' | $SWEEPBACK check -");
  EXPECT_EQ(broken.code, 2);
  EXPECT_NE(broken.err.find("line 2"), std::string::npos) << broken.err;
}

TEST(Tiers, WorkWhileStepsRun) {
  const std::string plan = "plan --steps 300 --tier memory:3slots --tier disk:unbounded:store=2,restore=2,overlap";
  const auto document = call(words(plan + " --json")).json();
  EXPECT_EQ(document["engine"], "pipeline");
  EXPECT_EQ(document["budget"]["tiers"][1]["overlap"], true);
  EXPECT_LT(document["bill"]["makespan"], document["bill"]["cost"]);
  EXPECT_GE(document["certificate"]["gap_percent"], 0);
  const auto text = call(words(plan));
  EXPECT_NE(text.out.find("makespan"), std::string::npos) << text.out;
  const auto checked = shell("$SWEEPBACK " + plan + " --actions | $SWEEPBACK check -");
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_NE(checked.out.find("makespan"), std::string::npos) << checked.out;
  EXPECT_EQ(call(words("plan --steps 5 --tier memory:1slots:overlap")).code, 2);
}

TEST(Tiers, OfCompressedStates) {
  const std::string plan = "plan --steps 300 --state-bytes 1MB --forward-cost 10ms --tier memory:8MB --tier packed:shared:store=1GB/s,restore=2GB/s,ratio=3";
  const auto document = call(words(plan + " --json")).json();
  EXPECT_EQ(document["budget"]["tiers"][1]["ratio"], 3.0);
  EXPECT_GT(document["bill"]["tiers"][1]["stores"], 0);
  EXPECT_NE(call(words(plan)).out.find("of memory's bytes"), std::string::npos);
  EXPECT_EQ(shell("$SWEEPBACK " + plan + ",lossy --actions | $SWEEPBACK check -").code, 0);
  for (const char* bad : {"packed:shared:ratio=0.5", "packed:shared:ratio=", "packed:shared:ratio=x", "packed:shared:overlap"})
    EXPECT_EQ(call({"plan", "--steps", "5", "--state-bytes", "10", "--tier", "memory:100", "--tier", bad}).code, 2) << bad;
}

TEST(Tiers, ErrorsSayWhatWouldDo) {
  for (const char* tier : {"memory", "memory:", ":3slots", "memory:3slots:", "memory:3slots:stores=1", "memory:3slots:store=",
                           "memory:3slots:store=2GB/s+1GB/s", "memory:x", "memory:-1slots", "memory:unbounded", "a:b:c:d",
                           "memory:3slots:store=0B/s", "memory:1slots:store=0.5ns", "memory:1slots:store=1e30",
                           "memory:3slots:store=1", "memory:3slots:store=1,store=2,restore=1", "memory:3slots:restore=1"}) {
    const auto answer = call({"plan", "--steps", "5", "--tier", tier});
    EXPECT_EQ(answer.code, 2) << tier;
    EXPECT_FALSE(answer.err.empty()) << tier;
  }
  EXPECT_EQ(call(words("plan --steps 5 --state-bytes 10 --tier memory:1slots --tier d:1slots:store=1GB/s,restore=1GB/s")).code, 2);
  EXPECT_EQ(call(words("plan --steps 5 --tier memory:1slots --slots 3")).code, 2);
  EXPECT_EQ(call(words("plan --steps 5 --tier memory:1slots --tier memory:2slots")).code, 2);
  EXPECT_EQ(call(words("plan --steps 5 --tier memory:0slots")).code, 3);
  EXPECT_EQ(call(words("plan --steps 5 --tier memory:1slots --tiers /nowhere.json")).code, 2);
  EXPECT_EQ(call({"plan", "--steps", "5", "--tier", "memory:1slots", "--tiers", file_of("{}")}).code, 2);
}

TEST(Tiers, CalibrateWritesWhatPlanReads) {
  const std::string base = std::filesystem::temp_directory_path() / "cli_tiers_spill";
  std::filesystem::create_directories(base);
  const std::string file = file_of("");
  const auto measured = call({"calibrate", "--spill-dir", base, "--state-bytes", "64KiB", "--total", "1MiB", "--output", file, "--json"});
  ASSERT_EQ(measured.code, 0) << measured.err;
  EXPECT_EQ(measured.json()["schema"], "sweepback.tiers/1");
  const auto plan = call({"plan", "--steps", "50", "--state-bytes", "64KiB", "--forward-cost", "10ms", "--tier", "memory:256KiB", "--tiers", file});
  EXPECT_EQ(plan.code, 0) << plan.err;
  EXPECT_TRUE(std::filesystem::is_empty(base));
  const auto cleaned = call({"clean", base, "--json"});
  EXPECT_EQ(cleaned.code, 0);
  EXPECT_EQ(cleaned.json()["removed"].size(), 0u);
  std::filesystem::remove_all(base);
  EXPECT_EQ(call({"clean", base}).code, 5);
  EXPECT_EQ(call({"calibrate", "--spill-dir", base}).code, 5);
  EXPECT_EQ(call(words("calibrate --state-bytes 0B")).code, 2);
}

}  // namespace
