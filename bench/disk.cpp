// SPDX-License-Identifier: Apache-2.0
// A real run through files: 256 states of 8 MiB (2 GiB), memory for 8 of them, the rest in files. Predicted from
// what a step, a reverse step, a store and a restore took in the same process; beside it the same bytes written and
// read plainly, one file after the other, and the whole kept in memory, whose gradient is the same to the bit. Once
// with moves that wait and once with moves while steps run; then the same with memory for 2 and files that take as
// long as a disk of 450 MB/s.
//
//     bench/disk [DIR]      DIR: where files go [SWEEPBACK_SPILL_DIR, TMPDIR, /tmp]
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <thread>
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

/// Files that move so many bytes in a second at most; 0: as many as they can.
class Files final : public FarTier<Waves::State> {
 public:
  Files(const std::filesystem::path& base, double rate) : files_(base), rate_(rate) {}
  void store(Count i, const Waves::State& x) override {
    slowly([&] { files_.store(i, x); });
  }
  void load(Count i, std::optional<Waves::State>& hand) override {
    slowly([&] { files_.load(i, hand); });
  }
  void drop(Count i) override { files_.drop(i); }
  void clear() noexcept override { files_.clear(); }

 private:
  void slowly(auto&& move) {
    const auto begin = std::chrono::steady_clock::now();
    move();
    if (rate_ > 0) std::this_thread::sleep_until(begin + std::chrono::duration<double>(static_cast<double>(size) / rate_));
  }
  FileTier<Waves::State> files_;
  double rate_;
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

struct Costs {
  std::vector<double> forward, reverse, copy, store, restore;
};

/// What one of each takes, with nothing beside it.
Costs measure(const std::filesystem::path& base, double rate) {
  Waves waves;
  Costs costs;
  Waves::State x = start();
  Waves::Adjoint a{Waves::State(numbers, 1.0), 0};
  Files tier(base, rate);
  for (Count n = 0; n < 24; ++n) {
    costs.forward.push_back(seconds([&] { waves.forward(n, x); }));
    costs.reverse.push_back(seconds([&] { waves.reverse(n, x, a); }));
    costs.copy.push_back(seconds([&] { const Waves::State y = x; }));
    costs.store.push_back(seconds([&] { tier.store(n, x); }));
  }
  for (Count n = 24; n-- > 0;) {
    std::optional<Waves::State> hand = std::move(x);
    costs.restore.push_back(seconds([&] { tier.load(n, hand); }));
    x = std::move(*hand);
    tier.drop(n);
  }
  return costs;
}

/// False where a gradient or a bill is not what it must be.
bool compare(const std::filesystem::path& base, Count slots, double rate) {
  const Costs costs = measure(base, rate);
  const auto cost = [](const std::vector<double>& of) { return TransferCost{nanoseconds(median(of))}; };
  Chain chain = Chain::uniform(steps, {.forward = nanoseconds(median(costs.forward)), .reverse = nanoseconds(median(costs.reverse)), .state_bytes = size, .adjoint = size});
  chain.in_place = true;
  const Count most = (slots + 2) * size;  // stored, one in hand, the adjoint
  const TierModel memory{"memory", TierModel::Unit::bytes, most, cost(costs.copy), cost(costs.copy)};
  const auto planned = [&](bool overlap) {
    return sweepback::plan(chain, Budget::of({memory, {"files", TierModel::Unit::unbounded, 0, cost(costs.store), cost(costs.restore), overlap}}));
  };
  const Plan plans[] = {planned(false), planned(true)};
  std::printf("256 states of 8 MiB, memory for %lld: a step %.2f ms, its reverse %.2f ms, a store %.2f ms, a restore %.2f ms\n", static_cast<long long>(slots), 1e3 * median(costs.forward),
              1e3 * median(costs.reverse), 1e3 * median(costs.store), 1e3 * median(costs.restore));
  const Ran all = run(sweepback::plan(chain, Budget::bytes(max_count), {.strategy = Strategy::store_all}), {});
  std::vector<double> times[2], plain;
  bool right = true;
  double stalled = 0;
  for (int round = 0; round < rounds; ++round)
    for (const int overlap : {0, 1}) {
      FarTiers<Waves::State> further;
      further.push_back(std::make_unique<Files>(base, rate));
      const Ran one = run(plans[overlap], std::move(further));
      right = right && one.gradient.rate == all.gradient.rate && std::memcmp(one.gradient.x.data(), all.gradient.x.data(), size) == 0 && one.report.bill == plans[overlap].bill;
      times[overlap].push_back(one.seconds);
      if (overlap)
        stalled = std::chrono::duration<double>(one.report.stalled).count();
      else if (rate == 0)
        plain.push_back(plainly(base, plans[0].bill.tiers[1].stores) / one.files);
    }
  for (const int overlap : {0, 1}) {
    const Bill& bill = plans[overlap].bill;
    const double predicted = 1e-9 * static_cast<double>(bill.time());
    std::printf("  %-22s %lld states in files, %lld forward steps; %.2f s, %.2f of what was predicted; %.2f of storing everything in memory\n",
                overlap ? "moves while steps run:" : "moves that wait:", static_cast<long long>(bill.tiers[1].peak_slots), static_cast<long long>(bill.forward_steps),
                median(times[overlap]), median(times[overlap]) / predicted, median(times[overlap]) / all.seconds);
  }
  std::printf("  while steps run %.2f times as fast (predicted %.2f), %.2f s stalled\n", median(times[0]) / median(times[1]),
              static_cast<double>(plans[0].bill.time()) / static_cast<double>(plans[1].bill.time()), stalled);
  if (!plain.empty()) std::printf("  throughput of the files %.0f %% of plain writing and reading\n", 100 * median(plain));
  std::printf("  gradients and bills %s\n", right ? "equal to the bit, as planned" : "DIFFER");
  return right;
}

}  // namespace

int main(int count, char** arguments) {
  const std::filesystem::path base = count > 1 ? arguments[1] : SpillDirectory::default_base();
  const bool as_it_is = compare(base, 8, 0), slower = compare(base, 2, 450e6);
  return as_it_is && slower ? 0 : 1;
}
