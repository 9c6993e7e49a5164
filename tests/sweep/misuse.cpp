// SPDX-License-Identifier: Apache-2.0
// What makes no sense is one typed error with a remedy, before any step runs.
#include <gtest/gtest.h>

#include "plans.hpp"
#include "sized.hpp"

namespace {

using namespace toy;
using sweepback::Error;
using sweepback::OutOfRange;
using sweepback::Sweep;
using sweepback::Unsupported;
using Program = Toy<Plain, Form::in_place, Taping::none>;

/// `work` throws an E that says what to do, and the program is not called.
template <class E, class P, class Work>
void expect_refused(const P& program, Work&& work) {
  const Count before = program.calls();
  try {
    work();
    FAIL() << "not refused";
  } catch (const E& e) {
    EXPECT_FALSE(e.message().empty());
    EXPECT_FALSE(e.remedy().empty()) << e.what();
  }
  EXPECT_EQ(program.calls(), before);
}

TEST(Misuse, BackwardNeedsAForward) {
  Program program;
  Sweep sweep(program, plan(chain<Program>(5), Budget::slots(2)));
  Gradient g;
  expect_refused<OutOfRange>(program, [&] { sweep.backward(g); });
  expect_refused<OutOfRange>(program, [&] { sweep.step_back(); });
  sweep.forward(0.3);
  sweep.backward(g);
  expect_refused<OutOfRange>(program, [&] { sweep.backward(g); });  // once for each forward
  EXPECT_EQ(g, store_everything(program, 5, 0.3).gradient);
}

TEST(Misuse, ForwardNeedsAPlanThatMakesTheLastState) {
  Program program;
  Sweep sweep(program, plan(chain<Program>(5, false, false), Budget::slots(2)));
  expect_refused<Unsupported>(program, [&] { sweep.forward(0.3); });
  sweep.advance(0.3);
  Gradient g;
  sweep.backward(g);
  EXPECT_EQ(g, store_everything(program, 5, 0.3).gradient);
}

TEST(Misuse, PlansWithTapesNeedAProgramThatRecords) {
  Program program;
  for (const Keep keep : {Keep::states, Keep::tapes})
    expect_refused<Unsupported>(program, [&] {
      Sweep sweep(program, plan(Chain::uniform(5, {.tapes = true}), Budget::slots(2), {keep}));
    });
}

TEST(Misuse, KeptTapesNeedTheirOutput) {
  using Bare = Toy<Plain, Form::immutable, Taping::bare>;
  Bare program;
  expect_refused<Unsupported>(program, [&] {
    Sweep sweep(program, plan(Chain::uniform(5, {.tapes = true}), Budget::slots(2), {Keep::tapes}));
  });
  // All of them kept, none is restarted from.
  const Chain chain = toy::chain<Bare>(5, true);
  Sweep sweep(program, plan(chain, Budget::slots(5), {.strategy = Strategy::store_all}));
  sweep.forward(0.3);
  Gradient g;
  EXPECT_EQ(sweep.backward(g).bill, sweep.plan().bill);
  EXPECT_EQ(g, store_everything(program, 5, 0.3).gradient);
}

TEST(Misuse, PlansInBytesAreForOneFormOfProgram) {
  using Immutable = Toy<Plain, Form::immutable, Taping::none>;
  Program in_place;
  Immutable immutable;
  Chain chain = Chain::uniform(5, {.state_bytes = 8});
  expect_refused<Unsupported>(in_place,
                              [&] { Sweep sweep(in_place, plan(chain, Budget::bytes(32))); });
  chain.in_place = true;
  expect_refused<Unsupported>(immutable,
                              [&] { Sweep sweep(immutable, plan(chain, Budget::bytes(32))); });
}

// An immutable program whose record makes the next state beside the tape needs more than a chain
// says whose tapes hold it: the budget would be exceeded.
TEST(Misuse, PlansInBytesAreForOneKindOfTape) {
  Toy<Plain, Form::immutable, Taping::bare> bare;
  Toy<Plain, Form::immutable, Taping::output> output;
  for (const bool held : {false, true}) {
    const Chain chain = Chain::uniform(
        5, {.state_bytes = 8, .tape_bytes = 16, .tape_has_output = held});
    const Plan plan = sweepback::plan(chain, Budget::bytes(64), {Keep::states});
    if (held)
      expect_refused<Unsupported>(bare, [&] { Sweep sweep(bare, plan); });
    else
      expect_refused<Unsupported>(output, [&] { Sweep sweep(output, plan); });
  }
}

struct TapesOnly : Calls {
  using State = double;
  using Tape = double;
  void forward(Count, double& x) {
    count(forwards);
    x *= 2;
  }
  Tape record(Count k, double& x) {
    const double before = x;
    forward(k, x);
    return before;
  }
  struct Adjoint {
    double x = 1;
  };
  void reverse(Count, Tape&&, Adjoint& a) {
    count(reverses);
    a.x *= 2;
  }
};
// The tape of TapesOnly is a double like its state, which an rvalue reference does not take.
static_assert(!sweepback::ReversesFromState<TapesOnly, TapesOnly::Adjoint>);

TEST(Misuse, PlansWithoutTapesNeedAReverseFromStates) {
  TapesOnly program;
  Sweep sweep(program, plan(Chain::uniform(5), Budget::slots(2)));
  sweep.forward(1);
  TapesOnly::Adjoint a;
  expect_refused<Unsupported>(program, [&] { sweep.backward(a); });
}

TEST(Misuse, NoStepsNeedNothing) {
  TapesOnly program;
  for (const bool tapes : {false, true}) {
    Sweep sweep(program, plan(Chain::uniform(0, {.tapes = tapes}), Budget::slots(0)));
    EXPECT_EQ(sweep.forward(3), 3);
    TapesOnly::Adjoint a{7};
    sweep.backward(a);
    EXPECT_EQ(a.x, 7);
  }
  EXPECT_EQ(program.calls(), 0);
}

TEST(Misuse, SteppingBackNeedsAPlanOfStates) {
  Toy<Plain, Form::in_place, Taping::bare> program;
  Sweep sweep(program, plan(chain<decltype(program)>(5, true), Budget::slots(2)));
  sweep.forward(0.3);
  expect_refused<Unsupported>(program, [&] { sweep.step_back(); });
  Gradient g;  // and takes nothing away
  sweep.backward(g);
  EXPECT_EQ(g, store_everything(program, 5, 0.3).gradient);
}

// The last state lies in the last tape, so handing it out is a copy; what cannot be copied is not
// handed out, and that is said before a step runs.
TEST(Misuse, HandingOutOfATapeNeedsACopy) {
  using Program = Toy<MoveOnly, Form::immutable, Taping::output>;
  Program program;
  for (const Keep keep : {Keep::states, Keep::tapes}) {
    Sweep sweep(program, plan(chain<Program>(12, true), Budget::slots(3), {keep}));
    expect_refused<Unsupported>(program, [&] { sweep.forward(MoveOnly::make(0.3)); });
    sweep.advance(MoveOnly::make(0.3));
    Gradient g;
    EXPECT_EQ(sweep.backward(g).bill, sweep.plan().bill);
    EXPECT_EQ(g, store_everything(program, 12, 0.3).gradient);
  }
}

TEST(Misuse, AfterAnExceptionItStartsAgain) {
  Program program;
  Sweep sweep(program, plan(chain<Program>(5), Budget::slots(2)));
  program.error = std::make_exception_ptr(17);
  program.fail_at = 2;
  EXPECT_THROW(sweep.forward(0.3), int);
  Gradient g;
  expect_refused<OutOfRange>(program, [&] { sweep.backward(g); });
  sweep.forward(0.3);
  sweep.backward(g);
  EXPECT_EQ(g, store_everything(program, 5, 0.3).gradient);
}

}  // namespace
