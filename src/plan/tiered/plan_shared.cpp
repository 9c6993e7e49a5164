// SPDX-License-Identifier: Apache-2.0
// A tier of compressed states that lies in memory's own bytes. Every share of memory that it may have is a
// budget of its own: d compressed states, and the rest for states as they are. The cheapest of these plans is
// given; compression is used only where it is cheaper. Short chains are planned with every d up to 64, else with
// some, and then with those around the best.
#include <algorithm>
#include <optional>

#include "../planners.hpp"
#include "../tally.hpp"
#include "sweepback/error.hpp"

namespace sweepback::detail {

namespace {

struct Shares {
  const Chain& chain;
  const Budget& budget;
  const PlanOptions& options;
  std::size_t shared;  // the tier
  Count each;          // bytes of a compressed state

  /// With d compressed states beside the others; none where the rest of memory is too small.
  std::optional<Plan> with(Count d, Count* smallest = nullptr) const {
    std::vector<TierModel> tiers = budget.tiers;
    tiers.front().capacity -= d * each;
    if (d > 0)
      tiers[shared] = {tiers[shared].name, TierModel::Unit::slots, d, tiers[shared].store, tiers[shared].restore, false, 1, tiers[shared].lossy};
    else
      tiers.erase(tiers.begin() + static_cast<std::ptrdiff_t>(shared));
    try {
      Plan plan = plan_tiered(chain, Budget::of(tiers), options);
      plan.budget = budget;
      if (d > 0) {
        plan.bill = tally(plan.schedule, chain, plan.keep, plan.units, budget.tiers);
      } else {
        plan.bill = tally(with_number(plan.schedule), chain, plan.keep, plan.units, budget.tiers);
        plan.schedule = with_number(plan.schedule);
      }
      return plan;
    } catch (const BudgetTooSmall& e) {
      if (smallest) *smallest = e.smallest;
      return std::nullopt;
    }
  }

 private:
  /// A schedule of the tiers without the shared one, their numbers as in the budget.
  Schedule with_number(const Schedule& schedule) const {
    std::vector<Action> actions;
    bool others = false;
    for (Action action : schedule) {
      if (action.on_state() && action.tier >= shared) {
        ++action.tier;
        others = true;
      }
      actions.push_back(action);
    }
    if (!others) return schedule;
    return Schedule(ListedRecipe{chain.steps(), std::make_shared<const std::vector<Action>>(std::move(actions))});
  }
};

}  // namespace

Plan plan_shared(const Chain& chain, const Budget& budget, const PlanOptions& options) {
  const auto is_shared = [](const TierModel& tier) { return tier.unit == TierModel::Unit::shared; };
  const auto found_at = std::find_if(budget.tiers.begin(), budget.tiers.end(), is_shared);
  if (std::count_if(budget.tiers.begin(), budget.tiers.end(), is_shared) > 1)
    throw Unsupported("several tiers of compressed states in memory", "give the one that compresses best");
  if (!chain.equal())
    throw Unsupported("compressed states in memory are planned for equal steps, and these are not", "leave the tier \"" + found_at->name + "\" out");
  require_sizes(chain);
  const auto number = static_cast<std::size_t>(found_at - budget.tiers.begin());
  const Count each = chain.steps() > 0 ? std::max<Count>(1, found_at->kept(chain.step().state_bytes.value_or(0))) : 1;
  const Shares shares{chain, budget, options, number, each};
  const Count most = std::min(budget.amount / each, chain.steps());

  Count smallest = max_count, best_share = 0;
  std::optional<Plan> best = shares.with(0, &smallest);
  const bool all = most <= 64 && chain.steps() <= 1000, few = chain.steps() > 3000;
  int left = chain.steps() > 20'000 ? 6 : few ? 12 : 1000;  // plans of long chains take seconds
  const auto look = [&](Count d) {
    if (d < 1 || d > most || left-- <= 0) return;
    std::optional<Plan> plan = shares.with(d);
    if (!plan || (best && plan->bill.time() >= best->bill.time()) || plan->bill.peak_bytes > budget.amount) return;
    best = std::move(plan);
    best_share = d;
  };
  for (Count d = 1, step = 1; d <= most; d += step) {
    look(d);
    if (!all && d >= (few ? 1 : 4) * step) step *= 2;
  }
  for (Count step = all ? 1 : std::max<Count>(1, best_share / 4); step > 1;) {
    step = (step + 1) / 2;
    const Count around = best_share;
    look(around - step);
    look(around + step);
  }
  if (!best) {
    const Count compressed = bytes_of_states(chain, 0) + each;
    refuse(budget, std::min(smallest, compressed), [&](Budget larger) {
      larger.tiers = budget.tiers;
      larger.tiers.front().capacity = larger.amount;
      return plan_shared(chain, larger, options);
    });
  }
  best->certificate.model = "equal steps, states kept in memory as they are and compressed, every byte alive at any instant counted";
  best->certificate.lower_bound = std::min(best->bill.time(), least_time(chain));
  best->certificate.class_name.clear();
  best->certificate.class_bound.reset();
  best->certificate.status = best->certificate.lower_bound == best->bill.time() ? Certificate::Status::exact : Certificate::Status::bounded;
  return *std::move(best);
}

}  // namespace sweepback::detail
