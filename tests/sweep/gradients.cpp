// SPDX-License-Identifier: Apache-2.0
// The gradient is the store-everything gradient, bit for bit: every form of program, every kind of
// plan, every length from 0 to 40 and every number of slots from 1 to 12. (Lengths that are no
// multiple of a period are where others dropped steps: Checkpointing.jl, periodic scheme.)
#include <gtest/gtest.h>

#include "counted.hpp"
#include "plans.hpp"

namespace {

using namespace toy;

template <class Program>
class Gradients : public testing::Test {};

using Programs = testing::Types<
    Toy<Plain, Form::in_place, Taping::none>, Toy<Plain, Form::in_place, Taping::output>,
    Toy<Plain, Form::immutable, Taping::none>, Toy<Plain, Form::immutable, Taping::bare>,
    Toy<Vector, Form::in_place, Taping::none>, Toy<Vector, Form::in_place, Taping::bare>,
    Toy<Vector, Form::in_place, Taping::output>, Toy<Vector, Form::immutable, Taping::none>,
    Toy<Vector, Form::immutable, Taping::bare>, Toy<Vector, Form::immutable, Taping::output>,
    Toy<MoveOnly, Form::in_place, Taping::none>, Toy<MoveOnly, Form::in_place, Taping::output>,
    Toy<MoveOnly, Form::immutable, Taping::none>, Toy<MoveOnly, Form::immutable, Taping::bare>,
    Toy<Handle, Form::in_place, Taping::none>, Toy<Handle, Form::in_place, Taping::output>,
    Toy<Handle, Form::immutable, Taping::none>, Toy<Handle, Form::immutable, Taping::output>>;
TYPED_TEST_SUITE(Gradients, Programs);

TYPED_TEST(Gradients, EqualStoreEverythingBitForBit) {
  for (Count l = 0; l <= 40; ++l) {
    TypeParam program;
    const Everything all = store_everything(program, l, 0.3);
    for (Count c = 1; c <= 12; ++c) {
      for (const Plan& plan : plans<TypeParam>(l, c)) {
        const Outcome outcome = there_and_back(program, plan, 0.3);
        ASSERT_EQ(outcome.gradient, all.gradient) << testing::PrintToString(plan);
        if (outcome.last) {
          ASSERT_EQ(*outcome.last, all.states.back()) << testing::PrintToString(plan);
        }
        ASSERT_EQ(outcome.bill, plan.bill) << testing::PrintToString(plan);
      }
    }
  }
}

TYPED_TEST(Gradients, OfTheBaselinesAreTheSame) {
  for (Count l = 0; l <= 20; ++l) {
    TypeParam program;
    const Everything all = store_everything(program, l, 0.3);
    for (const Strategy strategy : {Strategy::store_all, Strategy::one_slot}) {
      for (const Plan& plan : plans<TypeParam>(l, l + 1, strategy)) {
        const Outcome outcome = there_and_back(program, plan, 0.3);
        ASSERT_EQ(outcome.gradient, all.gradient) << testing::PrintToString(plan);
        ASSERT_EQ(outcome.bill, plan.bill) << testing::PrintToString(plan);
      }
    }
  }
}

// The comparison above can fail: a step that is not a function of k and x alone is found out.
TEST(Gradients, DifferWhereAStepHidesState) {
  struct Hidden : Map {
    using State = double;
    double seen = 0;  // what the state should hold
    void forward(Count k, double& x) {
      x = next(k, x + 1e-9 * seen);
      seen += 1;
    }
    void reverse(Count k, const double& x, Gradient& a) { back(k, x, a); }
  };
  Hidden once, again;
  Gradient everything, scheduled;
  sweepback::Sweep kept(once, plan(Chain::uniform(20), Budget::slots(20)));
  kept.forward(0.3);
  kept.backward(everything);
  sweepback::Sweep sweep(again, plan(Chain::uniform(20), Budget::slots(3)));
  sweep.forward(0.3);
  sweep.backward(scheduled);
  EXPECT_FALSE(everything == scheduled);
}

}  // namespace
