// SPDX-License-Identifier: Apache-2.0
// Whatever call of the program throws, its exception passes untouched, nothing stays alive, and the
// sweep can be run again.
#include <gtest/gtest.h>

#include "counted.hpp"
#include "plans.hpp"

namespace {

using namespace toy;

struct Trouble {
  std::string message;
};

/// One whole sweep that is expected to throw; the very object, not a copy.
template <class Program, class Sweep>
void expect_trouble(Sweep& sweep, const std::exception_ptr& error) {
  const Trouble* thrown = nullptr;
  try {
    std::rethrow_exception(error);
  } catch (const Trouble& trouble) {
    thrown = &trouble;
  }
  try {
    go<Program>(sweep, 0.3);
    ADD_FAILURE() << "did not throw";
  } catch (const Trouble& trouble) {
    EXPECT_EQ(&trouble, thrown);
    EXPECT_EQ(trouble.message, "of the program");
  }
}

template <class Program>
void expect_every_call_may_throw(const Plan& plan) {
  Program program;
  const Everything all = store_everything(program, plan.chain.steps(), 0.3);
  CountedState::reset();
  sweepback::Sweep sweep(program, plan);
  go<Program>(sweep, 0.3);
  const Count calls = program.calls(), copies = CountedState::copies;
  const auto error = std::make_exception_ptr(Trouble{"of the program"});

  const auto expect_clean = [&](Count call) {
    ASSERT_EQ(CountedState::alive, 0) << testing::PrintToString(plan) << ", call " << call;
    static_cast<Calls&>(program) = {};
    CountedState::reset();
    const Outcome outcome = go<Program>(sweep, 0.3);
    ASSERT_EQ(outcome.gradient, all.gradient) << testing::PrintToString(plan) << ", call " << call;
    ASSERT_EQ(outcome.bill, plan.bill);
  };
  program.error = CountedState::error = error;
  for (Count call = 0; call < calls; ++call) {
    static_cast<Calls&>(program) = {};
    program.error = error;
    program.fail_at = call;
    expect_trouble<Program>(sweep, error);
    expect_clean(call);
  }
  for (Count copy = 0; copy < copies; ++copy) {
    CountedState::reset();
    CountedState::fail_copy_at = copy;
    expect_trouble<Program>(sweep, error);
    expect_clean(copy);
  }
}

template <class Program>
class Exceptions : public testing::Test {};
using Programs = testing::Types<
    Toy<Counted, Form::in_place, Taping::none>, Toy<Counted, Form::in_place, Taping::bare>,
    Toy<Counted, Form::in_place, Taping::output>, Toy<Counted, Form::immutable, Taping::none>,
    Toy<Counted, Form::immutable, Taping::bare>, Toy<Counted, Form::immutable, Taping::output>>;
TYPED_TEST_SUITE(Exceptions, Programs);

TYPED_TEST(Exceptions, OfAnyCallPassUntouched) {
  for (const auto& [l, c] : {std::pair{1, 1}, {2, 1}, {7, 2}, {12, 3}, {6, 6}})
    for (const Plan& plan : plans<TypeParam>(l, c)) expect_every_call_may_throw<TypeParam>(plan);
}

// A program that shares its states: the calls of `copy` may throw as well.
TEST(ExceptionsOfCopies, PassUntouched) {
  using Program = Toy<Handle, Form::in_place, Taping::output>;
  for (const Plan& plan : plans<Program>(12, 3)) expect_every_call_may_throw<Program>(plan);
}

TEST(ExceptionsOfSteps, WhileSteppingBackPassUntouched) {
  using Program = Toy<Counted, Form::in_place, Taping::none>;
  const Plan plan = sweepback::plan(chain<Program>(12), Budget::slots(3));
  for (Count call = 0; call < plan.bill.forward_steps; ++call) {
    Program program;
    program.error = std::make_exception_ptr(Trouble{"of the program"});
    program.fail_at = call;
    sweepback::Sweep sweep(program, plan);
    EXPECT_THROW(
        {
          sweep.advance(Counted::make(0.3));
          while (sweep.step_back()) {
          }
        },
        Trouble);
    ASSERT_EQ(CountedState::alive, 0);
  }
}

}  // namespace
