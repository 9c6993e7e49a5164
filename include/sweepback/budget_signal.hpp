// SPDX-License-Identifier: Apache-2.0
// SIGUSR1 as a question for another budget (course.hpp):
//
//     BudgetSignal signal;                                       // for as long as it lives
//     Course course(plan, {.budget = [&] { return signal.came() ? read_budget(file) : std::nullopt; }});
#pragma once

#include <csignal>

namespace sweepback {

/// Takes the signal while it lives, and gives it back as it was. One at a time in a process.
class BudgetSignal {
 public:
  /// Throws OutOfRange where another one lives.
  BudgetSignal();
  ~BudgetSignal();
  BudgetSignal(const BudgetSignal&) = delete;
  BudgetSignal& operator=(const BudgetSignal&) = delete;

  /// Whether it came since the last time.
  bool came() const;

 private:
  struct sigaction before_ {};
};

}  // namespace sweepback
