// SPDX-License-Identifier: Apache-2.0
// Trains a character model by backpropagation through time inside a memory budget.
#pragma once

#include <functional>

#include "options.hpp"
#include "outcome.hpp"
#include "progress.hpp"

namespace sweepback::train {

using cli::Progress;

/// Says how many bytes can still be taken; asked before the network is made, and after.
using FreeMemory = std::function<Count()>;

/// Measures a step, plans, trains for options.iterations windows, and compares with
/// store-everything on some of them; where that takes more than is free, on part of the first. Sets
/// torch's threads and seed, and counts torch's memory from here on. Throws Error as the command
/// line documents; Interrupted (watch.hpp) after a signal.
Outcome train(const Options& options, Progress& progress,
              const FreeMemory& free_memory = [] { return cli::free_memory(); });

}  // namespace sweepback::train
