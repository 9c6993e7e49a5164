// SPDX-License-Identifier: Apache-2.0
// Planners of unequal steps beside each other, in one run: every time is a ratio to another of it.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>

#include "../src/plan/uneven/engines.hpp"
#include "../src/plan/uneven/rotor.hpp"

using namespace sweepback;
using namespace sweepback::detail::uneven;

namespace {

Count in(std::mt19937_64& random, Count least, Count most) {
  return least + static_cast<Count>(random() % static_cast<std::uint64_t>(most - least + 1));
}

/// Steps of 1 to 100 MB and costs of 1 to 100.
Chain chain(int l, bool output) {
  std::mt19937_64 random(1);
  std::vector<Run> runs;
  for (int k = 0; k < l; ++k) {
    const Count state = in(random, 1'000'000, 100'000'000), forward = in(random, 1, 100);
    runs.push_back({{.forward = forward, .reverse = 2 * forward, .state_bytes = state,
                     .tape_bytes = state * in(random, 1, 4), .tape_has_output = output}, 1});
  }
  return Chain::of(runs, {50'000'000, 0});
}

Count all_bytes(const Chain& chain) {
  Count sum = 0;
  for (const Run& run : chain.runs()) sum += *run.step.tape_bytes;
  return sum;
}

template <class Work>
double seconds(int rounds, Work&& work) {
  std::vector<double> times;
  for (int n = 0; n < rounds; ++n) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

double peak_mib() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void window() {
  const auto line = [](int l) {
    std::mt19937_64 random(2);
    std::vector<Run> runs;
    for (int k = 0; k < l; ++k) runs.push_back({{.forward = in(random, 1, 1000)}, 1});
    Chain of = Chain::of(runs);
    of.final_state = false;
    return Line::in_units(of, Keep::states, {});
  };
  const Line thousand = line(1000), five = line(5000);
  const double quick = seconds(3, [&] { split_in_window(thousand, 32, 1, false); });
  const double full = seconds(1, [&] { split_in_window(thousand, 32, 1, true); });
  std::printf("  states of equal size, 1,000 steps, 32 slots: window %.3f s, every split %.2f s: %.0f times\n", quick,
              full, full / quick);
  const double long_one = seconds(1, [&] { split_in_window(five, 32, 1, false); });
  std::printf("  5,000 steps, 32 slots: %.2f s, at most %.0f MiB in this process\n", long_one, peak_mib());
}

void dense() {
  constexpr int l = 339;
  constexpr Count slots = 500;
  const auto table = [&](const Chain& c, bool both) {
    const Count room = all_bytes(c) / 10, unit = (room + slots - 1) / slots;
    const Line line = Line::in_bytes(c, Keep::mixed);
    Slots table(line.in_slots(unit, Line::Rounding::up), room / unit, 1);
    if (both) table.refill(line.in_slots(unit, Line::Rounding::down), 1);
  };
  const Chain plain = chain(l, false), output = chain(l, true);
  const Persistent persistent(plain, "rotor");
  // Medians: the first time, the system makes the pages.
  const double rotor = seconds(3, [&] {
    rotor_cost(rotor_numbers(persistent, all_bytes(plain) / 10, static_cast<int>(slots)), static_cast<int>(slots));
  });
  const double one = seconds(5, [&] { table(plain, false); });
  const double four = seconds(5, [&] { table(output, true); });
  std::printf("  %d steps, 500 slots: rotor's programme %.2f s\n", l, rotor);
  std::printf("    one table, rounded once          %.2f s: 1/%.1f of it, %.0f MiB\n", one, rotor / one,
              static_cast<double>(Slots::bytes(Line::in_bytes(plain, Keep::mixed), slots)) / (1 << 20));
  std::printf("    two tables, rounded both ways    %.2f s: 1/%.1f of it, %.0f MiB\n", four, rotor / four,
              static_cast<double>(Slots::bytes(Line::in_bytes(output, Keep::mixed), slots)) / (1 << 20));
  const Line thousand = Line::in_bytes(chain(1000, false), Keep::mixed), two = Line::in_bytes(chain(1000, true), Keep::mixed);
  std::printf("    tables of 1,000 steps            %.0f MiB, with outputs %.0f MiB\n",
              static_cast<double>(Slots::bytes(thousand, slots)) / (1 << 20),
              static_cast<double>(Slots::bytes(two, slots)) / (1 << 20));
}

void staircases() {
  const Chain c = chain(80, true);
  const Line line = Line::in_bytes(c, Keep::mixed);
  const Count room = all_bytes(c) * 15 / 100;
  const auto cost = [&](Bound bound, int stairs) {
    return Staircases(line, room, bound, stairs).cost(loose, 0, line.steps, room) + line.fixed;
  };
  Count exact = 0, above = 0, below = 0;
  const double whole = seconds(1, [&] { exact = cost(Bound::exact, 0); });
  const double thin = seconds(1, [&] {
    above = cost(Bound::upper, 128);
    below = cost(Bound::lower, 128);
  });
  std::printf("  80 steps of random bytes in 15 %%: to the byte %.2f s; lists of 128, both bounds, %.2f s, gap %.2f %%\n",
              whole, thin, 100.0 * static_cast<double>(above - below) / static_cast<double>(below));
  std::printf("    cost %lld, between %lld and %lld\n", static_cast<long long>(exact), static_cast<long long>(below),
              static_cast<long long>(above));
}

}  // namespace

int main() {
  std::printf("Unequal steps, one thread\n");
  staircases();
  window();
  dense();
}
