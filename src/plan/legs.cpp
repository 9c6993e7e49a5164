// SPDX-License-Identifier: Apache-2.0
// The way to the end from any situation, whatever the chain and the budget, in legs. The bases p_0 = 0 < p_1 < …
// are states that are stored (or in hand) and kept; each leg is a plan of its own for the steps between its base
// and the next one, in what the bases below leave of the budget:
//
//     R = sum over q of  plan(steps p_q … p_{q+1}-1, budget - what bases 0 … q-1 take)
//
// All that fits is kept; where that is too much, the bases whose neighbours are nearest are given up first.
// Of equal steps and few bases, one that makes the way dearer is given up as well. It is not the cheapest in
// general: a base may not move, and a leg keeps nothing for the one below. It never costs more than one pass
// beyond the rest of a plan that kept the same bases (Griewank and Walther 2000 for one tier; Aupy, Herrmann,
// Hovland and Robert 2016 for two): each leg may run to the states that were lost once more.
#include <algorithm>
#include <map>

#include "plan_from.hpp"
#include "planners.hpp"
#include "sweepback/detail/steps.hpp"
#include "sweepback/error.hpp"
#include "tally.hpp"

namespace sweepback::detail {

namespace {

constexpr int in_hand = -1;
constexpr std::size_t most_weighed = 8;  // bases that are looked at one by one

struct Base {
  Count state;
  int place;  // a tier, or in_hand
};
using Bases = std::vector<Base>;

class Legs {
 public:
  Legs(const Chain& chain, const Budget& budget, const Situation& at, const PlanOptions& options)
      : chain_(chain), budget_(budget), at_(at), options_(options), steps_(chain_) {}

  /// Of all that is there, one place for each state: the hand, else the farthest tier, which is the largest.
  Bases all() const {
    std::map<Count, int> places;
    const auto usable = [&](std::size_t tier) { return budget_.tiers.empty() || !budget_.tiers[tier].lossy; };  // no state loses twice
    for (const Count i : at_.states)
      if (i < at_.end) places[i] = 0;
    for (std::size_t n = 0; n < at_.further.size(); ++n)
      for (const Count i : at_.further[n])
        if (i < at_.end && usable(n + 1)) places[i] = static_cast<int>(n) + 1;
    if (at_.hand != Situation::none && (places.empty() || at_.hand >= places.rbegin()->first || !places.contains(at_.hand))) places[at_.hand] = in_hand;
    Bases bases;
    for (const auto& place : places) bases.push_back({place.first, place.second});
    if (options_.keep == Keep::tapes && bases.size() > 1) bases.erase(bases.begin() + 1, bases.end());  // of states, it stores x_0 alone
    return bases;
  }

  /// Empty where something does not fit.
  std::optional<Plan> plan(const Bases& bases) {
    std::vector<Leg> legs(bases.size());
    std::optional<Keep> keep;
    Units units;
    for (std::size_t q = bases.size(); q-- > 0;) {
      const Plan* leg = leg_of(bases, q);
      if (leg == nullptr) return std::nullopt;
      if (!keep) {
        keep = leg->keep;
        units = leg->units;
      }
      if (*keep != leg->keep) keep = Keep::mixed;
      Leg& next = legs[bases.size() - 1 - q];
      next.first = bases[q].state;
      next.recipe = recipe_of(*leg);
      if (q + 1 < bases.size() || bases[q].place != in_hand) next.before = taken(bases[q]);
    }
    if (!legs.empty()) {
      std::vector<Action> first = freed(bases);
      first.insert(first.end(), legs.front().before.begin(), legs.front().before.end());
      legs.front().before = std::move(first);
    }
    LegsRecipe recipe{chain_.steps(), at_, std::make_shared<const std::vector<Leg>>(std::move(legs))};
    const Kind kind{keep.value_or(Keep::states), "legs", "from the situation given, in legs between the states stored there",
                    "the slot of x_0 included and the state in hand not"};
    Plan plan = assemble(kind, chain_, budget_, Strategy::optimal, recipe,
                         tally(Schedule(recipe), chain_, kind.keep, units, budget_.tiers));
    if (kind.keep == Keep::mixed) plan.units = units;
    if (fits(plan.bill)) return plan;
    const Count needs = budget_.unit == Budget::Unit::slots ? plan.bill.peak_slots : plan.bill.peak_bytes.value_or(0);
    if (needs > budget_.amount) needs_ = std::min(needs_, needs);
    return std::nullopt;
  }

  /// Names the least memory that was found to do, and the cost there.
  [[noreturn]] void refuse() const {
    Budget larger = budget_;
    larger.amount = needs_;
    if (!larger.tiers.empty()) larger.tiers.front().capacity = needs_;
    Count smallest = needs_, cost = -1;
    try {
      cost = plan_legs(chain_, larger, at_, options_).bill.cost;
    } catch (const BudgetTooSmall& e) {
      smallest = e.smallest;
      cost = e.cost_there;
    }
    throw BudgetTooSmall(budget_.amount, smallest, cost, budget_.unit == Budget::Unit::bytes);
  }

 private:
  Chain part(Count first, Count last) const {
    Chain part = chain_.part(first, last);
    if (at_.reached_end) part.final_state = false;
    return part;
  }

  /// Where a base is kept while the legs above it are under way.
  static std::size_t kept_in(const Base& base) { return base.place == in_hand ? 0 : static_cast<std::size_t>(base.place); }

  /// What the bases below the q-th leave. Negative where they take more than there is.
  Budget left_by(const Bases& bases, std::size_t q) const {
    Budget left = budget_;
    const bool slots = budget_.unit == Budget::Unit::slots;
    const Count state_units = options_.keep == Keep::tapes ? 0 : options_.keep == Keep::mixed ? options_.units.state : 1;
    for (std::size_t n = 0; n < q; ++n) {
      const std::size_t tier = kept_in(bases[n]);
      const Count size = steps_.state(bases[n].state);
      if (tier == 0) {
        left.amount -= slots ? state_units : size;
        continue;
      }
      TierModel& model = left.tiers[tier];
      if (model.unit == TierModel::Unit::slots) --model.capacity;
      if (model.unit == TierModel::Unit::bytes) model.capacity -= model.kept(size);
      if (model.unit == TierModel::Unit::shared && !slots) left.amount -= model.kept(size);
    }
    if (!left.tiers.empty()) left.tiers.front().capacity = left.amount;
    return left;
  }

  const Plan* leg_of(const Bases& bases, std::size_t q) {
    const Budget left = left_by(bases, q);
    std::vector<Count> key{bases[q].state, q + 1 < bases.size() ? bases[q + 1].state : at_.end, left.amount};
    for (const TierModel& tier : left.tiers) key.push_back(tier.capacity);
    if (std::any_of(key.begin(), key.end(), [](Count value) { return value < 0; })) return nullptr;
    const auto known = plans_.find(key);
    if (known != plans_.end()) return known->second ? &*known->second : nullptr;
    std::optional<Plan>& plan = plans_[key];
    try {
      plan = sweepback::plan(part(key[0], key[1]), left, options_);
    } catch (const BudgetTooSmall& e) {
      needs_ = std::min(needs_, e.smallest + budget_.amount - left.amount);
    }
    return plan ? &*plan : nullptr;
  }

  static Leg::Recipe recipe_of(const Plan& leg) {
    return std::visit(
        [](const auto& recipe) -> Leg::Recipe {
          using R = std::remove_cvref_t<decltype(recipe)>;
          if constexpr (std::is_same_v<R, FinishRecipe> || std::is_same_v<R, LegsRecipe>)
            throw Unsupported("a leg that begins in the middle", "plan it from its first state");
          else
            return recipe;
        },
        leg.schedule.recipe());
  }

  static std::vector<Action> taken(const Base& base) {
    const int tier = static_cast<int>(kept_in(base));
    return {Action::restore(base.state, tier), Action::free(base.state, tier)};
  }

  /// All that is no base, and a base in hand that is needed below others is stored.
  std::vector<Action> freed(const Bases& bases) const {
    std::vector<Action> actions;
    const auto is_base = [&](Count i, int tier) {
      return std::any_of(bases.begin(), bases.end(), [&](const Base& base) { return base.state == i && base.place == tier; });
    };
    for (const Count i : at_.states)
      if (!is_base(i, 0)) actions.push_back(Action::free(i));
    for (std::size_t n = 0; n < at_.further.size(); ++n)
      for (const Count i : at_.further[n])
        if (const int tier = static_cast<int>(n) + 1; !is_base(i, tier)) actions.push_back(Action::free(i, tier));
    for (std::size_t q = 0; q + 1 < bases.size(); ++q)
      if (bases[q].place == in_hand) actions.push_back(Action::store(bases[q].state));
    return actions;
  }

  bool fits(const Bill& bill) const {
    if (budget_.unit == Budget::Unit::slots ? bill.peak_slots > budget_.amount : bill.peak_bytes > budget_.amount) return false;
    for (std::size_t n = 1; n < budget_.tiers.size(); ++n) {
      const TierModel& model = budget_.tiers[n];
      if (model.unit == TierModel::Unit::slots && bill.tiers[n].peak_slots > model.capacity) return false;
      if (model.unit == TierModel::Unit::bytes && bill.tiers[n].peak_bytes > model.capacity) return false;
    }
    return true;
  }

  const Chain& chain_;
  const Budget& budget_;
  const Situation& at_;
  const PlanOptions& options_;
  Steps steps_;
  std::map<std::vector<Count>, std::optional<Plan>> plans_;  // by their ends and what is left
  Count needs_ = max_count;  // the least memory with which something would have fitted
};

Bases without(Bases bases, std::size_t q) {
  bases.erase(bases.begin() + static_cast<std::ptrdiff_t>(q));
  return bases;
}

/// The base whose neighbours are nearest; not x_0.
std::size_t nearest(const Bases& bases, Count end) {
  std::size_t found = 1;
  const auto apart = [&](std::size_t q) { return (q + 1 < bases.size() ? bases[q + 1].state : end) - bases[q - 1].state; };
  for (std::size_t q = 2; q < bases.size(); ++q)
    if (apart(q) < apart(found)) found = q;
  return found;
}

/// Every step is reversed (and recorded where it has a tape); without tapes, every state that is not stored is
/// run to; and x_l is, where it is still wanted.
Count least_from(const Chain& chain, const Situation& at) {
  Wide least = 0;
  const Steps steps(chain);
  const auto pass = [&](Count i, Count j, auto&& each) {
    if (i < j) steps.each_run(i, j, [&](const Step& step, Count from, Count to) { least += static_cast<Wide>(to - from) * each(step); });
  };
  pass(0, at.end, [](const Step& step) { return Wide{step.reverse} + (step.has_tape() ? step.record_cost() : 0); });
  if (chain.has_tapes()) return narrow(least, "the least cost");
  const Count last = at.end - (at.reached_end || !chain.final_state ? 1 : 0);
  pass(0, last, [](const Step& step) { return Wide{step.forward}; });
  const auto there = [&](Count i) {
    if (i > 0 && i <= last) least -= steps[i - 1].forward;
  };
  std::vector<Count> states = at.states;
  for (const auto& further : at.further) states.insert(states.end(), further.begin(), further.end());
  if (at.hand != Situation::none) states.push_back(at.hand);
  std::sort(states.begin(), states.end());
  states.erase(std::unique(states.begin(), states.end()), states.end());
  for (const Count i : states) there(i);
  return narrow(std::max<Wide>(0, least), "the least cost");
}

}  // namespace

Plan plan_legs(const Chain& chain, const Budget& budget, const Situation& at, const PlanOptions& options) {
  Legs legs(chain, budget, at, options);
  Bases bases = at.end > 0 ? legs.all() : Bases();
  if (at.end > 0 && (bases.empty() || bases.front().state != 0))
    throw Unsupported("x_0 is kept in a tier that loses something, alone", "keep x_0 in memory or in a tier that loses nothing");
  std::optional<Plan> plan = legs.plan(bases);
  while (!plan && bases.size() > 1) {
    bases = without(bases, nearest(bases, at.end));
    plan = legs.plan(bases);
  }
  if (!plan) legs.refuse();
  if (chain.equal() && bases.size() <= most_weighed)
    for (std::size_t q = bases.size(); q-- > 1;)
      if (auto cheaper = legs.plan(without(bases, q)); cheaper && cheaper->bill.time() < plan->bill.time()) {
        plan = std::move(cheaper);
        bases = without(bases, q);
      }
  plan->certificate.status = Certificate::Status::bounded;
  plan->certificate.lower_bound = std::min(plan->bill.time(), least_from(chain, at));
  if (plan->certificate.lower_bound == plan->bill.time()) plan->certificate.status = Certificate::Status::exact;
  return *std::move(plan);
}

}  // namespace sweepback::detail
