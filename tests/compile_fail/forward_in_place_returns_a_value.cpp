// SPDX-License-Identifier: Apache-2.0
// A step that works in place returns nothing: a success code would be lost.
// error: Program<P>
#include "sweepback/sweepback.hpp"

struct Program {
  using State = double;
#ifdef SWEEPBACK_FIXED
  void forward(sweepback::Count, double&) {}
#else
  bool forward(sweepback::Count, double&) { return true; }
#endif
};
sweepback::Sweep<Program>* sweep = nullptr;
