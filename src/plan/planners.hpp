// SPDX-License-Identifier: Apache-2.0
// The planners of this library, one a file. Each takes an equal chain that passed validation and
// returns a whole plan, or throws BudgetTooSmall.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "sweepback/error.hpp"
#include "sweepback/plan.hpp"

namespace sweepback::detail {

Plan plan_states(const Chain& chain, Budget budget, Strategy strategy);
Plan plan_tapes(const Chain& chain, Budget budget, Strategy strategy);
Plan plan_mixed(const Chain& chain, Budget budget, const PlanOptions& options);

Plan plan_baseline(const Chain& chain, Budget budget, const PlanOptions& options);

Plan plan_blocks(const Chain& chain, Budget budget, const PlanOptions& options);

/// Unequal steps, or an engine asked for by name.
Plan plan_uneven(const Chain& chain, Budget budget, const PlanOptions& options);

/// The cheapest plan of single steps, of the kinds that the options allow.
Plan plan_steps(const Chain& chain, Budget budget, const PlanOptions& options);

/// Whether `plan_mixed` in bytes has an answer within a second or two (with `Keep::automatic` it takes
/// no longer, and looks at fewer units of a long chain).
bool mixed_is_quick(const Chain& chain);

/// The sizes of an equal chain, known or not (then zero).
struct Sizes {
  bool known, in_place, tapes, output;
  Wide state, tape, forward_workspace, reverse_workspace, adjoint;

  explicit Sizes(const Chain& chain);
};

/// Throws OutOfRange where a budget in bytes meets a chain whose sizes are not known.
void require_sizes(const Chain& chain);

/// Of a budget with tiers; and of one that has a tier of compressed states in memory's own bytes.
Plan plan_tiered(const Chain& chain, Budget budget, const PlanOptions& options);
Plan plan_shared(const Chain& chain, const Budget& budget, const PlanOptions& options);

/// Of equal steps: a first pass, and all that is paid once. No schedule takes less.
Count least_time(const Chain& chain);

/// How many states memory of so many bytes keeps while any step runs or is reversed (-1 where not even
/// that fits), and how many at most while some step runs.
struct StatesRoom {
  Count slots, most;
};
StatesRoom states_room(const Chain& chain, Count bytes);

/// The least memory that keeps so many.
Count bytes_of_states(const Chain& chain, Count slots);

/// What a planner's answers share; certificate and first store are left as they begin. `model` says
/// what is kept and how slots count it.
struct Kind {
  Keep keep;
  const char* engine;
  const char* model;
  const char* slots;
};
Plan assemble(const Kind& kind, const Chain& chain, Budget budget, Strategy strategy,
              const Recipe& recipe, const Bill& bill);

/// The cost of a bill in the chain's units; throws Overflow.
Count cost_of(const Bill& bill, const Step& step);

/// The largest d with `fixed + d * each <= bytes`; -1 where there is none, `most` where it is larger.
Count deepest(Wide bytes, Wide fixed, Wide each, Count most);

/// Throws BudgetTooSmall, with the cost of `planner` at `smallest`.
template <class Planner>
[[noreturn]] void refuse(Budget budget, Count smallest, Planner&& planner, const char* kind = "schedule") {
  Count cost = -1;
  try {
    cost = planner(Budget{budget.unit, smallest}).bill.cost;
  } catch (const Overflow&) {
  }
  throw BudgetTooSmall(budget.amount, smallest, cost, budget.unit == Budget::Unit::bytes, kind);
}

}  // namespace sweepback::detail
