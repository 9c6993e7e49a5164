// SPDX-License-Identifier: Apache-2.0
// The documents to the letter: what other programs rely on, and what is refused with which words.
#include <gtest/gtest.h>

#include <sstream>

#include "common.hpp"

namespace sweepback {
namespace {

using testing::outcome;

Chain theory(Count l) {
  Chain chain = Chain::uniform(l);
  chain.final_state = false;
  return chain;
}

TEST(Documents, PlanHasTheFieldsOthersRelyOn) {
  const json::Json written = json::to_json(plan(theory(10'000), Budget::slots(15)));
  const json::Json expected = json::Json::parse(R"({
    "schema": "sweepback.plan/1", "keep": "states", "strategy": "optimal", "engine": "binomial",
    "budget": {"slots": 15},
    "bill": {"forward_steps": 45155, "record_steps": 0, "reverse_steps": 10000, "stores": 6124,
             "restores": 9999, "repetition": 5, "cost": 55155, "peak_slots": 15,
             "peak_bytes": null},
    "first_store": {"chosen": 1496, "optimal_min": 816, "optimal_max": 3876}})");
  for (const auto& [key, value] : expected.items()) EXPECT_EQ(written.at(key), value) << key;
  const json::Json& chain = written.at("chain");
  EXPECT_EQ(chain.at("steps"), 10'000);
  EXPECT_EQ(chain.at("equal"), true);
  EXPECT_EQ(chain.at("tapes"), false);
  EXPECT_EQ(chain.at("final_state"), false);
  const json::Json& certificate = written.at("certificate");
  EXPECT_EQ(certificate.at("status"), "exact");
  EXPECT_TRUE(certificate.at("class").is_null());
  EXPECT_EQ(certificate.at("lower_bound"), 55155);
  EXPECT_EQ(certificate.at("gap_percent"), 0);
  EXPECT_TRUE(certificate.at("model").is_string());
}

TEST(Documents, Actions) {
  const auto text = [](const Action& action) { return json::to_json(action).dump(); };
  EXPECT_EQ(text(Action::forward(0, 6)), R"({"forward":[0,6]})");
  EXPECT_EQ(text(Action::forward(3, 4)), R"({"forward":[3,4]})");
  EXPECT_EQ(text(Action::record(9)), R"({"record":9})");
  EXPECT_EQ(text(Action::store(6)), R"({"store":6})");
  EXPECT_EQ(text(Action::restore(0)), R"({"restore":0})");
  EXPECT_EQ(text(Action::free(0)), R"({"free":0})");
  EXPECT_EQ(text(Action::free_tape(2)), R"({"free_tape":2})");
  EXPECT_EQ(text(Action::reverse(9)), R"({"reverse":9})");
  EXPECT_EQ(json::from_json<Action>(json::parse(R"({"reverse":[4,5]})")), Action::reverse(4));
}

TEST(Documents, ChainOfTheManual) {
  const Chain chain = json::from_json<Chain>(json::parse(R"(
    {"schema": "sweepback.chain/1", "in_place": false, "input": {"state": 4096, "adjoint": 4096},
     "steps": [{"forward": 3, "record": 3, "reverse": 6, "state": 4096, "tape": 20480,
                "tape_has_output": true, "forward_workspace": 0, "reverse_workspace": 0,
                "adjoint": 4096, "name": "layer1.0", "repeat": 7}]})"));
  EXPECT_EQ(chain.steps(), 7);
  EXPECT_TRUE(chain.equal());
  EXPECT_TRUE(chain.final_state);
  EXPECT_EQ(chain.step().tape_bytes, 20480);
  EXPECT_EQ(chain.step().name, "layer1.0");
}

std::string chain_with(const std::string& step) {
  return R"({"schema":"sweepback.chain/1","steps":[{}, {)" + step + "}]}";
}

TEST(Documents, EveryErrorNamesItsPlace) {
  const auto of = [](const std::string& step) { return outcome<Chain>(chain_with(step)); };
  EXPECT_EQ(of("\"forward\": 3"), "ok");
  EXPECT_EQ(of("\"forward\": 9223372036854775807"), "ok");
  EXPECT_EQ(of("\"forward\": -1"), "out_of_range: steps[1].forward is -1");
  EXPECT_EQ(of("\"forward\": -99999999999999999999"), "out_of_range: steps[1].forward is negative");
  EXPECT_EQ(of("\"state\": 9223372036854775808"), "overflow: steps[1].state is above 2^63-1");
  EXPECT_EQ(of("\"state\": 99999999999999999999999"), "overflow: steps[1].state is above 2^63-1");
  EXPECT_EQ(of("\"repeat\": 9223372036854775807"), "overflow: a chain of more than 2^62 steps");
  EXPECT_EQ(of("\"forward\": 1.5"),
            "bad_file: steps[1].forward is 1.5, which is not written as a whole number");
  EXPECT_EQ(of("\"forward\": \"3\""), "bad_file: steps[1].forward is a string, not a whole number");
  EXPECT_EQ(of("\"foward\": 3").substr(0, 60),
            "bad_file: steps[1] has a field \"foward\" that this version do");
  EXPECT_EQ(of("\"forward\": 3, \"forward\": 4"),
            "bad_file: the document: the field \"forward\" is given twice");
  EXPECT_EQ(of("\"tape_has_output\": 1"),
            "bad_file: steps[1].tape_has_output is neither true nor false");
  EXPECT_NE(of("\"forward\": NaN").find("the document: column 56"), std::string::npos)
      << of("\"forward\": NaN");
  EXPECT_EQ(outcome<Chain>(R"({"schema":"sweepback.plan/1"})"),
            "bad_file: the document is a \"sweepback.plan/1\"");
  EXPECT_EQ(outcome<Chain>("[]"), "bad_file: the document is an array, not an object");
  EXPECT_EQ(outcome<Chain>(R"({"schema":"sweepback.chain/1"})"),
            "bad_file: the document has no \"steps\"");
}

TEST(Documents, NothingIsTooStrangeToRefuse) {
  const std::string whole = chain_with("\"forward\": 3, \"name\": \"é\"");
  for (std::size_t cut = 0; cut < whole.size(); ++cut)
    EXPECT_TRUE(outcome<Chain>(whole.substr(0, cut)).starts_with("bad_file: the document: column "))
        << whole.substr(0, cut);
  const std::string deep(1'000'000, '[');
  EXPECT_EQ(outcome<Chain>(deep), "bad_file: the document: nested deeper than 32 levels");
  EXPECT_TRUE(outcome<Chain>("{\n\"schema\":").starts_with("bad_file: the document: line 2, column"));
  EXPECT_NE(outcome<Chain>("{\"schema\":\"\xff\"}"), "ok");
  EXPECT_NE(outcome<Chain>(chain_with("\"forward\": 1e400")), "ok");
  EXPECT_NE(outcome<Chain>(std::string(70 << 20, ' ')), "ok");
  EXPECT_EQ(outcome<Chain>(std::string(70 << 20, ' ')), "bad_file: the document: more than 64 MiB");
}

// Anything quadratic in the number of steps would take hours here.
TEST(Documents, LongOnesAreReadInLinearTime) {
  constexpr Count steps = 400'000;
  std::string text = R"({"schema":"sweepback.chain/1","steps":[{"forward":0})";
  for (Count k = 1; k < steps; ++k) text += ",{\"forward\":" + std::to_string(k) + '}';
  text += "]}";
  const Chain chain = json::from_json<Chain>(json::parse(text));
  EXPECT_EQ(chain.steps(), steps);
  EXPECT_EQ(chain.runs().back().step.forward, steps - 1);
}

TEST(Documents, ASchedulesPosition) {
  const auto at = [](const std::string& recipe, const std::string& position) {
    return outcome<Schedule>("{\"recipe\":{" + recipe + "},\"position\":{" + position + "}}");
  };
  const std::string states = R"("kind":"states","steps":10,"slots":2)";
  const std::string fresh = R"("states":[],"tapes":[],"hand":0,"end":10,"reached_end":false)";
  EXPECT_EQ(at(states, fresh), "ok");
  for (const char* wrong : {R"("states":[0,6],"tapes":[],"hand":3,"end":10,"reached_end":false)",
                            R"("states":[6,0],"tapes":[],"hand":6,"end":10,"reached_end":false)",
                            R"("states":[0,1,2],"tapes":[],"hand":2,"end":10,"reached_end":false)",
                            R"("states":[],"tapes":[],"hand":11,"end":10,"reached_end":false)",
                            R"("states":[],"tapes":[],"hand":0,"end":11,"reached_end":false)"})
    EXPECT_TRUE(at(states, wrong).starts_with("out_of_range")) << wrong;
  EXPECT_TRUE(at(R"("kind":"states","steps":10,"slots":2,"leaf":3)", fresh).starts_with("out_of"));
  EXPECT_TRUE(at(R"("kind":"states","steps":10,"slots":0)", fresh).starts_with("out_of"));
  EXPECT_TRUE(
      at(R"("kind":"states","steps":9223372036854775807,"slots":2)", fresh).starts_with("over"));
  EXPECT_TRUE(at(R"("kind":"both","steps":10,"slots":2)", fresh).starts_with("bad_file"));
}

// Every kind of recipe, with positions that it cannot be in: refused, at once, whatever they are.
TEST(Documents, HostileRecipesAndPositions) {
  const auto at = [](const std::string& recipe, const std::string& position) {
    return outcome<Schedule>("{\"recipe\":{" + recipe + "},\"position\":{" + position + "}}");
  };
  const std::string segments = R"("kind":"segments","steps":5,"cut":"periods","size":3,"inside":)";
  const std::string fresh = R"("states":[],"tapes":[],"hand":0,"end":5,"reached_end":false)";
  EXPECT_EQ(at(segments + R"("tapes","tapes":true)", fresh), "ok");
  EXPECT_TRUE(at(segments + R"("tapes","tapes":false)", fresh).starts_with("out_of_range"));
  EXPECT_TRUE(at(segments + R"("rerun","ending":"detour")", fresh).starts_with("out_of_range"));
  const std::string mixed =
      R"("kind":"mixed","steps":5,"units":10,"state_units":1,"tape_units":1,"tape_has_output":)";
  EXPECT_EQ(at(mixed + "true", fresh), "ok");
  EXPECT_EQ(at(mixed + "false", fresh), "ok");
  for (const char* wrong :
       {R"("states":[1,3],"tapes":[],"hand":null,"end":5,"reached_end":true)",
        R"("states":[],"tapes":[2],"hand":null,"end":5,"reached_end":true)",
        R"("states":[],"tapes":[],"hand":2,"end":5,"reached_end":false)",
        R"("states":[],"tapes":[],"hand":null,"end":5,"reached_end":true)"})
    for (const char* kind : {"true", "false", "true,\"pinned\":true"})
      EXPECT_TRUE(at(mixed + kind, wrong).starts_with("out_of_range")) << kind << wrong;
  EXPECT_TRUE(at(R"("kind":"mixed","steps":5,"units":4,"state_units":4611686018427387904)",
                 R"("states":[0,1,2,3],"tapes":[],"hand":3,"end":5,"reached_end":false)")
                  .starts_with("out_of_range"));
  EXPECT_TRUE(at(R"("kind":"mixed","steps":100000,"units":4)", fresh).starts_with("unsupported"));
  const std::string nowhere = R"("states":[0],"tapes":[],"hand":null,"end":5,"reached_end":true)";
  EXPECT_TRUE(
      at(R"("kind":"segments","steps":4611686018427387903,"cut":"periods","size":1)", nowhere)
          .starts_with("out_of_range"));
  EXPECT_TRUE(at(R"("kind":"blocks","steps":1000000000000,"block":1,"blocks":{"kind":"states",)"
                 R"("steps":1000000000000,"slots":30,"tapes":true})",
                 nowhere)
                  .starts_with("out_of_range"));
  EXPECT_TRUE(at(R"("kind":"blocks","steps":9,"block":0,"blocks":{"kind":"states","steps":9,"slots":3})",
                 fresh)
                  .starts_with("out_of_range"));
}

}  // namespace
}  // namespace sweepback
