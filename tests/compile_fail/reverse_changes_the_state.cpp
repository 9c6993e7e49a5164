// SPDX-License-Identifier: Apache-2.0
// A step is reversed from a state that may still be needed: reverse does not write into it.
// error: ReversibleProgram<P, Adjoint>
#include "sweepback/sweepback.hpp"

struct Program {
  using State = double;
  void forward(sweepback::Count, double& x) { x *= 2; }
#ifdef SWEEPBACK_FIXED
  void reverse(sweepback::Count, const double&, double& a) { a *= 2; }
#else
  void reverse(sweepback::Count, double& x, double& a) { a *= x; }
#endif
};
void run(sweepback::Sweep<Program>& sweep, double& adjoint) { sweep.backward(adjoint); }
