// SPDX-License-Identifier: Apache-2.0
// Plans from any situation, equal steps and kept states. Up to twelve states it is the cheapest of all
// ways to the end, by search; beyond, the cheapest nested one whose top base may move (so never
// above what the plan that led there would still cost).
#include "finish.hpp"

#include <algorithm>

#include "plan_from.hpp"
#include "planners.hpp"
#include "tally.hpp"

namespace sweepback::detail {

namespace {

constexpr Count most_steps = 20'000'000;

}  // namespace

bool finishes(const Chain& chain, const Budget& budget, const PlanOptions& options) {
  const bool states = options.keep == Keep::states || (options.keep == Keep::automatic && (budget.unit == Budget::Unit::slots || !chain.has_tapes()));
  if (!chain.equal() || chain.blocks || !budget.tiers.empty() || !states || options.strategy != Strategy::optimal || options.engine != Engine::automatic) return false;
  return budget.unit == Budget::Unit::slots || (chain.sized() && states_room(chain, budget.amount).slots > 0);
}

Plan plan_finish(const Chain& chain, const Budget& budget, const Situation& at) {
  const Count slots = budget.unit == Budget::Unit::slots ? budget.amount : states_room(chain, budget.amount).slots;
  if (at.end > most_steps)
    throw Unsupported("a way to the end of " + std::to_string(at.end) + " steps is counted action by action",
                      "at most " + std::to_string(most_steps) + " may be left");
  if (at.end > 0 && slots < 1)
    refuse(budget, 1, [&](Budget larger) { return plan_finish(chain, larger, at); });
  const Count l = chain.steps();
  const bool tapes = l > 0 && chain.has_tapes();
  const bool makes_last = l > 0 && !tapes && chain.final_state;
  const Ending ending = makes_last ? Ending::state : Ending::given_up;
  Finish finish{at.states, {}, at.end + (makes_last && !at.reached_end && at.end == l), std::max<Count>(1, slots)};
  if (at.hand != Situation::none) finish.hand = at.hand;

  const auto handed = [&](Count k, std::vector<Action>& actions) {
    if (k == l) return;  // x_l, made and handed out
    if (tapes) actions.push_back(Action::record(k));
    actions.push_back(Action::reverse(k));
  };
  const bool small = finish.end <= most_searched;
  const Opening opening = small ? searched_finish(finish, handed) : nested_finish(finish);

  FinishRecipe recipe{at, opening.actions, {l, {finish.slots, 1}, tapes, ending}};
  const Schedule schedule(recipe);
  const Kind kind{Keep::states, small ? "search" : "nested", "equal steps, states kept, from the situation given",
                  "the slot of x_0 included and the state in hand not"};
  Plan plan = assemble(kind, chain, budget, Strategy::optimal, recipe, tally(schedule, chain, Keep::states, {}));
  const bool in_slots = budget.unit == Budget::Unit::slots;
  if (small && (in_slots || states_room(chain, budget.amount).most == slots)) {
    plan.certificate.lower_bound = plan.bill.cost;
  } else {
    plan.certificate.status = Certificate::Status::exact_in_class;
    plan.certificate.class_name = small ? "as many states as always fit" : "nested, the top state may move";
  }
  return plan;
}

}  // namespace sweepback::detail
