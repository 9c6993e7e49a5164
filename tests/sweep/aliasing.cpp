// SPDX-License-Identifier: Apache-2.0
// The sweep owns what it keeps: neither a step that works in place nor a caller that writes into
// the x_0 it gave changes a stored state (tlm_adjoint #215, where stored states were references).
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "plans.hpp"

namespace {

using namespace toy;
using sweepback::Sweep;

template <class Program>
void expect_the_callers_x0_is_not_watched(Count l) {
  using Box = typename Program::Box;
  for (Count c = 1; c <= l; ++c) {
    for (const Plan& plan : plans<Program>(l, c)) {
      Program program;
      typename Program::State x0 = Box::make(0.3);
      Sweep sweep(program, plan);
      sweep.advance(x0);
      Box::set(x0, -1e6);
      Gradient g;
      sweep.backward(g);
      EXPECT_EQ(g, store_everything(program, l, 0.3).gradient) << testing::PrintToString(plan);
    }
  }
}

TEST(Aliasing, TheCallersStateMayChangeBetweenThePhases) {
  for (const Count l : {1, 2, 20}) {
    expect_the_callers_x0_is_not_watched<Toy<Plain, Form::in_place, Taping::none>>(l);
    expect_the_callers_x0_is_not_watched<Toy<Vector, Form::in_place, Taping::output>>(l);
    expect_the_callers_x0_is_not_watched<Toy<Vector, Form::immutable, Taping::output>>(l);
  }
}

// Also where copies of a state share what it stands for: what the sweep stores is a deep copy. (The
// buffer of x_0 itself is the sweep's from the call on, and is handed out again as x_l.)
TEST(Aliasing, StoredStatesOfAHandleAreDeepCopies) {
  using Program = Toy<Handle, Form::in_place, Taping::output>;
  for (Count c = 1; c <= 20; ++c) {
    for (const Plan& plan : plans<Program>(20, c)) {
      if (!makes_last(plan)) continue;
      Program program;
      Sweep sweep(program, plan);
      const Handle::State last = sweep.forward(Handle::make(0.3));
      *last = 1e6;
      Gradient g;
      sweep.backward(g);
      EXPECT_EQ(g, store_everything(program, 20, 0.3).gradient) << testing::PrintToString(plan);
    }
  }
}

// In place and out of place are the same computation.
TEST(Aliasing, InPlaceEqualsOutOfPlace) {
  Toy<Vector, Form::in_place, Taping::none> in_place;
  Toy<Vector, Form::immutable, Taping::none> immutable;
  for (Count c = 1; c <= 20; ++c) {
    const Plan plan = sweepback::plan(Chain::uniform(20), Budget::slots(c));
    EXPECT_EQ(there_and_back(in_place, plan, 0.3).gradient,
              there_and_back(immutable, plan, 0.3).gradient);
  }
}

// A view handed over by step_back is of the sweep's own state; copying it is enough to keep it.
TEST(Aliasing, HandedOverStatesMayBeCopied) {
  Toy<Vector, Form::in_place, Taping::none> program;
  Sweep sweep(program, plan(Chain::uniform(20), Budget::slots(3)));
  sweep.advance(Vector::make(0.3));
  std::vector<Vector::State> kept;
  while (const auto handed = sweep.step_back()) kept.push_back(handed->state);
  const Everything all = store_everything(program, 20, 0.3);
  for (std::size_t k = 0; k < 20; ++k) EXPECT_EQ(kept[19 - k], Vector::make(all.states[k]));
}

/// Works in place on memory that copies of a state share.
struct Shared {
  using State = std::shared_ptr<double>;
  void forward(Count, State& x) { *x = std::sin(*x); }
  void reverse(Count, const State& x, double& a) { a *= std::cos(*x); }
  State copy(const State& x) { return std::make_shared<double>(*x); }
};

// The caller's memory is neither written to nor read later.
TEST(Aliasing, TheCallersMemoryIsLeftAlone) {
  Shared program;
  Sweep sweep(program, plan(Chain::uniform(12), Budget::slots(3)));
  double first = 0;
  for (const bool meddle : {false, true, false}) {
    const auto x0 = std::make_shared<double>(0.7);
    sweep.forward(x0);
    EXPECT_EQ(*x0, 0.7);
    if (meddle) *x0 = 100;
    double adjoint = 1;
    sweep.backward(adjoint);
    if (first == 0) first = adjoint;
    EXPECT_EQ(adjoint, first);
  }
}

}  // namespace
