// SPDX-License-Identifier: Apache-2.0
// The program is told whether a step runs for the first time: once for every step, forward or
// recorded, and afresh in the next sweep.
#include <gtest/gtest.h>

#include "plans.hpp"

namespace {

using namespace toy;
using sweepback::Phase;

struct Told : Map {
  static constexpr bool in_place = true;
  static constexpr Taping taping = Taping::output;
  using Box = Plain;
  using State = double;
  struct Tape {
    double x, out;
  };
  std::vector<Count> first, again;

  void forward(Count k, double& x, Phase phase) {
    (phase == Phase::first_pass ? first : again).push_back(k);
    x = next(k, x);
  }
  Tape record(Count k, double& x, Phase phase) {
    const double before = x;
    forward(k, x, phase);
    return {before, x};
  }
  const double& output(Count, const Tape& tape) { return tape.out; }
  void reverse(Count k, const double& x, Gradient& a) { back(k, x, a); }
  void reverse(Count k, Tape&& tape, Gradient& a) { back(k, tape.x, a); }
};

TEST(Phases, FirstPassOnceForEachStep) {
  for (const auto& [l, c] : {std::pair{1, 1}, {2, 1}, {20, 3}, {56, 3}, {9, 9}}) {
    for (const Plan& plan : plans<Told>(l, c)) {
      Told program;
      sweepback::Sweep sweep(program, plan);
      for (int round = 0; round < 2; ++round) {
        program.first.clear();
        program.again.clear();
        go<Told>(sweep, 0.3);
        std::vector<Count> every;
        for (Count k = 0; k < l - !makes_last(plan); ++k) every.push_back(k);
        EXPECT_EQ(program.first, every) << testing::PrintToString(plan);
        EXPECT_EQ(static_cast<Count>(program.first.size() + program.again.size()),
                  plan.bill.forward_steps + plan.bill.record_steps);
      }
    }
  }
}

}  // namespace
