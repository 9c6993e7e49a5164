// SPDX-License-Identifier: Apache-2.0
// Chooses the engine for unequal steps, and says how good its answer is.
//
//   slots, states kept     window, exact
//   slots, both kept       staircases in units, cheapest of its class (then slots, where it is long)
//   bytes                  up to 12 steps search, exact; up to 64 staircases, cheapest of their class;
//                          up to 160 staircases thinned from above and below; up to 400 slots rounded
//                          up and down; beyond, coarse
//
// Sizes that differ make the problem hard (states may be given up before their piece is done), so
// beyond 12 steps a plan is the cheapest of a class, or bounded. The class: nested pieces, a base is
// dropped when it is last used or its step recorded (line.hpp).
#include <string>

#include "../planners.hpp"
#include "engines.hpp"
#include "question.hpp"
#include "sweepback/policy_table.hpp"

namespace sweepback::detail {

namespace {

using namespace uneven;

constexpr int most_exact = 64, most_thinned = 160, most_slotted = 400, most_with_stores = 32;
constexpr int thin_stairs = 128, few_stairs = 16;
constexpr Count slots_of_a_plan = 500, few_slots = 128;
constexpr double most_looks = 4e9;       // of a window nobody asked for: half a minute
constexpr int most_least_rooms = 2000;  // steps
constexpr std::size_t most_points = 5'000'000, most_points_unasked = 300'000;

// --- the engines, each as a plan or nothing ---------------------------------------------------------

/// The true cost of a table's, from below.
Count of_table(const Line& line, Count cost) { return cost / line.scale + line.fixed; }

std::optional<Plan> by_staircases(const Question& q, const Line& line, bool thin, const Deadline& deadline,
                                  int stairs = thin_stairs) {
  const Line weighed = !thin && line.steps <= most_with_stores ? line.with_stores() : line;
  const Bound bound = thin ? Bound::upper : Bound::exact;
  const Staircases upper(weighed, q.budget.amount, bound, stairs, deadline);
  const Count cost = upper.cost(loose, 0, line.steps, q.budget.amount);
  if (cost == infinite) return std::nullopt;
  Plan plan = answer(q, name(Engine::staircases), actions_of(weighed, upper, q.budget.amount));
  Count least = of_table(weighed, cost);
  if (thin)
    least = of_table(line, Staircases(line, q.budget.amount, Bound::lower, stairs, deadline)
                               .cost(loose, 0, line.steps, q.budget.amount));
  certify(plan, q, line, least);
  return plan;
}

std::optional<Plan> by_slots(const Question& q, const Line& line, Count slots, const Deadline& deadline) {
  const Count common = line.common_unit();
  const Count room = q.budget.amount;
  const Count unit = room / common <= slots ? common : (room + slots - 1) / slots;
  const Count whole = room / unit;
  const bool exact = unit == common;
  const Line up = line.in_slots(unit, Line::Rounding::up);
  Slots table(up, whole, q.options.threads, deadline);
  if (table.cost(loose, 0, line.steps, whole) == infinite) return std::nullopt;
  Plan plan = answer(q, name(Engine::slots), actions_of(up, table, whole));
  if (!exact) table.refill(line.in_slots(unit, Line::Rounding::down), q.options.threads, deadline);
  const Count least = table.at_least(whole), grain = table.grain();
  certify(plan, q, line, of_table(line, least));
  plan.certificate.model += "; memory in parts of " + std::to_string(unit) + " bytes";
  if (grain > 1)
    plan.certificate.model += ", costs in parts of " + std::to_string(grain) + ", as the bound allows for";
  return plan;
}

std::optional<Plan> by_search(const Question& q, const Line& line, const std::optional<Plan>& known,
                              const Deadline& deadline) {
  const std::optional<Count> incumbent = known ? std::optional(known->bill.cost) : std::nullopt;
  std::optional<Found> found =
      search(q.chain, q.keep, q.budget.amount, incumbent,
             q.options.engine == Engine::search ? most_points : most_points_unasked, deadline);
  if (!found) return std::nullopt;
  Plan plan = answer(q, name(Engine::search), std::move(found->actions));
  certify(plan, q, line, std::nullopt);
  plan.certificate.status = Certificate::Status::exact;
  plan.certificate.class_name.clear();
  plan.certificate.lower_bound = plan.bill.cost;
  return plan;
}

std::optional<Plan> by_coarse(const Question& q, const Line& line, Count slots, const Deadline& deadline) {
  const int blocks = std::max(200, line.steps / 40);
  const Count unit = std::max<Count>(1, (q.budget.amount + slots - 1) / slots);
  auto actions = coarsened(line.in_slots(unit, Line::Rounding::up), q.budget.amount / unit, blocks,
                           q.options.threads, deadline);
  if (!actions) return std::nullopt;
  Plan plan = answer(q, name(Engine::coarse), std::move(*actions));
  certify(plan, q, line, std::nullopt);
  return plan;
}

/// Some schedule in the least room there is.
std::optional<Plan> in_least_room(const Question& q, const Line& line, const LeastRooms& least) {
  if (q.budget.amount < least.whole()) return std::nullopt;
  Plan plan = answer(q, "least-room", actions_of(line, least, q.budget.amount));
  certify(plan, q, line, std::nullopt);
  return plan;
}

/// Slots kept, states alone: sizes do not matter.
Plan in_window(const Question& q, binomial::Room room, const Deadline& deadline) {
  const Line line = Line::in_units(q.chain, Keep::states, {}).with_stores();
  const double looks = static_cast<double>(std::min<Count>(room.slots, line.steps)) * line.steps * line.steps;
  try {
    if (looks > most_looks && q.options.engine == Engine::automatic) throw TimeUp{};
    auto [cost, actions] = split_in_window(line, room.slots, static_cast<int>(room.leaf), false, deadline);
    Plan plan = answer(q, name(Engine::window), std::move(actions));
    plan.certificate.lower_bound = plan.bill.cost;
    return plan;
  } catch (const TimeUp&) {
  }
  // The schedule for equal costs keeps no more, whatever the costs are.
  const int length = line.steps;
  const auto split = [&](int, int i, int k, Count slots) {
    if (k == i + 1) return single(line, i);
    const Count n = k - i;
    const Count j = slots <= 0 ? 1 : binomial::split(n, {std::min<Count>(slots, n), room.leaf});
    return Choice{Choice::Kind::keep, i + static_cast<int>(j), 0};
  };
  Plan plan = answer(q, "binomial", actions_of(line, split, std::min<Count>(room.slots, length)));
  plan.certificate.lower_bound = std::min(plan.bill.cost, relaxed_bound(q, line));
  plan.certificate.status = plan.certificate.lower_bound == plan.bill.cost ? Certificate::Status::exact
                                                                          : Certificate::Status::bounded;
  return plan;
}

/// A budget in which blocks of steps have a plan, at most 1 % above the least.
Count coarse_smallest(const Question& q, const Line& line) {
  Question asked = q;
  const auto fits = [&](Count bytes) {
    asked.budget.amount = bytes;
    return by_coarse(asked, line, few_slots, {}).has_value();
  };
  Count low = std::max<Count>(1, q.budget.amount), high = low;
  while (!fits(high)) {
    low = high;
    if (high > max_count / 4) return infinite;
    high *= 2;
  }
  while (high - low > high / 100 + 1) {
    const Count middle = low + (high - low) / 2;
    (fits(middle) ? high : low) = middle;
  }
  return high;
}

/// The slots that equal sizes leave in bytes; none where sizes differ, or x_l needs a way of its own.
std::optional<binomial::Room> room_of_equal_sizes(const Question& q) {
  const Step& first = q.chain.step();
  if (q.keep != Keep::states || q.chain.blocks || !q.chain.sized()) return std::nullopt;
  const auto same = [&](const Step& s) {
    return s.state_bytes == first.state_bytes && s.tape_bytes == first.tape_bytes &&
           s.has_tape() == first.has_tape() && s.tape_has_output == first.tape_has_output &&
           s.adjoint == first.adjoint && s.forward_workspace == first.forward_workspace &&
           s.reverse_workspace == first.reverse_workspace;
  };
  for (const Run& run : q.chain.runs())
    if (!same(run.step)) return std::nullopt;
  const Input& input = q.chain.input();
  if (input.state_bytes.value_or(*first.state_bytes) != *first.state_bytes ||
      input.adjoint.value_or(first.adjoint) != first.adjoint)
    return std::nullopt;
  Step plain = first;
  plain.forward = 1;
  plain.record.reset();
  plain.forward_call = plain.record_call = plain.reverse_call = 0;
  Chain equal = Chain::uniform(q.chain.steps(), plain);
  equal.in_place = q.chain.in_place;
  equal.final_state = q.chain.final_state;
  const Plan like = plan_states(equal, q.budget, Strategy::optimal);  // throws where it is too small
  const Recipe recipe = like.schedule.recipe();
  const auto& states = std::get<StatesRecipe>(recipe);
  if (states.ending == Ending::detour) return std::nullopt;  // x_l does not fit beside what else does
  return states.room;
}

[[noreturn]] void refuse_here(const Question& q, Count smallest) {
  if (smallest == infinite)
    throw OutOfRange("no budget holds a schedule that keeps what is asked",
                     "keep states and tapes both (--keep mixed)");
  refuse(q.budget, smallest, [&](Budget b) { return plan_uneven(q.chain, b, q.options); },
         q.bytes() ? "nested schedule" : "schedule");
}

bool better(const std::optional<Plan>& a, const std::optional<Plan>& b) {
  if (!a || !b) return a.has_value();
  if (a->bill.cost != b->bill.cost) return a->bill.cost < b->bill.cost;
  return a->certificate.status < b->certificate.status;
}

/// The best of the engines tried until the time is up, and at least one answer.
Plan optimal(const Question& q) {
  const Line line = line_of(q);
  const int l = line.steps;
  const Deadline deadline(q.options.time_limit);
  const Engine asked = q.options.engine;
  if (l == 0) return answer(q, name(Engine::search), {});

  if (q.keep == Keep::states && (asked == Engine::automatic || asked == Engine::window)) {
    if (!q.bytes()) {
      if (q.budget.amount < 1) refuse_here(q, 1);
      return in_window(q, {q.budget.amount, 1}, deadline);
    }
    if (l > most_searched_steps || asked == Engine::window)
      if (const auto room = room_of_equal_sizes(q)) return in_window(q, *room, deadline);
  }
  if (asked == Engine::window)
    throw Unsupported("the window is for states of equal size", "leave the engine open, or keep states in slots");
  if (asked == Engine::search && (l > most_searched_steps || !q.bytes()))
    throw Unsupported("a search through all schedules of " + std::to_string(l) + " steps",
                      "give at most " + std::to_string(most_searched_steps) + " steps and a budget in bytes");

  std::optional<Plan> best;
  const auto offer = [&](std::optional<Plan> plan) {
    if (!better(plan, best)) return;
    // What one engine proves of the class is true of the plan of any other.
    if (best && plan->certificate.class_bound < best->certificate.class_bound &&
        plan->certificate.status == Certificate::Status::bounded)
      plan->certificate.class_bound = best->certificate.class_bound;
    best = std::move(plan);
  };
  const auto tried = [&](auto&& engine) {
    try {
      offer(engine());
    } catch (const TimeUp&) {
    }
  };
  const bool any = asked == Engine::automatic;
  if (q.bytes()) {
    Plan all = answer(q, name(Strategy::store_all), store_all_actions(line));
    if ((q.keep == Keep::mixed || !q.chain.has_tapes()) && *all.bill.peak_bytes <= q.budget.amount) {
      certify(all, q, line, std::nullopt);
      offer(std::move(all));
      if (any && best->certificate.status == Certificate::Status::exact) return *std::move(best);
    }
  }
  if (q.options.time_limit > 0 && l > most_exact && l <= most_slotted)
    tried([&] { return by_slots(q, line, 100, deadline); });
  if (q.options.time_limit > 0 && l > most_slotted)
    tried([&] { return by_coarse(q, line, few_slots, deadline); });
  if (asked == Engine::staircases || asked == Engine::search || (any && l <= most_thinned)) {
    const bool thin = any ? l > most_exact : l > most_thinned;
    tried([&] { return by_staircases(q, line, thin, deadline); });
  }
  if ((asked == Engine::search || (any && l <= most_searched_steps)) && q.bytes())
    tried([&] { return by_search(q, line, best, deadline); });
  if (asked == Engine::slots || (any && l > most_thinned && l <= most_slotted))
    tried([&] { return by_slots(q, line, slots_of_a_plan, deadline); });
  if (asked == Engine::coarse || (any && l > most_slotted))
    tried([&] { return by_coarse(q, line, slots_of_a_plan, deadline); });
  // The time is up, or the budget is near the smallest.
  if (!best && l > most_exact) {
    if ((best = by_coarse(q, line, few_slots, {}))) return *std::move(best);
    if (l > most_least_rooms) refuse_here(q, coarse_smallest(q, line));
  }
  if (!best && l <= most_slotted) tried([&] { return by_staircases(q, line, true, deadline, few_stairs); });
  if (!best) {
    const LeastRooms least(line);
    offer(in_least_room(q, line, least));
    if (!best) refuse_here(q, least.whole());
  }
  return *std::move(best);
}

}  // namespace

Plan plan_uneven(const Chain& chain, Budget budget, const PlanOptions& options) {
  if (chain.blocks || options.block != 1)
    throw Unsupported("steps that are recorded and reversed many in one call are planned for equal steps only",
                      "plan single steps (--block 1, chain.blocks = false)");
  if (options.keep == Keep::tapes)
    throw Unsupported("plans that keep tapes alone are for equal steps, and these are not",
                      "keep states, or states and tapes both (mixed)");
  if (options.pin_input) throw Unsupported("x_0 is kept throughout only in plans for equal steps", "leave it unpinned");
  if (!(options.time_limit >= 0))
    throw OutOfRange("a time limit is a number of seconds from 0 on", "give 0 for none");
  if (options.threads < 1 || options.threads > 1024)
    throw OutOfRange("planning with " + std::to_string(options.threads) + " threads",
                     "give 1 to 1024", {{"threads", options.threads}});
  const bool bytes = budget.unit == Budget::Unit::bytes;
  if (bytes && !chain.sized() && chain.steps() > 0)
    throw OutOfRange("a budget in bytes needs the sizes of every state and tape",
                     "give them in the chain, or a budget in slots");
  Keep keep = options.keep;
  if (keep == Keep::automatic) keep = bytes && chain.has_tapes() ? Keep::mixed : Keep::states;
  if (!bytes && keep == Keep::mixed) PolicyTable(0, 0, {options.units.state, options.units.tape});  // throws
  const Question question{chain, budget, options, keep};
  if (!budget.tiers.empty()) return judged(spilled(question));
  return judged(options.strategy == Strategy::optimal ? optimal(question) : baseline(question));
}

}  // namespace sweepback::detail
