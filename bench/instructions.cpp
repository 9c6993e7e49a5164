// SPDX-License-Identifier: Apache-2.0
// The streams alone, for a profiler that counts instructions:
//
//     valgrind --tool=callgrind --toggle-collect='stream_inlined*' instructions inlined
//
// prints the number of actions; `bench/ratios` divides.
#include <cstdio>
#include <cstring>

#include "sweepback/plan.hpp"

using sweepback::Action;
using sweepback::Count;
using sweepback::Schedule;

struct Tally {
  Count actions = 0, sum = 0;
  void operator()(const Action& action) {
    ++actions;
    sum += action.first;
  }
};

[[gnu::noinline]] Tally stream_inlined(Schedule& schedule) {
  Tally tally;
  schedule.drain([&](const Action& action) { tally(action); });
  return tally;
}

[[gnu::noinline]] bool opaque_next(Schedule& schedule, Action& action) {
  return schedule.next(action);
}

[[gnu::noinline]] Tally stream_opaque(Schedule& schedule) {
  Tally tally;
  for (Action action; opaque_next(schedule, action);) tally(action);
  return tally;
}

int main(int count, char** arguments) {
  using namespace sweepback;
  Schedule schedule = plan(Chain::uniform(1'000'000), Budget::slots(15)).schedule;
  const bool opaque = count > 1 && std::strcmp(arguments[1], "opaque") == 0;
  const Tally tally = opaque ? stream_opaque(schedule) : stream_inlined(schedule);
  std::printf("%lld actions\n", static_cast<long long>(tally.actions));
  return tally.sum > 0 ? 0 : 1;
}
