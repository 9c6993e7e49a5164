// SPDX-License-Identifier: Apache-2.0
// Equal steps, keeping states: the binomial planner (Griewank 1992; Griewank & Walther 2000; with
// tapes HSM of Gruslys et al. 2016, C_HSM(t,m) = T(t,m) + t).
//
// The recurrence and its closed form stand in binomial.hpp. In slots it is provably cheapest for
// equal steps. In bytes the question is how deep the stack of stored states may be, d of them:
//
//     one_step(d)   a forward step from a stored state             d+1 states and its workspace
//     further(d)    a forward step from a state that is not stored d+2 states, in place d+1
//     leaf(d)       reversing a step from a state in hand          d+1 states, tape, workspace
//
// The binomial schedule with c slots needs further(c) and leaf(c). Where one_step(c+1) and
// leaf(c+1) fit as well, a piece of two states may go one deeper (leaves of two). Both cases are
// exact, to the byte: before the first reverse of a pass nothing but what is stored then can serve
// later, so no cheaper schedule can be deeper. Where leaf(c) is what limits, x_l may still be made
// by a detour: x_{l-1} goes one deeper for the one step that makes x_l.
#include <optional>

#include "planners.hpp"

namespace sweepback::detail {

namespace {

/// Bytes alive, all as `fixed + d * state`.
struct StatesMemory {
  Sizes s;
  Wide one_step, further, leaf;  // at d = 0

  explicit StatesMemory(const Chain& chain) : s(chain) {
    one_step = s.adjoint + s.state + s.forward_workspace;
    further = one_step + (s.in_place ? 0 : s.state);
    if (!s.tapes) {
      leaf = s.adjoint + s.state + s.reverse_workspace;
    } else {
      const Wide recording = s.state + s.forward_workspace + (s.in_place || s.output ? 0 : s.state);
      leaf = s.adjoint + s.tape + std::max(recording, s.reverse_workspace);
    }
  }

  std::optional<StatesRecipe> recipe(Count bytes, Count l, bool final_state) const {
    const auto depth = [&](Wide fixed) { return deepest(bytes, fixed, s.state, l); };
    const Count last = depth(leaf), run = depth(further), step = depth(one_step);
    const Count c = std::min(run, last);
    StatesRecipe recipe{l, {c, std::min(step, last) > c ? 2 : 1}, s.tapes, Ending::given_up};
    if (final_state)
      recipe.ending = last == c && step > c ? Ending::detour : Ending::state;
    const Count length = l + (recipe.ending == Ending::state);
    const bool fits = length == 1 ? last >= 0 : c > 0 || (c == 0 && length <= recipe.room.leaf);
    if (!fits) return std::nullopt;
    if (c < 1 && length == 1) recipe.room = {1, 1};
    return recipe;
  }

  Count peak(const StatesRecipe& recipe) const {
    const Count l = recipe.steps;
    if (l == 0) return 0;
    const Count length = l + (recipe.ending == Ending::state);
    const auto [slots, two] = recipe.room;
    const Count r = binomial::repetition(length, recipe.room);
    const Count depth = std::min(slots + two - 1, length - 1);
    Wide peak = 0;
    const auto alive = [&](Wide fixed, Count d) { peak = std::max(peak, fixed + d * s.state); };
    if (length > 1) alive(one_step, depth);
    if (r > 1 && two == 1) alive(further, depth);
    if (r > 1 && two == 2) alive(further, depth - 1);
    // The deepest leaf of the first pass is x_l itself, which is not reversed; in short chains
    // there is no other as deep.
    const bool only_final = recipe.ending == Ending::state && length <= two * (slots + 1);
    alive(leaf, only_final ? depth - 1 : depth);
    if (recipe.ending == Ending::detour) alive(one_step, depth + 1);
    return narrow(peak, "the peak of memory");
  }

  Count smallest(Count l, bool final_state) const {
    std::vector<Wide> borders;
    for (const Wide fixed : {one_step, further, leaf})
      for (Count d = 0; d <= 2; ++d) borders.push_back(fixed + d * s.state);
    std::sort(borders.begin(), borders.end());
    for (const Wide border : borders)
      if (const Count bytes = narrow(border, "the smallest budget"); recipe(bytes, l, final_state))
        return bytes;
    throw std::logic_error("no border of the states' memory holds a schedule");
  }
};

Bill bill_of(const StatesRecipe& recipe, const Chain& chain) {
  Bill bill;
  const Count l = recipe.steps;
  if (l > 0) {
    const bool detour = recipe.ending == Ending::detour;
    const Count length = l + (recipe.ending == Ending::state);
    const auto [slots, two] = recipe.room;
    const Count r = binomial::repetition(length, recipe.room);
    bill.forward_steps =
        narrow(static_cast<Wide>(binomial::forward_steps(length, recipe.room)) + detour,
               "the number of forward steps");
    bill.record_steps = recipe.tapes ? l : 0;
    bill.reverse_steps = l;
    bill.stores = binomial::stores(length, recipe.room) + (length > 1) + detour;
    bill.restores = length - 1 + detour;
    bill.repetition = std::max<Count>(r, detour) + recipe.tapes;
    bill.peak_slots = std::min(slots + two - 1, length - 1) + detour;
  }
  bill.cost = cost_of(bill, chain.step());
  if (Sizes(chain).known) bill.peak_bytes = StatesMemory(chain).peak(recipe);
  return bill;
}

std::optional<FirstStore> first_store_of(const StatesRecipe& recipe) {
  const Count length = recipe.steps + (recipe.ending == Ending::state);
  if (length <= 2 || (recipe.room.slots == 1 && recipe.room.leaf == 1)) return std::nullopt;
  const Count chosen = binomial::split(length, recipe.room);
  if (length - chosen < 2) return std::nullopt;
  return FirstStore{chosen, binomial::first_splits(length, recipe.room)};
}

constexpr Kind states_kind{Keep::states, "binomial", "equal steps, states kept",
                           "the slot of x_0 included and the state in hand not"};

Plan answer(const Chain& chain, Budget budget, Strategy strategy, const StatesRecipe& recipe) {
  Plan plan = assemble(states_kind, chain, budget, strategy, recipe, bill_of(recipe, chain));
  plan.first_store = first_store_of(recipe);
  return plan;
}

}  // namespace

StatesRoom states_room(const Chain& chain, Count bytes) {
  const StatesMemory memory(chain);
  const auto depth = [&](Wide fixed) { return deepest(bytes, fixed, memory.s.state, chain.steps()); };
  return {std::min(depth(memory.further), depth(memory.leaf)), depth(memory.one_step)};
}

Count bytes_of_states(const Chain& chain, Count slots) {
  const StatesMemory memory(chain);
  return narrow(std::max(memory.further, memory.leaf) + slots * memory.s.state, "the smallest budget");
}

Plan plan_states(const Chain& chain, Budget budget, Strategy strategy) {
  const Count l = chain.steps();
  const bool tapes = l > 0 && chain.has_tapes();
  const bool final_state = !tapes && chain.final_state && l > 0;
  const Ending ending = final_state ? Ending::state : Ending::given_up;
  const bool bytes = budget.unit == Budget::Unit::bytes;
  const auto again = [&](Budget larger) { return plan_states(chain, larger, strategy); };
  if (bytes) require_sizes(chain);
  if (l == 0) return answer(chain, budget, strategy, {0, {1, 1}, tapes, ending});

  if (strategy != Strategy::optimal) {
    const Count length = l + final_state;
    const Count slots = strategy == Strategy::store_all ? std::max<Count>(1, length - 1) : 1;
    const Plan plan = answer(chain, budget, strategy, {l, {slots, 1}, tapes, ending});
    const Count need = bytes ? *plan.bill.peak_bytes : slots;
    if (budget.amount < need) refuse(budget, need, again);
    return plan;
  }
  if (!bytes) {
    if (budget.amount < 1) refuse(budget, 1, again);
    return answer(chain, budget, strategy,
                  {l, {std::min(budget.amount, std::max<Count>(1, l)), 1}, tapes, ending});
  }
  const StatesMemory memory(chain);
  const std::optional<StatesRecipe> recipe = memory.recipe(budget.amount, l, final_state);
  if (!recipe) refuse(budget, memory.smallest(l, final_state), again);
  return answer(chain, budget, strategy, *recipe);
}

}  // namespace sweepback::detail
