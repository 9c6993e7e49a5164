// SPDX-License-Identifier: Apache-2.0
// Observers see every action, in order and numbered, and every step, in its phase.
#include <gtest/gtest.h>

#include "counted.hpp"
#include "plans.hpp"

namespace {

using namespace toy;
using sweepback::Action;
using sweepback::ActionEvent;
using sweepback::MemoryTier;
using sweepback::Phase;
using sweepback::StepEvent;
using sweepback::Sweep;

template <class Box>
struct Recorder {
  std::vector<ActionEvent> actions;
  std::vector<StepEvent> steps;
  std::vector<double> states;
  Count fail_at = -1;

  void action(const ActionEvent& event) {
    actions.push_back(event);
    count();
  }
  void step(const StepEvent& event, const typename Box::State& x) {
    steps.push_back(event);
    states.push_back(Box::get(x));
    count();
  }
  void count() {
    if (static_cast<Count>(actions.size() + steps.size()) - 1 == fail_at) throw fail_at;
  }
};

template <class Program>
class Observers : public testing::Test {};
using Programs = testing::Types<
    Toy<Counted, Form::in_place, Taping::none>, Toy<Counted, Form::in_place, Taping::output>,
    Toy<Counted, Form::immutable, Taping::bare>, Toy<Counted, Form::immutable, Taping::output>>;
TYPED_TEST_SUITE(Observers, Programs);

template <class Program, class Recorder>
void observed(Program& program, const Plan& plan, Recorder& recorder) {
  Sweep sweep(program, plan, MemoryTier<typename Program::State>{}, recorder);
  go<Program>(sweep, 0.3);
}

TYPED_TEST(Observers, SeeEveryActionInOrder) {
  for (const auto& [l, c] : {std::pair{0, 1}, {1, 1}, {2, 1}, {20, 3}, {9, 9}}) {
    for (const Plan& plan : plans<TypeParam>(l, c)) {
      TypeParam program;
      Recorder<Counted> recorder;
      observed(program, plan, recorder);
      std::vector<Action> seen, planned;
      for (const ActionEvent& event : recorder.actions) {
        EXPECT_EQ(event.number, static_cast<Count>(seen.size()));
        EXPECT_GE(event.elapsed.count(), 0);
        seen.push_back(event.action);
      }
      for (const Action& action : plan.schedule) planned.push_back(action);
      EXPECT_EQ(seen, planned) << testing::PrintToString(plan);
    }
  }
}

TYPED_TEST(Observers, SeeEveryStepAndItsPhase) {
  for (const auto& [l, c] : {std::pair{1, 1}, {20, 3}, {9, 9}}) {
    for (const Plan& plan : plans<TypeParam>(l, c)) {
      TypeParam program;
      Recorder<Counted> recorder;
      observed(program, plan, recorder);
      const Everything all = store_everything(program, l, 0.3);
      std::vector<bool> ran(static_cast<std::size_t>(l));
      Count recorded = 0;
      for (std::size_t i = 0; i < recorder.steps.size(); ++i) {
        const StepEvent& event = recorder.steps[i];
        const auto k = static_cast<std::size_t>(event.step);
        EXPECT_EQ(event.phase, ran[k] ? Phase::recompute : Phase::first_pass);
        EXPECT_EQ(recorder.states[i], all.states[k + 1]);
        ran[k] = true;
        recorded += event.recorded;
      }
      EXPECT_EQ(static_cast<Count>(recorder.steps.size()),
                plan.bill.forward_steps + plan.bill.record_steps);
      EXPECT_EQ(recorded, plan.bill.record_steps);
      const Count first = std::count(ran.begin(), ran.end(), true);
      EXPECT_EQ(first, makes_last(plan) ? l : l - 1);  // the last step is only reversed
    }
  }
}

TYPED_TEST(Observers, MayThrowAtAnyEvent) {
  for (const Plan& plan : plans<TypeParam>(9, 3)) {
    Recorder<Counted> counting;
    TypeParam program;
    observed(program, plan, counting);
    const auto events = static_cast<Count>(counting.actions.size() + counting.steps.size());
    for (Count at = 0; at < events; ++at) {
      Recorder<Counted> recorder;
      recorder.fail_at = at;
      Sweep sweep(program, plan, MemoryTier<CountedState>{}, recorder);
      try {
        go<TypeParam>(sweep, 0.3);
        FAIL() << "event " << at;
      } catch (const Count& thrown) {
        EXPECT_EQ(thrown, at);
      }
      ASSERT_EQ(CountedState::alive, 0);
      recorder.fail_at = -1;
      EXPECT_EQ(go<TypeParam>(sweep, 0.3).gradient, store_everything(program, 9, 0.3).gradient);
    }
  }
}

// One of the two is enough, and what only looks like an observer is not called.
TEST(ObserversOfOneKind, AreEnough) {
  struct Actions {
    Count seen = 0;
    void action(const ActionEvent&) { ++seen; }
  };
  struct Steps {
    Count seen = 0;
    void step(const StepEvent&, double) { ++seen; }
  };
  struct Neither {
    void action() { ADD_FAILURE(); }
    void step(const StepEvent&) { ADD_FAILURE(); }
  };
  using Program = Toy<Plain, Form::in_place, Taping::none>;
  const Plan plan = sweepback::plan(chain<Program>(20), Budget::slots(3));
  Program program;
  Actions actions;
  Steps steps;
  Neither neither;
  const auto run = [&](auto& observer) {
    Sweep sweep(program, plan, MemoryTier<double>{}, observer);
    EXPECT_EQ(go<Program>(sweep, 0.3).bill, plan.bill);
  };
  run(actions), run(steps), run(neither);
  Count planned = 0;
  for ([[maybe_unused]] const Action& action : plan.schedule) ++planned;
  EXPECT_EQ(actions.seen, planned);
  EXPECT_EQ(steps.seen, plan.bill.forward_steps);
}

}  // namespace
