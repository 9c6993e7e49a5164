// SPDX-License-Identifier: Apache-2.0
#include "sweepback/stop_signals.hpp"

#include <unistd.h>

#include "sweepback/error.hpp"

namespace sweepback {

namespace {

volatile std::sig_atomic_t came = 0, taken = 0;

void note(int signal) {
  if (came != 0) _exit(128 + signal);  // asked twice
  came = signal;
}

}  // namespace

StopSignals::StopSignals() {
  if (taken != 0) throw OutOfRange("signals are taken already", "keep one StopSignals in a process");
  taken = 1;
  came = 0;
  struct sigaction ours {};
  ours.sa_handler = note;
  sigemptyset(&ours.sa_mask);
  sigaction(SIGINT, &ours, &interrupt_);
  sigaction(SIGTERM, &ours, &terminate_);
}

StopSignals::~StopSignals() {
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
  taken = 0;
}

void StopSignals::check() const {
  if (came != 0) throw Interrupted(came);
}

}  // namespace sweepback
