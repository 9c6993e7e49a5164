// SPDX-License-Identifier: Apache-2.0
// What `sweepback train` is asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sizes.hpp"
#include "sweepback/plan.hpp"

namespace sweepback::train {

enum class Cell : std::uint8_t { rnn, gru, lstm };
const char* name(Cell cell) noexcept;

struct Options {
  std::string text;
  std::optional<Cell> cell;             ///< these three: none where the model of `load` is to say
  std::optional<Count> layers, hidden;
  Count batch = 16;
  Count length = 1000;
  cli::BudgetText budget{cli::BudgetText::Kind::share, 0, 0.05, 50'000'000};
  std::string budget_file;              ///< read when SIGUSR1 comes; empty: the budget stays
  std::vector<TierModel> tiers;         ///< after memory, whose size is the budget's
  std::string spill_directory;          ///< where they are
  Keep keep = Keep::automatic;
  Count block = 1;  ///< time steps of a fused call; 0: as planned, single steps among them
  Count iterations = 50;
  Count seed = 1;
  double learning_rate = 0.01;
  double clip = 1.0;
  Count threads = 1;
  std::string load, save;
  std::string durable;             ///< where marks are kept; empty: nowhere
  bool resume = false;             ///< a training lies there
  std::optional<double> interval;  ///< seconds between marks
  bool verify = false;
  Count sample = 0;
  bool json = false;
  bool quiet = false;
};

/// Asked for help: the text to print.
struct Help {
  std::string text;
};

/// Reads what follows the word `train` (argv[0] is the program). Throws Help, or Error "usage",
/// OutOfRange or Overflow naming the option and what it takes.
Options parse(int argc, const char* const* argv);

}  // namespace sweepback::train
