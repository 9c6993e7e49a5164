// SPDX-License-Identifier: Apache-2.0
// States in files: the sweep is that of memory alone, to the bit and to the byte; what comes back is
// what was written or an error; nothing is left and nothing foreign is touched.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <csignal>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>
#include <thread>

#include "scratch.hpp"
#include "sized.hpp"
#include "sweepback/file_tier.hpp"
#include "sweepback/stop_signals.hpp"

namespace {

namespace fs = std::filesystem;
using namespace toy;
using scratch::content;
using scratch::read_back;
using scratch::Scratch;
using sweepback::Cleaned;
using sweepback::FarTiers;
using sweepback::FileTier;
using sweepback::Io;
using sweepback::SpillDirectory;
using sweepback::TierModel;

/// `overlap`: of the second tier.
template <class Program>
void sweeps_through_files(bool overlap) {
  using rc::gen::inRange;
  Scratch scratch;
  sweepback::Step step;
  step.state_bytes = *inRange<Count>(1, 40);
  if (Program::taping != Taping::none) {
    step.tape_has_output = Program::taping == Taping::output;
    step.tape_bytes = *inRange<Count>(0, 60) + (step.tape_has_output ? *step.state_bytes : 0);
  }
  step.forward_workspace = *inRange<Count>(0, 30);
  step.reverse_workspace = *inRange<Count>(0, 30);
  step.adjoint = *inRange<Count>(0, 13);
  Chain chain = Chain::uniform(*inRange<Count>(1, 40), step);
  chain.in_place = Program::in_place;
  chain.final_state = *rc::gen::arbitrary<bool>();
  const Count memory = smallest_budget(chain, Keep::states) + *inRange<Count>(0, 150);
  using enum TierModel::Unit;
  const Budget budget = Budget::of({{"memory", bytes, memory},
                                    {"near", slots, *inRange<Count>(0, 4), {*inRange<Count>(0, 4)}, {*inRange<Count>(0, 4)}},
                                    {"far", unbounded, 0, {5}, {5, 1, 3}, overlap}});
  const Plan plan = sweepback::plan(chain, budget);
  RC_ASSERT(check(plan).ok);
  FarTiers<bytes::Block> further;
  for (int n = 0; n < 2; ++n) further.push_back(std::make_unique<FileTier<bytes::Block>>(scratch.path()));
  const Measured measured = measure<Program>(plan, std::move(further));
  RC_LOG() << testing::PrintToString(plan) << testing::PrintToString(measured.bill) << measured.peak;
  RC_ASSERT(measured.bill == plan.bill);
  if (!overlap) RC_ASSERT(measured.peak == *plan.bill.peak_bytes);  // else a thread may take room later
  RC_ASSERT(measured.peak <= *plan.bill.peak_bytes);
  RC_ASSERT(measured.peak <= memory);
  RC_ASSERT(measured.left == 0);
  RC_ASSERT(measured.digest == digest_of_everything(chain.steps(), bytes::block(*step.state_bytes, 1)));
  RC_ASSERT(scratch.empty());
}

#define SWEEP_OF(name, form, taping)                                                                    \
  TEST(FileTier, name) { EXPECT_TRUE(rc::check([] { sweeps_through_files<Sized<form, taping>>(false); })); } \
  TEST(FileTier, name##WhileStepsRun) { EXPECT_TRUE(rc::check([] { sweeps_through_files<Sized<form, taping>>(true); })); }
SWEEP_OF(InPlaceFromStates, Form::in_place, Taping::none)
SWEEP_OF(InPlaceFromTapes, Form::in_place, Taping::bare)
SWEEP_OF(ImmutableFromStates, Form::immutable, Taping::none)
SWEEP_OF(ImmutableFromTapes, Form::immutable, Taping::bare)
SWEEP_OF(ImmutableFromTapesWithOutput, Form::immutable, Taping::output)

TEST(FileTier, WhatComesBackIsWhatWasWritten) {
  Scratch scratch;
  FileTier<std::vector<double>> tier(scratch.path());
  const double nan = std::bit_cast<double>(std::uint64_t{0x7ff4'dead'beef'0001});
  const std::vector<std::vector<double>> states{
      {}, {-0.0}, {nan, -nan, std::numeric_limits<double>::infinity()}, std::vector<double>(300'001, 1e-310)};
  for (std::size_t i = 0; i < states.size(); ++i) tier.store(static_cast<Count>(i), states[i]);
  for (std::size_t i = states.size(); i-- > 0;) {
    const auto back = tier.load(static_cast<Count>(i));
    ASSERT_EQ(back.size(), states[i].size());
    EXPECT_TRUE(back.empty() || std::memcmp(back.data(), states[i].data(), back.size() * sizeof(double)) == 0) << i;
  }
  tier.drop(1);
  EXPECT_THROW(tier.load(1), Io);
  tier.store(1, states[2]);  // a number may come again
  EXPECT_EQ(tier.load(1).size(), 3u);
  struct Point {
    float x, y;
    int n;
  };
  FileTier<Point> points(scratch.path());
  points.store(7, {1, -0.0f, 3});
  EXPECT_EQ(points.load(7).n, 3);
  EXPECT_TRUE(std::signbit(points.load(7).y));
}

// Every byte of a record flipped, every length shorter and one longer: found, and named.
TEST(SpillDirectory, DamageIsFound) {
  Scratch scratch;
  SpillDirectory directory(scratch.path());
  const auto bytes = content(50);
  directory.write(3, bytes);
  const fs::path file = directory.path() / "x_3";
  std::string whole(82, '\0');
  std::ifstream(file, std::ios::binary).read(whole.data(), 82);
  const auto put = [&](const std::string& text) { std::ofstream(file, std::ios::binary | std::ios::trunc) << text; };
  const auto message = [&] {
    try {
      (void)read_back(directory, 3);
    } catch (const Io& e) {
      return e.message();
    }
    return std::string("fine");
  };
  EXPECT_EQ(message(), "fine");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string flipped = whole;
    flipped[at] ^= 4;
    put(flipped);
    EXPECT_NE(message().find("x_3"), std::string::npos) << at << ' ' << message();
    put(whole.substr(0, at));
    EXPECT_NE(message().find("x_3"), std::string::npos) << at << ' ' << message();
  }
  put(whole + "x");
  EXPECT_NE(message(), "fine");
  put(whole);
  EXPECT_EQ(read_back(directory, 3), bytes);
  fs::remove(file);
  EXPECT_NE(message().find("is missing"), std::string::npos);
}

TEST(SpillDirectory, NothingForeignIsTouched) {
  Scratch scratch;
  std::ofstream(scratch.path() / "mine.txt") << "mine";
  fs::path own;
  {
    SpillDirectory directory(scratch.path());
    own = directory.path();
    directory.write(0, content(10));
    std::ofstream(own / "notes.txt") << "foreign";
    EXPECT_THROW(directory.write(0, content(10)), Io) << "a name that is there already is not written over";
  }
  EXPECT_TRUE(fs::exists(own / "notes.txt"));
  EXPECT_TRUE(fs::exists(scratch.path() / "mine.txt"));
  EXPECT_FALSE(fs::exists(own / "x_0"));
}

TEST(SpillDirectory, NoRoomIsSaidBeforeAndDuring) {
  Scratch scratch;
  SpillDirectory directory(scratch.path());
  EXPECT_NO_THROW(directory.require_free(1000));
  try {
    directory.require_free(std::numeric_limits<Count>::max());
    ADD_FAILURE();
  } catch (const Io& e) {
    EXPECT_NE(e.remedy().find("--spill-dir"), std::string::npos);
    EXPECT_EQ(e.numbers().size(), 2u);
  }
  EXPECT_THROW(SpillDirectory(scratch.path() / "nowhere"), Io);
  // A file system that takes no more in the middle of a record.
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{4096, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  directory.write(1, content(1000));
  EXPECT_THROW(directory.write(2, content(10'000)), Io);
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, before);
  EXPECT_FALSE(fs::exists(directory.path() / "x_2"));
  EXPECT_FALSE(fs::exists(directory.path() / "x_2.part"));
  EXPECT_EQ(read_back(directory, 1), content(1000));
  directory.write(2, content(10'000));
}

/// A computation whose states go to files, slowly enough to be killed in the middle.
struct Slow {
  using State = std::vector<double>;
  void forward(Count, State& x) {
    for (double& each : x) each = 0.5 * each + 1;
  }
  void reverse(Count, const State& x, double& a) { a += x[0]; }
};

Plan slow_plan(bool overlap) {
  using enum TierModel::Unit;
  Chain chain = Chain::uniform(3000, {.state_bytes = 80'000});
  chain.in_place = true;
  return plan(chain, Budget::of({{"memory", slots, 2}, {"disk", unbounded, 0, {1}, {1}, overlap}}));
}

template <class Observer>
void sweep_slowly(const fs::path& base, const Plan& plan, Observer& observer) {
  Slow program;
  FarTiers<Slow::State> further;
  further.push_back(std::make_unique<FileTier<Slow::State>>(base));
  sweepback::Sweep<Slow, sweepback::MemoryTier<Slow::State>, Observer> sweep(program, plan, {}, observer, std::move(further));
  double adjoint = 0;
  sweep.advance(Slow::State(static_cast<std::size_t>(*plan.chain.step().state_bytes) / 8, 1.0));
  sweep.backward(adjoint);
}

/// In a process of its own, which gets `signal` after a while; how it ended.
int killed_after(const fs::path& base, const Plan& plan, int signal, int microseconds) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      if (signal == SIGKILL) {
        sweepback::NoObserver nothing;
        sweep_slowly(base, plan, nothing);
      } else {
        sweepback::StopSignals stop;
        sweep_slowly(base, plan, stop);
      }
    } catch (const sweepback::Interrupted& e) {
      _exit(128 + e.signal);
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  usleep(static_cast<useconds_t>(microseconds));
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

void killed_at_any_moment(bool overlap) {
  const Plan plan = slow_plan(overlap);
  std::mt19937 random(std::random_device{}());
  for (const int signal : {SIGKILL, SIGTERM, SIGINT}) {
    Scratch scratch;
    std::ofstream(scratch.path() / "mine.txt") << "mine";
    int stopped = 0;
    for (int n = 0; n < 20; ++n) {
      const int end = killed_after(scratch.path(), plan, signal, static_cast<int>(random() % 120'000));
      const bool killed = end == -SIGKILL, asked = end == 128 + signal, early = end == -signal;
      EXPECT_TRUE(end == 0 || killed || asked || early) << end;
      stopped += end != 0;
      if (signal == SIGKILL || early) sweepback::clean(scratch.path());
      const auto left = std::distance(fs::directory_iterator(scratch.path()), fs::directory_iterator());
      EXPECT_EQ(left, 1) << "after signal " << signal;
    }
    EXPECT_GT(stopped, 3);
    EXPECT_TRUE(fs::exists(scratch.path() / "mine.txt"));
  }
}

TEST(FileTier, KilledAtAnyMoment) { killed_at_any_moment(false); }
TEST(FileTier, KilledAtAnyMomentWhileMoving) { killed_at_any_moment(true); }

TEST(Clean, LeavesTheLivingAlone) {
  Scratch scratch;
  SpillDirectory live(scratch.path());
  live.write(1, content(100));
  fs::create_directory(scratch.path() / "sweepback-ABCDEF");              // not of our making, not empty
  std::ofstream(scratch.path() / "sweepback-ABCDEF" / "data") << "data";
  fs::create_directory(scratch.path() / "sweepback-GHIJKL");              // with an owner that is no owner
  std::ofstream(scratch.path() / "sweepback-GHIJKL" / "owner") << "somebody else's file";
  std::ofstream(scratch.path() / "sweepback-GHIJKL" / "x_1") << "theirs";
  fs::create_directory_symlink(scratch.path() / "sweepback-ABCDEF", scratch.path() / "sweepback-MNOPQR");
  const Cleaned cleaned = sweepback::clean(scratch.path());
  EXPECT_TRUE(cleaned.removed.empty());
  EXPECT_EQ(cleaned.live, 1);
  EXPECT_EQ(read_back(live, 1), content(100));
  EXPECT_TRUE(fs::exists(scratch.path() / "sweepback-ABCDEF" / "data"));
  EXPECT_TRUE(fs::exists(scratch.path() / "sweepback-GHIJKL" / "x_1"));
  EXPECT_THROW(sweepback::clean(scratch.path() / "nowhere"), Io);
}

TEST(Clean, KeepsWhatIsForeignInADeadDirectory) {
  Scratch scratch;
  const pid_t child = fork();
  if (child == 0) {
    SpillDirectory directory(scratch.path());
    directory.write(1, content(1000));
    std::ofstream(directory.path() / "notes.txt") << "foreign";
    _exit(0);  // without a destructor
  }
  waitpid(child, nullptr, 0);
  Cleaned cleaned = sweepback::clean(scratch.path());
  ASSERT_EQ(cleaned.kept.size(), 1u);
  EXPECT_EQ(cleaned.bytes, SpillDirectory::record_bytes(1000));
  EXPECT_TRUE(fs::exists(cleaned.kept[0] / "notes.txt"));
  fs::remove(cleaned.kept[0] / "notes.txt");
  cleaned = sweepback::clean(scratch.path());
  EXPECT_EQ(cleaned.removed.size(), 1u);
  EXPECT_TRUE(scratch.empty());
}

// Many runs and cleaners in one base directory.
TEST(FileTier, RunsDoNotDisturbEachOther) {
  Scratch scratch;
  using enum TierModel::Unit;
  Chain chain = Chain::uniform(60, {.state_bytes = 800});
  chain.in_place = true;
  const Plan plan = sweepback::plan(chain, Budget::of({{"memory", slots, 1}, {"disk", unbounded, 0, {1}, {1}}}));
  std::vector<std::jthread> threads;
  std::atomic<int> running = 6;
  for (int n = 0; n < 6; ++n)
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        sweepback::NoObserver nothing;
        sweep_slowly(scratch.path(), plan, nothing);
      }
      --running;
    });
  threads.emplace_back([&] {
    while (running > 0) (void)sweepback::clean(scratch.path());
  });
  threads.clear();
  EXPECT_TRUE(scratch.empty());
}

}  // namespace
