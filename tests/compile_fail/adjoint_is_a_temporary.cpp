// SPDX-License-Identifier: Apache-2.0
// The adjoint comes back in the caller's object.
// error: cannot bind|lvalue
#include "sweepback/sweepback.hpp"

struct Program {
  using State = double;
  void forward(sweepback::Count, double& x) { x *= 2; }
  void reverse(sweepback::Count, const double&, double& a) { a *= 2; }
};
void run(sweepback::Sweep<Program>& sweep) {
#ifdef SWEEPBACK_FIXED
  double adjoint = 1;
  sweep.backward(adjoint);
#else
  sweep.backward(1.0);
#endif
}
