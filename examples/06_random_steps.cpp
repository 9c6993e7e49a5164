// SPDX-License-Identifier: Apache-2.0
// Example 6: particles in a well, in heat. How far do they spread, and what if it were steeper or hotter?
//
// A thousand particles are pushed about for 500 steps. Steps that run again must push as they did at first:
// the numbers are drawn from (seed, step), and not from a generator that has moved on meanwhile.
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "sweepback/sweepback.hpp"
#include "sweepback/verify.hpp"

using namespace sweepback;

// 1. Where random numbers come from: of the step alone, or of all that was drawn before.
struct OfTheStep {
  StepRandom at(Count k) const { return StepRandom(2026, k); }
};
struct OneAfterTheOther {
  std::mt19937 generator{2026};
  std::mt19937& at(Count) { return generator; }
};

// 2. dx = -steepness x^3 dt + heat dW, and its adjoint, which draws the same numbers once more.
template <class Source>
struct Particles {
  using State = std::vector<double>;
  struct Adjoint {
    std::vector<double> x;
    double steepness = 0, heat = 0;
    bool operator==(const Adjoint&) const = default;
  };
  static constexpr double dt = 0.01, steepness = 2, heat = 0.5;
  Source source;

  void forward(Count k, State& x) {
    auto&& random = source.at(k);
    std::normal_distribution<double> normal(0, std::sqrt(dt));  // here: it keeps numbers back, too
    for (double& each : x) each += -steepness * each * each * each * dt + heat * normal(random);
  }

  void reverse(Count k, const State& x, Adjoint& a) {
    auto&& random = source.at(k);
    std::normal_distribution<double> normal(0, std::sqrt(dt));
    for (std::size_t n = 0; n < x.size(); ++n) {
      a.steepness -= a.x[n] * x[n] * x[n] * x[n] * dt;
      a.heat += a.x[n] * normal(random);
      a.x[n] *= 1 - steepness * 3 * x[n] * x[n] * dt;
    }
  }
};

// 3. The gradient of the mean square at the end, with so many slots; each state is looked at again.
template <class Source>
typename Particles<Source>::Adjoint gradient(Count slots) {
  constexpr Count steps = 500;
  Chain chain = Chain::uniform(steps);
  chain.in_place = true;
  Particles<Source> particles;
  Verify<std::vector<double>> verify({.steps = steps});
  Sweep sweep(particles, plan(chain, Budget::slots(slots)), MemoryTier<std::vector<double>>(), verify);
  typename Particles<Source>::Adjoint a;
  for (const double x : sweep.forward(std::vector<double>(1000, 0.1))) a.x.push_back(2 * x / 1000);
  sweep.backward(a);
  return a;
}

int main() {
  const auto few = gradient<OfTheStep>(6), all = gradient<OfTheStep>(501);
  std::printf("6 slots and 501: gradients %s\n", few == all ? "equal, bit for bit" : "differ");
  std::printf("%s if it were steeper, %s if it were hotter\n", few.steepness < 0 ? "closer" : "farther", few.heat < 0 ? "closer" : "farther");
  try {
    gradient<OneAfterTheOther>(6);
  } catch (const Differs& e) {
    std::printf("one after the other: %s\n", e.what());
    return few == all ? 0 : 1;
  }
  return 1;
}
