// SPDX-License-Identifier: Apache-2.0
// The first thing that is missing is named: the type of the states.
// error: the program names no State
#include "sweepback/sweepback.hpp"

struct Program {
  double forward(sweepback::Count, const double& x) { return x; }
  void reverse(sweepback::Count, const double&, double&) {}
#ifdef SWEEPBACK_FIXED
  using State = double;
#endif
};
static_assert(sweepback::explain<Program, double>());
