// SPDX-License-Identifier: Apache-2.0
#include "sweepback/budget.hpp"

#include <cmath>

#include "sweepback/chain.hpp"
#include "sweepback/error.hpp"
#include "sweepback/plan.hpp"

namespace sweepback {

namespace {

Budget checked(Budget budget) {
  if (budget.amount < 0)
    throw OutOfRange(to_string(budget) + " is not a budget", "give a number that is not negative",
                     {{"given", budget.amount}});
  return budget;
}

}  // namespace

Budget Budget::slots(Count amount) { return checked({Unit::slots, amount}); }

Budget Budget::bytes(Count amount) { return checked({Unit::bytes, amount}); }

Budget Budget::share(const Chain& chain, double share) {
  if (!(share > 0) || !std::isfinite(share))
    throw OutOfRange("a share of " + std::to_string(100 * share) + " % of store-everything",
                     "give a share above 0 %");
  const double amount = std::floor(share * static_cast<double>(store_all_bytes(chain)));
  if (amount >= 9.2e18) throw Overflow("the budget is above 2^63-1 bytes", "give a smaller share");
  return bytes(static_cast<Count>(amount));
}

std::string to_string(const Budget& budget) {
  const std::string unit = budget.unit == Budget::Unit::bytes ? "byte" : "slot";
  return std::to_string(budget.amount) + ' ' + unit + (budget.amount == 1 ? "" : "s");
}

}  // namespace sweepback
