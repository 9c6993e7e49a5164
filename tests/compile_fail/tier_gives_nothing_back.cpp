// SPDX-License-Identifier: Apache-2.0
// A tier hands a state back whole.
// error: take
#include "sweepback/sweepback.hpp"

struct Program {
  using State = double;
  void forward(sweepback::Count, double& x) { x *= 2; }
};
struct Shelf {
  double x = 0;
  void store(sweepback::Count, double&& state) { x = state; }
  const double& view(sweepback::Count) const { return x; }
#ifdef SWEEPBACK_FIXED
  double take(sweepback::Count) { return x; }
#endif
  void drop(sweepback::Count) {}
  void clear() {}
};
sweepback::Sweep<Program, Shelf>* sweep = nullptr;
