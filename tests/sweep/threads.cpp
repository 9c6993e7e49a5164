// SPDX-License-Identifier: Apache-2.0
// Sweeps in threads share nothing that they change: the plan, and a program that steps do not
// change, may be the same object for all. (Worth its name under the thread sanitizer.)
#include <gtest/gtest.h>

#include <thread>

#include "plans.hpp"

namespace {

using namespace toy;

struct Shared : Map {
  using State = std::vector<double>;
  using Tape = std::vector<double>;
  void forward(Count k, State& x) const { x[0] = next(k, x[0]); }
  Tape record(Count k, State& x) const {
    Tape tape = x;
    forward(k, x);
    return tape;
  }
  void reverse(Count k, Tape&& tape, Gradient& a) const { back(k, tape[0], a); }
  void reverse(Count k, const State& x, Gradient& a) const { back(k, x[0], a); }
};

TEST(Threads, ShareAPlanAndAProgram) {
  const Shared program;
  const Everything all = store_everything(program, 200, 0.3);
  for (const bool tapes : {false, true}) {
    const Plan plan = sweepback::plan(
        Chain::uniform(200, {.tapes = tapes, .tape_has_output = !tapes}), Budget::slots(4));
    std::vector<Gradient> gradients(8);
    std::vector<std::thread> threads;
    for (Gradient& g : gradients) {
      threads.emplace_back([&program, &plan, &g] {
        for (int round = 0; round < 20; ++round) {
          sweepback::Sweep sweep(program, plan);
          g = {};
          sweep.forward({0.3});
          sweep.backward(g);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const Gradient& g : gradients) EXPECT_EQ(g, all.gradient);
  }
}

// A sweep may go there in one thread and come back in another.
TEST(Threads, TakeASweepOver) {
  Shared program;
  sweepback::Sweep sweep(program, plan(Chain::uniform(50), Budget::slots(3)));
  std::thread([&] { sweep.advance({0.3}); }).join();
  Gradient g;
  std::thread([&] { sweep.backward(g); }).join();
  EXPECT_EQ(g, store_everything(program, 50, 0.3).gradient);
}

}  // namespace
