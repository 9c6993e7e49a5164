// SPDX-License-Identifier: Apache-2.0
// What the sweep itself costs: the time of an action beyond the program's own work, which here is
// next to nothing, and the allocations it makes while it runs.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <new>

#include "sweepback/sweep.hpp"

namespace {
std::size_t allocations = 0;
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* p = std::malloc(bytes)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

using namespace sweepback;

/// One addition a step, in place.
struct InPlace {
  using State = double;
  void forward(Count, double& x) { x += 1; }
  void reverse(Count, const double& x, double& adjoint) { adjoint += x; }
};

/// The same with states that are never changed.
struct Immutable {
  using State = double;
  double forward(Count, const double& x) { return x + 1; }
  void reverse(Count, const double& x, double& adjoint) { adjoint += x; }
};

/// The same with a tape, which holds the step's output.
struct Recording : Immutable {
  struct Tape {
    double x, output;
  };
  Tape record(Count, const double& x) { return {x, x + 1}; }
  const double& output(Count, const Tape& tape) { return tape.output; }
  void reverse(Count, Tape&& tape, double& adjoint) { adjoint += tape.x; }
};

/// A sweep of 10^6 steps with 15 slots: both phases, divided by the number of actions.
template <class P>
void per_action(benchmark::State& state, bool tapes, Keep keep) {
  P program;
  const Plan p = plan(Chain::uniform(1'000'000, {.tapes = tapes}), Budget::slots(15), {.keep = keep});
  Count actions = 0;
  Schedule(p.schedule).drain([&](const Action&) { ++actions; });
  Sweep sweep(program, p);
  std::size_t made = 0;
  for (auto _ : state) {
    double adjoint = 0;
    const std::size_t before = allocations;
    benchmark::DoNotOptimize(sweep.forward(0.0));
    benchmark::DoNotOptimize(sweep.backward(adjoint));
    made = allocations - before;
    benchmark::DoNotOptimize(adjoint);
  }
  state.counters["actions"] = static_cast<double>(actions);
  state.counters["allocations"] = static_cast<double>(made);
  state.counters["s/action"] = benchmark::Counter(
      static_cast<double>(actions),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void in_place(benchmark::State& state) { per_action<InPlace>(state, false, Keep::states); }
void immutable(benchmark::State& state) { per_action<Immutable>(state, false, Keep::states); }
void recording(benchmark::State& state) { per_action<Recording>(state, true, Keep::states); }
void keeping_tapes(benchmark::State& state) { per_action<Recording>(state, true, Keep::tapes); }
BENCHMARK(in_place)->Unit(benchmark::kMillisecond);
BENCHMARK(immutable)->Unit(benchmark::kMillisecond);
BENCHMARK(recording)->Unit(benchmark::kMillisecond);
BENCHMARK(keeping_tapes)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
