// SPDX-License-Identifier: Apache-2.0
// The first thing that is missing is named: the reverse step.
// error: no reverse for this adjoint
#include "sweepback/sweepback.hpp"

struct Program {
  using State = double;
  double forward(sweepback::Count, const double& x) { return x; }
#ifdef SWEEPBACK_FIXED
  void reverse(sweepback::Count, const double&, double&) {}
#else
  void reverse(sweepback::Count, const double&, float&) {}
#endif
};
static_assert(sweepback::explain<Program, double>());
