// SPDX-License-Identifier: Apache-2.0
// A run that is killed at any moment is gone on with: the gradient is that of an undisturbed run, to the bit,
// little is run again, and nothing is left in the end.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <random>

#include "../sweep/scratch.hpp"
#include "sweepback/durable_sweep.hpp"
#include "sweepback/file_tier.hpp"

namespace sweepback {
namespace {

namespace fs = std::filesystem;
using scratch::Scratch;

struct Adjoint {
  double x = 1, theta = 0;
  Count reversed = 0;  // steps, each once
  bool operator==(const Adjoint&) const = default;
};

/// A map that mixes, with a parameter; counts what it runs.
struct Logistic {
  using State = std::vector<double>;
  double theta = 3.7;
  int slow = 0;  // microseconds a step
  Count runs = 0;
  void forward(Count k, State& x) {
    ++runs;
    if (slow > 0 && k % 16 == 0) usleep(static_cast<unsigned>(slow) * 16);
    for (double& each : x) each = theta * each * (1 - each);
  }
  void reverse(Count, const State& x, Adjoint& a) {
    a.theta += a.x * x[0] * (1 - x[0]);
    a.x *= theta * (1 - 2 * x[0]) / 2;
    ++a.reversed;
  }
};
using Durable = DurableSweep<Logistic, Adjoint>;

const Logistic::State x0(100, 0.3141);

Plan plan_of(Count l) {
  using enum TierModel::Unit;
  Chain chain = Chain::uniform(l, {.state_bytes = 800});
  chain.in_place = true;
  return plan(chain, Budget::of({{"memory", slots, 4}, {"disk", slots, 8, {2}, {2}}}));
}

FarTiers<Logistic::State> files(const fs::path& base) {
  FarTiers<Logistic::State> further;
  further.push_back(std::make_unique<FileTier<Logistic::State>>(base));
  return further;
}

Adjoint undisturbed(Count l) {
  Logistic program;
  Sweep sweep(program, plan_of(l), files(fs::temp_directory_path()));
  Adjoint adjoint;
  sweep.forward(x0);
  sweep.backward(adjoint);
  return adjoint;
}

/// Begins or goes on, to the end.
Adjoint run_durably(const fs::path& directory, Logistic& program, const Plan& plan, double interval, const std::string& name = "logistic 3.7") {
  Durable sweep(program, plan, {.directory = directory, .program = name, .interval = interval}, [&] { return files(directory); });
  Adjoint adjoint;
  if (!sweep.resume(adjoint)) sweep.forward(x0);
  sweep.backward(adjoint);
  return adjoint;
}

std::vector<std::string> ours(const fs::path& directory) {
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(directory))
    if (const std::string name = file.path().filename(); name.starts_with("sweepback")) names.push_back(name);
  return names;
}

TEST(Resume, AnUndisturbedRunIsThatOfASweep) {
  for (const Count l : {1, 2, 37, 500}) {
    Scratch scratch;
    Logistic program;
    EXPECT_EQ(run_durably(scratch.path(), program, plan_of(l), 0), undisturbed(l));
    EXPECT_TRUE(scratch.empty());
  }
}

/// In a process of its own, killed after a while; whether it came to the end, with its adjoint in `result`.
bool killed(const fs::path& directory, const Plan& plan, double interval, int microseconds, const fs::path& result) {
  const pid_t child = fork();
  if (child == 0) {
    Logistic program;
    program.slow = 2;
    const Adjoint adjoint = run_durably(directory, program, plan, interval);
    std::ofstream(result, std::ios::binary).write(reinterpret_cast<const char*>(&adjoint), sizeof adjoint);
    _exit(0);
  }
  usleep(static_cast<unsigned>(microseconds));
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

Adjoint read_result(const fs::path& file) {
  Adjoint adjoint;
  std::ifstream(file, std::ios::binary).read(reinterpret_cast<char*>(&adjoint), sizeof adjoint);
  return adjoint;
}

void torture(int runs, int kills, int longest) {
  constexpr Count l = 2000;
  const Plan plan = plan_of(l);
  const Adjoint expected = undisturbed(l);
  ASSERT_EQ(expected.reversed, l);
  std::mt19937 random(std::random_device{}());
  int gone_on = 0;
  for (int run = 0; run < runs; ++run) {
    Scratch scratch;
    std::ofstream(scratch.path() / "mine.txt") << "mine";
    const fs::path result = scratch.path() / "result";
    bool done = false;
    for (int n = 0; n < kills && !done; ++n) {
      done = killed(scratch.path(), plan, run % 2 == 0 ? 0 : 0.002, static_cast<int>(random() % static_cast<unsigned>(longest)), result);
      clean(scratch.path());  // what the disk tier left
      if (!done && !ours(scratch.path()).empty()) ++gone_on;
    }
    Logistic program;
    const Adjoint adjoint = done ? read_result(result) : run_durably(scratch.path(), program, plan, 0.01);
    EXPECT_EQ(adjoint, expected) << "run " << run;
    EXPECT_TRUE(ours(scratch.path()).empty()) << ours(scratch.path()).front();
    EXPECT_TRUE(fs::exists(scratch.path() / "mine.txt"));
  }
  EXPECT_GE(gone_on, runs / 2);
}

TEST(Resume, KilledOnce) { torture(12, 1, 60'000); }
TEST(Resume, KilledOftenBeforeItEnds) { torture(1, 20, 30'000); }

/// Stops the program at a step, as if it were killed between two actions.
struct Stop : std::runtime_error {
  Stop() : std::runtime_error("stop") {}
};
struct Stopping : Logistic {
  Count at = -1;
  void reverse(Count k, const State& x, Adjoint& a) {
    if (k == at) throw Stop();
    Logistic::reverse(k, x, a);
  }
};

/// A directory with a run that stopped at `at`; every step is a mark.
void stopped(const fs::path& directory, Count l, Count at) {
  Stopping program;
  program.at = at;
  DurableSweep<Stopping, Adjoint> sweep(program, plan_of(l), {.directory = directory, .program = "logistic 3.7", .interval = 0}, [&] { return files(directory); });
  Adjoint adjoint;
  ASSERT_FALSE(sweep.resume(adjoint));
  sweep.forward(x0);
  EXPECT_THROW(sweep.backward(adjoint), Stop);
}

// One pass to where it was, and what the plan of the steps that are left runs again: each step is reversed once.
TEST(Resume, RunsLittleAgain) {
  for (const Count at : {399, 250, 100, 1, 0}) {
    Scratch scratch;
    stopped(scratch.path(), 400, at);
    Logistic program;
    EXPECT_EQ(run_durably(scratch.path(), program, plan_of(400), 0), undisturbed(400));
    Chain left = plan_of(400).chain.part(0, at + 1);
    left.final_state = false;
    EXPECT_EQ(program.runs, plan(left, plan_of(400).budget).bill.forward_steps);
    EXPECT_TRUE(scratch.empty());
  }
}

TEST(Resume, OthersAreRefused) {
  Scratch scratch;
  stopped(scratch.path(), 100, 50);
  const auto before = ours(scratch.path());
  Logistic program;
  const auto refused = [&](const Plan& plan, const std::string& name, const std::string& word) {
    try {
      run_durably(scratch.path(), program, plan, 0, name);
      ADD_FAILURE() << word;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), "mismatch");
      EXPECT_NE(e.message().find(word), std::string::npos) << e.message();
    }
    EXPECT_EQ(ours(scratch.path()).size(), before.size());
  };
  refused(plan_of(100), "logistic 3.8", "program");
  refused(plan_of(101), "logistic 3.7", "chain");
  {
    RunDirectory live(scratch.path());  // the same process, another owner
    EXPECT_THROW(run_durably(scratch.path(), program, plan_of(100), 0), Io);
  }
  EXPECT_THROW(run_durably(scratch.path() / "nowhere", program, plan_of(100), 0), Io);
  EXPECT_EQ(run_durably(scratch.path(), program, plan_of(100), 0), undisturbed(100));
}

// Every byte of every file flipped, every length shortened: gone on with from the mark before, or refused;
// never another gradient.
TEST(Resume, DamageIsFound) {
  Scratch original;
  stopped(original.path(), 60, 30);
  const Adjoint expected = undisturbed(60);
  int healed = 0, refused = 0;
  for (const std::string& name : ours(original.path())) {
    const auto size = static_cast<std::size_t>(fs::file_size(original.path() / name));
    for (std::size_t at = 0; at < size; at += size > 400 ? 61 : 7)
      for (const bool shorten : {false, true}) {
        Scratch scratch;
        for (const std::string& each : ours(original.path())) fs::copy_file(original.path() / each, scratch.path() / each);
        if (shorten) {
          fs::resize_file(scratch.path() / name, at);
        } else {
          std::fstream bytes(scratch.path() / name, std::ios::in | std::ios::out | std::ios::binary);
          bytes.seekg(static_cast<std::streamoff>(at));
          const char byte = static_cast<char>(bytes.peek() ^ 8);
          bytes.seekp(static_cast<std::streamoff>(at));
          bytes.put(byte);
        }
        Logistic program;
        try {
          EXPECT_EQ(run_durably(scratch.path(), program, plan_of(60), 0), expected) << name << ' ' << at;
          ++healed;
        } catch (const Io& e) {
          EXPECT_NE(e.message().find("sweepback.start"), std::string::npos) << name << ' ' << at << ' ' << e.message();
          ++refused;
        }
      }
  }
  EXPECT_GT(healed, 30);
  EXPECT_GT(refused, 5);
}

TEST(Manifest, OtherDocumentsAreRefused) {
  const Manifest manifest{"waves", "ab", 10, 4, 3, true};
  EXPECT_EQ(json::from_json<Manifest>(json::parse(json::dump(json::to_json(manifest)))), manifest);
  for (const char* text : {"{}", "[]", R"({"schema":"sweepback.manifest/2"})",
                           R"({"schema":"sweepback.manifest/1","program":"a","chain":"b","steps":3,"end":4,"generation":1,"backward":true,"byte_order":"little"})",
                           R"({"schema":"sweepback.manifest/1","program":"a","chain":"b","steps":3,"end":2,"generation":1,"backward":true,"byte_order":"middle"})",
                           R"({"schema":"sweepback.manifest/1","program":1,"chain":"b","steps":3,"end":2,"generation":1,"backward":true,"byte_order":"little"})",
                           R"({"schema":"sweepback.manifest/1","program":"a","chain":"b","steps":-3,"end":2,"generation":1,"backward":true,"byte_order":"little"})"})
    EXPECT_THROW(json::from_json<Manifest>(json::parse(text)), Error) << text;
}

}  // namespace
}  // namespace sweepback
