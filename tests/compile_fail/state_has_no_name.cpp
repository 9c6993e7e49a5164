// SPDX-License-Identifier: Apache-2.0
// A program names the type of its states.
// error: no type named .State
#include "sweepback/sweepback.hpp"

struct Program {
#ifdef SWEEPBACK_FIXED
  using State = double;
#endif
  void forward(sweepback::Count, double&) {}
};
sweepback::Sweep<Program>* sweep = nullptr;
