// SPDX-License-Identifier: Apache-2.0
// What a training run found: the table, and `sweepback.train/1`.
#pragma once

#include <optional>
#include <string>

#include "options.hpp"
#include "sweepback/plan.hpp"
#include "sweepback/torch/measure.hpp"

namespace sweepback::train {

/// One way of going back through the window.
struct Side {
  Count forward_steps = 0, record_steps = 0;
  std::optional<Count> peak_bytes;  ///< at any instant, parameters and gradients left out
  std::optional<Count> held_bytes;  ///< states and tapes alone
  std::optional<double> seconds_per_iteration;
};

struct Outcome {
  Cell cell = Cell::lstm;  ///< of the model, as are the next two
  Count layers = 0, hidden = 0;
  Plan plan;                ///< the last: `measured` and the ratios are of windows trained by that
  Count budget_changes = 0;
  Count block = 1;  ///< time steps of a call
  /// Blocks: the largest difference of a gradient from that of single steps, relative to its largest
  /// number. (They are equal bit for bit to the same blocks with everything stored.)
  std::optional<double> from_single_steps;
  Side measured, store_all;  ///< store_all: of single steps
  Count store_all_bytes = 0;        ///< predicted, states and tapes alone
  Count store_all_graph_bytes = 0;  ///< estimated: what libtorch takes beside them
  double forward = 0, record = 0, reverse = 0;  ///< seconds, medians of the run
  std::optional<double> time_ratio, predicted_time_ratio, memory_ratio;
  std::optional<bool> gradient_equal;  ///< bitwise
  Count compared_length = 0;  ///< steps of the windows that store-everything ran as well
  double first_loss = 0, last_loss = 0;  ///< bits per character, means of ten iterations or of half
  std::optional<Count> resumed_at;  ///< iterations that an earlier run has done
  std::optional<Count> marks;       ///< that were made, and what one took
  double mark_seconds = 0;
  std::optional<Count> verified;    ///< states compared with those of the first passes
  Count verified_every = 1;
  Count characters = 0, symbols = 0;
  std::string sample;
};

/// For people, with a newline at the end.
std::string to_table(const Outcome& outcome, const Options& options);

/// The document `sweepback.train/1`, with a newline at the end.
std::string to_json(const Outcome& outcome, const Options& options);

}  // namespace sweepback::train
