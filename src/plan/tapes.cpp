// SPDX-License-Identifier: Apache-2.0
// Equal steps, keeping tapes: C_ISM(t,m) = T(t+1,m) (Gruslys et al. 2016, in closed form; the
// correspondence stands in tapes_stream.hpp).
//
// In slots it is cheapest among all schedules that keep x_0 and tapes. In bytes the question is how
// many tapes d may be alive, the one in use included (t bytes each, at least a state's):
//
//     direct(d)     recording from the output of a kept tape   d tapes and the workspace
//     behind(d)     recording from a state run to              d tapes, a state and the workspace
//     reversing(d)  reversing with d - 1 others kept           d tapes and the workspace
//
// and x_0 where it is stored. With c the largest d for behind and reversing, T(t+1,c); where
// direct(c+1) fits as well, leaves of two. x_0 is counted to the end; or never, when step 0 is
// recorded at once and its tape is the base of all others; the cheaper of the two is taken. That is
// cheapest among persistent schedules: what is kept stays until its step is reversed. Others can
// gain where bytes lie idle in one phase, by a state that waits in hand while steps are reversed or
// by giving x_0 up for the last recordings. No schedule costs less than T(t+1,m) for the m tapes
// that fit at all: the certificate is exact where the plan costs just that.
#include <optional>

#include "planners.hpp"

namespace sweepback::detail {

namespace {

struct TapesMemory {
  Sizes s;

  explicit TapesMemory(const Chain& chain) : s(chain) {}

  Wide direct(Count d) const {
    const Wide hand = s.in_place ? s.state : s.output ? 0 : 2 * s.state;
    return s.adjoint + d * s.tape + s.forward_workspace + hand;
  }
  Wide behind(Count d) const { return s.adjoint + d * s.tape + s.forward_workspace + s.state; }
  Wide reversing(Count d) const { return s.adjoint + d * s.tape + s.reverse_workspace; }
  Wide input(bool stored) const { return stored ? s.state : 0; }

  /// The persistent plan in `bytes` that stores x_0, or the one that does not.
  std::optional<TapesRecipe> recipe(Count bytes, Count l, bool stores_input) const {
    const auto depth = [&](Wide recording) {
      return deepest(bytes, input(stores_input) + std::max(recording, reversing(0)), s.tape, l);
    };
    const Count c = depth(behind(0));
    const TapesRecipe recipe{l, {c, depth(direct(0)) > c ? 2 : 1}, stores_input};
    // Above the first base, l states remain where step 0 is recorded at once.
    const bool fits = c >= 1 && (stores_input || l <= (c > 1 ? l : recipe.room.leaf));
    return fits ? std::optional(recipe) : std::nullopt;
  }

  /// The most tapes that fit at any time, in any schedule.
  Count most_tapes(Count bytes, Count l) const { return deepest(bytes, direct(0), s.tape, l); }

  Count peak(const TapesRecipe& recipe) const {
    const Count l = recipe.steps;
    if (l == 0) return 0;
    const auto [slots, two] = recipe.room;
    const Count depth = std::min(slots + two - 1, l);
    Wide peak = std::max({behind(1), direct(depth), reversing(depth)});  // step 0 from the hand
    if (l > slots + two - 1) peak = std::max(peak, behind(depth - (two - 1)));
    return narrow(peak + input(recipe.stores_input), "the peak of memory");
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
    // The chain of t+1 states; or, where step 0 is recorded at once, the t states above x_0.
    const bool stored = recipe.stores_input;
    const binomial::Room room{recipe.room.slots - !stored, recipe.room.leaf};
    const Count length = t + stored;
    bill.forward_steps = binomial::forward_steps(length, room) + !stored - t;
    bill.record_steps = bill.reverse_steps = t;
    bill.stores = stored;
    // Of the t restores of the chain of t+1 states, those of a tape that is reversed at once are
    // none, and so is the last, of x_0.
    bill.restores = t - 1 - binomial::stores(length, room) - (!stored && t > 1);
    bill.repetition = std::max<Count>(1, binomial::repetition(length, room));
    bill.peak_slots = std::min(recipe.room.slots + recipe.room.leaf - 1, t);
  }
  bill.cost = cost_of(bill, chain.step());
  if (Sizes(chain).known) bill.peak_bytes = TapesMemory(chain).peak(recipe);
  return bill;
}

/// In slots, x_0 is stored only where storing it makes the plan cheaper.
TapesRecipe recipe_in_slots(Count l, Count tapes) {
  const binomial::Room room{std::min(tapes, l), 1};
  return {l, room, binomial::first_splits(l + 1, room).min > 1};
}

constexpr Kind tapes_kind{Keep::tapes, "binomial-tapes", "equal steps, x_0 and tapes kept",
                          "the tape in use included and x_0 not"};

Plan answer(const Chain& chain, Budget budget, Strategy strategy, const TapesRecipe& recipe) {
  return assemble(tapes_kind, chain, budget, strategy, recipe, bill_of(recipe, chain));
}

}  // namespace

Plan plan_tapes(const Chain& chain, Budget budget, Strategy strategy) {
  const Count l = chain.steps();
  const bool bytes = budget.unit == Budget::Unit::bytes;
  const auto again = [&](Budget larger) { return plan_tapes(chain, larger, strategy); };
  if (bytes) require_sizes(chain);
  if (l == 0) return answer(chain, budget, strategy, {0, {1, 1}, false});
  const bool restarts = strategy != Strategy::store_all;
  if (restarts && !chain.step().tape_has_output)
    throw Unsupported("a plan that keeps tapes restarts from them, and these tapes do not hold their "
                      "step's output",
                      "keep states, or say tape_has_output = true where they do");
  if (const Sizes s(chain); restarts && s.known && s.tape < s.state)
    throw OutOfRange("a tape of " + std::to_string(static_cast<Count>(s.tape)) +
                         " bytes cannot hold its step's output of " +
                         std::to_string(static_cast<Count>(s.state)) + " bytes",
                     "give the tape's whole size, or say tape_has_output = false");

  if (strategy != Strategy::optimal) {
    const Count tapes = strategy == Strategy::store_all ? l : 1;
    const Plan plan = answer(chain, budget, strategy, recipe_in_slots(l, tapes));
    const Count need = bytes ? *plan.bill.peak_bytes : tapes;
    if (budget.amount < need) refuse(budget, need, again);
    return plan;
  }
  if (!bytes) {
    if (budget.amount < 1) refuse(budget, 1, again);
    return answer(chain, budget, strategy, recipe_in_slots(l, budget.amount));
  }
  const TapesMemory memory(chain);
  std::optional<Plan> best;
  for (const bool stores_input : {false, true})
    if (const auto recipe = memory.recipe(budget.amount, l, stores_input)) {
      Plan plan = answer(chain, budget, strategy, *recipe);
      if (!best || plan.bill.cost < best->bill.cost) best = std::move(plan);
    }
  if (!best) refuse(budget, memory.smallest(l), again);
  const Bill bound = bill_of(recipe_in_slots(l, memory.most_tapes(budget.amount, l)), chain);
  if (bound.cost < best->bill.cost) {
    best->certificate.status = Certificate::Status::exact_in_class;
    best->certificate.class_name = "persistent";
    best->certificate.lower_bound = bound.cost;
  }
  return *std::move(best);
}

}  // namespace sweepback::detail
