// SPDX-License-Identifier: Apache-2.0
// A course that is changed at any moment: the result is that of everything stored, the new budget is kept at
// every instant from then on, and each plan's bill is that of its part.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <csignal>
#include <cstdlib>

#include "sized.hpp"
#include "sweepback/budget_signal.hpp"
#include "sweepback/course.hpp"
#include "sweepback/file_tier.hpp"

namespace {

using namespace toy;
using sweepback::Action;
using sweepback::ActionEvent;
using sweepback::Bill;
using sweepback::BudgetSignal;
using sweepback::BudgetTooSmall;
using sweepback::Course;
using sweepback::CourseOptions;
using sweepback::MeasuredCosts;
using sweepback::MemoryTier;
using sweepback::Observers;
using sweepback::Report;
using sweepback::Run;
using sweepback::Situation;
using sweepback::Step;
using sweepback::StepEvent;

const int cases = setenv("RC_PARAMS", "max_success=300 max_discard_ratio=20", 0);

/// What is alive counts from when the new plan has given up what it gives up: with its first other action.
struct FromThere {
  void action(const ActionEvent& event) {
    if (event.action.kind != Action::Kind::free) bytes::giving_up = false;
  }
};

template <class Program>
void another_budget_at_any_moment() {
  using rc::gen::inRange;
  const bool tapes = Program::taping != Taping::none;
  sweepback::Step step{.state_bytes = *inRange<Count>(4, 30), .forward_workspace = *inRange<Count>(0, 9), .reverse_workspace = *inRange<Count>(0, 9), .adjoint = *inRange<Count>(0, 9)};
  if (tapes) {
    step.tape_has_output = Program::taping == Taping::output;
    step.tape_bytes = *step.state_bytes * 2 + *inRange<Count>(0, 30);
  }
  Chain chain = Chain::uniform(*inRange<Count>(1, 60), step);
  if (!tapes && *inRange(0, 2) == 0) {  // unequal costs
    Step dear = step;
    dear.forward = 3;
    chain = Chain::of({{step, chain.steps()}, {dear, *inRange<Count>(1, 12)}});
  }
  chain.in_place = Program::in_place;
  const Keep keep = !tapes ? Keep::states : Program::taping == Taping::output ? *rc::gen::element(Keep::states, Keep::tapes, Keep::mixed) : Keep::states;
  const Count smallest = smallest_budget(chain, keep);
  const Plan plan = sweepback::plan(chain, Budget::bytes(smallest + *inRange<Count>(0, 200)), {.keep = keep});

  Count asked = 0;
  const Count when = *inRange<Count>(0, 80);
  Budget other = Budget::bytes(smallest + *inRange<Count>(0, 300));
  std::optional<Plan> followed;
  FromThere from_there;
  Count refused = 0;
  Course course(plan, {.budget = [&] { return asked++ == when ? std::optional(other) : std::nullopt; },
                       .changed =
                           [&](const Plan& next) {
                             followed = next;
                             bytes::reset();
                             bytes::giving_up = true;
                           },
                       .refused =
                           [&](const sweepback::Error& e) {
                             ++refused;
                             const bool too_small = dynamic_cast<const BudgetTooSmall*>(&e) != nullptr;
                             if (!too_small) RC_LOG() << e.what();
                             RC_ASSERT(too_small);
                           }});
  const std::int64_t before = bytes::alive;
  bytes::reset();
  Report report;
  std::uint64_t digest = 0;
  {
    Program program{chain.runs().front().step};
    Observers<typename Program::State, FromThere, Course> observers(from_there, course);
    sweepback::Sweep<Program, MemoryTier<typename Program::State>, decltype(observers)> sweep(program, plan, {}, observers);
    Digest adjoint{bytes::block(program.sizes.adjoint)};
    sweep.advance(bytes::block(program.sizes.state_bytes.value_or(0), 1));
    report = sweep.backward(adjoint);
    digest = adjoint.value;
  }
  RC_ASSERT(bytes::alive == before);
  RC_ASSERT(digest == digest_of_everything(chain.steps(), bytes::block(*step.state_bytes, 1)));
  RC_CLASSIFY(followed.has_value(), "changed");
  RC_CLASSIFY(refused > 0, "refused");
  RC_ASSERT(report.bill == (followed ? followed->bill : plan.bill));
  RC_ASSERT(static_cast<Count>(report.earlier.size()) == course.changes());
  if (!followed) return;
  const sweepback::Verdict verdict = check(*followed);
  if (!verdict.ok) RC_LOG() << verdict.violation->message << " from " << to_string(followed->schedule.situation()) << '\n';
  RC_ASSERT(verdict.ok);
  RC_ASSERT(bytes::peak - before <= other.amount);
  RC_ASSERT(report.earlier[0].reverse_steps + report.bill.reverse_steps == chain.steps());
}

#define COURSE_OF(name, form, taping) \
  TEST(Course, name) { EXPECT_TRUE(rc::check([] { another_budget_at_any_moment<Sized<form, taping>>(); })); }
COURSE_OF(InPlaceFromStates, Form::in_place, Taping::none)
COURSE_OF(InPlaceFromTapes, Form::in_place, Taping::bare)
COURSE_OF(InPlaceFromTapesWithOutput, Form::in_place, Taping::output)
COURSE_OF(ImmutableFromStates, Form::immutable, Taping::none)
COURSE_OF(ImmutableFromTapes, Form::immutable, Taping::bare)
COURSE_OF(ImmutableFromTapesWithOutput, Form::immutable, Taping::output)

/// Counts its steps.
struct Sum {
  using State = double;
  Count runs = 0;
  Count signal_at = -1;
  void forward(Count k, double& x) {
    if (k == signal_at) std::raise(SIGUSR1);
    ++runs;
    x = 0.5 * x + static_cast<double>(k % 7);
  }
  void reverse(Count k, const double& x, double& a) { a = 0.9 * a + x * static_cast<double>(k % 3); }
};

Chain sums(Count l) {
  Chain chain = Chain::uniform(l);
  chain.in_place = true;
  return chain;
}

double expected_sum(Count l) {
  Sum program;
  sweepback::Sweep sweep(program, plan(sums(l), Budget::slots(l)));
  double a = 1;
  sweep.forward(1);
  sweep.backward(a);
  return a;
}

// SIGUSR1 while a step runs: from then on there is more memory, and fewer steps are run again.
TEST(Course, ASignalRaisesTheBudget) {
  const Plan plan = sweepback::plan(sums(300), Budget::slots(3));
  const BudgetSignal signal;
  Course course(plan, {.budget = [&] { return signal.came() ? std::optional(Budget::slots(30)) : std::nullopt; }});
  Sum program;
  program.signal_at = 150;
  sweepback::Sweep<Sum, MemoryTier<double>, Course> sweep(program, plan, {}, course);
  double a = 1;
  sweep.forward(1);
  program.signal_at = -1;
  const Report report = sweep.backward(a);
  EXPECT_EQ(a, expected_sum(300));
  EXPECT_EQ(course.changes(), 1);
  EXPECT_LT(program.runs, plan.bill.forward_steps / 2);
  EXPECT_LE(report.bill.peak_slots, 30);
  EXPECT_EQ(report.earlier.size(), 1u);
  EXPECT_EQ(report.earlier[0].forward_steps + report.bill.forward_steps, program.runs);
}

TEST(Course, BackAndForthAgain) {
  const Plan plan = sweepback::plan(sums(200), Budget::slots(6));
  Count asked = 0;
  Course course(plan, {.budget = [&]() -> std::optional<Budget> {
                         ++asked;
                         if (asked % 40 == 0) return Budget::slots(2);
                         if (asked % 40 == 20) return Budget::slots(9);
                         return std::nullopt;
                       }});
  Sum program;
  sweepback::Sweep<Sum, MemoryTier<double>, Course> sweep(program, plan, {}, course);
  double a = 1;
  sweep.forward(1);
  const Report report = sweep.backward(a);
  EXPECT_EQ(a, expected_sum(200));
  EXPECT_GT(course.changes(), 4);
  Count reversed = report.bill.reverse_steps;
  for (const Bill& part : report.earlier) reversed += part.reverse_steps;
  EXPECT_EQ(reversed, 200);
}

// Memory and a disk: memory is lowered and raised, and the disk's states serve on.
TEST(Course, WithTiers) {
  using enum sweepback::TierModel::Unit;
  const Plan plan = sweepback::plan(sums(200), Budget::of({{"memory", slots, 4}, {"disk", slots, 6, {2}, {2}}}));
  Count asked = 0;
  std::vector<Plan> plans;
  Course course(plan, {.budget = [&]() -> std::optional<Budget> {
                         ++asked;
                         if (asked == 25) return Budget::slots(1);
                         if (asked == 60) return Budget::slots(8);
                         if (asked == 90) return Budget::of({{"memory", slots, 2}, {"disk", slots, 3, {2}, {2}}});
                         return std::nullopt;
                       },
                       .changed = [&](const Plan& next) { plans.push_back(next); }});
  Sum program;
  sweepback::FarTiers<double> further;
  further.push_back(std::make_unique<sweepback::FileTier<double>>());
  sweepback::Sweep<Sum, MemoryTier<double>, Course> sweep(program, plan, {}, course, std::move(further));
  double a = 1;
  sweep.forward(1);
  const Report report = sweep.backward(a);
  EXPECT_EQ(a, expected_sum(200));
  ASSERT_EQ(plans.size(), 3u);
  for (const Plan& each : plans) EXPECT_TRUE(check(each).ok);
  EXPECT_EQ(report.bill, plans.back().bill);
  EXPECT_LE(report.bill.tiers[1].peak_slots, 3);
}

TEST(Course, ABudgetThatHoldsNothingIsRefusedAndTheRunGoesOn) {
  const Plan plan = sweepback::plan(sums(50), Budget::slots(3));
  Count asked = 0;
  std::string why;
  Course course(plan, {.budget = [&] { return ++asked == 10 ? std::optional(Budget::slots(0)) : std::nullopt; },
                       .refused = [&](const sweepback::Error& e) { why = e.message(); }});
  Sum program;
  sweepback::Sweep<Sum, MemoryTier<double>, Course> sweep(program, plan, {}, course);
  double a = 1;
  sweep.forward(1);
  EXPECT_EQ(sweep.backward(a).bill, plan.bill);
  EXPECT_EQ(a, expected_sum(50));
  EXPECT_NE(why.find("0 slots"), std::string::npos) << why;
  EXPECT_THROW(Course(plan, {.factor = 0.5}), sweepback::OutOfRange);
}

// The disk turns out to be twenty times as slow as planned: it is used less.
TEST(Course, MeasuredCostsAreCompared) {
  using namespace std::chrono_literals;
  using enum sweepback::TierModel::Unit;
  const Chain chain = sums(100);
  const Budget budget = Budget::of({{"memory", slots, 3}, {"disk", unbounded, 0, {1}, {1}}});
  const Plan plan = sweepback::plan(chain, budget);
  MeasuredCosts costs(chain, budget);
  for (Count k = 0; k < 50; ++k) costs.ran(k, k + 1, false, 10us);
  for (Count k = 0; k < 5; ++k) costs.reversed(k, k + 1, 10us);
  EXPECT_NEAR(costs.furthest(), 1, 1e-9);
  for (Count k = 0; k < 5; ++k) costs.moved(k, 1, true, 200us);
  EXPECT_GT(costs.furthest(), 4);
  const Budget measured = costs.budget();
  EXPECT_EQ(measured.tiers[1].store.fixed, 200'000);
  EXPECT_GT(measured.tiers[1].restore.fixed, 10'000);  // as the rest
  EXPECT_EQ(costs.chain().step().forward, 10'000);

  Course course(plan, {.factor = 3});
  const double x = 0;
  for (Count k = 0; k < 99; ++k) {
    course.step(StepEvent{k, 1, sweepback::Phase::first_pass, false, 10us}, x);
    if (k % 20 == 0) course.action(ActionEvent{Action::store(k, 1), k, 400us});
  }
  ASSERT_TRUE(course.turns());
  Situation at{{}, {}, 99, 100, false, {{0, 20, 40, 60, 80}}, {}};
  // The old plan was made for a disk that costs nothing, and uses it at every step.
  Plan now = plan;
  now.schedule = sweepback::plan(chain, budget, at).schedule;
  const auto next = course.course(now, at);
  ASSERT_TRUE(next.has_value());
  EXPECT_TRUE(check(*next).ok);
  EXPECT_EQ(next->chain.step().forward, 10'000);
  EXPECT_LT(next->bill.tiers[1].stores, sweepback::plan(chain, budget, at).bill.tiers[1].stores);
  EXPECT_FALSE(course.turns());
}

/// A program whose second half is slower than planned.
struct Slow : Sum {
  void forward(Count k, double& x) {
    Sum::forward(k, x);
    if (k < 40) return;
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(200);
    while (std::chrono::steady_clock::now() < until) {
    }
  }
};

TEST(Course, AProgramThatIsSlowerThanPlanned) {
  Chain chain = Chain::of({{{.forward = 1, .reverse = 1}, 40}, {{.forward = 1, .reverse = 1, .name = "slow"}, 40}});
  chain.in_place = true;
  const Plan plan = sweepback::plan(chain, Budget::slots(3));
  Course course(plan, {.factor = 4});
  Slow program;
  sweepback::Sweep<Slow, MemoryTier<double>, Course> sweep(program, plan, {}, course);
  double a = 1;
  sweep.forward(1);
  sweep.backward(a);
  EXPECT_EQ(a, expected_sum(80));
}

}  // namespace
