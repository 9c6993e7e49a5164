// SPDX-License-Identifier: Apache-2.0
// Recording a step of immutable states gives the next state too: in the tape, or beside it.
// error: ReversibleProgram<P, Adjoint>
#include "sweepback/sweepback.hpp"

struct Tape {
  double x;
};
struct Program {
  using State = double;
  using Tape = ::Tape;
  double forward(sweepback::Count, const double& x) { return x + 1; }
#ifdef SWEEPBACK_FIXED
  std::pair<double, Tape> record(sweepback::Count, const double& x) { return {x + 1, {x}}; }
#else
  Tape record(sweepback::Count, const double& x) { return {x}; }
#endif
  void reverse(sweepback::Count, Tape&&, double& a) { a *= 2; }
};
void run(sweepback::Sweep<Program>& sweep, double& adjoint) { sweep.backward(adjoint); }
