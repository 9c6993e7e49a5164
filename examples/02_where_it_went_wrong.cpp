// SPDX-License-Identifier: Apache-2.0
// Example 2: a long run ends in nonsense. Where did it go wrong?
//
// A planet circles a sun for a million steps; energy should stay. At the end it does not. We walk
// the run backwards, with 20 states kept instead of a million, until the energy is right again: the
// step after that is the culprit. No adjoint is involved.
#include <cmath>
#include <cstdio>

#include "sweepback/sweepback.hpp"

using namespace sweepback;

// 1. The program: only a step. This one makes new states.
struct Planet {
  struct State {
    double x, y, u, v;
  };

  static double energy(const State& s) {
    return (s.u * s.u + s.v * s.v) / 2 - 1 / std::hypot(s.x, s.y);
  }

  State forward(Count k, const State& s) const {
    constexpr double dt = 0.001;
    const double r3 = std::pow(s.x * s.x + s.y * s.y, 1.5);
    State next = s;
    next.u -= dt * s.x / r3;
    next.v -= dt * s.y / r3;
    next.x += dt * next.u;
    next.y += dt * next.v;
    if (k == 921'355) next.u *= 1.5;  // what we do not know yet
    return next;
  }
};

int main() {
  constexpr Count steps = 1'000'000;
  Planet program;
  const Planet::State start{1, 0, 0, 1.1};
  const double energy = Planet::energy(start);

  // 2. A plan for walking back. Nobody asks for the final state here, so it need not be made.
  Chain chain = Chain::uniform(steps);
  chain.final_state = false;
  const Plan plan = sweepback::plan(chain, Budget::slots(20));

  // 3. The states, last one first, each made again when it is asked for.
  auto backwards = states_in_reverse(program, start, plan);
  for (const auto [k, state] : backwards) {
    if (std::abs(Planet::energy(state) - energy) > 0.01) continue;
    std::printf("x_%lld is still right, x_%lld is not: look at step %lld\n",
                static_cast<long long>(k), static_cast<long long>(k + 1),
                static_cast<long long>(k));
    break;
  }

  // 4. Whoever stops early has paid for what was seen.
  const double walked = static_cast<double>(backwards.report().bill.forward_steps) / steps;
  std::printf("%.2f forward steps per step run so far, of %.2f for the whole way back\n", walked,
              static_cast<double>(plan.bill.forward_steps) / steps);
}
