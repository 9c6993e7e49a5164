// SPDX-License-Identifier: Apache-2.0
// Example 4: the gradient of a simulation whose states go to disk.
//
// Heat spreads over a 128 x 128 plate for 1,000 steps. Where was it hot in the beginning, if the plate
// must end as it was measured? The gradient needs all 1,000 states of 128 KiB, last one first. Memory
// takes 2 MiB; the rest goes to files, where it is cheaper than to run steps again.
#include <cmath>
#include <cstdio>
#include <vector>

#include "sweepback/file_tier.hpp"
#include "sweepback/stop_signals.hpp"
#include "sweepback/sweepback.hpp"

using namespace sweepback;

struct Plate {
  static constexpr std::size_t n = 128;
  using State = std::vector<double>;

  double conductivity = 0.2;

  static std::size_t at(std::size_t i, std::size_t j) { return i * n + j; }

  // The heat that flows to a place from its neighbours; the edge is kept at zero.
  static double laplacian(const State& x, std::size_t i, std::size_t j) {
    return x[at(i - 1, j)] + x[at(i + 1, j)] + x[at(i, j - 1)] + x[at(i, j + 1)] - 4 * x[at(i, j)];
  }

  // Conductivity grows a little with temperature: so the adjoint needs the states.
  void forward(Count, State& x) const {
    const State old = x;
    for (std::size_t i = 1; i + 1 < n; ++i)
      for (std::size_t j = 1; j + 1 < n; ++j)
        x[at(i, j)] += conductivity * (1 + 0.1 * old[at(i, j)]) * laplacian(old, i, j);
  }

  void reverse(Count, const State& x, State& a) const {
    const State later = a;
    for (std::size_t i = 1; i + 1 < n; ++i)
      for (std::size_t j = 1; j + 1 < n; ++j) {
        const double weight = conductivity * (1 + 0.1 * x[at(i, j)]) * later[at(i, j)];
        a[at(i, j)] += 0.1 * conductivity * laplacian(x, i, j) * later[at(i, j)] - 4 * weight;
        for (const std::size_t to : {at(i - 1, j), at(i + 1, j), at(i, j - 1), at(i, j + 1)}) a[to] += weight;
      }
  }
};

// Half the sum of squares at the end; its gradient there is the state itself.
static double outcome(const Plate::State& x) {
  double sum = 0;
  for (const double each : x) sum += each * each / 2;
  return sum;
}

int main() {
  constexpr Count steps = 1000, size = Plate::n * Plate::n * sizeof(double);
  Plate plate;
  Plate::State x0(Plate::n * Plate::n);
  for (std::size_t i = 40; i < 60; ++i)
    for (std::size_t j = 30; j < 90; ++j) x0[Plate::at(i, j)] = 1;

  // Costs in microseconds: a step, its reverse, and what `sweepback calibrate` says of a disk.
  Chain chain = Chain::uniform(steps, {.forward = 30, .reverse = 60, .state_bytes = size});
  chain.in_place = true;
  const Budget budget = Budget::of({{"memory", TierModel::Unit::bytes, 2 << 20},
                                    {"disk", TierModel::Unit::unbounded, 0, {150}, {50}}});
  const Plan found = plan(chain, budget);
  std::printf("%lld forward steps; at most %lld states in memory and %lld on disk\n",
              static_cast<long long>(found.bill.forward_steps), static_cast<long long>(found.bill.tiers[0].peak_slots),
              static_cast<long long>(found.bill.tiers[1].peak_slots));

  // Files are removed at the end, by an exception, and on Ctrl-C; after a kill by `sweepback clean`.
  StopSignals stop;
  FarTiers<Plate::State> further;
  further.push_back(std::make_unique<FileTier<Plate::State>>());
  Sweep<Plate, MemoryTier<Plate::State>, StopSignals> sweep(plate, found, {}, stop, std::move(further));
  Plate::State gradient = sweep.forward(x0);
  const double there = outcome(gradient);
  const Report report = sweep.backward(gradient);
  std::printf("bill as planned: %s\n", report.bill == found.bill ? "yes" : "no");

  // Moving a little along the gradient changes the outcome by its square.
  double square = 0;
  const double little = 1e-6;
  for (std::size_t i = 0; i < x0.size(); ++i) {
    square += gradient[i] * gradient[i];
    x0[i] += little * gradient[i];
  }
  Plate::State x = x0;
  for (Count k = 0; k < steps; ++k) plate.forward(k, x);
  const double error = std::abs((outcome(x) - there) / little / square - 1);
  std::printf("gradient against a difference: %s\n", error < 1e-4 ? "agrees to 1e-4" : "wrong");
  return report.bill == found.bill && error < 1e-4 ? 0 : 1;
}
