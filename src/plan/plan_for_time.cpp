// SPDX-License-Identifier: Apache-2.0
// The question turned round: the least memory for a given time, by bisection. A larger budget never
// costs more, and none is of use above what storing everything takes.
#include <cmath>
#include <optional>

#include "planners.hpp"

namespace sweepback {

namespace {

/// The plan in `budget`; none where it holds no schedule, or one too dear to count.
std::optional<Plan> attempt(const Chain& chain, Budget budget, const PlanOptions& options) {
  try {
    return plan(chain, budget, options);
  } catch (const BudgetTooSmall&) {
  } catch (const Overflow&) {
  }
  return std::nullopt;
}

}  // namespace

Plan plan_for_time(const Chain& given, double ratio, PlanOptions options) {
  if (!(ratio >= 1))
    throw OutOfRange("a time ratio of " + std::to_string(ratio), "give a number of at least 1");
  if (options.strategy != Strategy::optimal)
    throw OutOfRange("the least memory is a question to the cheapest plan",
                     "leave the strategy out");
  const bool recorded = options.keep == Keep::tapes || options.keep == Keep::mixed;
  const Chain chain = recorded ? given.with_tapes() : given;
  const bool bytes = chain.steps() > 0 && chain.sized();
  const Budget::Unit unit = bytes ? Budget::Unit::bytes : Budget::Unit::slots;

  Chain single = chain;
  single.blocks = false;
  const Plan all = plan(single, {unit, max_count}, {.strategy = Strategy::store_all});
  const double most = std::floor(ratio * static_cast<double>(all.bill.cost) * (1 + 1e-12));
  const auto enough = [&](const std::optional<Plan>& plan) {
    return plan && static_cast<double>(plan->bill.cost) <= most;
  };

  const bool table = chain.equal() && !chain.blocks;
  if (table && bytes && (options.keep == Keep::mixed || options.keep == Keep::automatic) && chain.has_tapes() && detail::mixed_is_quick(chain))
    options.table = policy_table(chain, Budget::bytes(*all.bill.peak_bytes), options);

  Count low = -1;
  Count high = bytes ? *all.bill.peak_bytes
                     : narrow(static_cast<Wide>(std::max<Count>(1, chain.steps())) *
                                  std::max(options.units.state, options.units.tape),
                              "the number of units");
  if (table && !bytes && options.keep == Keep::mixed &&
      static_cast<double>(chain.steps()) * static_cast<double>(chain.steps()) *
              static_cast<double>(high) < 4e9)
    options.table = policy_table(chain, Budget::slots(high), options);
  std::optional<Plan> best = attempt(chain, {unit, high}, options);
  // Another kind than store-everything's may need more.
  for (int i = 0; i < 20 && !enough(best) && high < max_count / 4; ++i)
    best = attempt(chain, {unit, high = 2 * high + 1}, options);
  if (!enough(best))
    throw OutOfRange("no budget brings the cost down to " + std::to_string(ratio) +
                         " times that of storing everything",
                     "allow more time, or keep tapes as well");
  while (high - low > 1) {
    const Count middle = low + (high - low) / 2;
    if (std::optional<Plan> plan = attempt(chain, {unit, middle}, options); enough(plan)) {
      high = middle;
      best = std::move(plan);
    } else {
      low = middle;
    }
  }
  return *std::move(best);
}

}  // namespace sweepback
