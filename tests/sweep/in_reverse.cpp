// SPDX-License-Identifier: Apache-2.0
// The states in reverse as a range: in order, lazily, at the cost of T(l,c).
#include <gtest/gtest.h>

#include "counted.hpp"
#include "plans.hpp"

namespace {

using namespace toy;
using sweepback::states_in_reverse;

template <class Program>
class InReverse : public testing::Test {};
using Programs = testing::Types<
    Toy<Counted, Form::in_place, Taping::none>, Toy<Counted, Form::immutable, Taping::none>,
    Toy<Handle, Form::in_place, Taping::none>, Toy<MoveOnly, Form::immutable, Taping::none>>;
TYPED_TEST_SUITE(InReverse, Programs);

TYPED_TEST(InReverse, HandsOverEveryStateOnce) {
  using Box = typename TypeParam::Box;
  for (Count l = 0; l <= 40; ++l) {
    for (const Count c : {1, 2, 3, 7, 50}) {
      for (const bool last : {false, true}) {
        TypeParam program;
        const Everything all = store_everything(program, l, 0.3);
        const Plan plan = sweepback::plan(chain<TypeParam>(l, false, last), Budget::slots(c));
        auto range = states_in_reverse(program, Box::make(0.3), plan);
        Count next = l;
        for (auto [k, x] : range) {
          ASSERT_EQ(k, --next);
          ASSERT_EQ(Box::get(x), all.states[static_cast<std::size_t>(k)]);
        }
        ASSERT_EQ(next, 0);
        ASSERT_EQ(range.report().bill, plan.bill) << testing::PrintToString(plan);
        const Count length = l + (last && l > 0);
        ASSERT_EQ(program.forwards,
                  length == 0 ? 0 : sweepback::binomial::forward_steps(length, c));
        ASSERT_EQ(program.reverses, 0);
      }
    }
  }
}

TYPED_TEST(InReverse, RunsNothingBeforeBegin) {
  TypeParam program;
  const Plan plan = sweepback::plan(chain<TypeParam>(30, false, false), Budget::slots(3));
  auto range = states_in_reverse(program, TypeParam::Box::make(0.3), plan);
  EXPECT_EQ(program.calls(), 0);
  const auto at = range.begin();
  EXPECT_EQ((*at).k, 29);
  EXPECT_EQ(program.forwards, 29);  // the first pass, and nothing beyond
}

TYPED_TEST(InReverse, StoppedEarlyIsPaidEarly) {
  TypeParam program;
  const Plan plan = sweepback::plan(chain<TypeParam>(30, false, false), Budget::slots(3));
  for (const auto& [k, x] : states_in_reverse(program, TypeParam::Box::make(0.3), plan))
    if (k == 20) break;
  EXPECT_GE(program.forwards, 29);
  EXPECT_LT(program.forwards, plan.bill.forward_steps);
  EXPECT_EQ(CountedState::alive, 0);
}

TYPED_TEST(InReverse, LetsExceptionsPass) {
  const Plan plan = sweepback::plan(chain<TypeParam>(12, false, false), Budget::slots(2));
  for (Count call = 0; call < plan.bill.forward_steps; ++call) {
    TypeParam program;
    program.error = std::make_exception_ptr(std::string("of a step"));
    program.fail_at = call;
    Count seen = 12;
    EXPECT_THROW(
        for (const auto handed
             : states_in_reverse(program, TypeParam::Box::make(0.3), plan)) seen = handed.k,
        std::string);
    if (program.copies == 0) {
      EXPECT_EQ(seen == 12, call < 11);  // in the first pass nothing is handed over
    }
    ASSERT_EQ(CountedState::alive, 0);
  }
}

// Few states are alive on the way, and none once the last was handed over.
TEST(InReverseObjects, AreFew) {
  const auto expect_few = [](auto program) {
    using Program = decltype(program);
    CountedState::reset();
    const Plan plan = sweepback::plan(chain<Program>(200, false, false), Budget::slots(5));
    auto range = states_in_reverse(program, Counted::make(0.3), plan);
    for (const auto& handed : range) EXPECT_LE(CountedState::full, 6) << handed.k;
    EXPECT_LE(CountedState::most_full, 7);
    EXPECT_EQ(CountedState::full, 0);
  };
  expect_few(Toy<Counted, Form::in_place, Taping::none>{});
  expect_few(Toy<Counted, Form::immutable, Taping::none>{});
}

// The states have been handed over; a second walk would find none.
TYPED_TEST(InReverse, IsWalkedOnce) {
  TypeParam program;
  auto range = states_in_reverse(program, TypeParam::Box::make(0.3),
                                 sweepback::plan(chain<TypeParam>(5, false, false), Budget::slots(2)));
  Count seen = 0;
  for ([[maybe_unused]] const auto& handed : range) ++seen;
  EXPECT_EQ(seen, 5);
  EXPECT_THROW(range.begin(), sweepback::OutOfRange);
}

TEST(InReverseOfTapes, IsRefused) {
  using Program = Toy<Plain, Form::in_place, Taping::bare>;
  Program program;
  EXPECT_THROW(states_in_reverse(program, 0.3, plan(chain<Program>(5, true), Budget::slots(2))),
               sweepback::Unsupported);
  EXPECT_EQ(program.calls(), 0);
}

}  // namespace
