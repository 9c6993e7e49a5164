// SPDX-License-Identifier: Apache-2.0
// The main job on the real book (scripts/fetch-data opticks): an LSTM of 256 with 16 readers, back
// through 1,000 steps in 5 % of the memory, and through 10,000 in 1 %.
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "train/trainer.hpp"

namespace sweepback::train {
namespace {

const std::string book = SWEEPBACK_SOURCE_DIR "/data/opticks.txt";

Outcome run(const std::vector<std::string>& more) {
  std::vector<std::string> words = {"sweepback-train", "--text", book, "--cell", "lstm",
                                    "--hidden", "256", "--batch", "16", "--quiet"};
  words.insert(words.end(), more.begin(), more.end());
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  const Options options = parse(static_cast<int>(argv.size()), argv.data());
  Progress progress(1, true);
  Outcome outcome = train(options, progress);
  std::cout << to_table(outcome, options);
  return outcome;
}

bool no_book() { return !std::filesystem::exists(book); }

void expect_promises(const Outcome& outcome, double share) {
  EXPECT_EQ(outcome.gradient_equal, true);
  EXPECT_LE(static_cast<double>(*outcome.measured.held_bytes),
            share * static_cast<double>(*outcome.store_all.held_bytes));
  EXPECT_LE(*outcome.measured.peak_bytes, outcome.plan.budget.amount);
  EXPECT_EQ(outcome.measured.forward_steps, outcome.plan.bill.forward_steps);
  EXPECT_LE(*outcome.time_ratio, 1.05 * *outcome.predicted_time_ratio);
}

TEST(MainJob, AThousandStepsInFivePerCent) {
  if (no_book()) GTEST_SKIP() << "run scripts/fetch-data opticks";
  const Outcome outcome = run({"--length", "1000", "--budget", "5%", "--iterations", "60"});
  expect_promises(outcome, 0.05);
  EXPECT_LT(outcome.last_loss, 3.7);
}

TEST(MainJob, TenThousandStepsInOnePerCent) {
  if (no_book()) GTEST_SKIP() << "run scripts/fetch-data opticks";
  expect_promises(run({"--length", "10000", "--budget", "1%", "--iterations", "3"}), 0.01);
}

}  // namespace
}  // namespace sweepback::train
