// SPDX-License-Identifier: Apache-2.0
// Chooses the planner.
#include "sweepback/plan.hpp"

#include <optional>

#include "planners.hpp"

namespace sweepback {

namespace {

Plan by_kind(const Chain& chain, Budget budget, Keep keep, Strategy strategy) {
  return keep == Keep::tapes ? detail::plan_tapes(chain, budget, strategy)
                             : detail::plan_states(chain, budget, strategy);
}

/// The kinds of plan to try, the first preferred among equals.
std::vector<Keep> kinds(const Chain& chain, Budget::Unit unit, PlanOptions options) {
  if (options.keep != Keep::automatic) return {options.keep};
  const bool tapes = chain.steps() > 0 && chain.has_tapes();
  if (tapes && options.strategy == Strategy::store_all) return {Keep::tapes};
  if (!tapes || !chain.step().tape_has_output || unit == Budget::Unit::slots)
    return {Keep::states};
  if (const detail::Sizes s(chain); s.tape < s.state) return {Keep::states};
  return {Keep::states, Keep::tapes};
}

bool better(const Plan& a, const Plan& b) {
  return a.bill.cost != b.bill.cost ? a.bill.cost < b.bill.cost
                                    : a.bill.peak_bytes < b.bill.peak_bytes;
}

Plan cheapest(const Chain& chain, Budget budget, PlanOptions options) {
  std::optional<Plan> best;
  std::optional<BudgetTooSmall> refusal;
  for (const Keep keep : kinds(chain, budget.unit, options)) {
    try {
      Plan plan = by_kind(chain, budget, keep, options.strategy);
      if (!best || better(plan, *best)) best = std::move(plan);
    } catch (const BudgetTooSmall& e) {
      if (!refusal || e.smallest < refusal->smallest) refusal = e;
    }
  }
  if (!best) throw *refusal;
  return *std::move(best);
}

/// What the bounds say of a plan that is the cheapest of its kind.
void certify(Plan& plan, const PlanOptions& options) {
  Certificate& certificate = plan.certificate;
  if (plan.strategy != Strategy::optimal) {
    certificate.status = Certificate::Status::baseline;
    certificate.lower_bound = plan.bill.cost;
    if (plan.bill.forward_steps == 0) return;
    PlanOptions optimal = options;
    optimal.strategy = Strategy::optimal;
    optimal.keep = plan.keep;
    certificate.lower_bound = cheapest(plan.chain, plan.budget, optimal).bill.cost;
    return;
  }
  const Step& step = plan.chain.step();
  if (plan.bill.record_steps > 0 && step.record_cost() < step.forward) {
    // A step could be recorded and its tape dropped, to be cheaper than a forward step.
    certificate.status = Certificate::Status::exact_in_class;
    certificate.class_name = "forward steps run without tapes";
    certificate.lower_bound.reset();
    return;
  }
  if (!certificate.lower_bound) certificate.lower_bound = plan.bill.cost;
}

void require_equal(const Chain& chain) {
  if (!chain.equal())
    throw Unsupported("the chain's steps are not all alike",
                      "give equal steps: this version plans nothing else");
}

}  // namespace

Plan plan(const Chain& given, Budget budget, PlanOptions options) {
  require_equal(given);
  if (budget.amount < 0)
    throw OutOfRange(to_string(budget) + " is not a budget", "give a number that is not negative",
                     {{"given", budget.amount}});
  const Chain chain = options.keep == Keep::tapes ? given.with_tapes() : given;
  Plan plan = cheapest(chain, budget, options);
  certify(plan, options);
  return plan;
}

Plan plan_for_runs(const Chain& given, Count most, PlanOptions options) {
  require_equal(given);
  const Chain chain = options.keep == Keep::tapes ? given.with_tapes() : given;
  const Count l = chain.steps();
  const bool tapes = l > 0 && chain.has_tapes();
  if (most < 0 || (most == 0 && l > 0 && tapes))
    throw OutOfRange("no schedule runs every step at most " + std::to_string(most) + " times",
                     "allow at least one run", {{"smallest", 1}});
  Count slots = 0;
  if (options.keep == Keep::tapes) {
    slots = l == 0 ? 0 : binomial::fewest_slots_for_runs(l + 1, most);
  } else {
    const Count length = l + (!tapes && chain.final_state && l > 0);
    if (tapes && most == 1 && l > 1)
      throw OutOfRange("a plan that keeps states runs a step at least twice: forward, and recording",
                       "allow two runs, or keep tapes", {{"smallest", 2}});
    slots = binomial::fewest_slots_for_runs(length, most - tapes);
    options.keep = Keep::states;
  }
  return plan(chain, Budget::slots(slots), options);
}

Count smallest_budget(const Chain& chain, Keep keep) {
  try {
    return plan(chain, Budget::bytes(0), {keep, Strategy::optimal}).budget.amount;
  } catch (const BudgetTooSmall& e) {
    return e.smallest;
  }
}

Count store_all_bytes(const Chain& chain, Keep keep) {
  require_equal(chain);
  detail::require_sizes(chain);
  if (chain.steps() == 0) return 0;
  Step bare = chain.step();
  bare.forward_workspace = bare.reverse_workspace = bare.adjoint = 0;
  Chain alone = Chain::uniform(chain.steps(), bare);
  alone.in_place = chain.in_place;
  alone.final_state = chain.final_state;
  return *plan(alone, Budget::bytes(max_count), {keep, Strategy::store_all}).bill.peak_bytes;
}

double Certificate::gap_percent(Count cost, Count lower_bound) {
  if (cost == lower_bound) return 0;
  return lower_bound > 0 ? 100.0 * static_cast<double>(cost - lower_bound) /
                               static_cast<double>(lower_bound)
                         : std::numeric_limits<double>::infinity();
}

const char* name(Keep keep) noexcept {
  switch (keep) {
    case Keep::automatic: return "auto";
    case Keep::states: return "states";
    case Keep::tapes: return "tapes";
  }
  return "";
}

const char* name(Strategy strategy) noexcept {
  switch (strategy) {
    case Strategy::optimal: return "optimal";
    case Strategy::store_all: return "store-all";
    case Strategy::one_slot: return "one-slot";
  }
  return "";
}

const char* name(Certificate::Status status) noexcept {
  switch (status) {
    case Certificate::Status::exact: return "exact";
    case Certificate::Status::exact_in_class: return "exact-in-class";
    case Certificate::Status::bounded: return "bounded";
    case Certificate::Status::baseline: return "baseline";
  }
  return "";
}

namespace detail {

Sizes::Sizes(const Chain& chain)
    : known(false),
      in_place(chain.in_place),
      tapes(chain.steps() > 0 && chain.has_tapes()),
      output(chain.step().tape_has_output),
      state(chain.step().state_bytes.value_or(0)),
      tape(tapes ? chain.step().tape_bytes.value_or(0) : 0),
      forward_workspace(chain.step().forward_workspace),
      reverse_workspace(chain.step().reverse_workspace),
      adjoint(chain.step().adjoint) {
  known = chain.step().state_bytes && (!tapes || chain.step().tape_bytes);
}

void require_sizes(const Chain& chain) {
  if (chain.steps() == 0 || Sizes(chain).known) return;
  throw OutOfRange(std::string("a budget in bytes needs the size of a ") +
                       (chain.step().state_bytes ? "tape" : "state"),
                   chain.step().state_bytes ? "give tape_bytes (--tape-bytes)"
                                            : "give state_bytes (--state-bytes)");
}

Plan assemble(const Kind& kind, const Chain& chain, Budget budget, Strategy strategy,
              const Recipe& recipe, const Bill& bill) {
  Plan plan;
  plan.chain = chain;
  plan.budget = budget;
  plan.keep = kind.keep;
  plan.strategy = strategy;
  plan.engine = strategy == Strategy::optimal ? kind.engine : name(strategy);
  plan.schedule = Schedule(recipe);
  plan.bill = bill;
  plan.certificate.model =
      std::string(kind.model) + (budget.unit == Budget::Unit::bytes
                                     ? ", every byte alive at any instant counted"
                                     : std::string(" in slots, ") + kind.slots);
  return plan;
}

Count cost_of(const Bill& bill, const Step& step) {
  Wide cost = 0;
  for (const auto& [steps, each] : {std::pair{bill.forward_steps, step.forward},
                                   {bill.record_steps, step.record_cost()},
                                   {bill.reverse_steps, step.reverse}})
    cost += narrow(static_cast<Wide>(steps) * each, "the cost");
  return narrow(cost, "the cost");
}

Count deepest(Wide bytes, Wide fixed, Wide each, Count most) {
  if (fixed > bytes) return -1;
  if (each == 0) return most;
  return static_cast<Count>(std::min<Wide>(most, (bytes - fixed) / each));
}

}  // namespace detail

}  // namespace sweepback
