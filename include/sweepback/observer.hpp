// SPDX-License-Identifier: Apache-2.0
// Observers see every action with its timing: progress, traces, statistics and verification are
// observers, not conditions in the sweep.
//
// | expression  | when                                                                         |
// |-------------|------------------------------------------------------------------------------|
// | o.action(e) | optional; after each action, with its time                                   |
// | o.step(e, x)| optional; after each forward or recorded step, with its time and the state    |
//
// An observer with neither costs nothing, not even a look at the clock. What one throws passes
// through the sweep like an exception of the program.
#pragma once

#include <chrono>
#include <concepts>

#include "sweepback/action.hpp"
#include "sweepback/program.hpp"

namespace sweepback {

/// An action just done.
struct ActionEvent {
  Action action;
  Count number = 0;  ///< counted from 0 within the sweep
  std::chrono::nanoseconds elapsed{};
};

/// A step just run, forward or recorded; or a block of steps, run in one call.
struct StepEvent {
  Count step = 0;   ///< the first
  Count steps = 1;  ///< how many
  Phase phase = Phase::first_pass;
  bool recorded = false;
  std::chrono::nanoseconds elapsed{};
};

template <class O>
concept ActionObserver = requires(O& o, const ActionEvent& event) { o.action(event); };

template <class O, class State>
concept StepObserver =
    requires(O& o, const StepEvent& event, const State& x) { o.step(event, x); };

/// Sees nothing.
struct NoObserver {};

}  // namespace sweepback
