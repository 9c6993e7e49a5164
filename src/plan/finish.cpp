// SPDX-License-Identifier: Apache-2.0
// Plans from any situation, equal steps and kept states. Up to twelve states it is the cheapest of all
// ways to the end, by search; beyond, the cheapest nested one whose top base may move (so never
// above what the plan that led there would still cost).
#include "finish.hpp"

#include <algorithm>

#include "planners.hpp"
#include "tally.hpp"

namespace sweepback {

namespace {

constexpr Count most_steps = 20'000'000;

void require(const Chain& chain, Budget budget, const Situation& at) {
  if (!chain.equal())
    throw Unsupported("the chain's steps are not all alike", "give equal steps");
  if (budget.unit != Budget::Unit::slots)
    throw Unsupported("a plan from a situation counts slots", "give Budget::slots");
  if (!at.tapes.empty())
    throw Unsupported("tapes are kept in the situation", "plan from where states alone are kept");
  const Count l = chain.steps();
  const auto inside = [&](Count i) { return i >= 0 && i < at.end; };
  const bool ascending = std::adjacent_find(at.states.begin(), at.states.end(),
                                            std::greater_equal<>()) == at.states.end();
  if (at.end < 0 || at.end > l)
    throw OutOfRange("steps from " + std::to_string(at.end) + " on are reversed, in a chain of " +
                         std::to_string(l),
                     "give an end from 0 to " + std::to_string(l), {{"end", at.end}});
  if (at.end > most_steps)
    throw Unsupported("a way to the end of " + std::to_string(at.end) +
                          " steps is counted action by action",
                      "at most " + std::to_string(most_steps) + " may be left");
  if (!ascending ||
      !std::all_of(at.states.begin(), at.states.end(), inside) ||
      (at.hand != Situation::none && !inside(at.hand)))
    throw OutOfRange("what is stored or in hand is not in order and below the steps to reverse",
                     "give states 0 to " + std::to_string(at.end - 1) + ", ascending");
  if (at.end > 0 && at.hand != 0 && (at.states.empty() || at.states.front() != 0))
    throw OutOfRange("x_0 is neither stored nor in hand: nothing leads back to it",
                     "keep x_0, or plan from where it is kept");
  if (budget.amount < 0)
    throw OutOfRange(to_string(budget) + " is not a budget", "give a number that is not negative",
                     {{"given", budget.amount}});
  if (at.end > 0 && budget.amount < 1)
    detail::refuse(budget, 1, [&](Budget larger) { return plan(chain, larger, at); });
}

}  // namespace

Plan plan(const Chain& chain, Budget budget, const Situation& given) {
  Situation at = given;
  if (at.end == 0) at.hand = Situation::none;  // nothing is left that could use it
  require(chain, budget, at);
  const Count l = chain.steps();
  const bool tapes = l > 0 && chain.has_tapes();
  const bool makes_last = l > 0 && !tapes && chain.final_state;
  const Ending ending = makes_last ? Ending::state : Ending::given_up;
  detail::Finish finish{at.states, {}, at.end + (makes_last && !at.reached_end && at.end == l),
                        std::max<Count>(1, budget.amount)};
  if (at.hand != Situation::none) finish.hand = at.hand;

  const auto handed = [&](Count k, std::vector<Action>& actions) {
    if (k == l) return;  // x_l, made and handed out
    if (tapes) actions.push_back(Action::record(k));
    actions.push_back(Action::reverse(k));
  };
  const bool small = finish.end <= detail::most_searched;
  const detail::Opening opening =
      small ? detail::searched_finish(finish, handed) : detail::nested_finish(finish);

  FinishRecipe recipe{at, opening.actions, {l, {finish.slots, 1}, tapes, ending}};
  const Schedule schedule(recipe);
  const detail::Kind kind{Keep::states, small ? "search" : "nested",
                          "equal steps, states kept, from the situation given",
                          "the slot of x_0 included and the state in hand not"};
  Plan plan = detail::assemble(kind, chain, budget, Strategy::optimal, recipe,
                               detail::tally(schedule, chain, Keep::states, {}));
  if (small) {
    plan.certificate.lower_bound = plan.bill.cost;
  } else {
    plan.certificate.status = Certificate::Status::exact_in_class;
    plan.certificate.class_name = "nested, the top state may move";
  }
  return plan;
}

}  // namespace sweepback
