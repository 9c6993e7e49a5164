// SPDX-License-Identifier: Apache-2.0
// An adjoint that cannot be written is none.
// error: ReversibleProgram<P, Adjoint>
#include "sweepback/sweepback.hpp"

struct Program {
  using State = double;
  void forward(sweepback::Count, double& x) { x *= 2; }
  void reverse(sweepback::Count, const double&, double& a) { a *= 2; }
};
void run(sweepback::Sweep<Program>& sweep) {
#ifdef SWEEPBACK_FIXED
  double adjoint = 1;
#else
  const double adjoint = 1;
#endif
  sweep.backward(adjoint);
}
