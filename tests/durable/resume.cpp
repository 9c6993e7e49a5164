// SPDX-License-Identifier: Apache-2.0
// A run that is killed at any moment is gone on with: the gradient is that of an undisturbed run, to the bit,
// little is run again, and nothing is left in the end.
#include <gtest/gtest.h>

#include "torture.hpp"

namespace sweepback {
namespace {

using namespace durable;

TEST(Resume, AnUndisturbedRunIsThatOfASweep) {
  for (const Count l : {1, 2, 37, 500}) {
    Scratch scratch;
    Logistic program;
    EXPECT_EQ(run_durably(scratch.path(), program, plan_of(l), l < 100 ? 0 : 0.1), undisturbed(l));
    EXPECT_TRUE(scratch.empty());
  }
}

TEST(Resume, KilledOnce) { torture(12, 1, 60'000); }
TEST(Resume, KilledOftenBeforeItEnds) { torture(1, 20, 30'000); }

/// Stops the program at a step, as if it were killed between two actions.
struct Stop : std::runtime_error {
  Stop() : std::runtime_error("stop") {}
};
struct Stopping : Logistic {
  Count at = -1, first_pass_at = -1;
  void forward(Count k, State& x) {
    if (k == first_pass_at) throw Stop();
    Logistic::forward(k, x);
  }
  void reverse(Count k, const State& x, Adjoint& a) {
    if (k == at) throw Stop();
    Logistic::reverse(k, x, a);
  }
};
using DurableStopping = DurableSweep<Stopping, Adjoint>;

/// Begins or goes on until it stops; every step is a mark. The steps it ran.
Count stopped(const fs::path& directory, Count l, Count at, Count first_pass_at = -1) {
  Stopping program;
  program.at = at;
  program.first_pass_at = first_pass_at;
  DurableStopping sweep(program, plan_of(l), {.directory = directory, .program = "logistic 3.7", .interval = 0});
  Adjoint adjoint;
  EXPECT_THROW(
      {
        if (!sweep.resume(adjoint)) sweep.forward(x0);
        sweep.backward(adjoint);
      },
      Stop);
  return program.runs;
}

// Marks at every step: each stop costs at most one pass more than an undisturbed run, and no step is reversed twice.
TEST(Resume, RunsLittleAgain) {
  constexpr Count l = 200;
  const Count undisturbed_runs = plan_of(l).bill.forward_steps;
  for (const Count at : {199, 100, 0}) {
    Scratch scratch;
    const Count before = stopped(scratch.path(), l, at);
    Logistic program;
    EXPECT_EQ(run_durably(scratch.path(), program, plan_of(l), 1000), undisturbed(l));
    EXPECT_LE(before + program.runs, undisturbed_runs + l) << at;
    EXPECT_TRUE(scratch.empty());
  }
  std::mt19937 random(1);
  for (int n = 0; n < 2; ++n) {
    Scratch scratch;
    Count runs = 0, stops = 0;
    for (Count at = l - 1; at > 0 && stops < 20; at -= static_cast<Count>(random() % 40)) {
      runs += stopped(scratch.path(), l, at);
      ++stops;
    }
    Logistic program;
    EXPECT_EQ(run_durably(scratch.path(), program, plan_of(l), 1000), undisturbed(l));
    EXPECT_LE(runs + program.runs, undisturbed_runs + stops * l) << stops;
  }
}

TEST(Resume, AFirstPassGoesOn) {
  constexpr Count l = 200;
  const Count undisturbed_runs = plan_of(l).bill.forward_steps;
  for (const Count at : {5, 120, 199}) {
    Scratch scratch;
    const Count before = stopped(scratch.path(), l, -1, at);
    EXPECT_EQ(before, at);
    Logistic program;
    EXPECT_EQ(run_durably(scratch.path(), program, plan_of(l), 1000), undisturbed(l));
    // Only what lay above the last state on disk is run again.
    EXPECT_LE(program.runs + before, undisturbed_runs + l / 3) << at;
    EXPECT_TRUE(scratch.empty());
  }
  Scratch scratch;
  stopped(scratch.path(), l, -1, 150);
  Logistic program;
  {
    Durable sweep(program, plan_of(l), {.directory = scratch.path(), .program = "logistic 3.7"});
    EXPECT_THROW(sweep.forward(Logistic::State(100, 0.5)), Error);  // another x_0
    Adjoint adjoint;
    EXPECT_FALSE(sweep.resume(adjoint));
  }
  stopped(scratch.path(), l, 100);
  {
    Durable sweep(program, plan_of(l), {.directory = scratch.path(), .program = "logistic 3.7"});
    EXPECT_THROW(sweep.forward(x0), Error);  // it has come to x_l
  }
  EXPECT_EQ(run_durably(scratch.path(), program, plan_of(l), 1000), undisturbed(l));
}

// Of every kind of plan: memory alone, tapes, bytes, unequal steps.
TEST(Resume, OtherPlans) {
  Chain uneven = Chain::of({{{.forward = 1, .state_bytes = 800}, 100}, {{.forward = 3, .state_bytes = 800}, 100}}, {800, 0});
  Chain equal = Chain::uniform(200, {.state_bytes = 800});
  uneven.in_place = equal.in_place = true;
  using enum TierModel::Unit;
  for (const Plan& plan : {plan(equal, Budget::slots(5)), plan(equal, Budget::bytes(9 * 800)), plan(uneven, Budget::bytes(9 * 800)),
                           plan(equal, Budget::of({{"memory", bytes, 5 * 800}, {"disk", bytes, 4 * 800, {2}, {2}}})),
                           plan(uneven, Budget::of({{"memory", bytes, 5 * 800}, {"disk", unbounded, 0, {2}, {2}}})),
                           plan(equal, Budget::of({{"memory", slots, 1}, {"ssd", slots, 2, {1}, {1}}, {"disk", slots, 5, {5}, {5}}}))}) {
    for (const Count at : {199, 30}) {
      Scratch scratch;
      {
        Stopping program;
        program.at = at;
        DurableStopping sweep(program, plan, {.directory = scratch.path(), .program = "logistic 3.7", .interval = 0.01});
        Adjoint adjoint;
        sweep.forward(x0);
        EXPECT_THROW(sweep.backward(adjoint), Stop);
      }
      Logistic program;
      EXPECT_EQ(run_durably(scratch.path(), program, plan, 1000), undisturbed(200)) << to_string(plan.budget) << ' ' << at;
      EXPECT_TRUE(scratch.empty());
    }
  }
}

/// The same map, reversed from tapes.
struct Taped {
  using State = Logistic::State;
  using Tape = double;
  double theta = 3.7;
  Count stop_forward = -1, stop_reverse = -1;
  void forward(Count k, State& x) {
    if (k == stop_forward) throw Stop();
    for (double& each : x) each = theta * each * (1 - each);
  }
  Tape record(Count k, State& x) {
    const double tape = x[0];
    forward(k, x);
    return tape;
  }
  void reverse(Count k, Tape&& x, Adjoint& a) {
    if (k == stop_reverse) throw Stop();
    a.theta += a.x * x * (1 - x);
    a.x *= theta * (1 - 2 * x) / 2;
    ++a.reversed;
  }
};

TEST(Resume, FromTapes) {
  using enum TierModel::Unit;
  Chain chain = Chain::uniform(200, {.state_bytes = 800, .tape_bytes = 8, .tape_has_output = false});
  chain.in_place = true;
  const Plan plan = sweepback::plan(chain, Budget::of({{"memory", slots, 3}, {"disk", slots, 6, {2}, {2}}}), {.keep = Keep::states});
  Scratch scratch;
  Adjoint found;
  Logistic::State last;
  for (const auto& [forward, reverse] : {std::pair<Count, Count>{150, -1}, {190, -1}, {-1, 120}, {-1, 40}, {-1, -1}}) {
    Taped program;
    program.stop_forward = forward;
    program.stop_reverse = reverse;
    DurableSweep<Taped, Adjoint> sweep(program, plan, {.directory = scratch.path(), .program = "taped", .interval = 0.01});
    Adjoint adjoint;
    try {
      if (!sweep.resume(adjoint)) last = sweep.forward(x0);
      sweep.backward(adjoint);
      found = adjoint;
    } catch (const Stop&) {
      found = {};
    }
  }
  EXPECT_EQ(found, undisturbed(200));
  Logistic::State expected = x0;
  Logistic program;
  for (Count k = 0; k < 200; ++k) program.forward(k, expected);
  EXPECT_EQ(last, expected);
  EXPECT_TRUE(scratch.empty());
}

// Where x_l is not wanted.
TEST(Resume, AdvancesWithoutTheLastState) {
  using enum TierModel::Unit;
  Chain chain = Chain::uniform(200, {.state_bytes = 800});
  chain.in_place = true;
  chain.final_state = false;
  const Plan plan = sweepback::plan(chain, Budget::of({{"memory", slots, 3}, {"disk", slots, 6, {2}, {2}}}));
  Scratch scratch;
  Adjoint adjoint;
  for (const Count forward : {150, -1}) {
    Stopping program;
    program.first_pass_at = forward;
    DurableStopping sweep(program, plan, {.directory = scratch.path(), .program = "logistic 3.7", .interval = 0});
    try {
      if (!sweep.resume(adjoint)) sweep.advance(x0);
      sweep.backward(adjoint);
    } catch (const Stop&) {
    }
  }
  EXPECT_EQ(adjoint, undisturbed(200));
  EXPECT_TRUE(scratch.empty());
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
  int healed = 0, refused = 0, states = 0;
  for (const std::string& name : ours(original.path())) {
    states += name.starts_with("sweepback.state.");
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
          EXPECT_EQ(run_durably(scratch.path(), program, plan_of(60), 1000), expected) << name << ' ' << at;
          ++healed;
        } catch (const Io& e) {
          EXPECT_NE(e.message().find("sweepback.start"), std::string::npos) << name << ' ' << at << ' ' << e.message();
          ++refused;
        }
      }
  }
  EXPECT_GT(states, 1);
  EXPECT_GT(healed, 30);
  EXPECT_GT(refused, 5);
}

// Killed between the two files of a mark, and the other mark's manifest damaged: an adjoint of another mark is not
// taken for that of the one that is left.
TEST(Resume, AnAdjointOfAnotherMarkIsRefused) {
  for (const char* newest : {"0", "1"}) {
    Scratch scratch;
    stopped(scratch.path(), 40, 20);
    const std::string older = std::string(newest) == "0" ? "1" : "0";
    const auto file = [&](const std::string& name) { return scratch.path() / ("sweepback." + name); };
    fs::copy_file(file(std::string("adjoint.") + newest), file("adjoint." + older), fs::copy_options::overwrite_existing);
    std::ofstream(file(std::string("manifest.") + newest)) << "damaged";
    Logistic program;
    EXPECT_THROW(run_durably(scratch.path(), program, plan_of(40), 1000), Io);
  }
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
