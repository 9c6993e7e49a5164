// SPDX-License-Identifier: Apache-2.0
#include "sweepback/course.hpp"

#include <utility>

#include "sweepback/check.hpp"
#include "sweepback/error.hpp"

namespace sweepback {

namespace {

/// What the rest of the old plan costs; empty where it breaks the rules. (Of tapes kept the referee cannot begin.)
std::optional<Count> cost_of_rest(const Plan& now, const Situation& at, const Chain& chain, const Budget& budget) {
  Rules rules{chain, budget, now.keep, now.units.state, now.units.tape, at};
  const Verdict verdict = check(now.schedule, std::move(rules));
  return verdict.ok ? std::optional(verdict.bill.time()) : std::nullopt;
}

}  // namespace

Course::Course(const Plan& plan, CourseOptions options) : options_(std::move(options)), budget_(plan.budget), costs_(plan.chain, plan.budget) {
  if (options_.factor != 0 && !(options_.factor > 1))
    throw OutOfRange("costs that are off by a factor of " + std::to_string(options_.factor), "give more than 1, or 0 for never");
  if (options_.plan.keep == Keep::automatic) {
    options_.plan.keep = plan.keep;
    options_.plan.units = plan.units;
  }
}

void Course::action(const ActionEvent& event) {
  if (options_.factor == 0) return;
  const Action& action = event.action;
  if (action.kind == Action::Kind::reverse) costs_.reversed(action.first, action.last, event.elapsed);
  const bool stored = action.kind == Action::Kind::store;
  if (action.tier > 0 && (stored || action.kind == Action::Kind::restore)) costs_.moved(action.first, action.tier, stored, event.elapsed);
}

/// Looked at whenever twice as much has been measured as the time before.
bool Course::far_off() {
  if (options_.factor == 0 || costs_.total() < next_look_) return false;
  next_look_ = 2 * costs_.total();
  return costs_.furthest() > options_.factor;
}

bool Course::turns() {
  if (!wanted_ && options_.budget) wanted_ = options_.budget();
  if (!wanted_ && far_off()) wanted_ = budget_;
  return wanted_.has_value();
}

std::optional<Plan> Course::course(const Plan& now, const Situation& at) {
  const bool measured = options_.factor > 0 && costs_.total() > MeasuredCosts::Time(0) && costs_.furthest() > options_.factor;
  const Chain chain = measured ? costs_.chain() : now.chain;
  Budget budget = *std::exchange(wanted_, std::nullopt);
  try {
    if (budget.tiers.empty() && !now.budget.tiers.empty()) {
      if (budget.unit != now.budget.unit)
        throw OutOfRange("another budget counts " + std::string(budget.unit == Budget::Unit::bytes ? "bytes" : "slots") + ", and the plan does not", "count the same");
      budget.tiers = budget_.tiers;
      budget.tiers.front().capacity = budget.amount;
    }
    if (measured) {
      const std::vector<TierModel> tiers = costs_.budget().tiers;
      for (std::size_t n = 1; n < std::min(tiers.size(), budget.tiers.size()); ++n) {
        budget.tiers[n].store = tiers[n].store;
        budget.tiers[n].restore = tiers[n].restore;
      }
    }
    const bool tapes = !now.schedule.situation().tapes.empty();
    const bool fits_as_before = budget.amount >= now.budget.amount && budget.tiers.size() == now.budget.tiers.size();
    std::optional<Count> rest;
    if (!tapes) rest = cost_of_rest(now, at, chain, budget);
    std::optional<Plan> next;
    if (!tapes || !fits_as_before) next = plan(chain, budget, at, options_.plan);
    budget_ = budget;
    costs_ = MeasuredCosts(chain, budget);
    next_look_ = first_look;
    if (!next || (rest && *rest <= next->bill.time())) return std::nullopt;
    ++changes_;
    if (options_.changed) options_.changed(*next);
    return next;
  } catch (const Error& e) {
    if (options_.refused) options_.refused(e);
    return std::nullopt;
  }
}

}  // namespace sweepback
