// SPDX-License-Identifier: Apache-2.0
// A step of immutable states returns a state, not something that turns into one.
// error: Program<P>
#include "sweepback/sweepback.hpp"

struct Position {
  double x = 0;
};
struct Program {
  using State = Position;
#ifdef SWEEPBACK_FIXED
  Position forward(sweepback::Count, const Position& at) { return at; }
#else
  double forward(sweepback::Count, const Position& at) { return at.x; }
#endif
};
sweepback::Sweep<Program>* sweep = nullptr;
