// SPDX-License-Identifier: Apache-2.0
// What is asked about unequal steps, and what the answers of all planners of this folder share.
#pragma once

#include <optional>
#include <vector>

#include "line.hpp"
#include "sweepback/plan.hpp"

namespace sweepback::detail::uneven {

struct Question {
  const Chain& chain;
  Budget budget;
  const PlanOptions& options;
  Keep keep;
  bool bytes() const { return budget.unit == Budget::Unit::bytes; }
};

Line line_of(const Question& q);

/// A plan of these actions, with its bill; the certificate is left as it begins.
Plan answer(const Question& q, const char* engine, std::vector<Action> actions);

/// Every plan of this folder is judged by the referee before it is handed out.
Plan judged(Plan plan);

/// No schedule at all costs less.
Count relaxed_bound(const Question& q, const Line& line);

/// `class_cost`: what a cheapest schedule of the class costs at least.
void certify(Plan& plan, const Question& q, const Line& line, std::optional<Count> class_cost);

/// Strategies to compare with.
Plan baseline(const Question& q);

/// Of a budget with tiers.
Plan spilled(const Question& q);

}  // namespace sweepback::detail::uneven
