// SPDX-License-Identifier: Apache-2.0
// Chains as tables: what they mean, what is refused and where, and both forms beside each other.
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "sweepback/json.hpp"
#include "sweepback/schedule.hpp"

namespace sweepback::json {
namespace {

Chain read(const std::string& text) { return from_json<Chain>(parse_csv(text, "steps.csv")); }

TEST(ChainCsv, MeansWhatTheDocumentMeans) {
  const Chain chain = read(
      "name,forward,reverse,state,tape,tape_has_output,adjoint,repeat\n"
      "input,,,7,,,3,\n"
      "a,1,2,10,20,true,4,1\r\n"
      "\"b, \"\"c\"\"\",3,4,30,40,no,,5\n"
      "\n");
  const Chain same = from_json<Chain>(parse(R"({"schema":"sweepback.chain/1","input":{"state":7,"adjoint":3},"steps":[
    {"name":"a","forward":1,"reverse":2,"state":10,"tape":20,"adjoint":4},
    {"name":"b, \"c\"","forward":3,"reverse":4,"state":30,"tape":40,"tape_has_output":false,"repeat":5}]})"));
  EXPECT_EQ(chain, same);
  EXPECT_EQ(chain.steps(), 6);
  EXPECT_EQ(read(to_csv(chain)), chain);
}

TEST(ChainCsv, RandomChainsComeBack) {
  std::mt19937_64 random(4);
  for (int n = 0; n < 200; ++n) {
    std::vector<sweepback::Run> runs;
    const int l = static_cast<int>(random() % 6);
    for (int k = 0; k < l; ++k) {
      Step step{.forward = static_cast<Count>(random() % 9), .reverse = 1};
      if (random() % 2) step.record = 4;
      if (random() % 2) step.state_bytes = static_cast<Count>(random() % 99);
      if (random() % 2) step.tape_bytes = 5;
      if (random() % 4 == 0) step.name = " odd,\"name\"";
      step.adjoint = static_cast<Count>(random() % 3);
      runs.push_back({step, 1 + static_cast<Count>(random() % 3)});
    }
    const Input input = random() % 2 ? Input{3, {}} : random() % 2 ? Input{3, 4} : Input{};
    const Chain chain = Chain::of(runs, input);
    const Chain back = read(to_csv(chain));
    if (l > 0 && chain.runs()[0].step.name.empty()) {
      EXPECT_EQ(to_json(back), to_json(chain)) << to_csv(chain);
    }
  }
}

TEST(ChainCsv, SaysWhereItIsWrong) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      read(text);
    } catch (const Error& e) {
      return e.message();
    }
    return "";
  };
  EXPECT_EQ(message(""), "steps.csv: line 1: nothing is there");
  EXPECT_EQ(message("forward\nmany\n"), "steps.csv: line 2: \"forward\" is \"many\"");
  EXPECT_EQ(message("forward\n1.5\n"), "steps.csv: line 2: \"forward\" is \"1.5\"");
  EXPECT_EQ(message("forward,state\n1\n"), "steps.csv: line 2: it has 1 cells, and the first line 2 names");
  EXPECT_EQ(message("forward,forward\n1,1\n"), "steps.csv: line 1: the field \"forward\" is given twice");
  EXPECT_EQ(message("forward\n99999999999999999999\n"), "steps.csv: line 2: \"forward\" is above 2^63-1");
  EXPECT_EQ(message("name,forward\n\"a,1\n"), "steps.csv: line 2: a quoted cell does not end");
  // What the document's reader finds wrong with a step is wrong with its line.
  EXPECT_TRUE(message("forward\n1\n\n-1\n").starts_with("steps.csv: line 4: ")) << message("forward\n1\n\n-1\n");
  EXPECT_TRUE(message("forwards\n1\n").starts_with("steps.csv: line 1: ")) << message("forwards\n1\n");
  EXPECT_TRUE(message("forward,tapes\n1,yes\n1,3\n").starts_with("steps.csv: line 3: "));
  EXPECT_TRUE(message("forward\ntrue\n").starts_with("steps.csv: line 2: "));
  EXPECT_TRUE(message("name,forward\nname,1\ninput,\n").starts_with("steps.csv: line 3: "));
  EXPECT_TRUE(message("name,forward\ninput,1\nx,1\n").starts_with("steps.csv: line 2: "));
}

TEST(ChainCsv, RealChainsArePlanned) {
  for (const char* name : {"resnet152", "transformer24"}) {
    std::ifstream file(std::string(SWEEPBACK_SOURCE_DIR "/tests/data/chains/") + name + ".json");
    const Chain chain = from_json<Chain>(parse(file, name));
    EXPECT_EQ(read(to_csv(chain)), chain) << name;
    const Count all = store_all_bytes(chain);
    for (const Count percent : {10, 25, 50}) {
      const Budget budget = Budget::bytes(all * percent / 100);
      try {
        const Plan p = plan(chain, budget);
        EXPECT_LE(*p.bill.peak_bytes, budget.amount);
        EXPECT_TRUE(check(p).ok);
        EXPECT_EQ(p.certificate.status, Certificate::Status::exact_in_class) << name << percent;
        EXPECT_EQ(from_json<Plan>(parse(dump(to_json(p)))), p);
      } catch (const BudgetTooSmall& e) {
        EXPECT_EQ(smallest_budget(chain), e.smallest);
        EXPECT_EQ(plan(chain, Budget::bytes(e.smallest)).bill.cost, e.cost_there);
        EXPECT_THROW(plan(chain, Budget::bytes(e.smallest - 1)), BudgetTooSmall);
      }
    }
  }
}

}  // namespace
}  // namespace sweepback::json
