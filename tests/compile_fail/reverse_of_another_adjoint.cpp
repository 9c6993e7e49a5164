// SPDX-License-Identifier: Apache-2.0
// The adjoint is one that the program's reverse takes.
// error: ReversibleProgram<P, Adjoint>
#include "sweepback/sweepback.hpp"

struct Adjoint {
  double x = 1;
};
struct Program {
  using State = double;
  void forward(sweepback::Count, double& x) { x *= 2; }
#ifdef SWEEPBACK_FIXED
  void reverse(sweepback::Count, const double&, Adjoint& a) { a.x *= 2; }
#else
  void reverse(sweepback::Count, const double&, double& a) { a *= 2; }
#endif
};
void run(sweepback::Sweep<Program>& sweep, Adjoint& adjoint) { sweep.backward(adjoint); }
