// SPDX-License-Identifier: Apache-2.0
// Changes of course while a sweep runs: another budget, or costs that are not as planned. An observer:
//
//     Course course(plan, {.budget = [&] { return std::exchange(wanted, std::nullopt); }});
//     Sweep<Program, MemoryTier<State>, Course> sweep(program, plan, {}, course, …);
//
// Between two actions the rest is planned anew from where the sweep stands (plan from a situation), and the old
// plan is kept where it still fits and costs no more. Plans that keep tapes give those up when they change.
#pragma once

#include <functional>
#include <optional>

#include "sweepback/error.hpp"
#include "sweepback/measured_costs.hpp"
#include "sweepback/observer.hpp"

namespace sweepback {

struct CourseOptions {
  /// Asked after every action. A budget: go on within that, from the next moment on where nothing moves. One without
  /// tiers is memory's where the plan has tiers.
  std::function<std::optional<Budget>()> budget = {};
  double factor = 0;      ///< above 1: plan anew where measured costs are off by more, beside each other; 0: never
  PlanOptions plan = {};  ///< of the plans made on the way; `keep` and `units` are those of the first
  std::function<void(const Plan&)> changed = {};   ///< told of every new plan
  std::function<void(const Error&)> refused = {};  ///< told of a budget that cannot be: the one before stays
};

class Course {
 public:
  /// Throws OutOfRange for a factor that is neither 0 nor above 1.
  Course(const Plan& plan, CourseOptions options);

  /// What the sweep calls.
  void action(const ActionEvent& event);
  template <class State>
  void step(const StepEvent& event, const State&) {
    if (options_.factor > 0) costs_.ran(event.step, event.step + event.steps, event.recorded, event.elapsed);
  }
  bool turns();
  std::optional<Plan> course(const Plan& now, const Situation& at);

  Count changes() const { return changes_; }  ///< plans that were left for another

 private:
  bool far_off();

  CourseOptions options_;
  Budget budget_;
  std::optional<Budget> wanted_;
  MeasuredCosts costs_;
  static constexpr MeasuredCosts::Time first_look{1'000'000};
  MeasuredCosts::Time next_look_ = first_look;
  Count changes_ = 0;
};

}  // namespace sweepback
