// SPDX-License-Identifier: Apache-2.0
// Example 1: the gradient of a long simulation with a hand-written adjoint, in 1 MiB.
//
// 256 pendulums hang side by side, each coupled to its neighbours, and swing for 20,000 steps. What
// is the derivative of where they end with respect to where they began, and to the coupling?
// Keeping all states would take 80 MiB; we give it 1 MiB.
#include <cmath>
#include <cstdio>
#include <vector>

#include "sweepback/sweepback.hpp"

using namespace sweepback;

// 1. The program: a state, a step in place, and the adjoint of that step.
struct Pendulums {
  static constexpr std::size_t n = 256;
  static constexpr double dt = 0.001;

  struct State {
    std::vector<double> angle, speed;
  };
  struct Adjoint {
    std::vector<double> angle, speed;
    double coupling = 0;
  };

  double coupling = 30;

  // How far the neighbours are turned against pendulum i; the ends hang on a wall.
  static double bend(const std::vector<double>& x, std::size_t i) {
    return (i > 0 ? x[i - 1] : 0) - 2 * x[i] + (i + 1 < n ? x[i + 1] : 0);
  }

  void forward(Count, State& x) const {
    for (std::size_t i = 0; i < n; ++i)
      x.speed[i] += dt * (coupling * bend(x.angle, i) - std::sin(x.angle[i]));
    for (std::size_t i = 0; i < n; ++i) x.angle[i] += dt * x.speed[i];
  }

  // The lines of `forward`, transposed, last one first. `x` is the state the step began from.
  void reverse(Count, const State& x, Adjoint& a) const {
    for (std::size_t i = 0; i < n; ++i) a.speed[i] += dt * a.angle[i];
    for (std::size_t i = 0; i < n; ++i) {
      a.angle[i] += dt * (coupling * bend(a.speed, i) - std::cos(x.angle[i]) * a.speed[i]);
      a.coupling += dt * bend(x.angle, i) * a.speed[i];
    }
  }
};

static Pendulums::State start(double first_angle) {
  Pendulums::State x{std::vector<double>(Pendulums::n), std::vector<double>(Pendulums::n)};
  x.angle[0] = first_angle;
  return x;
}

// Half the sum of squared angles at the end: its adjoint at the end is the angles themselves.
static double outcome(const Pendulums::State& x) {
  double sum = 0;
  for (const double angle : x.angle) sum += angle * angle / 2;
  return sum;
}

int main() {
  constexpr Count steps = 20'000, state_bytes = 2 * Pendulums::n * sizeof(double);
  Pendulums program;

  // 2. The plan: what is known of a step, and the budget. Everything alive counts.
  Chain chain = Chain::uniform(steps, {.state_bytes = state_bytes, .adjoint = state_bytes});
  chain.in_place = true;
  const Plan plan = sweepback::plan(chain, Budget::bytes(1 << 20));
  std::printf("%lld states kept, %lld forward steps, at most %lld bytes\n",
              static_cast<long long>(plan.bill.peak_slots),
              static_cast<long long>(plan.bill.forward_steps),
              static_cast<long long>(*plan.bill.peak_bytes));

  // 3. There and back.
  Sweep sweep(program, plan);
  const Pendulums::State last = sweep.forward(start(1.5));
  Pendulums::Adjoint gradient{last.angle, std::vector<double>(Pendulums::n), 0};
  const Report report = sweep.backward(gradient);
  std::printf("outcome %.9f, d/d first angle %.9f, d/d coupling %.9f\n", outcome(last),
              gradient.angle[0], gradient.coupling);
  std::printf("the bill is what happened: %s\n", report.bill == plan.bill ? "yes" : "NO");

  // 4. Is it right? The same adjoint with every state kept: bit for bit. And central differences.
  std::vector<Pendulums::State> all{start(1.5)};
  for (Count k = 0; k < steps; ++k) {
    all.push_back(all.back());
    program.forward(k, all.back());
  }
  Pendulums::Adjoint kept{last.angle, std::vector<double>(Pendulums::n), 0};
  for (Count k = steps; k-- > 0;) program.reverse(k, all[static_cast<std::size_t>(k)], kept);
  const bool equal = kept.angle == gradient.angle && kept.coupling == gradient.coupling;
  std::printf("equal to the adjoint with every state kept: %s\n", equal ? "yes" : "NO");

  const auto ends_at = [&](double angle, double coupling) {
    const Pendulums moved{coupling};
    Pendulums::State x = start(angle);
    for (Count k = 0; k < steps; ++k) moved.forward(k, x);
    return outcome(x);
  };
  const double e = 1e-5;
  std::printf("central differences: %.5f and %.5f\n",
              (ends_at(1.5 + e, 30) - ends_at(1.5 - e, 30)) / (2 * e),
              (ends_at(1.5, 30 + e) - ends_at(1.5, 30 - e)) / (2 * e));
  return equal && report.bill == plan.bill ? 0 : 1;
}
