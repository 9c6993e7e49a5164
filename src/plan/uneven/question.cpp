// SPDX-License-Identifier: Apache-2.0
#include "question.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "../planners.hpp"
#include "../tally.hpp"
#include "sweepback/check.hpp"
#include "sweepback/policy_table.hpp"

namespace sweepback::detail::uneven {

namespace {

const char* const the_class = "nested, bases dropped early";

}  // namespace

Line line_of(const Question& q) {
  return q.bytes() ? Line::in_bytes(q.chain, q.keep) : Line::in_units(q.chain, q.keep, q.options.units);
}

Plan answer(const Question& q, const char* engine, std::vector<Action> actions) {
  const Kind kind{q.keep, engine, "unequal steps, states and tapes kept",
                  "the state in hand and the tape in use not among them"};
  const Kind states{q.keep, engine, "unequal steps, states kept",
                    "the slot of x_0 included and the state in hand not"};
  const ListedRecipe recipe{q.chain.steps(),
                            std::make_shared<const std::vector<Action>>(std::move(actions))};
  const Units units = q.keep == Keep::mixed ? q.options.units : Units{};
  Plan plan = assemble(q.keep == Keep::mixed ? kind : states, q.chain, q.budget, q.options.strategy, recipe,
                       tally(Schedule(recipe), q.chain, q.keep, units, q.budget.tiers));
  plan.units = units;
  plan.engine = engine;
  return plan;
}

Plan judged(Plan plan) {
  if (const Verdict verdict = check(plan); !verdict.ok)
    throw Error("internal", "the referee refuses the plan of the engine " + plan.engine + ": " +
                                verdict.violation->message,
                "report this chain; another --engine may do");
  return plan;
}

/// Each step runs once; and, of memory alone, the relaxation to the least sizes and the
/// least cost of a step, which is a problem of equal steps.
Count relaxed_bound(const Question& q, const Line& line) {
  // On the first pass every step runs, and one that is not recorded then runs forward.
  Wide least = line.fixed;
  for (int k = 0; k + 1 < line.steps; ++k)
    if (!line.taped[Line::to(k)] || !line.keeps_tapes) least += line.forward(k, k + 1) / line.scale;
  const Count once = static_cast<Count>(std::min<Wide>(least, max_count));
  if (!q.bytes() || !q.budget.tiers.empty() || line.steps < 2 || line.steps > 2000) return once;
  Count state = infinite, tape = infinite, forward = infinite;
  bool output = false, taped = true;
  for (int i = 0; i < line.steps; ++i) {
    state = std::min(state, line.state[Line::to(i)]);
    tape = std::min(tape, line.taped[Line::to(i)] ? line.tape[Line::to(i)] : infinite);
    output = output || line.output[Line::to(i)];
    taped = taped && line.taped[Line::to(i)];
  }
  for (const Run& run : q.chain.runs())
    forward = std::min(forward, run.step.has_tape() ? std::min(run.step.forward, run.step.record_cost())
                                                    : run.step.forward);
  const Count l = line.steps;
  if (state == 0 || forward == 0 || q.budget.amount / state >= l) return once;
  const Count states = std::max<Count>(1, q.budget.amount / state);
  Count runs = 0;  // beyond the first
  if (!line.keeps_tapes) {
    runs = binomial::forward_steps(l, states) - (l - 1);
  } else if (taped && tape >= state && states * l <= 4'000'000) {
    const PolicyTable table(l, states, {1, tape / state, output, false});
    runs = table.cost(l, states).value_or(l) - l;
  }
  const Wide bound = least + static_cast<Wide>(std::max<Count>(0, runs)) * forward;
  return bound > max_count ? max_count : static_cast<Count>(bound);
}

void certify(Plan& plan, const Question& q, const Line& line, std::optional<Count> class_cost) {
  Certificate& c = plan.certificate;
  c.lower_bound = std::min(plan.bill.cost, relaxed_bound(q, line));
  c.class_name = the_class;
  if (class_cost) c.class_bound = std::max(*c.lower_bound, std::min(plan.bill.cost, *class_cost));
  c.status = c.class_bound == plan.bill.cost ? Certificate::Status::exact_in_class
                                             : Certificate::Status::bounded;
  if (c.lower_bound == plan.bill.cost) {
    c.status = Certificate::Status::exact;
    c.class_name.clear();
    c.class_bound.reset();
  }
}

}  // namespace sweepback::detail::uneven
