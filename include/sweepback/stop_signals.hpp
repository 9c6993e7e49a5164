// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM as an exception between two actions, so that what a run keeps in files goes with it:
//
//     StopSignals stop;                                          // for as long as it lives
//     Sweep sweep(program, plan, MemoryTier<State>{}, stop, std::move(further));   // it is an observer
//
// A second signal ends the process at once.
#pragma once

#include <csignal>
#include <stdexcept>
#include <string>

#include "sweepback/observer.hpp"

namespace sweepback {

/// Thrown where a signal asked to stop.
class Interrupted : public std::runtime_error {
 public:
  explicit Interrupted(int signal)
      : std::runtime_error("stopped by signal " + std::to_string(signal)), signal(signal) {}
  int signal;
};

/// Takes both signals while it lives, and gives them back as they were. One at a time in a process.
class StopSignals {
 public:
  /// Throws OutOfRange where another one lives.
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Throws Interrupted where a signal came.
  void check() const;

  void action(const ActionEvent&) const { check(); }
  template <class State>
  void step(const StepEvent&, const State&) const {
    check();
  }

 private:
  struct sigaction interrupt_ {}, terminate_ {};
};

}  // namespace sweepback
