// SPDX-License-Identifier: Apache-2.0
#include "sweepback/budget.hpp"

#include <cmath>

#include "sweepback/chain.hpp"
#include "sweepback/error.hpp"
#include "sweepback/plan.hpp"

namespace sweepback {

namespace {

void require_valid(const TierModel& tier) {
  const auto refuse = [&](const std::string& what, const char* remedy) {
    throw OutOfRange("the tier \"" + tier.name + "\" has " + what, remedy);
  };
  if (tier.name.empty() || tier.name.size() > 64) refuse("no name or one of more than 64 letters", "give it a short name");
  if (tier.capacity < 0) refuse("a capacity of " + std::to_string(tier.capacity), "give a number that is not negative");
  for (const TransferCost& cost : {tier.store, tier.restore})
    if (cost.fixed < 0 || cost.units < 0 || cost.bytes < 1)
      refuse("a cost that is negative, or for no bytes", "give costs from 0 on, for at least one byte");
}

Budget checked(Budget budget) {
  if (budget.amount < 0)
    throw OutOfRange(to_string(budget) + " is not a budget", "give a number that is not negative",
                     {{"given", budget.amount}});
  return budget;
}

}  // namespace

Budget Budget::slots(Count amount) { return checked({Unit::slots, amount, {}}); }

Budget Budget::bytes(Count amount) { return checked({Unit::bytes, amount, {}}); }

Budget Budget::of(std::vector<TierModel> tiers) {
  if (tiers.empty()) throw OutOfRange("a budget of no tier", "give memory first");
  if (tiers.size() > 16)
    throw OutOfRange("a budget of " + std::to_string(tiers.size()) + " tiers", "give at most 16");
  if (tiers.front().overlap)
    throw OutOfRange("memory (the tier \"" + tiers.front().name + "\", the first) moves states while steps run",
                     "say so of the tiers after it");
  for (const TierModel& tier : tiers) {
    require_valid(tier);
    for (const TierModel& other : tiers)
      if (&other != &tier && other.name == tier.name)
        throw OutOfRange("two tiers are called \"" + tier.name + '"', "give each a name of its own");
  }
  const TierModel& memory = tiers.front();
  if (memory.unit == TierModel::Unit::unbounded)
    throw OutOfRange("memory (the tier \"" + memory.name + "\", the first) without bound",
                     "give it slots or bytes, or plan store-everything");
  const Unit unit = memory.unit == TierModel::Unit::bytes ? Unit::bytes : Unit::slots;
  const Count amount = memory.capacity;
  return {unit, amount, std::move(tiers)};
}

Budget Budget::share(const Chain& chain, double share) {
  if (!(share > 0) || !std::isfinite(share))
    throw OutOfRange("a share of " + std::to_string(100 * share) + " % of store-everything",
                     "give a share above 0 %");
  const double amount = std::floor(share * static_cast<double>(store_all_bytes(chain)));
  if (amount >= 9.2e18) throw Overflow("the budget is above 2^63-1 bytes", "give a smaller share");
  return bytes(static_cast<Count>(amount));
}

std::string to_string(const Budget& budget) {
  if (!budget.tiers.empty()) {
    std::string text;
    for (const TierModel& tier : budget.tiers) text += (text.empty() ? "" : ", ") + to_string(tier);
    return text;
  }
  const std::string unit = budget.unit == Budget::Unit::bytes ? "byte" : "slot";
  return std::to_string(budget.amount) + ' ' + unit + (budget.amount == 1 ? "" : "s");
}

}  // namespace sweepback
