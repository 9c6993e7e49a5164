// SPDX-License-Identifier: Apache-2.0
// A state that cannot be read back is made again from one below: the gradient is the same to the bit. Only
// where nothing below is left it is an error, which names the file.
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "scratch.hpp"
#include "sized.hpp"
#include "sweepback/file_tier.hpp"

namespace {

namespace fs = std::filesystem;
using namespace toy;
using sweepback::Action;
using sweepback::ActionEvent;
using sweepback::FarTiers;
using sweepback::FileTier;
using sweepback::Io;
using sweepback::TierModel;
using scratch::Scratch;

/// Damages files while a sweep runs.
struct Damage {
  fs::path base;
  unsigned seed;
  int every;          // actions
  bool spares_first;  // x_0
  int done = 0;
  std::mt19937 random{seed};

  std::vector<fs::path> records() const {
    std::vector<fs::path> records;
    for (const auto& file : fs::recursive_directory_iterator(base))
      if (const std::string name = file.path().filename(); name.starts_with("x_") && !name.ends_with(".part") && !(spares_first && name == "x_0"))
        records.push_back(file.path());
    return records;
  }
  void action(const ActionEvent& event) {
    if (event.number % every != every - 1) return;
    const auto files = records();
    if (files.empty()) return;
    const fs::path& file = files[random() % files.size()];
    ++done;
    std::error_code gone;  // it may be on its way out
    const auto size = fs::file_size(file, gone);
    if (gone || size == 0) return;
    switch (random() % 3) {
      case 0: fs::remove(file, gone); break;
      case 1: fs::resize_file(file, random() % size, gone); break;
      default: {
        std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekg(static_cast<std::streamoff>(random() % size));
        const char byte = static_cast<char>(bytes.peek() ^ 16);
        bytes.seekp(bytes.tellg());
        bytes.put(byte);
      }
    }
  }
};

struct Outcome {
  std::uint64_t digest = 0;
  sweepback::Report report;
};

template <class Program>
Outcome sweep_through(const Plan& plan, Damage& damage) {
  Program program{plan.chain.step()};
  FarTiers<bytes::Block> further;
  for (std::size_t n = 1; n < plan.budget.tiers.size(); ++n) further.push_back(std::make_unique<FileTier<bytes::Block>>(damage.base));
  sweepback::Sweep<Program, sweepback::MemoryTier<bytes::Block>, Damage> sweep(program, plan, {}, damage, std::move(further));
  Digest adjoint{bytes::block(0)};
  sweep.advance(bytes::block(*plan.chain.step().state_bytes, 1));
  Outcome outcome;
  outcome.report = sweep.backward(adjoint);
  outcome.digest = adjoint.value;
  return outcome;
}

template <class Program>
Plan plan_of(Count l, bool overlap, bool tapes = false) {
  using enum TierModel::Unit;
  sweepback::Step step{.forward = 10, .reverse = 10, .state_bytes = 64};
  if (tapes) step.tape_bytes = 80, step.tape_has_output = Program::taping == Taping::output;
  Chain chain = Chain::uniform(l, step);
  chain.in_place = Program::in_place;
  return plan(chain, Budget::of({{"memory", slots, 2}, {"near", slots, 3, {4}, {4}}, {"far", unbounded, 0, {8}, {8}, overlap}}));
}

template <class Program>
void made_again(bool tapes = false) {
  Count lost = 0, extra = 0;
  for (const bool overlap : {false, true})
    for (unsigned seed = 1; seed <= 12; ++seed) {
      Scratch scratch;
      const Plan plan = plan_of<Program>(120, overlap, tapes);
      Damage damage{scratch.path(), seed, 7, true};
      const Outcome outcome = sweep_through<Program>(plan, damage);
      EXPECT_EQ(outcome.digest, digest_of_everything(120, bytes::block(64, 1))) << seed;
      EXPECT_EQ(outcome.report.bill.forward_steps, plan.bill.forward_steps + outcome.report.extra_steps);
      EXPECT_EQ(outcome.report.lost == 0, outcome.report.bill == plan.bill);
      EXPECT_GT(damage.done, 5);
      lost += outcome.report.lost;
      extra += outcome.report.extra_steps;
      EXPECT_TRUE(scratch.empty());
    }
  EXPECT_GT(lost, 40);
  EXPECT_GE(extra, lost);
}

TEST(LostStates, AreMadeAgainInPlace) { made_again<Sized<Form::in_place, Taping::none>>(); }
TEST(LostStates, AreMadeAgain) { made_again<Sized<Form::immutable, Taping::none>>(); }
TEST(LostStates, AreMadeAgainBetweenTapes) { made_again<Sized<Form::immutable, Taping::output>>(true); }

TEST(LostStates, OnlyTheFirstIsAnError) {
  using Program = Sized<Form::in_place, Taping::none>;
  int errors = 0;
  for (const bool overlap : {false, true})
    for (unsigned seed = 1; seed <= 20; ++seed) {
      Scratch scratch;
      const Plan plan = plan_of<Program>(60, overlap);
      Damage damage{scratch.path(), seed, 2, false};
      const std::int64_t before = bytes::alive;
      try {
        EXPECT_EQ(sweep_through<Program>(plan, damage).digest, digest_of_everything(60, bytes::block(64, 1)));
      } catch (const Io& e) {
        ++errors;
        EXPECT_NE(e.message().find("x_"), std::string::npos) << e.message();
        EXPECT_NE(e.message().find("to make it again"), std::string::npos) << e.message();
      }
      EXPECT_EQ(bytes::alive, before);
      EXPECT_TRUE(scratch.empty());
    }
  EXPECT_GT(errors, 3);
}

}  // namespace
