// SPDX-License-Identifier: Apache-2.0
// The observer outlives the sweep: a temporary would not.
// error: cannot bind|lvalue
#include "sweepback/sweepback.hpp"

struct Program {
  using State = double;
  void forward(sweepback::Count, double& x) { x *= 2; }
};
struct Observer {
  void action(const sweepback::ActionEvent&) {}
};
void run(Program& program, const sweepback::Plan& plan) {
  sweepback::MemoryTier<double> tier;
#ifdef SWEEPBACK_FIXED
  Observer observer;
  sweepback::Sweep sweep(program, plan, tier, observer);
#else
  sweepback::Sweep sweep(program, plan, tier, Observer{});
#endif
}
