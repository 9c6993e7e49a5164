// SPDX-License-Identifier: Apache-2.0
// The first thing that is missing is named: a step.
// error: no forward: add
#include "sweepback/sweepback.hpp"

struct Program {
  using State = double;
  void reverse(sweepback::Count, const double&, double&) {}
#ifdef SWEEPBACK_FIXED
  void forward(sweepback::Count, double&) {}
#else
  void step(sweepback::Count, double&) {}
#endif
};
static_assert(sweepback::explain<Program, double>());
