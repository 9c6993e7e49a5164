// SPDX-License-Identifier: Apache-2.0
// States move into slots and out of them.
// error: Program<P>
#include "sweepback/sweepback.hpp"

struct Pinned {
  Pinned() = default;
#ifdef SWEEPBACK_FIXED
  Pinned(Pinned&&) = default;
  Pinned& operator=(Pinned&&) = default;
#else
  Pinned(Pinned&&) = delete;
#endif
};
struct Program {
  using State = Pinned;
  Pinned forward(sweepback::Count, const Pinned&) { return {}; }
};
sweepback::Sweep<Program>* sweep = nullptr;
