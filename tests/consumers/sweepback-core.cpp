// SPDX-License-Identifier: Apache-2.0
// A user of sweepback::core: plans, and asks the referee.
#include <cstdio>

#include <sweepback/check.hpp>
#include <sweepback/plan.hpp>
#include <sweepback/version.hpp>

int main() {
  const sweepback::Plan plan =
      sweepback::plan(sweepback::Chain::uniform(10), sweepback::Budget::slots(3));
  std::printf("sweepback %s: 10 steps in 3 slots take %lld forward steps\n",
              std::string(sweepback::version).c_str(),
              static_cast<long long>(plan.bill.forward_steps));
  return plan.bill.forward_steps == 18 ? 0 : 1;  // T(11,3): x_10 is made too
}
