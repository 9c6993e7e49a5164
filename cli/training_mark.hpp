// SPDX-License-Identifier: Apache-2.0
// How far a training is that may be gone on with. A mark is one file of a run directory, "training.0" and
// "training.1" in turn: a line of JSON (`sweepback.training/1`), then the tensors. The command reads the line,
// which needs no libtorch.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sweepback/count.hpp"
#include "sweepback/generations.hpp"
#include "sweepback/json.hpp"
#include "sweepback/run_directory.hpp"

namespace sweepback::cli {

struct TrainingMark {
  std::map<std::string, std::string> options;  ///< those that change the weights, the text's fingerprint among them
  Count block = 1;                             ///< time steps of a call, which --block auto has chosen
  Count iteration = 0, iterations = 0;         ///< done, and asked for
  Count generation = 0;                        ///< of marks, counted from 1

  std::string file() const { return generation_name("training", generation); }
  bool operator==(const TrainingMark&) const = default;
};

json::Json to_json(const TrainingMark& mark);

/// The line, its end included.
std::string head_of(const TrainingMark& mark);

struct WholeMark {
  TrainingMark mark;
  std::vector<std::byte> content;  ///< of the file
  std::size_t head = 0;            ///< bytes of the line

  std::span<const std::byte> tensors() const { return std::span(content).subspan(head); }
};

bool has_training(const RunDirectory& directory);

/// The newest that is whole; empty where there is none. Throws Io where all are damaged, BadFile for what is
/// none of this version's.
std::optional<WholeMark> newest_training(const RunDirectory& directory);

}  // namespace sweepback::cli
