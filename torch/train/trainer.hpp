// SPDX-License-Identifier: Apache-2.0
// Trains a character model by backpropagation through time inside a memory budget.
#pragma once

#include "options.hpp"
#include "outcome.hpp"
#include "progress.hpp"

namespace sweepback::train {

/// Measures a step, plans, trains for options.iterations windows, and compares with
/// store-everything on some of them. Sets torch's threads and seed, and counts torch's memory from
/// here on. Throws Error as the command line documents; Interrupted (watch.hpp) after a signal.
Outcome train(const Options& options, Progress& progress);

}  // namespace sweepback::train
