// SPDX-License-Identifier: Apache-2.0
// How fast a schedule is planned and streamed. `bench/ratios` prints the same as one table.
#include <benchmark/benchmark.h>

#include "sweepback/plan.hpp"

namespace {

using namespace sweepback;

/// What a visitor of a benchmark does with an action: next to nothing.
struct Tally {
  Count actions = 0, sum = 0;
  void operator()(const Action& action) {
    ++actions;
    sum += action.first;
  }
};

[[gnu::noinline]] bool opaque_next(Schedule& schedule, Action& action) {
  return schedule.next(action);
}

void per_action(benchmark::State& state, const Tally& tally) {
  benchmark::DoNotOptimize(tally.sum);
  state.counters["actions"] = static_cast<double>(tally.actions);
  state.counters["s/action"] =
      benchmark::Counter(static_cast<double>(tally.actions),
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
}

/// 10^6 steps, 15 slots (or tapes), through a visitor that the compiler sees.
void stream_inlined(benchmark::State& state, Keep keep) {
  const Plan p = plan(Chain::uniform(1'000'000), Budget::slots(15), {.keep = keep});
  Tally tally;
  for (auto _ : state) {
    Schedule schedule = p.schedule;
    tally = {};
    schedule.drain([&](const Action& action) { tally(action); });
  }
  per_action(state, tally);
}
BENCHMARK_CAPTURE(stream_inlined, states, Keep::states)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(stream_inlined, tapes, Keep::tapes)->Unit(benchmark::kMillisecond);

/// The same through a call that the compiler does not see into.
void stream_opaque(benchmark::State& state, Keep keep) {
  const Plan p = plan(Chain::uniform(1'000'000), Budget::slots(15), {.keep = keep});
  Tally tally;
  for (auto _ : state) {
    Schedule schedule = p.schedule;
    tally = {};
    for (Action action; opaque_next(schedule, action);) tally(action);
  }
  per_action(state, tally);
}
BENCHMARK_CAPTURE(stream_opaque, states, Keep::states)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(stream_opaque, tapes, Keep::tapes)->Unit(benchmark::kMillisecond);

/// From a recipe to its first action: 10^12 steps, 64 slots.
void first_action(benchmark::State& state) {
  const Recipe recipe = plan(Chain::uniform(1'000'000'000'000), Budget::slots(64)).schedule.recipe();
  for (auto _ : state) {
    Schedule schedule(recipe);
    Action action;
    benchmark::DoNotOptimize(schedule.next(action));
    benchmark::DoNotOptimize(schedule.next(action));  // x_0 is stored first, then the first run
    benchmark::DoNotOptimize(action);
  }
}
BENCHMARK(first_action);

/// The plan itself, with bill and certificate.
void plan_in_slots(benchmark::State& state) {
  const Chain chain = Chain::uniform(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(plan(chain, Budget::slots(state.range(1))));
}
BENCHMARK(plan_in_slots)->Args({1'000'000, 50})->Args({1'000'000'000'000, 64});

void plan_in_bytes(benchmark::State& state) {
  const Chain chain =
      Chain::uniform(state.range(0), {.state_bytes = 1 << 10, .tape_bytes = 4 << 10});
  for (auto _ : state) benchmark::DoNotOptimize(plan(chain, Budget::bytes(256 << 10)));
}
BENCHMARK(plan_in_bytes)->Arg(1'000'000)->Arg(1'000'000'000'000);

/// Plan and whole stream: 10^6 steps, 50 slots.
void plan_and_stream(benchmark::State& state) {
  Tally tally;
  for (auto _ : state) {
    Schedule schedule = plan(Chain::uniform(1'000'000), Budget::slots(50)).schedule;
    tally = {};
    schedule.drain([&](const Action& action) { tally(action); });
  }
  per_action(state, tally);
}
BENCHMARK(plan_and_stream)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
