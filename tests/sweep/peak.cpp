// SPDX-License-Identifier: Apache-2.0
// The peak that a counting allocator sees, at every instant and during every copy, is the plan's to
// the byte; so the budget is never exceeded. Random lengths, sizes, workspaces and budgets.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>

#include "sized.hpp"

namespace {

using namespace toy;

// Enough cases of each property, unless the caller wants another number.
const int cases = setenv("RC_PARAMS", "max_success=500 max_discard_ratio=20", 0);

template <class Program>
Chain random_chain() {
  using rc::gen::inRange;
  const bool tapes = Program::taping != Taping::none && *inRange(0, 4) > 0;
  sweepback::Step step;
  step.state_bytes = *inRange<Count>(1, 40);
  if (tapes) {
    step.tape_has_output = Program::taping == Taping::output;
    step.tape_bytes = *inRange<Count>(0, 60) + (step.tape_has_output ? *step.state_bytes : 0);
  }
  step.forward_workspace = *rc::gen::element<Count>(0, 0, 3, 17, 50, 90);
  step.reverse_workspace = *rc::gen::element<Count>(0, 0, 5, 17, 50, 90);
  step.adjoint = *rc::gen::element<Count>(0, 1, 13);
  step.record = *inRange<Count>(1, 4);
  Chain chain = Chain::uniform(*inRange<Count>(0, 60), step);
  chain.in_place = Program::in_place;
  chain.final_state = *rc::gen::arbitrary<bool>();
  return chain;
}

template <class Program>
Keep random_keep(const Chain& chain) {
  if (chain.steps() == 0 || !chain.has_tapes()) return Keep::states;
  if (Program::taping != Taping::output) return *rc::gen::element(Keep::states, Keep::mixed);
  return *rc::gen::element(Keep::automatic, Keep::states, Keep::tapes, Keep::mixed);
}

template <class Program>
void budgets_are_kept_to_the_byte() {
  const Chain chain = random_chain<Program>();
  const Keep keep = random_keep<Program>(chain);
  const Count smallest = smallest_budget(chain, keep);
  const Count state = chain.step().state_bytes.value_or(0) + chain.step().tape_bytes.value_or(0);
  const Budget budget = Budget::bytes(smallest + *rc::gen::inRange<Count>(0, 12 * state + 2));
  const Plan plan = sweepback::plan(chain, budget, {keep});
  RC_ASSERT(check(plan).ok);

  const Measured measured = measure<Program>(plan);
  RC_LOG() << testing::PrintToString(plan) << "\nstate " << chain.step().state_bytes.value_or(-1)
           << " tape " << chain.step().tape_bytes.value_or(-1) << " workspace "
           << chain.step().forward_workspace << " and " << chain.step().reverse_workspace
           << " adjoint " << chain.step().adjoint << "\nplanned  "
           << testing::PrintToString(plan.bill) << "\nmeasured "
           << testing::PrintToString(measured.bill) << "\nallocator " << measured.peak;
  RC_ASSERT(measured.bill == plan.bill);
  if (chain.steps() > 0) RC_ASSERT(measured.peak == *plan.bill.peak_bytes);
  if (chain.steps() > 0) RC_ASSERT(measured.peak <= budget.amount);
  RC_ASSERT(measured.left == 0);
  const auto x0 = bytes::block(chain.step().state_bytes.value_or(0), 1);
  RC_ASSERT(measured.digest == digest_of_everything(chain.steps(), x0));
}

#define PEAK_OF(name, form, taping)                                              \
  TEST(Peak, name) {                                                             \
    EXPECT_TRUE(rc::check([] { budgets_are_kept_to_the_byte<Sized<form, taping>>(); })); \
  }
PEAK_OF(InPlaceFromStates, Form::in_place, Taping::none)
PEAK_OF(InPlaceFromTapes, Form::in_place, Taping::bare)
PEAK_OF(InPlaceFromTapesWithOutput, Form::in_place, Taping::output)
PEAK_OF(ImmutableFromStates, Form::immutable, Taping::none)
PEAK_OF(ImmutableFromTapes, Form::immutable, Taping::bare)
PEAK_OF(ImmutableFromTapesWithOutput, Form::immutable, Taping::output)

// The comparison can fail: a byte more than declared is seen.
TEST(Peak, OfAStepThatTakesMoreThanItSaysIsSeen) {
  using Program = Sized<Form::in_place, Taping::none>;
  struct Greedy : Program {
    void forward(Count k, State& x) {
      const auto undeclared = bytes::block(1);
      Program::forward(k, x);
    }
  };
  Chain chain = Chain::uniform(30, {.state_bytes = 16});
  chain.in_place = true;
  const Plan plan = sweepback::plan(chain, Budget::bytes(5 * 16));
  EXPECT_EQ(measure<Program>(plan).peak, *plan.bill.peak_bytes);
  EXPECT_EQ(measure<Greedy>(plan).peak, *plan.bill.peak_bytes + 1);
}

// What forward hands out is the caller's: of an immutable program it is a copy where a tape holds
// it, and it counts no longer once it is handed out.
template <class Program>
void expect_last_state_costs_nothing_to_keep(Keep keep) {
  const sweepback::Step step{.state_bytes = 16, .tape_bytes = 24};
  Chain chain = Chain::uniform(30, step);
  chain.in_place = Program::in_place;
  const Plan plan = sweepback::plan(chain, Budget::bytes(200), {keep});
  bytes::reset();
  Program program{step};
  sweepback::Sweep sweep(program, plan);
  const bytes::Block last = sweep.forward(bytes::block(16, 1));
  bytes::reset();
  Digest adjoint;
  sweep.backward(adjoint);
  EXPECT_LE(bytes::peak, *plan.bill.peak_bytes + 16);
  EXPECT_EQ(bytes::alive, 16);
}

TEST(Peak, TheStateHandedOutIsTheCallers) {
  expect_last_state_costs_nothing_to_keep<Sized<Form::in_place, Taping::output>>(Keep::states);
  expect_last_state_costs_nothing_to_keep<Sized<Form::in_place, Taping::output>>(Keep::tapes);
  expect_last_state_costs_nothing_to_keep<Sized<Form::immutable, Taping::output>>(Keep::states);
  expect_last_state_costs_nothing_to_keep<Sized<Form::immutable, Taping::output>>(Keep::tapes);
}

}  // namespace
