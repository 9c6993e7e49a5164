// SPDX-License-Identifier: Apache-2.0
// Equal steps, keeping tapes: C_ISM(t,m) = T(t+1,m) (Gruslys et al. 2016, in closed form; the
// correspondence stands in tapes_stream.hpp).
//
// In slots it is provably cheapest among schedules that keep x_0 and tapes. In bytes the question
// is how many tapes d may be alive, the one in use included (t bytes each, at least a state's):
//
//     direct(d)  recording from the output of a kept tape   d tapes and the workspace
//     behind(d)  recording from a state run to              d tapes, a state and the workspace
//
// and x_0 where it is stored. With c the largest d for behind, T(t+1,c); where direct(c+1) fits as
// well, leaves of two. A plan that never stores x_0 is found first, and is exact; else x_0 is
// counted to the end, though a schedule that drops it before its last recordings might use its
// room: the certificate is exact where the plan costs no more than if x_0 took no room at all, and
// exact in that class otherwise.
#include <optional>

#include "planners.hpp"

namespace sweepback::detail {

namespace {

struct TapesMemory {
  Sizes s;

  explicit TapesMemory(const Chain& chain) : s(chain) {}

  Wide input(bool stored) const { return stored ? s.state : 0; }
  Wide reversing(Count d) const { return s.adjoint + d * s.tape + s.reverse_workspace; }
  Wide direct(Count d) const {
    return s.adjoint + d * s.tape + s.forward_workspace + (s.in_place ? s.state : 0);
  }
  Wide behind(Count d) const { return s.adjoint + d * s.tape + s.forward_workspace + s.state; }

  /// The room that `bytes` leave for tapes.
  binomial::Room room(Count bytes, bool input_stored, Count l) const {
    const auto depth = [&](Wide recording) {
      return deepest(bytes, input(input_stored) + std::max(recording, reversing(0)), s.tape, l);
    };
    const Count c = depth(behind(0));
    return {c, depth(direct(0)) > c ? 2 : 1};
  }

  /// Fits with x_0 stored or not, as the recipe has it.
  std::optional<TapesRecipe> recipe(Count bytes, Count l, bool input_stored) const {
    TapesRecipe recipe{l, room(bytes, input_stored, l)};
    if (recipe.room.slots < 1) return std::nullopt;
    if (!input_stored && TapesStream::needs_input(recipe)) return std::nullopt;
    return recipe;
  }

  Count peak(const TapesRecipe& recipe) const {
    const Count l = recipe.steps;
    if (l == 0) return 0;
    const auto [slots, two] = recipe.room;
    const bool stored = TapesStream::needs_input(recipe);
    const Count depth = std::min(slots + two - 1, l);
    const bool all_direct = binomial::repetition(l + 1, recipe.room) == 1;
    Wide peak = std::max({behind(1), direct(depth), reversing(depth)});  // step 0 from the hand
    if (!all_direct) peak = std::max(peak, behind(depth - (two - 1)));
    return narrow(peak + input(stored), "the peak of memory");
  }

  Count smallest(Count l) const {
    std::vector<Wide> borders;
    for (const bool stored : {false, true})
      for (Count d = 1; d <= 3; ++d)
        for (const Wide bytes : {direct(d), behind(d), reversing(d)})
          borders.push_back(bytes + input(stored));
    std::sort(borders.begin(), borders.end());
    for (const Wide border : borders) {
      const Count bytes = narrow(border, "the smallest budget");
      if (recipe(bytes, l, false) || recipe(bytes, l, true)) return bytes;
    }
    throw std::logic_error("no border of the tapes' memory holds a schedule");
  }
};

Bill bill_of(const TapesRecipe& recipe, const Chain& chain) {
  Bill bill;
  if (const Count t = recipe.steps; t > 0) {
    const binomial::Room room = recipe.room;
    const bool stored = TapesStream::needs_input(recipe);
    bill.forward_steps = binomial::forward_steps(t + 1, room) - t;
    bill.record_steps = bill.reverse_steps = t;
    bill.stores = stored;
    // Of the t restores of the chain of t+1 states, those of a tape that is reversed at once are
    // none, and so is the last, of x_0.
    const Count kept = stored  ? binomial::stores(t + 1, room)
                       : t > 1 ? 1 + binomial::stores(t, {room.slots - 1, room.leaf})
                               : 0;
    bill.restores = t - 1 - kept;
    bill.repetition = binomial::repetition(t + 1, room);
    bill.peak_slots = std::min(room.slots + room.leaf - 1, t);
  }
  bill.cost = cost_of(bill, chain.step());
  if (Sizes(chain).known) bill.peak_bytes = TapesMemory(chain).peak(recipe);
  return bill;
}

Plan assemble(const Chain& chain, Budget budget, Strategy strategy, const TapesRecipe& recipe) {
  Plan plan;
  plan.chain = chain;
  plan.budget = budget;
  plan.keep = Keep::tapes;
  plan.strategy = strategy;
  plan.engine = strategy == Strategy::optimal ? "binomial-tapes" : name(strategy);
  plan.schedule = Schedule(recipe);
  plan.bill = bill_of(recipe, chain);
  plan.certificate.model =
      std::string("equal steps, x_0 and tapes kept") +
      (budget.unit == Budget::Unit::bytes
           ? ", every byte alive at any instant counted"
           : " in slots, the tape in use included and x_0 not");
  return plan;
}

}  // namespace

Plan plan_tapes(const Chain& chain, Budget budget, Strategy strategy) {
  const Count l = chain.steps();
  const bool bytes = budget.unit == Budget::Unit::bytes;
  const auto again = [&](Budget larger) { return plan_tapes(chain, larger, strategy); };
  if (bytes) require_sizes(chain);
  if (l == 0) return assemble(chain, budget, strategy, {0, {1, 1}});
  if (!chain.step().tape_has_output)
    throw Unsupported("a plan that keeps tapes restarts from them, and these tapes do not hold their "
                      "step's output",
                      "keep states, or say tape_has_output = true where they do");
  if (const Sizes s(chain); s.known && s.tape < s.state)
    throw OutOfRange("a tape of " + std::to_string(static_cast<Count>(s.tape)) +
                         " bytes cannot hold its step's output of " +
                         std::to_string(static_cast<Count>(s.state)) + " bytes",
                     "give the tape's whole size, or say tape_has_output = false");

  if (strategy != Strategy::optimal) {
    const Count tapes = strategy == Strategy::store_all ? l : 1;
    const Plan plan = assemble(chain, budget, strategy, {l, {tapes, 1}});
    const Count need = bytes ? *plan.bill.peak_bytes : tapes;
    if (budget.amount < need) refuse(budget, need, again);
    return plan;
  }
  if (!bytes) {
    if (budget.amount < 1) refuse(budget, 1, again);
    return assemble(chain, budget, strategy, {l, {std::min(budget.amount, l), 1}});
  }
  const TapesMemory memory(chain);
  if (const auto recipe = memory.recipe(budget.amount, l, false))
    return assemble(chain, budget, strategy, *recipe);
  const auto recipe = memory.recipe(budget.amount, l, true);
  if (!recipe) refuse(budget, memory.smallest(l), again);
  Plan plan = assemble(chain, budget, strategy, *recipe);
  const Bill relaxed = bill_of({l, memory.room(budget.amount, false, l)}, chain);
  if (relaxed.cost < plan.bill.cost) {
    plan.certificate.status = Certificate::Status::exact_in_class;
    plan.certificate.class_name = "x_0 kept to the end";
    plan.certificate.lower_bound = relaxed.cost;
  }
  return plan;
}

}  // namespace sweepback::detail
