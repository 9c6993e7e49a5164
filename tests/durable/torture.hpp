// SPDX-License-Identifier: Apache-2.0
// A run that can be killed, and the killing.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <random>

#include "../sweep/scratch.hpp"
#include "sweepback/durable_sweep.hpp"
#include "sweepback/file_tier.hpp"

namespace sweepback::durable {

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

inline const Logistic::State x0(100, 0.3141);

inline Plan plan_of(Count l) {
  using enum TierModel::Unit;
  Chain chain = Chain::uniform(l, {.state_bytes = 800});
  chain.in_place = true;
  return plan(chain, Budget::of({{"memory", slots, 4}, {"disk", slots, 8, {2}, {2}}}));
}

inline Adjoint undisturbed(Count l) {
  Logistic program;
  FarTiers<Logistic::State> further;
  further.push_back(std::make_unique<FileTier<Logistic::State>>(fs::temp_directory_path()));
  Sweep sweep(program, plan_of(l), std::move(further));
  Adjoint adjoint;
  sweep.forward(x0);
  sweep.backward(adjoint);
  return adjoint;
}

/// Begins or goes on, to the end.
inline Adjoint run_durably(const fs::path& directory, Logistic& program, const Plan& plan, double interval, const std::string& name = "logistic 3.7") {
  Durable sweep(program, plan, {.directory = directory, .program = name, .interval = interval});
  Adjoint adjoint;
  if (!sweep.resume(adjoint)) sweep.forward(x0);
  sweep.backward(adjoint);
  return adjoint;
}

inline std::vector<std::string> ours(const fs::path& directory) {
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(directory))
    if (const std::string name = file.path().filename(); name.starts_with("sweepback")) names.push_back(name);
  return names;
}

/// In a process of its own, killed after a while; whether it came to the end, with its adjoint in `result`.
inline bool killed(const fs::path& directory, const Plan& plan, double interval, int microseconds, const fs::path& result) {
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

inline Adjoint read_result(const fs::path& file) {
  Adjoint adjoint;
  std::ifstream(file, std::ios::binary).read(reinterpret_cast<char*>(&adjoint), sizeof adjoint);
  return adjoint;
}

inline void torture(int runs, int kills, int longest) {
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

}  // namespace sweepback::durable
