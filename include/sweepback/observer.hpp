// SPDX-License-Identifier: Apache-2.0
// Observers see every action with its timing: progress, traces, statistics and verification are
// observers, not conditions in the sweep.
//
// | expression  | when                                                                         |
// |-------------|------------------------------------------------------------------------------|
// | o.action(e) | optional; after each action, with its time                                   |
// | o.step(e, x)| optional; after each forward or recorded step, with its time and the state    |
// | o.state(e,x)| optional; after each store and restore, with the state in hand                |
// | o.turns(),  | optional, both; after each action: whether another plan is wanted, and that plan, or |
// | o.course(p,s)| nothing, from the situation s, where the schedule of the plan p stands. Both are     |
// |             | asked after each action, `course` only where another plan can begin: nothing moves   |
//
// An observer with none of them costs nothing, not even a look at the clock. What one throws passes
// through the sweep like an exception of the program.
#pragma once

#include <chrono>
#include <concepts>
#include <optional>
#include <tuple>

#include "sweepback/action.hpp"
#include "sweepback/plan.hpp"
#include "sweepback/program.hpp"

namespace sweepback {

/// An action just done.
struct ActionEvent {
  Action action;
  Count number = 0;  ///< counted from 0 within the sweep
  std::chrono::nanoseconds elapsed{};
};

/// A step just run, forward or recorded; or a block of steps, run in one call.
struct StepEvent {
  Count step = 0;   ///< the first
  Count steps = 1;  ///< how many
  Phase phase = Phase::first_pass;
  bool recorded = false;
  std::chrono::nanoseconds elapsed{};
};

template <class O>
concept ActionObserver = requires(O& o, const ActionEvent& event) { o.action(event); };

template <class O, class State>
concept StepObserver =
    requires(O& o, const StepEvent& event, const State& x) { o.step(event, x); };

template <class O, class State>
concept StateObserver = requires(O& o, const ActionEvent& event, const State& x) { o.state(event, x); };

/// Changes the course: `course` is asked where it can be changed, between two actions.
template <class O>
concept Pilot = requires(O& o, const Plan& plan, const Situation& at) {
  { o.turns() } -> std::same_as<bool>;
  { o.course(plan, at) } -> std::same_as<std::optional<Plan>>;
};

/// Sees nothing.
struct NoObserver {};

/// Several observers of states of one kind, in this order. It keeps references to them.
template <class State, class... O>
class Observers {
 public:
  explicit Observers(O&... each) : each_(each...) {}

  void action(const ActionEvent& event)
    requires(ActionObserver<O> || ...)
  {
    visit([&](auto& o) {
      if constexpr (requires { o.action(event); }) o.action(event);
    });
  }
  void step(const StepEvent& event, const State& x)
    requires(StepObserver<O, State> || ...)
  {
    visit([&](auto& o) {
      if constexpr (requires { o.step(event, x); }) o.step(event, x);
    });
  }
  void state(const ActionEvent& event, const State& x)
    requires(StateObserver<O, State> || ...)
  {
    visit([&](auto& o) {
      if constexpr (requires { o.state(event, x); }) o.state(event, x);
    });
  }
  bool turns()
    requires(Pilot<O> || ...)
  {
    bool any = false;
    visit([&](auto& o) {
      if constexpr (requires { o.turns(); }) any = any || o.turns();
    });
    return any;
  }
  /// Of the first that has one.
  std::optional<Plan> course(const Plan& plan, const Situation& at)
    requires(Pilot<O> || ...)
  {
    std::optional<Plan> found;
    visit([&](auto& o) {
      if constexpr (requires { o.turns(); })
        if (!found && o.turns()) found = o.course(plan, at);
    });
    return found;
  }

 private:
  void visit(auto&& see) {
    std::apply([&](auto&... o) { (see(o), ...); }, each_);
  }
  std::tuple<O&...> each_;
};

}  // namespace sweepback
