// SPDX-License-Identifier: Apache-2.0
// Steps that work in place overwrite their state, so storing one is a copy: of a move-only state
// the program must say how.
// error: Program<P>
#include <memory>

#include "sweepback/sweepback.hpp"

struct Program {
  using State = std::unique_ptr<double>;
  void forward(sweepback::Count, State& x) { *x += 1; }
#ifdef SWEEPBACK_FIXED
  State copy(const State& x) { return std::make_unique<double>(*x); }
#endif
};
sweepback::Sweep<Program>* sweep = nullptr;
