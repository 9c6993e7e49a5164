// SPDX-License-Identifier: Apache-2.0
#include "sweepback/budget_signal.hpp"

#include "sweepback/error.hpp"

namespace sweepback {

namespace {

volatile std::sig_atomic_t asked = 0, taken = 0;

void note(int) { asked = 1; }

}  // namespace

BudgetSignal::BudgetSignal() {
  if (taken != 0) throw OutOfRange("SIGUSR1 is taken already", "keep one BudgetSignal in a process");
  taken = 1;
  asked = 0;
  struct sigaction ours {};
  ours.sa_handler = note;
  ours.sa_flags = SA_RESTART;
  sigemptyset(&ours.sa_mask);
  sigaction(SIGUSR1, &ours, &before_);
}

BudgetSignal::~BudgetSignal() {
  sigaction(SIGUSR1, &before_, nullptr);
  taken = 0;
}

bool BudgetSignal::came() const {
  if (asked == 0) return false;
  asked = 0;
  return true;
}

}  // namespace sweepback
