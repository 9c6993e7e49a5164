// SPDX-License-Identifier: Apache-2.0
#include "sweepback/budget.hpp"

#include <algorithm>
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
  if (std::any_of(tier.name.begin(), tier.name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    refuse("a name with control characters", "give it a plain one");
  if (tier.capacity < 0) refuse("a capacity of " + std::to_string(tier.capacity), "give a number that is not negative");
  for (const TransferCost& cost : {tier.store, tier.restore})
    if (cost.fixed < 0 || cost.units < 0 || cost.bytes < 1)
      refuse("a cost that is negative, or for no bytes", "give costs from 0 on, for at least one byte");
  if (!(tier.ratio >= 1 && tier.ratio <= 1e6)) refuse(std::isfinite(tier.ratio) && tier.ratio < 1 ? "a ratio of " + std::to_string(tier.ratio) : "a ratio that is no number up to 1,000,000",
           "give a number of at least 1: bytes of a state over bytes kept");
}

/// What memory, the first tier, must be, and what only it can be.
void require_memory(const std::vector<TierModel>& tiers) {
  using enum TierModel::Unit;
  const TierModel& memory = tiers.front();
  const std::string which = "memory (the tier \"" + memory.name + "\", the first) ";
  if (memory.overlap) throw OutOfRange(which + "moves states while steps run", "say so of the tiers after it");
  if (memory.ratio != 1 || memory.lossy || memory.unit == shared)
    throw OutOfRange(which + "is compressed", "give plain memory first, and the compressed tier after it");
  if (memory.unit == unbounded) throw OutOfRange(which + "is without bound", "give it slots or bytes, or plan store-everything");
  for (const TierModel& tier : tiers) {
    if (tier.unit == shared && memory.unit != bytes)
      throw OutOfRange("the tier \"" + tier.name + "\" shares memory's bytes, and memory is in slots", "give memory in bytes");
    if (tier.unit == shared && tier.overlap)
      throw OutOfRange("the tier \"" + tier.name + "\" is in memory, and moves states while steps run", "leave overlap out");
  }
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
  require_memory(tiers);
  for (const TierModel& tier : tiers) {
    require_valid(tier);
    for (const TierModel& other : tiers)
      if (&other != &tier && other.name == tier.name)
        throw OutOfRange("two tiers are called \"" + tier.name + '"', "give each a name of its own");
  }
  const TierModel& memory = tiers.front();
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
