// SPDX-License-Identifier: Apache-2.0
// Programs that run ranges of steps in one call: one call a block, the gradient of every single step.
#include <gtest/gtest.h>

#include <vector>

#include "plans.hpp"

namespace {

using namespace toy;
using sweepback::Phase;
using sweepback::Sweep;

/// The toy's steps, many in one call; a tape is all their states.
template <bool in_place_, bool output_>
struct Fused : Map, Calls {
  static constexpr bool in_place = in_place_;
  using State = double;
  struct Tape {
    std::vector<double> states;
    double out;
  };

  double run(Count i, Count j, double x, std::vector<double>* seen = nullptr) {
    for (Count k = i; k < j; ++k) {
      if (seen) seen->push_back(x);
      x = next(k, x);
    }
    return x;
  }
  void forward(Count i, Count j, double& x)
    requires in_place_
  {
    count(forwards);
    x = run(i, j, x);
  }
  double forward(Count i, Count j, const double& x, Phase)
    requires(!in_place_)
  {
    count(forwards);
    return run(i, j, x);
  }
  Tape made(Count i, Count j, double x) {
    count(records);
    Tape tape;
    tape.out = run(i, j, x, &tape.states);
    return tape;
  }
  Tape record(Count i, Count j, double& x)
    requires in_place_
  {
    Tape tape = made(i, j, x);
    x = tape.out;
    return tape;
  }
  Tape record(Count i, Count j, const double& x)
    requires(!in_place_ && output_)
  {
    return made(i, j, x);
  }
  std::pair<double, Tape> record(Count i, Count j, const double& x)
    requires(!in_place_ && !output_)
  {
    Tape tape = made(i, j, x);
    const double out = tape.out;
    return {out, std::move(tape)};
  }
  const double& output(Count, const Tape& tape)
    requires output_
  {
    return tape.out;
  }
  void reverse(Count i, Count j, const double& x, Gradient& a) {
    count(reverses);
    std::vector<double> states;
    run(i, j, x, &states);
    for (Count k = j; k-- > i;) back(k, states[static_cast<std::size_t>(k - i)], a);
  }
  void reverse(Count i, Count j, Tape&& tape, Gradient& a) {
    count(reverses);
    for (Count k = j; k-- > i;) back(k, tape.states[static_cast<std::size_t>(k - i)], a);
  }
};

template <class Program>
void expect_right(bool tapes, bool output) {
  static_assert(sweepback::RunsRanges<Program>);
  for (const Count l : {0, 1, 2, 7, 30})
    for (const Count block : {0, 1, 4, 7, 50})
      for (const Count bytes : {180, 300, 2'000})
        for (const bool final_state : {false, true}) {
          Chain chain = Chain::uniform(l, {.forward_call = 9, .record_call = 9, .reverse_call = 9,
                                           .state_bytes = 8, .tape_has_output = output});
          if (tapes && l > 0) {
            sweepback::Step step = chain.step();
            step.tape_bytes = 8;
            step.block_tape = 12;
            chain = Chain::uniform(l, step);
          }
          chain.blocks = true;
          chain.in_place = Program::in_place;
          chain.final_state = final_state;
          Plan plan;
          try {
            plan = sweepback::plan(chain, Budget::bytes(bytes), {.block = block});
          } catch (const sweepback::BudgetTooSmall&) {
            continue;
          }
          Program program;
          Sweep sweep(program, plan);
          double last = 0;
          if (makes_last(plan))
            last = sweep.forward(0.3);
          else
            sweep.advance(0.3);
          Gradient gradient;
          EXPECT_EQ(sweep.backward(gradient).bill, plan.bill) << l << ' ' << block << ' ' << bytes;
          Map map;
          const auto all = store_everything(map, l, 0.3);
          EXPECT_EQ(gradient, all.gradient);
          EXPECT_EQ(last, makes_last(plan) ? all.states.back() : 0);
          Count calls = 0;
          for (const sweepback::Action& action : plan.schedule)
            calls += action.kind == sweepback::Action::Kind::forward;
          EXPECT_EQ(program.forwards, calls);
        }
}

TEST(Blocks, AreOneCallEach) {
  expect_right<Fused<true, false>>(false, true);
  expect_right<Fused<true, false>>(true, false);
  expect_right<Fused<true, true>>(true, true);
  expect_right<Fused<false, false>>(false, true);
  expect_right<Fused<false, false>>(true, false);
  expect_right<Fused<false, true>>(true, true);
}

// A plan of single steps calls for each of them, whatever else the program can do.
TEST(Blocks, SingleStepsAreRangesOfOne) {
  Fused<false, true> program;
  const Plan plan = sweepback::plan(chain<Toy<Plain, Form::immutable, Taping::output>>(20, true),
                                    Budget::slots(4), {.keep = Keep::mixed});
  Sweep sweep(program, plan);
  sweep.forward(0.3);
  Gradient gradient;
  EXPECT_EQ(sweep.backward(gradient).bill, plan.bill);
  EXPECT_EQ(program.forwards, plan.bill.forward_steps);
  EXPECT_EQ(program.records, 20);
  Map map;
  EXPECT_EQ(gradient, store_everything(map, 20, 0.3).gradient);
}

TEST(Blocks, NeedAProgramThatRunsThem) {
  using Single = Toy<Plain, Form::in_place, Taping::none>;
  Single program;
  Chain chain = Chain::uniform(5, {.state_bytes = 8});
  chain.in_place = chain.blocks = true;
  EXPECT_THROW(Sweep(program, plan(chain, Budget::bytes(1000), {.block = 2})),
               sweepback::Unsupported);
  Fused<true, false> fused;
  Sweep sweep(fused, plan(chain, Budget::bytes(1000), {.block = 2}));
  sweep.forward(0.3);
  EXPECT_THROW(sweep.step_back(), sweepback::Unsupported);
}

}  // namespace
