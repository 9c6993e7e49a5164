// SPDX-License-Identifier: Apache-2.0
// A tier keeps the program's states.
// error: store
#include <string>

#include "sweepback/sweepback.hpp"

struct Program {
  using State = double;
  void forward(sweepback::Count, double& x) { x *= 2; }
};
#ifdef SWEEPBACK_FIXED
using Kept = double;
#else
using Kept = std::string;
#endif
sweepback::Sweep<Program, sweepback::MemoryTier<Kept>>* sweep = nullptr;
