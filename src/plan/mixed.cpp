// SPDX-License-Identifier: Apache-2.0
// Equal steps, keeping states and tapes: the MSM policy of Gruslys et al. (2016), completed
// (policy_table.hpp has the recurrences).
//
// In units it is cheapest among all schedules: equal to exhaustive search on every small case. With
// x_0 pinned it is the article's policy, cheapest among those whose bases stay until their piece is
// done.
//
// In bytes a unit is chosen of which a state and a tape are whole multiples to within 1 %, rounded
// up. The plan for the most units whose schedule fits, everything alive counted, is one candidate;
// the plans that keep states or tapes alone are the others. No schedule costs less than the table
// says for the units that would fit if the hand, the tape in use and all workspace took nothing.
#include <algorithm>
#include <cmath>
#include <optional>

#include "planners.hpp"
#include "tally.hpp"

namespace sweepback::detail {

namespace {

/// Every tape at once is the most that is of use.
Count useful_units(Count l, const Units& units, bool pinned, Count given) {
  const Wide all = static_cast<Wide>(std::max<Count>(l - 1, 0)) * units.tape + pinned * units.state;
  return static_cast<Count>(std::min<Wide>(all, given));
}

/// The fewest units that hold a schedule at all.
Count fewest_units(Count l, const Units& units, bool output, bool pinned) {
  if (pinned) return units.state;
  const Wide tapes = output ? units.tape : static_cast<Wide>(std::max<Count>(l - 1, 0)) * units.tape;
  return l <= 1 ? 1 : static_cast<Count>(std::min<Wide>(units.state, tapes));
}

/// The table given, where it answers, or one of its own.
PolicyTable table_for(Count l, Count units, const MixedModel& model, const PolicyTable& given) {
  const bool enough = given.model() == model && given.steps() >= l && given.units() >= units;
  return enough && l > 0 ? given : PolicyTable(l, units, model);
}

/// The fewest units that cost as little, with as few stores, as these.
Count as_good_as(const PolicyTable& table, Count l, Count units) {
  const auto cost = table.cost(l, units), stores = table.stores(l, units);
  Count low = -1, high = units;  // more units are never worse
  while (high - low > 1) {
    const Count middle = low + (high - low) / 2;
    (table.cost(l, middle) == cost && table.stores(l, middle) == stores ? high : low) = middle;
  }
  return high;
}

constexpr Kind mixed_kind{Keep::mixed, "mixed", "equal steps, states and tapes kept",
                          "the state in hand and the tape in use not among them"};

Plan answer(const Chain& chain, Budget budget, Units units, const Recipe& recipe) {
  const Schedule schedule(recipe);
  Plan plan = assemble(mixed_kind, chain, budget, Strategy::optimal, recipe,
                       tally(schedule, chain, Keep::mixed, units));
  plan.units = units;
  return plan;
}

/// What the plan would cost with so many forward steps.
Count cost_with(const Plan& plan, Count forward_steps) {
  const Step& step = plan.chain.step();
  return plan.bill.cost -
         (plan.bill.forward_steps - forward_steps) * (step.forward + step.forward_call);
}

Plan in_units(const Chain& chain, Budget budget, const PlanOptions& options) {
  const Count l = chain.steps();
  const auto [state, tape] = options.units;
  const bool output = chain.step().tape_has_output, pinned = options.pin_input;
  if (state < 1 || tape < 1) PolicyTable(0, 0, {state, tape});  // throws
  const auto again = [&](Budget larger) { return in_units(chain, larger, options); };
  const Count smallest = fewest_units(l, options.units, output, pinned);
  if (l > 0 && budget.amount < smallest) refuse(budget, smallest, again);
  const Count units = useful_units(l, options.units, pinned, budget.amount);
  const Count pinned_units = pinned && l > 1 ? state : 0;
  const PolicyTable table =
      table_for(l, units - pinned_units, {state, tape, output, pinned}, options.table);
  const Count used = as_good_as(table, l, units - pinned_units) + pinned_units;
  Plan plan = answer(chain, budget, options.units, MixedRecipe{l, used, table});
  if (pinned) {
    plan.certificate.status = Certificate::Status::exact_in_class;
    plan.certificate.class_name = "every base stays until its piece is done";
    const PolicyTable any(l, units, {state, tape, output, false});
    const Count steps = any.cost(l, units).value_or(l) - l;
    plan.certificate.lower_bound = cost_with(plan, steps);
  }
  return plan;
}

/// A unit in bytes, and what a state and a tape take of it, rounded up.
struct ByteUnit {
  double bytes = 1;
  Units units;
};

ByteUnit choose_unit(const Sizes& s) {
  constexpr double loss = 0.01;
  const double state = static_cast<double>(std::max<Wide>(1, s.state));
  const double tape = static_cast<double>(std::max<Wide>(1, s.tape));
  const double smaller = std::min(state, tape), larger = std::max(state, tape);
  for (double parts = 1;; ++parts) {
    const double unit = smaller / parts, whole = std::ceil(larger / unit * (1 - 1e-12));
    if (whole * unit > (1 + loss) * larger) continue;
    const auto few = static_cast<Count>(parts), many = static_cast<Count>(whole);
    return {unit, state <= tape ? Units{few, many} : Units{many, few}};
  }
}

/// The units that would fit if nothing but what is kept took room.
Count units_of_all(Count l, const Sizes& s, const Units& units, Budget budget) {
  const auto each = [](Count units, Wide size) {
    return static_cast<double>(units) / static_cast<double>(std::max<Wide>(1, size));
  };
  const double room = static_cast<double>(std::max<Wide>(0, budget.amount - s.adjoint));
  const double most = room * std::max(each(units.state, s.state), each(units.tape, s.tape));
  return useful_units(l, units, false, static_cast<Count>(std::min(std::ceil(most), 1e15)));
}

// Steps squared times units that a table may take: about 0.3 ns each.
constexpr double most_work = 4e10, quick_work = 4e9;

Count units_within(Count l, double work) {
  return static_cast<Count>(work / static_cast<double>(l) / static_cast<double>(l));
}

double work_of(const PlanOptions& options) {
  return options.keep == Keep::mixed ? most_work : quick_work;
}

/// The most units that can be kept: while they are, a step is recorded and reversed above them.
Count units_beside_a_step(const Sizes& s, double unit, Budget budget) {
  const Wide beside = s.adjoint + s.tape + std::max(s.forward_workspace, s.reverse_workspace);
  if (budget.amount < beside) return 0;
  constexpr double rounded_up = 1.011;  // units above the bytes they stand for, at most
  return static_cast<Count>(static_cast<double>(budget.amount - beside) / unit * rounded_up) + 1;
}

Plan in_bytes(const Chain& chain, Budget budget, double work, const PolicyTable& given) {
  const Count l = chain.steps();
  const Sizes s(chain);
  const bool output = s.output;
  const ByteUnit chosen = choose_unit(s);
  const double unit = chosen.bytes;
  const Units units = chosen.units;
  const MixedModel model{units.state, units.tape, output, false};

  std::optional<Plan> best;
  Count smallest = max_count;
  const auto consider = [&](const Recipe& recipe) {
    Plan plan = answer(chain, budget, units, recipe);
    if (!best || plan.bill.cost < best->bill.cost) best = std::move(plan);
  };
  for (const auto planner : {plan_states, plan_tapes}) {
    if (planner == plan_tapes && (!output || s.tape < s.state)) continue;
    try {
      consider(planner(chain, budget, Strategy::optimal).schedule.recipe());
    } catch (const BudgetTooSmall& e) {
      smallest = std::min(smallest, e.smallest);
    }
  }

  const Count bound_units = units_of_all(l, s, units, budget);
  const Count tabled = std::min(bound_units, units_within(l, work));
  const PolicyTable table = table_for(l, tabled, model, given);
  for (Count m = std::min(tabled, units_beside_a_step(s, unit, budget));
       m > 0 && table.fits(PolicyTable::Base::loose, l, m);) {
    const Count used = as_good_as(table, l, m);
    if (best && *table.cost(l, used) >= best->bill.forward_steps + l) break;
    Plan plan = answer(chain, budget, units, MixedRecipe{l, used, table});
    if (*plan.bill.peak_bytes <= budget.amount) {
      best = std::move(plan);
      break;
    }
    m = used - 1;
  }
  if (!best) {
    // Where tapes are small, the fewest units or all tapes may need less than one kind alone.
    const Count all = useful_units(l, units, false, tabled);
    const Count few = fewest_units(l, units, output, false);
    const PolicyTable bare = few <= tabled ? table : PolicyTable(l, few, model);
    for (const Count m : {std::max(few, all), few}) {
      if (!bare.fits(PolicyTable::Base::loose, l, m)) continue;
      Plan plan = answer(chain, budget, units, MixedRecipe{l, m, bare});
      smallest = std::min(smallest, *plan.bill.peak_bytes);
      if (!best && smallest <= budget.amount) best = std::move(plan);
    }
    if (!best)
      refuse(budget, smallest, [&](Budget larger) { return in_bytes(chain, larger, work, given); });
  }
  // Of nothing any number fits, and no table says what that would cost.
  const bool tabled_all = tabled == bound_units && s.state > 0 && s.tape > 0;
  const Count least = tabled_all ? table.cost(l, tabled).value_or(l) - l : 0;
  best->certificate.lower_bound = cost_with(*best, least);
  if (best->certificate.lower_bound != best->bill.cost)
    best->certificate.status = Certificate::Status::bounded;
  best->certificate.model += "; planned in units of " + std::to_string(std::llround(unit)) +
                             " bytes, a state " + std::to_string(units.state) + ", a tape " +
                             std::to_string(units.tape) + ", rounded up by at most 1 %";
  return *std::move(best);
}

}  // namespace

bool mixed_is_quick(const Chain& chain) {
  const Count l = chain.steps();
  const Sizes s(chain);
  if (l < 1 || l > 100'000 || s.state == 0 || s.tape == 0) return false;  // of nothing any number fits
  return units_within(l, quick_work) >= choose_unit(s).units.tape;
}

Plan plan_mixed(const Chain& chain, Budget budget, const PlanOptions& options) {
  if (budget.unit == Budget::Unit::slots) return in_units(chain, budget, options);
  require_sizes(chain);
  if (options.pin_input)
    throw Unsupported("x_0 is pinned in plans in slots only", "give --slots, or leave it unpinned");
  if (chain.steps() == 0) return in_units(chain, Budget::slots(0), options);
  return in_bytes(chain, budget, work_of(options), options.table);
}

}  // namespace sweepback::detail

namespace sweepback {

PolicyTable policy_table(const Chain& given, Budget budget, const PlanOptions& options) {
  const Chain chain = given.with_tapes();
  const Count l = chain.steps();
  if (l == 0) return {};
  const bool output = chain.step().tape_has_output;
  if (budget.unit == Budget::Unit::slots) {
    const Count units = detail::useful_units(l, options.units, options.pin_input, budget.amount);
    return {l, units, {options.units.state, options.units.tape, output, options.pin_input}};
  }
  detail::require_sizes(chain);
  const detail::Sizes s(chain);
  const Units units = detail::choose_unit(s).units;
  return {l,
          std::min(detail::units_of_all(l, s, units, budget),
                   detail::units_within(l, detail::work_of(options))),
          {units.state, units.tape, output, false}};
}

}  // namespace sweepback
