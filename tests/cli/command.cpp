// SPDX-License-Identifier: Apache-2.0
// The command as a process: streams through pipes, `check` with its exit codes, `version`, `train`,
// help, and what happens where nobody reads.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "command.hpp"
#include "common.hpp"

namespace sweepback::testing {
namespace {

TEST(Command, EveryStreamPassesCheck) {
  for (const char* options :
       {"--steps 0 --slots 1", "--steps 1 --slots 1", "--steps 10 --slots 2",
        "--steps 10 --slots 2 --final-state", "--steps 56 --slots 3", "--steps 1000 --slots 15",
        "--steps 100 --slots 5 --keep tapes", "--steps 100 --slots 5 --tape-bytes 8 --keep states",
        "--steps 50 --max-runs 3", "--steps 100 --state-bytes 1KiB --in-place yes --budget 10%",
        "--steps 100 --state-bytes 1KiB --budget 10%",
        "--steps 100 --state-bytes 1KiB --tape-bytes 4KiB --adjoint-bytes 77 --reverse-workspace "
        "99 --budget 7%",
        "--steps 100 --state-bytes 1KiB --tape-bytes 2KiB --keep tapes --budget 7%",
        "--steps 20 --slots 20 --strategy store-all", "--steps 20 --slots 1 --strategy one-slot",
        "--steps 20 --slots 1 --strategy one-slot --keep tapes --forward-cost 3",
        "--steps 100 --slots 20 --tape-units 3", "--steps 100 --slots 20 --tape-units 3 --pin-x0",
        "--steps 100 --slots 9 --tape-units 3 --tape-has-output no",
        "--steps 100 --slots 20 --strategy halving", "--steps 100 --slots 20 --strategy sqrt",
        "--steps 100 --slots 20 --strategy chen --final-state",
        "--steps 100 --slots 20 --strategy periodic --tape-bytes 3",
        "--steps 100 --state-bytes 1KiB --tape-bytes 4KiB --budget 30% --strategy sqrt",
        "--steps 100 --state-bytes 1KiB --tape-bytes 4KiB --block-tape-bytes 5KiB --forward-call 9 "
        "--budget 20% --block auto",
        "--steps 100 --state-bytes 1KiB --tape-bytes 4KiB --forward-call 9 --budget 20%",
        "--steps 100 --state-bytes 1KiB --tape-bytes 4700 --budget 6% --keep mixed"}) {
    const Result stream = call(words(std::string("plan --actions ") + options));
    ASSERT_EQ(stream.code, 0) << options << stream.err;
    const Result checked = call({"check", file_of(stream.out), "--json"});
    EXPECT_EQ(checked.code, 0) << options << checked.out;
    const nlohmann::json verdict = checked.json();
    EXPECT_EQ(verdict.at("schema"), "sweepback.check/1");
    EXPECT_EQ(verdict.at("ok"), true);
    EXPECT_TRUE(verdict.at("violation").is_null());
    EXPECT_EQ(verdict.at("bill"),
              call(words(std::string("plan --json ") + options)).json().at("bill"))
        << options;
  }
}

TEST(Command, StreamsThroughPipes) {
  const Result piped = shell(
      "\"$SWEEPBACK\" plan --steps 200000 --slots 10 --actions | \"$SWEEPBACK\" check - --json");
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_EQ(piped.json().at("bill").at("reverse_steps"), 200'000);
  // A stream of 10^12 steps begins at once and ends with its reader.
  const Result head =
      shell("set -o pipefail; \"$SWEEPBACK\" plan --steps 1e12 --slots 64 --actions | head -2");
  EXPECT_EQ(head.code, 0);
  EXPECT_EQ(head.err, "");
  EXPECT_TRUE(head.out.starts_with(
      "{\"schema\":\"sweepback.actions/1\",\"steps\":1000000000000,\"slots\":64,"));
  EXPECT_TRUE(head.out.ends_with("\n{\"store\":0}\n")) << head.out;
  const Result full = shell("\"$SWEEPBACK\" plan --steps 10 --slots 2 >/dev/full");
  EXPECT_EQ(full.code, 5);
  EXPECT_TRUE(full.err.find("No space left") != std::string::npos) << full.err;
}

TEST(Command, CheckNamesLineAndRule) {
  const std::string header =
      R"({"schema":"sweepback.actions/1","steps":10,"slots":2,"keep":"states"})"
      "\n";
  const Result broken =
      call({"check", "--json", file_of(header + "{\"store\":0}\n{\"forward\":[2,3]}\n")});
  EXPECT_EQ(broken.code, 1);
  const nlohmann::json verdict = broken.json();
  EXPECT_EQ(verdict.at("ok"), false);
  EXPECT_EQ(verdict.at("violation").at("line"), 3);
  EXPECT_EQ(verdict.at("violation").at("rule"), "hand");
  EXPECT_TRUE(verdict.at("violation").at("message").is_string());
  EXPECT_TRUE(verdict.at("bill").is_object());
  const Result human = run({"check", "-"}, header + "{\"store\":0}\n{\"forward\":[2,3]}\n");
  EXPECT_EQ(human.code, 1);
  EXPECT_TRUE(human.out.starts_with("line 3 breaks the rule \"hand\"")) << human.out;
  EXPECT_EQ(human.err, "");
  for (const std::string& text :
       {std::string(), std::string("x"), header + "{\"jump\":1}\n", header + "{\"store\":",
        std::string("{\"schema\":\"sweepback.plan/1\"}\n"), std::string(5000, '[')}) {
    const Result none = call({"check", "--json", file_of(text)});
    EXPECT_EQ(none.code, 2) << text;
    EXPECT_EQ(none.json().at("error"), "bad_file");
  }
  EXPECT_EQ(call({"check", "/no/such/file"}).code, 2);
  EXPECT_EQ(call({"check"}).code, 2);
  EXPECT_EQ(call({"check", "/"}).code, 2);
  EXPECT_EQ(call({"check", "a", "b"}).code, 2);
}

TEST(Command, HelpVersionAndWhatIsNone) {
  EXPECT_EQ(call({}).code, 2);
  EXPECT_EQ(call({"plna"}).code, 2);
  EXPECT_EQ(call({"--json"}).json().at("error"), "usage");
  for (const char* help :
       {"--help", "plan --help", "check --help", "version --help", "plan --steps 3 -h"}) {
    EXPECT_EQ(call(words(help)).code, 0) << help;
    EXPECT_EQ(call(words(help)).err, "") << help;
    EXPECT_GT(call(words(help)).out.size(), 50u) << help;
  }
  for (const char* taught : {"--help", "plan --help", "check --help"})
    EXPECT_NE(call(words(taught)).out.find("Examples:"), std::string::npos) << taught;
  const nlohmann::json version = call({"version", "--json"}).json();
  EXPECT_EQ(version.at("schema"), "sweepback.version/1");
  EXPECT_TRUE(version.at("version").is_string());
  EXPECT_TRUE(version.at("compiler").is_string());
  EXPECT_TRUE(call({"version"}).out.starts_with("sweepback "));
  EXPECT_EQ(call({"version", "--yes"}).code, 2);
}

TEST(Command, TrainIsAProgramOfItsOwn) {
  const std::string folder = file_of("") + ".d";
  const auto made = shell("mkdir -p " + folder + "/bin " + folder +
                          "/libexec/sweepback && cp \"$SWEEPBACK\" " + folder + "/bin/sweepback");
  ASSERT_EQ(made.code, 0) << made.err;
  const Result none = shell(folder + "/bin/sweepback train --text x --json");
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.json().at("error"), "unsupported");
  const std::string trainer = "#!/bin/sh\\necho \"$0 $*\"\\nexit 7\\n";
  const std::string place = folder + "/libexec/sweepback/sweepback-train";
  shell("printf '" + trainer + "' >" + place + " && chmod +x " + place);
  const Result found = shell(folder + "/bin/sweepback train --text 'a b' --help");
  EXPECT_EQ(found.code, 7) << found.err;
  EXPECT_NE(found.out.find("sweepback-train --text a b --help"), std::string::npos) << found.out;
  const std::string beside = folder + "/bin/sweepback-train";
  shell("printf '" + trainer + "' >" + beside + " && chmod +x " + beside);
  EXPECT_EQ(cli::find_train(folder + "/bin/sweepback"), beside);
}

}  // namespace
}  // namespace sweepback::testing
