// SPDX-License-Identifier: Apache-2.0
// reverse moves the adjoint it is given; one that is returned would be lost.
// error: ReversibleProgram<P, Adjoint>
#include "sweepback/sweepback.hpp"

struct Program {
  using State = double;
  void forward(sweepback::Count, double& x) { x *= 2; }
#ifdef SWEEPBACK_FIXED
  void reverse(sweepback::Count, const double&, double& a) { a *= 2; }
#else
  double reverse(sweepback::Count, const double&, const double& a) { return 2 * a; }
#endif
};
void run(sweepback::Sweep<Program>& sweep, double& adjoint) { sweep.backward(adjoint); }
