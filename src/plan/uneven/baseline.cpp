// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "engines.hpp"
#include "question.hpp"
#include "sweepback/error.hpp"

namespace sweepback::detail::uneven {

Plan baseline(const Question& q) {
  const Strategy strategy = q.options.strategy;
  const auto of_layers = [&](auto planner) {
    if (!q.bytes()) throw Unsupported(std::string("the strategy ") + name(strategy) + " counts bytes", "give --budget");
    return answer(q, name(strategy), planner(q.chain, q.budget.amount, 500));
  };
  std::optional<Plan> plan;
  if (strategy == Strategy::rotor) {
    plan = of_layers(rotor_actions);
  } else if (strategy == Strategy::layers) {
    plan = of_layers(layers_actions);
  } else if (strategy == Strategy::store_all || strategy == Strategy::one_slot) {
    Question kept = q;
    if (strategy == Strategy::store_all && q.chain.has_tapes()) kept.keep = Keep::mixed;
    if (strategy == Strategy::one_slot) kept.keep = Keep::states;
    const Line line = q.chain.sized() ? Line::in_bytes(q.chain, kept.keep) : Line::in_units(q.chain, kept.keep, {});
    plan = answer(kept, name(strategy), strategy == Strategy::store_all ? store_all_actions(line) : one_slot_actions(line));
    const Count needs = q.bytes() ? plan->bill.peak_bytes.value_or(0) : plan->bill.peak_slots;
    if (needs > q.budget.amount)
      throw BudgetTooSmall(q.budget.amount, needs, plan->bill.cost, q.bytes());
  } else {
    throw Unsupported(std::string("the strategy ") + name(strategy) + " is for equal steps",
                      "compare with store-all, one-slot, rotor or layers");
  }
  plan->certificate.status = Certificate::Status::baseline;
  if (q.bytes() && q.chain.sized()) {
    const Line line = Line::in_bytes(q.chain, plan->keep);
    plan->certificate.lower_bound = std::min(plan->bill.cost, relaxed_bound(q, line));
  }
  return *std::move(plan);
}

}  // namespace sweepback::detail::uneven
