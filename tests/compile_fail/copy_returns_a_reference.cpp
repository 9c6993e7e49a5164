// SPDX-License-Identifier: Apache-2.0
// A copy is a state of its own, not a view of the one copied.
// error: Program<P>
#include <memory>

#include "sweepback/sweepback.hpp"

struct Program {
  using State = std::unique_ptr<double>;
  void forward(sweepback::Count, State& x) { *x += 1; }
#ifdef SWEEPBACK_FIXED
  State copy(const State& x) { return std::make_unique<double>(*x); }
#else
  const State& copy(const State& x) { return x; }
#endif
};
sweepback::Sweep<Program>* sweep = nullptr;
