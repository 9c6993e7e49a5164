// SPDX-License-Identifier: Apache-2.0
// Chooses the planner.
#include "sweepback/plan.hpp"

#include <array>
#include <optional>

#include "planners.hpp"

namespace sweepback {

namespace {

bool in_closed_form(Strategy strategy) {
  return strategy != Strategy::halving && strategy != Strategy::sqrt &&
         strategy != Strategy::chen && strategy != Strategy::periodic;
}

Plan by_kind(const Chain& chain, Budget budget, Keep keep, const PlanOptions& options) {
  if (!in_closed_form(options.strategy)) return detail::plan_baseline(chain, budget, options);
  switch (keep) {
    case Keep::tapes: return detail::plan_tapes(chain, budget, options.strategy);
    case Keep::mixed: return detail::plan_mixed(chain, budget, options);
    default: return detail::plan_states(chain, budget, options.strategy);
  }
}

/// The kinds of plan to try, the first preferred among equals.
std::vector<Keep> kinds(const Chain& chain, Budget budget, const PlanOptions& options) {
  if (options.keep != Keep::automatic || !in_closed_form(options.strategy)) return {options.keep};
  const bool tapes = chain.steps() > 0 && chain.has_tapes();
  if (tapes && options.strategy == Strategy::store_all) return {Keep::tapes};
  if (!tapes || budget.unit == Budget::Unit::slots) return {Keep::states};
  detail::require_sizes(chain);
  std::vector<Keep> kinds{Keep::states};
  if (const detail::Sizes s(chain); s.output && s.tape >= s.state) kinds.push_back(Keep::tapes);
  if (options.strategy == Strategy::optimal && detail::mixed_is_quick(chain))
    kinds.push_back(Keep::mixed);
  return kinds;
}

bool better(const Plan& a, const Plan& b) {
  return a.bill.cost != b.bill.cost ? a.bill.cost < b.bill.cost
                                    : a.bill.peak_bytes < b.bill.peak_bytes;
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
    optimal.parts = optimal.period = 0;
    certificate.lower_bound = detail::plan_steps(plan.chain, plan.budget, optimal).bill.cost;
    return;
  }
  const Step& step = plan.chain.step();
  if (plan.bill.record_steps > 0 &&
      step.record_cost() + step.record_call < step.forward + step.forward_call) {
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
                      "give equal steps, or plan for a budget");
}

void require_options(const PlanOptions& options) {
  const auto refuse = [&](const std::string& what, const char* remedy) {
    throw OutOfRange("the strategy " + std::string(name(options.strategy)) + what, remedy);
  };
  const bool segments = !in_closed_form(options.strategy);
  if (options.keep == Keep::mixed && options.strategy != Strategy::optimal &&
      options.strategy != Strategy::sqrt)
    refuse(" keeps one kind", "keep states or tapes");
  if (options.keep == Keep::tapes && segments) refuse(" keeps states", "keep states, or leave it open");
  if (options.parts < 0 || options.period < 0 || (options.parts && options.strategy != Strategy::chen) ||
      (options.period && options.strategy != Strategy::periodic))
    refuse(" with " + std::to_string(options.parts ? options.parts : options.period) + " borders or steps",
           "give a whole number, of parts to chen or of steps between borders to periodic");
  if (options.parts > (Count{1} << 40) || options.period > max_count / 2)
    refuse(" with parts or steps beyond any chain", "give at most 2^40 parts");
  if (options.block < 0 || (options.block != 1 && options.strategy != Strategy::optimal))
    refuse(" in blocks of " + std::to_string(options.block), "plan the cheapest, in blocks of at least one");
}

}  // namespace

Plan plan(const Chain& given, Budget budget, PlanOptions options) {
  if (budget.amount < 0)
    throw OutOfRange(to_string(budget) + " is not a budget", "give a number that is not negative",
                     {{"given", budget.amount}});
  if (options.pin_input && options.keep != Keep::mixed)
    throw OutOfRange("x_0 is pinned only where states and tapes are both kept",
                     "plan with Keep::mixed, or leave it unpinned");
  require_options(options);
  if (!budget.tiers.empty()) return detail::plan_tiered(given, budget, options);
  const bool of_layers =
      options.strategy == Strategy::rotor || options.strategy == Strategy::layers;
  if (!given.equal() || options.engine != Engine::automatic || of_layers)
    return detail::plan_uneven(given, budget, options);
  const bool tapes = options.keep == Keep::tapes || options.keep == Keep::mixed;
  const Chain chain = tapes ? given.with_tapes() : given;
  if (options.block != 1 && !chain.blocks)
    throw OutOfRange("blocks, and a program that runs single steps",
                     "say chain.blocks = true where it runs ranges in one call, or leave blocks out");
  if (chain.blocks && options.strategy == Strategy::optimal)
    return detail::plan_blocks(chain, budget, options);
  if (chain.blocks && options.strategy != Strategy::store_all)
    throw Unsupported(std::string("the strategy ") + name(options.strategy) + " runs single steps",
                      "compare with a chain of blocks = false");
  Plan plan = detail::plan_steps(chain, budget, options);
  certify(plan, options);
  return plan;
}

Plan plan_for_runs(const Chain& given, Count most, PlanOptions options) {
  require_equal(given);
  if (options.keep == Keep::mixed)
    throw Unsupported("a bound on runs is answered for states or tapes", "keep one of them");
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

Count store_all_bytes(const Chain& chain) {
  if (chain.steps() == 0) return 0;
  if (chain.equal()) detail::require_sizes(chain);
  std::vector<Run> runs = chain.runs();
  for (Run& run : runs)
    run.step.forward_workspace = run.step.reverse_workspace = run.step.adjoint = 0;
  Chain alone = Chain::of(std::move(runs), {chain.input().state_bytes, 0});
  if (chain.equal()) alone = Chain::uniform(chain.steps(), alone.step());
  alone.in_place = chain.in_place;
  alone.final_state = chain.final_state;
  return *plan(alone, Budget::bytes(max_count), {.strategy = Strategy::store_all}).bill.peak_bytes;
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
    case Keep::mixed: return "mixed";
  }
  return "";
}

const char* name(Strategy strategy) noexcept {
  switch (strategy) {
    case Strategy::optimal: return "optimal";
    case Strategy::store_all: return "store-all";
    case Strategy::one_slot: return "one-slot";
    case Strategy::halving: return "halving";
    case Strategy::sqrt: return "sqrt";
    case Strategy::chen: return "chen";
    case Strategy::periodic: return "periodic";
    case Strategy::rotor: return "rotor";
    case Strategy::layers: return "layers";
  }
  return "";
}

const char* name(Engine engine) noexcept {
  switch (engine) {
    case Engine::automatic: return "auto";
    case Engine::window: return "window";
    case Engine::staircases: return "staircases";
    case Engine::slots: return "slots";
    case Engine::search: return "search";
    case Engine::coarse: return "coarse";
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

Plan plan_steps(const Chain& chain, Budget budget, const PlanOptions& options) {
  std::optional<Plan> best;
  Count smallest = max_count;
  std::optional<Count> of_both;  // no plan that may keep states and tapes costs less
  for (const Keep keep : kinds(chain, budget, options)) {
    try {
      Plan plan = by_kind(chain, budget, keep, options);
      if (keep == Keep::mixed) of_both = plan.certificate.lower_bound.value_or(plan.bill.cost);
      if (!best || better(plan, *best)) best = std::move(plan);
    } catch (const BudgetTooSmall& e) {
      smallest = std::min(smallest, e.smallest);
    }
  }
  if (!best)
    refuse(budget, smallest, [&](Budget larger) { return plan_steps(chain, larger, options); });
  // Among all that it was free to keep, a plan of one kind is the cheapest of its kind.
  Certificate& certificate = best->certificate;
  const bool one_kind = best->keep != Keep::mixed && options.keep == Keep::automatic;
  if (one_kind && of_both && *of_both < best->bill.cost && best->strategy == Strategy::optimal) {
    certificate.status = Certificate::Status::exact_in_class;
    certificate.class_name += std::string(certificate.class_name.empty() ? "" : ", ") + name(best->keep) + " kept";
    certificate.lower_bound = of_both;
  }
  return *std::move(best);
}

Sizes::Sizes(const Chain& chain)
    : known(chain.sized()),
      in_place(chain.in_place),
      tapes(chain.steps() > 0 && chain.has_tapes()),
      output(chain.step().tape_has_output),
      state(chain.step().state_bytes.value_or(0)),
      tape(tapes ? chain.step().tape_bytes.value_or(0) : 0),
      forward_workspace(chain.step().forward_workspace),
      reverse_workspace(chain.step().reverse_workspace),
      adjoint(chain.step().adjoint) {}

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
  for (const auto& [steps, each, call] :
       {std::array{bill.forward_steps, step.forward, step.forward_call},
        std::array{bill.record_steps, step.record_cost(), step.record_call},
        std::array{bill.reverse_steps, step.reverse, step.reverse_call}})
    cost += narrow(static_cast<Wide>(steps) * (static_cast<Wide>(each) + call), "the cost");
  return narrow(cost, "the cost");
}

Count deepest(Wide bytes, Wide fixed, Wide each, Count most) {
  if (fixed > bytes) return -1;
  if (each == 0) return most;
  return static_cast<Count>(std::min<Wide>(most, (bytes - fixed) / each));
}

}  // namespace detail

}  // namespace sweepback
