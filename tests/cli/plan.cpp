// SPDX-License-Identifier: Apache-2.0
// `sweepback plan`: known answers, every field, every error with its exit code and remedy.
#include <gtest/gtest.h>

#include <chrono>

#include "common.hpp"
#include "sweepback/count.hpp"

namespace sweepback::testing {
namespace {

Result plan(const std::string& options) { return call(words("plan " + options)); }
nlohmann::json document(const std::string& options) {
  const Result result = plan(options + " --json");
  EXPECT_EQ(result.code, 0) << options << '\n' << result.out;
  EXPECT_EQ(result.err, "");
  return result.json();
}
nlohmann::json bill(const std::string& options) { return document(options).at("bill"); }

TEST(Plan, KnownAnswers) {
  const auto forward = [](const std::string& options) {
    return bill(options).at("forward_steps").get<std::int64_t>();
  };
  EXPECT_EQ(forward("--steps 10 --slots 2"), 20);
  EXPECT_EQ(forward("--steps 10 --slots 2 --final-state"), 24);
  EXPECT_EQ(forward("--steps 10 --slots 3"), 15);
  EXPECT_EQ(forward("--steps 56 --slots 3"), 210);
  EXPECT_EQ(forward("--steps 56 --slots 3 --final-state"), 216);
  EXPECT_EQ(forward("--steps 10000 --slots 15 --final-state"), 45160);
  EXPECT_EQ(forward("--steps 1000000 --slots 10"), 11'647'922);
  EXPECT_EQ(forward("--steps 1e12 --slots 64"), 10'171'068'893'645);
  EXPECT_EQ(forward("--steps 1321126 --slots 2"), 1'430'339'625);
  EXPECT_EQ(forward("--steps 84672316 --slots 20"), 887'043'312);
  EXPECT_EQ(forward("--steps 1e12 --slots 3"), 13'626'904'473'498'545);
  const auto both = [](const std::string& options) {
    const nlohmann::json b = bill(options);
    return b.at("forward_steps").get<std::int64_t>() + b.at("record_steps").get<std::int64_t>();
  };
  EXPECT_EQ(both("--steps 1000 --slots 50 --keep tapes"), 1950);
  EXPECT_EQ(both("--steps 1000 --slots 50 --keep states --tape-bytes 1"), 2948);
  EXPECT_EQ(bill("--steps 1000 --slots 50 --keep tapes --reverse-cost 2").at("cost"), 3950);
  EXPECT_EQ(document("--steps 10 --slots 2").at("first_store").at("chosen"), 6);
  EXPECT_EQ(document("--steps 10000 --slots 2").at("first_store").at("optimal_min"), 9859);
  EXPECT_EQ(document("--steps 10000 --slots 2").at("first_store").at("optimal_max"), 9860);
}

TEST(Plan, EveryField) {
  const nlohmann::json plan = document("--steps 10000 --slots 15 --runs");
  EXPECT_EQ(plan.at("schema"), "sweepback.plan/1");
  EXPECT_EQ(plan.at("chain").at("steps"), 10'000);
  EXPECT_EQ(plan.at("chain").at("equal"), true);
  EXPECT_EQ(plan.at("chain").at("tapes"), false);
  EXPECT_EQ(plan.at("chain").at("final_state"), false);
  EXPECT_EQ(plan.at("budget"), nlohmann::json::parse(R"({"slots": 15})"));
  EXPECT_EQ(plan.at("keep"), "states");
  EXPECT_EQ(plan.at("strategy"), "optimal");
  EXPECT_EQ(plan.at("engine"), "binomial");
  EXPECT_EQ(plan.at("bill"), nlohmann::json::parse(R"({
      "forward_steps": 45155, "record_steps": 0, "reverse_steps": 10000, "stores": 6124,
      "restores": 9999, "repetition": 5, "cost": 55155, "peak_slots": 15, "peak_bytes": null})"));
  EXPECT_EQ(plan.at("certificate").at("status"), "exact");
  EXPECT_TRUE(plan.at("certificate").at("class").is_null());
  EXPECT_EQ(plan.at("certificate").at("lower_bound"), 55155);
  EXPECT_EQ(plan.at("certificate").at("gap_percent"), 0.0);
  EXPECT_EQ(plan.at("first_store"),
            nlohmann::json::parse(R"({"chosen": 1496, "optimal_min": 816, "optimal_max": 3876})"));
  std::int64_t steps = 0, runs = 0;
  for (const auto& [times, of] : plan.at("runs").items()) {
    steps += of.get<std::int64_t>();
    runs += std::stoll(times) * of.get<std::int64_t>();
  }
  EXPECT_EQ(steps, 10'000);
  EXPECT_EQ(runs, 45'155);
  EXPECT_EQ(document("--steps 56 --slots 3 --runs").at("runs"),
            nlohmann::json::parse(R"({"5": 21, "4": 15, "3": 10, "2": 6, "1": 3, "0": 1})"));
  EXPECT_FALSE(document("--steps 56 --slots 3").contains("runs"));
}

TEST(Plan, Options) {
  EXPECT_EQ(document("--steps 1000 --max-runs 3").at("budget").at("slots"), 17);  // C(20,3) = 1140
  EXPECT_EQ(document("--steps 10 --slots 2 --keep tapes").at("chain").at("tapes"), true);
  EXPECT_EQ(document("--steps 10 --slots 2 --tape-bytes 8").at("chain").at("tapes"), true);
  EXPECT_EQ(document("--steps 10 --slots 10 --strategy store-all").at("bill").at("forward_steps"),
            9);
  EXPECT_EQ(document("--steps 10 --slots 1 --strategy one-slot").at("bill").at("forward_steps"),
            45);
  EXPECT_EQ(document("--steps 10 --slots 1 --strategy one-slot").at("certificate").at("status"),
            "baseline");
  const nlohmann::json costs = document(
      "--steps 10 --slots 3 --forward-cost 7 --reverse-cost 100 --tape-bytes 64 "
      "--record-cost 9 --keep states --state-bytes 32 --adjoint-bytes 5 "
      "--forward-workspace 1 --reverse-workspace 2 --in-place yes --tape-has-output no");
  EXPECT_EQ(costs.at("bill").at("cost"), 15 * 7 + 10 * 9 + 10 * 100);
  EXPECT_TRUE(costs.at("bill").at("peak_bytes").is_number_integer());
  EXPECT_EQ(costs.at("chain").at("in_place"), true);
  // 5 % of 1000 states of 1 MiB in place; 11 MiB hold 10 slots and the state in hand.
  EXPECT_EQ(
      bill("--steps 1000 --state-bytes 1MiB --in-place yes --budget 11MiB").at("forward_steps"),
      3636);
  const nlohmann::json share = document("--steps 1000 --state-bytes 1MiB --budget 5%");
  EXPECT_LE(share.at("bill").at("peak_bytes"), share.at("budget").at("bytes"));
  EXPECT_GT(document("--steps 10 --state-bytes 4096 --budget auto").at("budget").at("bytes"), 0);
}

TEST(Plan, ChainFiles) {
  const std::string steps = R"("steps": [{"state": 4096, "repeat": 10}]})";
  const std::string file = file_of(R"({"schema": "sweepback.chain/1", )" + steps);
  EXPECT_EQ(bill("--chain " + file + " --slots 2").at("forward_steps"), 20);
  EXPECT_EQ(bill("--chain " + file + " --slots 2 --final-state").at("forward_steps"), 24);
  EXPECT_TRUE(bill("--chain " + file + " --slots 2").at("peak_bytes").is_number_integer());
  const std::string said =
      file_of(R"({"schema": "sweepback.chain/1", "final_state": true, )" + steps);
  EXPECT_EQ(bill("--chain " + said + " --slots 2").at("forward_steps"), 24);
  EXPECT_EQ(
      run(words("plan --chain - --slots 2 --json"), R"({"schema": "sweepback.chain/1", )" + steps)
          .json()
          .at("bill")
          .at("forward_steps"),
      20);
  const Result unequal = plan(
      "--slots 2 --json --chain " +
      file_of(R"({"schema": "sweepback.chain/1", "steps": [{"forward": 1}, {"forward": 2}]})"));
  EXPECT_EQ(unequal.code, 0);
  EXPECT_EQ(unequal.json().at("engine"), "window");
  EXPECT_EQ(unequal.json().at("bill").at("forward_steps"), 1);
}

TEST(Plan, Edges) {
  for (const char* budget : {"--slots 0", "--slots 3", "--max-runs 0"}) {
    const nlohmann::json empty = bill(std::string("--steps 0 ") + budget);
    for (const char* field : {"forward_steps", "record_steps", "reverse_steps", "stores", "cost"})
      EXPECT_EQ(empty.at(field), 0) << budget;
    EXPECT_EQ(plan(std::string("--steps 0 ") + budget).code, 0);
  }
  EXPECT_EQ(bill("--steps 1 --slots 1").at("forward_steps"), 0);
  EXPECT_EQ(bill("--steps 2 --slots 2").at("forward_steps"), 1);
  for (const char* options : {"--steps 1 --slots 0", "--steps 10 --slots 0"}) {
    const nlohmann::json error = plan(std::string(options) + " --json").json();
    EXPECT_EQ(plan(options).code, 3);
    EXPECT_EQ(error.at("schema"), "sweepback.error/1");
    EXPECT_EQ(error.at("error"), "budget_too_small");
    EXPECT_EQ(error.at("smallest"), 1);
    EXPECT_EQ(error.at("unit"), "slots");
    EXPECT_TRUE(error.at("cost_there").is_number_integer());
    EXPECT_TRUE(error.at("remedy").is_string());
  }
}

TEST(Plan, BudgetsJustTooSmall) {
  const std::string chain = "--steps 10 --state-bytes 8MiB --in-place yes --budget ";
  for (const char* budget : {"0", "1", "16777215"}) {
    const Result small = plan(chain + budget + " --json");
    EXPECT_EQ(small.code, 3);
    EXPECT_EQ(small.json().at("smallest"), 16'777'216);
    EXPECT_EQ(small.json().at("cost_there"), 45 + 10);
  }
  EXPECT_EQ(bill(chain + "16MiB").at("forward_steps"), 45);
  EXPECT_EQ(plan("--steps 10 --slots 3 --strategy store-all").code, 3);
  for (const char* budget :
       {"-1", "nan", "18446744073709551616", "8EiB", "-5%", "0%", "5M", "", "inf"})
    EXPECT_EQ(call({"plan", "--steps", "10", "--state-bytes", "8", "--budget", budget}).code, 2)
        << budget;
}

TEST(Plan, NumbersTooLargeToCount) {
  for (const char* options :
       {"--steps 1e15 --slots 2", "--steps 1e18 --slots 5", "--steps 1e18 --slots 60",
        "--steps 1e18 --slots 1000 --forward-cost 1000"}) {
    EXPECT_EQ(plan(options).code, 2) << options;
    EXPECT_EQ(plan(std::string(options) + " --json").json().at("error"), "overflow");
  }
  const nlohmann::json unknown = plan("--steps 1e18 --slots 0 --json").json();
  EXPECT_EQ(unknown.at("error"), "budget_too_small");
  EXPECT_TRUE(unknown.at("cost_there").is_null());
}

TEST(Plan, WrongUsageIsExitCode2WithARemedy) {
  for (const char* options : {"",
                              "--steps 10",
                              "--slots 2",
                              "--steps 10 --slots 2 --budget 8",
                              "--steps 10 --slots 2 --max-runs 3",
                              "--steps 10 --chain x --slots 2",
                              "--steps ten --slots 2",
                              "--steps -1 --slots 2",
                              "--steps 10 --slots -1",
                              "--steps 1.5 --slots 2",
                              "--steps nan --slots 2",
                              "--steps 9223372036854775808 --slots 2",
                              "--steps 10 --steps 11 --slots 2",
                              "--steps 10 --slots",
                              "--steps --slots 2",
                              "--steps 10 --slot 2",
                              "--steps 10 --slots 2 --keep everything",
                              "--steps 10 --slots 2 --strategy revolve",
                              "--steps 10 --slots 5 --strategy chen --parts 0",
                              "--steps 10 --slots 5 --strategy halving --period 3",
                              "--steps 10 --slots 2 --block 2",
                              "--steps 10 --state-bytes 8 --budget 99 --block 0",
                              "--steps 10 --slots 2 --keep tapes --pin-x0",
                              "--steps 10 --slots 2 --keep states --tape-units 2",
                              "--steps 10 --slots 2 --tape-units 0",
                              "--steps 10 --slots 5 --tape-units 2 --tape-has-output no --pin-x0",
                              "--steps 10 --state-bytes 8 --tape-bytes 9 --budget 99 --tape-units 2",
                              "--steps 10 --max-time-ratio 0.5",
                              "--steps 10 --max-time-ratio fast",
                              "--steps 10 --max-time-ratio 2 --strategy halving",
                              "--steps 10 --slots 2 more",
                              "--steps 10 --slots 2 --in-place maybe",
                              "--steps 10 --budget 8MiB",
                              "--steps 10 --budget 5%",
                              "--steps 10 --slots 2 --forward-cost -1",
                              "--steps 10 --slots 2 --state-bytes -8",
                              "--steps 10 --slots 2 --actions --runs",
                              "--steps 10 --max-runs 2 --strategy one-slot",
                              "--chain /no/such/file --slots 2",
                              "--steps 10 --slots 2 --keep tapes --tape-has-output no",
                              "--steps 10 --max-runs 0",
                              "--steps 10 --slots 2 -x",
                              "--steps 10 --slots 2 --json=maybe"}) {
    const Result human = plan(options);
    EXPECT_EQ(human.code, 2) << options;
    EXPECT_EQ(human.out, "") << options;
    EXPECT_TRUE(human.err.starts_with("sweepback: ")) << options;
    EXPECT_GE(std::count(human.err.begin(), human.err.end(), '\n'), 2) << options << human.err;
    if (std::string(options).find("--json") != std::string::npos) continue;
    const Result machine = plan(std::string(options) + " --json");
    EXPECT_EQ(machine.code, 2) << options;
    EXPECT_EQ(machine.err, "") << options;
    EXPECT_EQ(machine.json().at("schema"), "sweepback.error/1");
    EXPECT_NE(machine.json().at("remedy"), "") << options;
  }
  EXPECT_NE(plan("--steps 10 --slot 2").err.find("did you mean --slots?"), std::string::npos);
  EXPECT_NE(plan("--steps 10 --slots 2 --keep all").err.find("auto, states, tapes, mixed"),
            std::string::npos);
}

TEST(Plan, ForPeople) {
  const std::string text = plan("--steps 10000 --slots 15").out;
  for (const char* said :
       {"10,000 equal steps", "15 slots", "45,155 steps", "4.52", "no step runs more than 5 times",
        "at most 15 states instead of", "x_1496", "x_816", "x_3876", "proved cheapest"})
    EXPECT_NE(text.find(said), std::string::npos) << said << " in\n" << text;
  const std::string bytes =
      plan("--steps 1000 --state-bytes 1MiB --tape-bytes 5MiB --budget 5% --runs").out;
  for (const char* said : {"MiB", "at any instant", "recorded", "forward runs"})
    EXPECT_NE(bytes.find(said), std::string::npos) << said << " in\n" << bytes;
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_EQ(plan("--help").code, 0);
  for (const char* option : {"--block", "--tape-units", "--pin-x0", "--max-time-ratio", "halving"})
    EXPECT_NE(plan("--help").out.find(option), std::string::npos) << option;
}

// Gruslys et al. 2016, section 3.4: a tape of 5 states, 100 units, x_0 among them.
TEST(Plan, StatesAndTapesMixed) {
  const auto steps = [&](const std::string& options) {
    const nlohmann::json made = bill(options);
    return made.at("forward_steps").get<Count>() + made.at("record_steps").get<Count>();
  };
  EXPECT_EQ(steps("--steps 1000 --slots 100 --tape-units 5 --pin-x0"), 1995);
  EXPECT_EQ(steps("--steps 1000 --slots 100 --tape-units 2"), 1949);
  EXPECT_EQ(steps("--steps 1000 --slots 100 --tape-units 2 --tape-has-output no"), 1960);
  EXPECT_LE(steps("--steps 1000 --slots 63 --tape-units 2 --pin-x0"), 2000);
  EXPECT_GT(steps("--steps 1000 --slots 62 --tape-units 2 --pin-x0"), 2000);
  const nlohmann::json document = plan("--steps 9 --slots 4 --tape-units 3 --json").json();
  EXPECT_EQ(document.at("keep"), "mixed");
  EXPECT_EQ(document.at("tape_units"), 3);
  EXPECT_EQ(document.at("certificate").at("status"), "exact");
  EXPECT_NE(plan("--steps 9 --slots 4 --tape-units 3").out.find("a tape 3"), std::string::npos);
}

TEST(Plan, BaselinesNeedWhatTheySay) {
  EXPECT_EQ(bill("--steps 10000 --slots 15 --strategy halving").at("forward_steps"), 64'608);
  EXPECT_EQ(bill("--steps 10000 --slots 200 --strategy sqrt").at("forward_steps"), 19'800);
  EXPECT_EQ(bill("--steps 10000 --slots 27 --strategy chen --parts 5").at("forward_steps"), 42'877);
  const Result small = plan("--steps 10000 --slots 14 --strategy halving --json");
  EXPECT_EQ(small.code, 3);
  EXPECT_EQ(small.json().at("smallest"), 15);
  EXPECT_EQ(bill("--steps 30 --slots 30 --strategy periodic --period 3").at("stores"), 10);
}

TEST(Plan, BlocksAndTheLeastMemory) {
  const std::string fused =
      "--steps 1000 --state-bytes 32KiB --tape-bytes 115KiB --block-tape-bytes 270KiB "
      "--forward-call 600 --record-call 700 --reverse-call 900 --forward-cost 300 --record-cost 500 "
      "--reverse-cost 900 --budget 5% --block ";
  const auto best = bill(fused + "auto").at("cost").get<Count>();
  for (const char* block : {"1", "2", "8", "13", "16"})
    EXPECT_LE(best, bill(fused + block).at("cost").get<Count>()) << block;
  const nlohmann::json least = plan("--steps 10000 --max-time-ratio 1.5 --json").json();
  const Count slots = least.at("budget").at("slots");
  EXPECT_LE(bill("--steps 10000 --slots " + std::to_string(slots)).at("cost"), 1.5 * 19'999);
  EXPECT_GT(bill("--steps 10000 --slots " + std::to_string(slots - 1)).at("cost"), 1.5 * 19'999);
}

TEST(Plan, AtOnceForAnyLength) {
  const auto start = std::chrono::steady_clock::now();
  for (const char* options : {"--steps 1e18 --slots 1e17", "--steps 1e12 --slots 64",
                              "--steps 1e18 --max-runs 3", "--steps 1e17 --slots 1000 --keep tapes",
                              "--steps 1e12 --state-bytes 1MiB --tape-bytes 3MiB --budget 1GiB"}) {
    EXPECT_EQ(plan(std::string(options) + " --runs --json").code, 0) << options;
    EXPECT_EQ(plan(std::string(options) + " --runs").code, 0) << options;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace sweepback::testing
