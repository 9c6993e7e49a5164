// SPDX-License-Identifier: Apache-2.0
// reverse consumes its tape.
// error: ReversibleProgram<P, Adjoint>
#include "sweepback/sweepback.hpp"

struct Program {
  using State = double;
  struct Tape {};
  void forward(sweepback::Count, double& x) { x *= 2; }
  Tape record(sweepback::Count, double& x) {
    x *= 2;
    return {};
  }
#ifdef SWEEPBACK_FIXED
  void reverse(sweepback::Count, Tape&&, double& a) { a *= 2; }
#else
  void reverse(sweepback::Count, Tape&, double& a) { a *= 2; }
#endif
};
void run(sweepback::Sweep<Program>& sweep, double& adjoint) { sweep.backward(adjoint); }
