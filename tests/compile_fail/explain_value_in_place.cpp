// SPDX-License-Identifier: Apache-2.0
// A step that takes its state to change it and returns another does both halves of two forms.
// error: returns a value: return nothing
#include "sweepback/sweepback.hpp"

struct Program {
  using State = double;
  void reverse(sweepback::Count, const double&, double&) {}
#ifdef SWEEPBACK_FIXED
  double forward(sweepback::Count, const double& x) { return x; }
#else
  double forward(sweepback::Count, double& x) { return x; }
#endif
};
static_assert(sweepback::explain<Program, double>());
