// SPDX-License-Identifier: Apache-2.0
// A sweep owns states that may be large, and is in the middle of something: it is not copied.
// error: deleted
#include "sweepback/sweepback.hpp"

struct Program {
  using State = double;
  void forward(sweepback::Count, double& x) { x *= 2; }
};
void run(sweepback::Sweep<Program>& sweep) {
#ifdef SWEEPBACK_FIXED
  auto& same = sweep;
#else
  auto same = sweep;
#endif
  static_cast<void>(same);
}
