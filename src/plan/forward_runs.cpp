// SPDX-License-Identifier: Apache-2.0
// How often steps run forward, from the runs of the chain of states that a recipe follows
// (binomial.hpp): its last state is handed over where it is reached, and has the entry 0.
//
//     states    the l states; where x_l is made as one more state, the l+1 states less the last,
//               which has no step; where it is made by a detour, that is one run of the last step
//     tapes     the l+1 states of which tape k is x_{k+1}: each step is recorded in one of its
//               runs, and the last state has no step. Where x_0 is not stored, step 0 is
//               recorded at once and the rest is the chain of the l tapes with one slot less.
#include <vector>

#include "sweepback/plan.hpp"

namespace sweepback {

namespace {

using Runs = std::map<Count, Count>;

void add(Runs& runs, Count times, Count steps) {
  if ((runs[times] += steps) == 0) runs.erase(times);
}

Runs runs_of(const StatesRecipe& recipe) {
  const bool one_more = recipe.ending == Ending::state;
  Runs runs = binomial::runs(recipe.steps + one_more, recipe.room);
  if (one_more) add(runs, 0, -1);
  if (recipe.ending == Ending::detour) {
    add(runs, 0, -1);
    add(runs, 1, 1);
  }
  return runs;
}

Runs runs_of(const TapesRecipe& recipe) {
  const auto [slots, leaf] = recipe.room;
  const Count l = recipe.steps;
  Runs with_record;
  if (recipe.stores_input) {
    with_record = binomial::runs(l + 1, recipe.room);
  } else {
    with_record = binomial::runs(l, {slots - 1, leaf});
    add(with_record, 1, 1);
  }
  add(with_record, 0, -1);
  Runs runs;
  for (const auto& [times, steps] : with_record) runs[times - 1] = steps;
  return runs;
}

/// For schedules without a closed form: by walking them.
Runs counted(const Plan& plan) {
  std::vector<Count> times(static_cast<std::size_t>(plan.chain.steps()));
  Schedule schedule = plan.schedule;
  for (Action action; schedule.next(action);)
    if (action.kind == Action::Kind::forward)
      for (Count k = action.first; k < action.last; ++k) ++times[static_cast<std::size_t>(k)];
  Runs runs;
  for (const Count t : times) ++runs[t];
  return runs;
}

}  // namespace

std::map<Count, Count> forward_runs(const Plan& plan) {
  const Recipe recipe = plan.schedule.recipe();
  if (!std::holds_alternative<StatesRecipe>(recipe) && !std::holds_alternative<TapesRecipe>(recipe))
    return counted(plan);
  if (const auto* tapes = std::get_if<TapesRecipe>(&recipe))
    return tapes->steps == 0 ? Runs{} : runs_of(*tapes);
  const StatesRecipe states = std::get<StatesRecipe>(recipe);
  return states.steps == 0 ? Runs{} : runs_of(states);
}

}  // namespace sweepback
