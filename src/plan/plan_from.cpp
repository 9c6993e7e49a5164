// SPDX-License-Identifier: Apache-2.0
// Which planner leads to the end from a situation.
#include "plan_from.hpp"

#include <algorithm>

#include "sweepback/error.hpp"

namespace sweepback {

namespace {

void require(const Chain& chain, const Budget& budget, const Situation& at) {
  if (!at.tapes.empty())
    throw Unsupported("tapes are kept in the situation", "plan from where states alone are kept");
  if (!at.moving.empty())
    throw Unsupported("states are on their way in the situation", "plan from where nothing moves");
  const Count l = chain.steps();
  const auto in_order = [&](const std::vector<Count>& states) {
    return std::adjacent_find(states.begin(), states.end(), std::greater_equal<>()) == states.end() &&
           (states.empty() || (states.front() >= 0 && states.back() <= l));
  };
  if (at.end < 0 || at.end > l)
    throw OutOfRange("steps from " + std::to_string(at.end) + " on are reversed, in a chain of " + std::to_string(l),
                     "give an end from 0 to " + std::to_string(l), {{"end", at.end}});
  if (!in_order(at.states) || !std::all_of(at.further.begin(), at.further.end(), in_order) || (at.hand != Situation::none && (at.hand < 0 || at.hand >= at.end)))
    throw OutOfRange("what is stored is not in order, or what is in hand not below the steps to reverse",
                     "give stored states 0 to " + std::to_string(l) + ", ascending, and below " + std::to_string(at.end) + " in hand");
  if (at.further.size() >= std::max<std::size_t>(1, budget.tiers.size()) && !at.further.empty())
    throw OutOfRange("states are stored in " + std::to_string(at.further.size() + 1) + " tiers, and the budget has " +
                         std::to_string(std::max<std::size_t>(1, budget.tiers.size())),
                     "give the budget of all tiers in use");
  if (at.end > 0 && !at.has_start())
    throw OutOfRange("x_0 is neither stored nor in hand: nothing leads back to it", "keep x_0, or plan from where it is kept");
  if (budget.amount < 0)
    throw OutOfRange(to_string(budget) + " is not a budget", "give a number that is not negative", {{"given", budget.amount}});
}

}  // namespace

Plan plan(const Chain& given, Budget budget, const Situation& situation, PlanOptions options) {
  const Chain chain = options.keep == Keep::tapes || options.keep == Keep::mixed ? given.with_tapes() : given;
  Situation at = situation;
  if (at.end == 0) at.hand = Situation::none;  // nothing is left that could use it
  while (!at.further.empty() && at.further.back().empty()) at.further.pop_back();
  require(chain, budget, at);
  const bool stale = !at.states.empty() && at.states.back() >= at.end;  // of no use, and to be given up
  if (stale || !detail::finishes(chain, budget, options)) return detail::plan_legs(chain, budget, at, options);
  Plan finish = detail::plan_finish(chain, budget, at);
  if (budget.unit == Budget::Unit::slots || finish.certificate.status == Certificate::Status::exact) return finish;
  try {  // in bytes, a leg may go a slot deeper where two states are left
    if (Plan legs = detail::plan_legs(chain, budget, at, options); legs.bill.cost < finish.bill.cost) return legs;
  } catch (const BudgetTooSmall&) {
  }
  return finish;
}

}  // namespace sweepback
