// SPDX-License-Identifier: Apache-2.0
// The program outlives the sweep: a temporary would not.
// error: cannot bind|lvalue
#include "sweepback/sweepback.hpp"

struct Program {
  using State = double;
  void forward(sweepback::Count, double& x) { x *= 2; }
};
void run(const sweepback::Plan& plan) {
#ifdef SWEEPBACK_FIXED
  Program program;
  sweepback::Sweep sweep(program, plan);
#else
  sweepback::Sweep sweep(Program{}, plan);
#endif
}
