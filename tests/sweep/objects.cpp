// SPDX-License-Identifier: Apache-2.0
// States are let go as soon as nothing needs them, and nothing is left behind: what is computed
// again and kept to the end is a plan that saves nothing (pytorch #77284, #80151), and what stays
// from call to call adds up (firedrake #4014).
#include <gtest/gtest.h>

#include <fstream>

#include "counted.hpp"
#include "sized.hpp"

namespace {

using namespace toy;

template <class Program>
void expect_few_alive(Count l, Count c) {
  for (const Plan& plan : plans<Program>(l, c)) {
    ASSERT_EQ(CountedState::alive, 0);
    CountedState::reset();
    Program program;
    there_and_back(program, plan, 0.3);
    // What is kept, the state in hand and the one being made (tapes: beside x_0).
    const Count kept = c + (plan.keep == Keep::tapes);
    EXPECT_LE(CountedState::most_full, kept + 2) << testing::PrintToString(plan);
    EXPECT_EQ(CountedState::full, 0);
    EXPECT_EQ(CountedState::alive, 0);
    // Shells of moved states: the one that forward was given, one on its way into a slot or tape.
    const Count shells = 1 + plan.chain.has_tapes();
    EXPECT_LE(CountedState::most_alive, kept + 2 + shells) << testing::PrintToString(plan);
  }
}

TEST(Objects, AliveAreTheSlotsTheHandAndOneMore) {
  for (const auto& [l, c] : {std::pair{1, 1}, {2, 1}, {10, 2}, {56, 3}, {1000, 5}, {40, 40}}) {
    expect_few_alive<Toy<Counted, Form::in_place, Taping::none>>(l, c);
    expect_few_alive<Toy<Counted, Form::in_place, Taping::bare>>(l, c);
    expect_few_alive<Toy<Counted, Form::immutable, Taping::none>>(l, c);
    expect_few_alive<Toy<Counted, Form::immutable, Taping::bare>>(l, c);
    expect_few_alive<Toy<Counted, Form::immutable, Taping::output>>(l, c);
  }
}

// Immutable states are never copied while tapes do not hold them: storing one keeps a reference.
TEST(Objects, ImmutableStatesAreNotCopied) {
  using Program = Toy<Counted, Form::immutable, Taping::bare>;
  for (const Plan& plan : plans<Program>(30, 4)) {
    CountedState::reset();
    Program program;
    there_and_back(program, plan, 0.3);
    EXPECT_EQ(CountedState::copies, 0) << testing::PrintToString(plan);
  }
}

// A sweep that is dropped on the way takes everything with it.
TEST(Objects, DieWithTheSweep) {
  using Program = Toy<Counted, Form::immutable, Taping::output>;
  for (const Plan& plan : plans<Program>(30, 4)) {
    Program program;
    {
      sweepback::Sweep sweep(program, plan);
      sweep.advance(Counted::make(0.3));
      EXPECT_GT(CountedState::full, 0);
      sweep.advance(Counted::make(0.3));  // starts afresh
    }
    EXPECT_EQ(CountedState::alive, 0);
  }
}

Count resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  Count size = 0, resident = 0;
  statm >> size >> resident;
  return resident * 4096;
}

constexpr bool sanitized =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    true;
#else
    false;
#endif

TEST(Objects, MemoryIsFlatOverManyCalls) {
  using Program = Sized<Form::in_place, Taping::none>;
  const Count size = 1 << 16;
  Chain chain = Chain::uniform(50, {.state_bytes = size});
  chain.in_place = true;
  Program program{chain.step()};
  sweepback::Sweep sweep(program, plan(chain, Budget::slots(4)));
  Count after_second = 0;
  for (int call = 0; call < (sanitized ? 30 : 200); ++call) {
    Digest adjoint;
    sweep.forward(bytes::block(size));
    sweep.backward(adjoint);
    ASSERT_EQ(bytes::alive, 0);
    if (call == 1) after_second = resident_bytes();
  }
  if (!sanitized) {
    EXPECT_LT(resident_bytes() - after_second, 2 << 20);
  }
}

}  // namespace
