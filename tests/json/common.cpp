// SPDX-License-Identifier: Apache-2.0
#include "common.hpp"

namespace sweepback::testing {

void for_many_plans(const std::function<void(const Plan&)>& see) {
  const auto plan_and_see = [&](const Chain& chain, Budget budget, PlanOptions options) {
    try {
      see(plan(chain, budget, options));
    } catch (const BudgetTooSmall&) {
    }
  };
  for (const Count l : {0, 1, 2, 3, 10, 56, 100}) {
    for (const std::optional<Count> tape : {std::optional<Count>(), {96}}) {
      for (const bool flag : {false, true}) {
        Step step{.forward = 2, .reverse = 5, .state_bytes = 32, .tape_bytes = tape};
        if (flag) {
          step.record = 3;
          step.forward_workspace = 8;
          step.adjoint = 4;
          step.name = "x_k → x_{k+1} \"quoted\"";
        }
        Chain chain = Chain::uniform(l, step);
        chain.in_place = flag;
        chain.final_state = !flag;
        for (const Keep keep : {Keep::automatic, Keep::states, Keep::tapes, Keep::mixed}) {
          const bool tapes = keep == Keep::tapes || keep == Keep::mixed;
          if (tapes && !tape) continue;
          for (const Strategy strategy :
               {Strategy::optimal, Strategy::store_all, Strategy::one_slot, Strategy::halving,
                Strategy::sqrt, Strategy::chen, Strategy::periodic}) {
            if (keep == Keep::mixed && strategy != Strategy::optimal && strategy != Strategy::sqrt)
              continue;
            if (keep == Keep::tapes && strategy > Strategy::one_slot) continue;
            for (const Count slots : {1, 2, 3, 7, 200})
              plan_and_see(chain, Budget::slots(slots), {keep, strategy});
            for (const Count bytes : {200, 300, 333, 500, 1000, 100000})
              plan_and_see(chain, Budget::bytes(bytes), {keep, strategy});
          }
        }
      }
    }
    Chain fused = Chain::uniform(l, {.forward_call = 9, .state_bytes = 32, .tape_bytes = 96,
                                     .block_tape = 150});
    fused.blocks = true;
    for (const Count block : {0, 1, 4})
      plan_and_see(fused, Budget::bytes(3000), {.block = block});
    plan_and_see(Chain::uniform(l), Budget::slots(30),
                 {.keep = Keep::mixed, .units = {2, 7}, .pin_input = true});
    if (l >= 10)
      see(plan(Chain::uniform(l), Budget::slots(3), Situation{{0, 4, 7}, {}, 5, 9, true}));
    if (l >= 10)
      see(plan(Chain::uniform(l), Budget::of({{"memory", TierModel::Unit::slots, 2}, {"disk", TierModel::Unit::slots, 3, {2}, {2}}}),
               Situation{{0}, {}, 5, 9, true, {{4, 7}}, {}}));
    Chain plain = Chain::uniform(l);
    plain.final_state = false;
    plan_and_see(plain, Budget::slots(2), {});
    plan_and_see(plain, Budget::slots(2), {Keep::tapes, Strategy::optimal});
  }
}

}  // namespace sweepback::testing
