// SPDX-License-Identifier: Apache-2.0
// How long the table takes from which plans that keep states and tapes are read. Limits: 1,000 steps
// with 300 units within 150 ms, 10,000 steps with 64 units within 3 s.
#include <benchmark/benchmark.h>

#include "sweepback/plan.hpp"

namespace {

using namespace sweepback;

void table(benchmark::State& state) {
  const Count steps = state.range(0), units = state.range(1);
  for (auto _ : state) {
    const PolicyTable made(steps, units, {2, 7});
    benchmark::DoNotOptimize(made.cost(steps, units));
  }
}
BENCHMARK(table)->Args({1'000, 300})->Args({10'000, 64})->Unit(benchmark::kMillisecond);

/// A plan from a table that is there already: its schedule is walked once to count its bill.
void plan_from_table(benchmark::State& state) {
  const Chain chain = Chain::uniform(state.range(0), {.tapes = true});
  PlanOptions options{.keep = Keep::mixed, .units = {2, 7}};
  options.table = policy_table(chain, Budget::slots(state.range(1)), options);
  for (auto _ : state)
    benchmark::DoNotOptimize(plan(chain, Budget::slots(state.range(1)), options).bill.cost);
}
BENCHMARK(plan_from_table)->Args({1'000, 300})->Args({10'000, 64})->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
