// SPDX-License-Identifier: Apache-2.0
// Example 5: how fast is the ground, from waves that were heard? With states compressed in memory.
//
// A wave runs over a 128 x 128 plate for 400 steps. The gradient of what is heard in the end, by the
// squared speed at each place, needs all 400 states of 128 KiB, last one first. Memory takes 1 MiB. In
// fewer bytes for each state more of them fit, and fewer steps are run again.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "sweepback/compressed_tier.hpp"
#include "sweepback/measure_compression.hpp"
#include "sweepback/sweepback.hpp"

using namespace sweepback;

struct Waves {
  static constexpr std::size_t n = 128, places = n * n;
  using State = std::vector<float>;  // the field now, and a step before
  struct Adjoint {
    std::vector<double> now = std::vector<double>(places), before = now, speed = now;
  };
  std::vector<float> speed = std::vector<float>(places, 0.2f);  // squared, in places a step

  template <class Field>
  static auto bend(const Field& u, std::size_t i) {
    return u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - 4 * u[i];
  }
  template <class Work>
  static void inside(Work&& work) {
    for (std::size_t i = n; i < places - n; ++i)
      if (i % n != 0 && i % n != n - 1) work(i);
  }

  void forward(Count, State& x) const {
    State next(2 * places);
    inside([&](std::size_t i) { next[i] = 2 * x[i] - x[places + i] + speed[i] * bend(x, i); });
    std::copy(x.begin(), x.begin() + places, next.begin() + places);
    x = std::move(next);
  }

  void reverse(Count, const State& x, Adjoint& a) const {
    std::vector<double> weight(places), now(a.before);
    inside([&](std::size_t i) {
      weight[i] = speed[i] * a.now[i];
      a.speed[i] += a.now[i] * bend(x, i);
      a.before[i] = -a.now[i];
    });
    inside([&](std::size_t i) { now[i] += 2 * a.now[i] + bend(weight, i); });
    a.now = std::move(now);
  }
};

int main() {
  constexpr Count steps = 400, size = 2 * Waves::places * sizeof(float);
  Waves waves;
  Waves::State x0(2 * Waves::places);
  Waves::inside([&](std::size_t i) {
    const double far = std::hypot(static_cast<double>(i % Waves::n) - 40, static_cast<double>(i / Waves::n) - 50);
    x0[i] = x0[Waves::places + i] = static_cast<float>(std::exp(-far * far / 60));
  });

  // What some states tell.
  Waves::State x = x0, sample;
  for (Count k = 0; k < steps; ++k) {
    waves.forward(k, x);
    if (k % 80 == 79) sample.insert(sample.end(), x.begin(), x.end());
  }
  TierModel compressed = measure_compression(std::as_bytes(std::span(sample)), size, Elements::of<float>());
  std::printf("compression %s\n", compressed.ratio >= 1.25 ? "pays" : "buys nothing");

  // All costs in nanoseconds; a step is taken to cost 1 ms. The tier's are written here as they were
  // measured once, so that every machine plans alike.
  compressed.ratio = 1.25;
  compressed.store = {120'000};
  compressed.restore = {60'000};
  Chain chain = Chain::uniform(steps, {.forward = 1'000'000, .reverse = 2'000'000, .state_bytes = size});
  chain.in_place = true;
  const TierModel memory{"memory", TierModel::Unit::bytes, 1 << 20, {10'000}, {10'000}};
  const Plan plain = plan(chain, Budget::of({memory})), found = plan(chain, Budget::of({memory, compressed}));
  for (const Plan* each : {&plain, &found})
    std::printf("%lld forward steps, %lld ms\n", static_cast<long long>(each->bill.forward_steps),
                static_cast<long long>(each->bill.cost / 1'000'000));
  std::printf("at most %lld states as they are and %lld compressed\n", static_cast<long long>(found.bill.tiers[0].peak_slots),
              static_cast<long long>(found.bill.tiers[1].peak_slots));

  FarTiers<Waves::State> further;
  further.push_back(std::make_unique<CompressedTier<Waves::State>>());
  Sweep sweep(waves, found, std::move(further));
  Waves::Adjoint gradient;
  gradient.now[Waves::n * 60 + 90] = 1;  // one place listens
  Waves::Adjoint all = gradient;
  sweep.advance(x0);
  const Report report = sweep.backward(gradient);
  std::printf("bill as planned: %s\n", report.bill == found.bill ? "yes" : "no");

  Sweep everything(waves, plan(chain, Budget::bytes(1 << 30)));
  everything.advance(x0);
  everything.backward(all);
  std::printf("gradient with all states in memory: %s\n", gradient.speed == all.speed ? "the same, to the bit" : "another");
  return report.bill == found.bill && gradient.speed == all.speed ? 0 : 1;
}
