// SPDX-License-Identifier: Apache-2.0
// A program that names a tape says how it is made.
// error: names a Tape and does not record
#include "sweepback/sweepback.hpp"

struct Program {
  using State = double;
  using Tape = double;
  double forward(sweepback::Count, const double& x) { return x; }
  void reverse(sweepback::Count, const double&, double&) {}
#ifdef SWEEPBACK_FIXED
  std::pair<double, double> record(sweepback::Count, const double& x) { return {x, x}; }
#else
  double record(sweepback::Count, const double& x) { return x; }
#endif
};
static_assert(sweepback::explain<Program, double>());
