// SPDX-License-Identifier: Apache-2.0
// Budgets with tiers: equal steps, states kept in memory and elsewhere. Moves and steps one after the
// other are planned by the programme of table.hpp; where a tier works while steps run, the faster of that
// plan and of the pipeline of pipeline.hpp is given.
//
// A tier so large that the cheapest plan without its bound fits is planned so: one row. Where a bounded
// tier would take too many rows, fewer of its slots are used, and the plan without bounds is the bound.
#include <optional>

#include "../planners.hpp"
#include "../tally.hpp"
#include "periodic.hpp"
#include "pipeline.hpp"
#include "sweepback/error.hpp"
#include "table.hpp"

namespace sweepback::detail {

namespace {

using tiered::Level;
using tiered::Periods;
using tiered::Pipeline;
using tiered::Table;

constexpr Wide most_work = 8'000'000'000;  // some seconds
constexpr Count most_in_table = 120'000, most_steps = 2'000'000;
constexpr Count most_mixed = 400;  // steps whose tapes may be kept as well, where nobody asks for it

struct Question {
  const Chain& chain;
  const Budget& budget;
  const PlanOptions& options;
  Count states;  // to be handed over
};

void require(const Chain& chain, const Budget& budget, const PlanOptions& options) {
  if (chain.blocks || options.block != 1)
    throw Unsupported("blocks of steps are planned for memory alone", "plan single steps (--block 1)");
  if (options.keep != Keep::automatic && options.keep != Keep::states)
    throw Unsupported(std::string("with several kinds of storage states are kept, or states and tapes, and \"") + name(options.keep) + "\" is asked for",
                      "keep states or both (mixed)");
  if (options.strategy != Strategy::optimal || options.engine != Engine::automatic)
    throw Unsupported("strategies and engines to compare with plan for memory alone", "plan the cheapest");
  if (std::count_if(budget.tiers.begin(), budget.tiers.end(), [](const TierModel& tier) { return tier.lossy; }) > 1)
    throw Unsupported("several tiers that lose something: a state might lose twice", "give the one that loses least");
  if (chain.steps() > most_steps)
    throw Unsupported("plans for several kinds of storage go up to " + std::to_string(most_steps) + " steps, and these are " +
                          std::to_string(chain.steps()),
                      "join neighbouring steps, or give memory alone");
}

/// Memory first, then by what moving costs.
std::vector<Level> levels_of(const Question& q, Count memory) {
  std::vector<Level> levels;
  const std::optional<Count> size = q.chain.step().state_bytes;
  for (const TierModel& tier : q.budget.tiers) {
    const int number = static_cast<int>(levels.size());
    const auto rate = [](const TransferCost& c) { return c.units > 0; };
    if ((rate(tier.store) || rate(tier.restore)) && !size)
      throw OutOfRange("the tier \"" + tier.name + "\" moves bytes, and the size of a state is not known",
                       "give the bytes of a state, or costs of a whole state");
    const Count bytes = size.value_or(0);
    levels.push_back({number == 0 ? memory : tier.room(q.states, size),
                      number > 0 && tier.unit == TierModel::Unit::unbounded, tier.store.of(bytes), tier.restore.of(bytes), number, tier.lossy});
  }
  std::stable_sort(levels.begin() + 1, levels.end(), [](const Level& a, const Level& b) {
    return std::pair(a.store, a.restore) < std::pair(b.store, b.restore);
  });
  return levels;
}

bool in_order(const std::vector<Level>& levels) {
  for (std::size_t k = 1; k < levels.size(); ++k)
    if (levels[k].store < levels[k - 1].store || levels[k].restore < levels[k - 1].restore) return false;
  return true;
}

/// No level costs more than one above it: what is planned so is a lower bound.
std::vector<Level> relaxed(std::vector<Level> levels) {
  for (std::size_t k = levels.size() - 1; k-- > 0;) {
    levels[k].store = std::min(levels[k].store, levels[k + 1].store);
    levels[k].restore = std::min(levels[k].restore, levels[k + 1].restore);
  }
  return levels;
}

std::vector<Level> without_bound(std::vector<Level> levels) {
  if (levels.size() > 1) levels.back().unbounded = true;
  return levels;
}

Count fixed_cost(const Chain& chain) {
  Bill bill;
  bill.reverse_steps = chain.steps();
  bill.record_steps = chain.has_tapes() ? chain.steps() : 0;
  return cost_of(bill, chain.step());
}

bool any_overlaps(const Budget& budget) {
  return std::any_of(budget.tiers.begin(), budget.tiers.end(), [](const TierModel& tier) { return tier.overlap; });
}

bool loses(const Budget& budget) {
  return std::any_of(budget.tiers.begin(), budget.tiers.end(), [](const TierModel& tier) { return tier.lossy; });
}

Plan answer(const Question& q, const Recipe& recipe, const char* engine = "hierarchical") {
  std::string model = "equal steps, states kept in several tiers, ";
  model += any_overlaps(q.budget) ? "moves of some of them while steps run" : "moves and steps one after the other";
  if (loses(q.budget)) model += ", no state losing twice";
  const Kind kind{Keep::states, engine, model.c_str(), "the slot of x_0 included and the state in hand not"};
  const Bill bill = tally(Schedule(recipe), q.chain, Keep::states, {}, q.budget.tiers);
  return assemble(kind, q.chain, q.budget, q.options.strategy, recipe, bill);
}

/// `write(leaf)` gives the actions; `leaf` writes what is done with x_i in hand when it is its turn.
template <class Write>
Plan answer_of(const Question& q, Write&& write, const char* engine) {
  const bool records = q.chain.steps() > 0 && q.chain.has_tapes();
  const auto leaf = [&](Count i, std::vector<Action>& actions) {
    if (i == q.chain.steps()) return;  // x_l, handed out
    if (records) actions.push_back(Action::record(i));
    actions.push_back(Action::reverse(i));
  };
  return answer(q, ListedRecipe{q.chain.steps(), std::make_shared<const std::vector<Action>>(write(leaf))}, engine);
}

Plan answer_of(const Question& q, const Table& table) {
  return answer_of(q, [&](auto& leaf) { return table.actions(leaf); }, "hierarchical");
}

/// The plan that memory alone has: in bytes it may put a state where the table has no slot for it.
std::optional<Plan> in_memory(const Question& q, Count& smallest) {
  constexpr Count most_counted = 20'000'000;  // actions
  try {
    const Plan plan = plan_states(q.chain, Budget{q.budget.unit, q.budget.amount, {}}, Strategy::optimal);
    if (plan.bill.restores > most_counted) return std::nullopt;
    return answer(q, plan.schedule.recipe());
  } catch (const BudgetTooSmall& e) {
    smallest = e.smallest;
    return std::nullopt;
  }
}

/// The cheapest kind that memory alone may keep, where its actions can be counted.
std::optional<Plan> memory_alone(const Question& q) {
  constexpr Count most_counted = 20'000'000;  // actions
  try {
    Plan plan = plan_steps(q.chain, Budget{q.budget.unit, q.budget.amount, {}}, q.options);
    if (plan.bill.restores + plan.bill.forward_steps > most_counted) return std::nullopt;
    plan.bill = tally(plan.schedule, q.chain, plan.keep, plan.units, q.budget.tiers);
    plan.budget = q.budget;
    plan.certificate.status = Certificate::Status::bounded;
    plan.certificate.class_name.clear();
    plan.certificate.class_bound.reset();
    plan.certificate.lower_bound = std::min(plan.bill.time(), fixed_cost(q.chain));
    return plan;
  } catch (const BudgetTooSmall&) {
    return std::nullopt;
  }
}

bool fits(const Plan& plan, const std::vector<Level>& levels) {
  return std::all_of(levels.begin(), levels.end(), [&](const Level& level) {
    return level.unbounded || plan.bill.tiers[static_cast<std::size_t>(level.tier)].peak_slots <= level.slots;
  });
}

/// Fewer slots of the highest bounded levels, until the table can be computed.
std::vector<Level> fewer_slots(std::vector<Level> levels, Count states) {
  for (std::size_t k = levels.size(); k-- > 0 && Table::work(states, levels) > most_work;) {
    if (levels[k].unbounded) continue;
    const Wide others = Table::work(states, levels) - Wide{levels[k].slots} * states * states / 2;
    const Wide rows = (most_work - others) / std::max<Wide>(1, static_cast<Wide>(states) * states / 2);
    levels[k].slots = static_cast<Count>(std::clamp<Wide>(rows, 1, levels[k].slots));
  }
  return levels;
}

/// `table`: what plans a piece; null: memory alone.
Plan with_periods(const Question& q, const Level& memory, const Level& far, const Periods& periods, const Table* table) {
  const auto write = [&](auto& leaf) {
    return tiered::actions_of(periods, q.states, far.tier, [&](Count base, Count n, bool stored, std::vector<Action>& actions) {
      if (table) return table->write(base, n, stored, actions, leaf);
      if (stored) {
        actions.push_back(Action::restore(base, far.tier));
        actions.push_back(Action::free(base, far.tier));
      }
      tiered::in_memory(base, n, std::min(memory.slots, n), actions, leaf);
    });
  };
  return answer_of(q, write, "periodic");
}

/// Moves and steps one after the other. `alone`: the plan in memory alone, where there is one.
Plan one_after_the_other(const Question& q, const std::vector<Level>& levels, const StatesRoom& room, std::optional<Plan> alone) {
  const auto table = [&](const std::vector<Level>& of) { return Table(q.states, q.chain.step().forward + q.chain.step().forward_call, of); };
  const Table most = table(fewer_slots(without_bound(levels), q.states));
  const bool all_rows = Table::work(q.states, levels) <= most_work;
  Plan plan = answer_of(q, most);
  bool whole = fits(plan, levels);
  if (!whole) {
    plan = answer_of(q, table(fewer_slots(levels, q.states)));
    whole = all_rows;
  }
  if (!whole && levels.front().slots > 0)
    for (std::size_t k = 1; k < levels.size(); ++k)
      if (const auto periods = tiered::simple_periods(q.states, q.chain.step().forward + q.chain.step().forward_call, levels.front(), levels[k])) {
        Plan periodic = with_periods(q, levels.front(), levels[k], *periods, nullptr);
        if (periodic.bill.cost < plan.bill.cost) plan = std::move(periodic);
      }
  if (alone && alone->bill.cost < plan.bill.cost) plan = *std::move(alone);
  Certificate& certificate = plan.certificate;
  const bool exact = whole && in_order(levels) && room.most == room.slots;
  certificate.status = exact ? Certificate::Status::exact : Certificate::Status::bounded;
  if (exact) {
    certificate.lower_bound = plan.bill.cost;
  } else {
    // In more memory, without the last bound, at costs that are in order: nothing is cheaper.
    std::vector<Level> at_most = relaxed(whole ? levels : without_bound(levels));
    at_most.front().slots = room.most;
    if (Table::work(q.states, at_most) > most_work) at_most = relaxed(without_bound(at_most));
    certificate.lower_bound = Table::work(q.states, at_most) > most_work
                                  ? fixed_cost(q.chain)
                                  : std::min(plan.bill.cost, fixed_cost(q.chain) + table(at_most).cost());
    if (certificate.lower_bound == plan.bill.cost) certificate.status = Certificate::Status::exact;
  }
  return plan;
}

/// Chains too long for a table: the cheapest of the plans with periods in one tier, and `alone`.
Plan with_periods(const Question& q, const std::vector<Level>& levels, std::optional<Plan> alone) {
  constexpr Count most_inside = 20'000;
  Count smallest = 0;
  std::optional<Plan> found = alone ? std::move(alone) : in_memory(q, smallest);
  const auto offer = [&](Plan plan) {
    if (!found || plan.bill.cost < found->bill.cost) found = std::move(plan);
  };
  const Count forward = q.chain.step().forward + q.chain.step().forward_call;
  const Level& memory = levels.front();
  for (std::size_t k = 1; k < levels.size(); ++k) {
    const Level& far = levels[k];
    if (far.unbounded || far.slots >= q.states) {
      const Table table(most_inside, forward, without_bound({memory, far}));
      offer(with_periods(q, memory, far, tiered::cheapest_periods(q.states, forward, table, most_inside, far), &table));
    } else if (memory.slots > 0) {
      if (const auto periods = tiered::simple_periods(q.states, forward, memory, far)) offer(with_periods(q, memory, far, *periods, nullptr));
    }
  }
  if (!found)
    throw Unsupported("no plan of " + std::to_string(q.chain.steps()) + " steps without a slot of memory, or with so many runs again",
                      "give memory for a few states more, or a tier with more room");
  found->certificate.lower_bound = std::min(found->bill.cost, least_time(q.chain));
  found->certificate.status = found->certificate.lower_bound == found->bill.cost ? Certificate::Status::exact : Certificate::Status::bounded;
  return *std::move(found);
}

/// Or moves while steps run, where that is faster than `plan`.
Plan while_steps_run(const Question& q, const std::vector<Level>& levels, Plan plan) {
  const Step& step = q.chain.step();
  const Count fixed = fixed_cost(q.chain), forward = step.forward + step.forward_call;
  for (const Level& far : levels) {
    if (!q.budget.tiers[static_cast<std::size_t>(far.tier)].overlap) continue;
    const auto pipeline = Pipeline::fastest({q.states, forward, fixed / q.chain.steps()}, levels.front(), far);
    if (!pipeline) continue;
    Plan faster = answer_of(q, [&](auto& leaf) { return pipeline->actions(leaf); }, "pipeline");
    const bool too_large = q.budget.unit == Budget::Unit::bytes && faster.bill.peak_bytes > q.budget.amount;
    if (!too_large && faster.bill.time() < plan.bill.time()) plan = std::move(faster);
  }
  const Count least = least_time(q.chain);
  plan.certificate.lower_bound = least;
  plan.certificate.status = least == plan.bill.time() ? Certificate::Status::exact : Certificate::Status::bounded;
  return plan;
}

}  // namespace

Count least_time(const Chain& chain) {
  if (chain.steps() == 0) return 0;
  const Step& step = chain.step();
  const Wide pass = static_cast<Wide>(chain.steps() + chain.makes_last() - 1) * (step.forward + step.forward_call);
  return narrow(fixed_cost(chain) + pass, "the cost of a first pass");
}

Plan plan_tiered(const Chain& chain, Budget budget, const PlanOptions& options) {
  if (std::any_of(budget.tiers.begin(), budget.tiers.end(), [](const TierModel& tier) { return tier.unit == TierModel::Unit::shared; }))
    return plan_shared(chain, budget, options);
  if (!chain.equal() || options.keep == Keep::mixed) return plan_uneven(chain, std::move(budget), options);
  require(chain, budget, options);
  const bool bytes = budget.unit == Budget::Unit::bytes;
  if (bytes) require_sizes(chain);
  const bool makes_last = chain.makes_last();
  const Question q{chain, budget, options, chain.steps() + makes_last};
  const auto again = [&](Budget larger) {
    larger.tiers = budget.tiers;
    larger.tiers.front().capacity = larger.amount;
    return plan_tiered(chain, larger, options);
  };
  const StatesRoom room = bytes ? states_room(chain, budget.amount) : StatesRoom{budget.amount, budget.amount};
  std::vector<Level> levels = levels_of(q, std::max<Count>(0, room.slots));
  const bool elsewhere = std::any_of(levels.begin() + 1, levels.end(), [](const Level& l) { return l.unbounded || l.slots > 0; });
  Count smallest = max_count;
  std::optional<Plan> alone = bytes || q.states == 0 ? in_memory(q, smallest) : std::nullopt;
  const bool table_fits = room.slots >= 0 && (elsewhere || room.slots >= 1 || q.states <= 1);
  if (!table_fits && !alone)
    refuse(budget, bytes ? std::min(smallest, bytes_of_states(chain, !elsewhere)) : 1, again);
  if (!table_fits) {
    alone->certificate.status = Certificate::Status::bounded;
    alone->certificate.lower_bound = std::min(alone->bill.cost, fixed_cost(chain));
    if (alone->certificate.lower_bound == alone->bill.cost) alone->certificate.status = Certificate::Status::exact;
    return *std::move(alone);
  }
  Plan plan = q.states > most_in_table ? with_periods(q, levels, std::move(alone)) : one_after_the_other(q, levels, room, std::move(alone));
  if (any_overlaps(budget) && chain.steps() > 0) plan = while_steps_run(q, levels, std::move(plan));
  if (bytes && options.keep == Keep::automatic && chain.steps() > 0 && chain.has_tapes()) {
    const auto offer = [&](std::optional<Plan> other) {
      if (other && other->bill.time() < plan.bill.time()) plan = *std::move(other);
    };
    offer(memory_alone(q));
    PlanOptions both = options;
    both.keep = Keep::mixed;
    if (chain.steps() <= most_mixed && !loses(budget)) offer(plan_uneven(chain, budget, both));
  }
  return plan;
}

}  // namespace sweepback::detail
