// SPDX-License-Identifier: Apache-2.0
// A real run through files: 256 states of 8 MiB (2 GiB), memory for 8 of them, the rest in files. Predicted from
// what a step, a reverse step, a store and a restore took in the same process; beside it the same bytes written and
// read plainly, one file after the other, and the whole kept in memory, whose gradient is the same to the bit.
//
//     bench/disk [DIR]      DIR: where files go [SWEEPBACK_SPILL_DIR, TMPDIR, /tmp]
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "sweepback/file_tier.hpp"
#include "sweepback/sweepback.hpp"

using namespace sweepback;

namespace {

constexpr Count steps = 256, size = Count{8} << 20;
constexpr std::size_t numbers = static_cast<std::size_t>(size) / sizeof(double);
constexpr int rounds = 5;

struct Waves {
  using State = std::vector<double>;
  struct Adjoint {
    std::vector<double> x;
    double rate = 0;
  };
  double rate = 0.9;
  static double bend(double y) { return std::sin(y + std::sin(y + std::sin(y))); }
  static double slope(double y) {
    const double inner = std::sin(y), outer = std::sin(y + inner);
    return std::cos(y + outer) * (1 + std::cos(y + inner) * (1 + std::cos(y)));
  }
  void forward(Count, State& x) const {
    double left = x.back();
    for (double& each : x) {
      const double here = each;
      each = rate * here + 0.05 * bend(left);
      left = here;
    }
  }
  void reverse(Count, const State& x, Adjoint& a) const {
    const double first = a.x[0];
    for (std::size_t i = 0; i < numbers; ++i) {
      const double next = i + 1 < numbers ? a.x[i + 1] : first;
      a.rate += a.x[i] * x[i];
      a.x[i] = a.x[i] * rate + next * 0.05 * slope(x[i]);
    }
  }
};

double seconds(auto&& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

Count nanoseconds(double s) { return std::max<Count>(1, std::llround(s * 1e9)); }

Waves::State start() {
  Waves::State x(numbers);
  for (std::size_t i = 0; i < numbers; ++i) x[i] = std::sin(static_cast<double>(i) * 1e-3);
  return x;
}

/// How long the files took.
struct FileTime {
  double seconds = 0;
  void action(const ActionEvent& event) {
    if (event.action.tier > 0) seconds += std::chrono::duration<double>(event.elapsed).count();
  }
};

struct Ran {
  double seconds, files;
  Report report;
  Waves::Adjoint gradient;
};

Ran run(const Plan& plan, FarTiers<Waves::State> further) {
  Waves waves;
  FileTime files;
  Ran run{0, 0, {}, {Waves::State(numbers, 1.0), 0}};
  Sweep<Waves, MemoryTier<Waves::State>, FileTime> sweep(waves, plan, {}, files, std::move(further));
  Waves::State x = start();
  run.seconds = seconds([&] {
    sweep.advance(std::move(x));
    run.report = sweep.backward(run.gradient);
  });
  run.files = files.seconds;
  return run;
}

/// As many files of a state's size, written and then read back to front, with nothing in between.
double plainly(const std::filesystem::path& base, Count files) {
  const auto name = [&](Count n) { return (base / ("plain_" + std::to_string(n))).string(); };
  std::vector<char> bytes(static_cast<std::size_t>(size), 'x');
  const auto all = [&](Count n, int flags, auto&& move) {
    const int file = ::open(name(n).c_str(), flags, 0600);
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t part = move(file, bytes.data() + done, bytes.size() - done);
      if (part <= 0) std::abort();
      done += static_cast<std::size_t>(part);
    }
    ::close(file);
  };
  return seconds([&] {
    for (Count n = 0; n < files; ++n) all(n, O_CREAT | O_TRUNC | O_WRONLY, [](auto... a) { return ::write(a...); });
    for (Count n = files; n-- > 0;) {
      all(n, O_RDONLY, [](auto... a) { return ::read(a...); });
      ::unlink(name(n).c_str());
    }
  });
}

}  // namespace

int main(int count, char** arguments) {
  const std::filesystem::path base = count > 1 ? arguments[1] : SpillDirectory::default_base();
  Waves waves;
  std::vector<double> forward, reverse, copy, store, restore;
  {
    Waves::State x = start();
    Waves::Adjoint a{Waves::State(numbers, 1.0), 0};
    FileTier<Waves::State> tier(base);
    for (Count n = 0; n < 24; ++n) {
      forward.push_back(seconds([&] { waves.forward(n, x); }));
      reverse.push_back(seconds([&] { waves.reverse(n, x, a); }));
      copy.push_back(seconds([&] { const Waves::State y = x; }));
      store.push_back(seconds([&] { tier.store(n, x); }));
    }
    for (Count n = 24; n-- > 0;) {
      std::optional<Waves::State> hand = std::move(x);
      restore.push_back(seconds([&] { tier.load(n, hand); }));
      x = std::move(*hand);
      tier.drop(n);
    }
  }
  Chain chain = Chain::uniform(steps, {.forward = nanoseconds(median(forward)), .reverse = nanoseconds(median(reverse)), .state_bytes = size, .adjoint = size});
  chain.in_place = true;
  const Count most = 10 * size;  // eight stored, one in hand, the adjoint
  const Plan plan = sweepback::plan(chain, Budget::of({{"memory", TierModel::Unit::bytes, most, {nanoseconds(median(copy))}, {nanoseconds(median(copy))}},
                                                       {"files", TierModel::Unit::unbounded, 0, {nanoseconds(median(store))}, {nanoseconds(median(restore))}}}));
  const auto& bill = plan.bill;
  std::printf("256 states of 8 MiB: %lld in memory, %lld in files; %lld forward steps\n", static_cast<long long>(bill.tiers[0].peak_slots),
              static_cast<long long>(bill.tiers[1].peak_slots), static_cast<long long>(bill.forward_steps));
  std::printf("  a step %.2f ms, its reverse %.2f ms, a store %.2f ms, a restore %.2f ms\n", 1e3 * median(forward), 1e3 * median(reverse),
              1e3 * median(store), 1e3 * median(restore));
  const Ran all = run(sweepback::plan(chain, Budget::bytes(max_count), {.strategy = Strategy::store_all}), {});
  std::vector<double> ratios, plain;
  bool equal = true, billed = true;
  for (int round = 0; round < rounds; ++round) {
    FarTiers<Waves::State> further;
    further.push_back(std::make_unique<FileTier<Waves::State>>(base));
    const Ran one = run(plan, std::move(further));
    equal = equal && one.gradient.rate == all.gradient.rate && std::memcmp(one.gradient.x.data(), all.gradient.x.data(), size) == 0;
    billed = billed && one.report.bill == bill;
    ratios.push_back(one.seconds * 1e9 / static_cast<double>(bill.cost));
    plain.push_back(plainly(base, bill.tiers[1].stores) / one.files);
  }
  std::printf("  time over prediction %.2f (predicted %.2f s); throughput of the files %.0f %% of plain writing and reading\n", median(ratios),
              1e-9 * static_cast<double>(bill.cost), 100 * median(plain));
  std::printf("  gradient %s, bill %s, time over storing everything in memory %.2f\n", equal ? "equal to the bit" : "DIFFERS", billed ? "as planned" : "DIFFERS",
              median(ratios) * 1e-9 * static_cast<double>(bill.cost) / all.seconds);
  return equal && billed ? 0 : 1;
}
