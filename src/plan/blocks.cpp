// SPDX-License-Identifier: Apache-2.0
// Equal steps in blocks, for programs that run many of them in one call. A call costs o + b u for b
// steps, so long blocks are cheap to run, and their tapes, alive while a block is reversed, are
// large. Of blocks of b steps there are B = ceil(l/b), and with c(b) states beside one tape
//
//     cost(b) = T(B, c(b)) (o_f + b u) + B (o_r + o_v) + l (u_r + v)
//
// (the last block is never run without its tape, so a shorter one changes nothing but its tape), or,
// where the tapes of several blocks fit, what keeping those costs. All b are compared that differ in
// B: of equally many blocks the shortest are the cheapest and smallest. Cheapest among schedules of
// equal blocks of single-kind plans; not among all (blocks of unequal length may be better).
#include <optional>

#include "planners.hpp"
#include "tally.hpp"

namespace sweepback::detail {

namespace {

constexpr Count most_blocks = 10'000'000;

Count ceil_div(Count a, Count b) { return a / b + (a % b != 0); }

Count times(Count count, Count each, Count call) {
  return narrow(static_cast<Wide>(count) * each + call, "the cost of a block");
}

/// Blocks as steps.
Chain chain_of_blocks(const Chain& chain, Count block) {
  Step step = chain.step();
  const Count one = step.tape_bytes.value_or(0);
  if (step.has_tape())
    step.tape_bytes = narrow(block == 1 ? Wide{one} : static_cast<Wide>(block) * step.block_tape.value_or(one),
                             "the tape of a block");
  step.record = times(block, step.record_cost(), step.record_call);
  step.forward = times(block, step.forward, step.forward_call);
  step.reverse = times(block, step.reverse, step.reverse_call);
  step.forward_call = step.record_call = step.reverse_call = 0;
  step.block_tape.reset();
  Chain blocks = Chain::uniform(ceil_div(chain.steps(), block), step);
  blocks.in_place = chain.in_place;
  blocks.final_state = chain.final_state;
  return blocks;
}

/// What a last block that is shorter costs less than the others: it runs once.
Wide unused(const Chain& chain, Count block) {
  const Step& step = chain.step();
  const Wide steps = static_cast<Wide>(ceil_div(chain.steps(), block)) * block - chain.steps();
  const Count run = step.has_tape() ? step.record_cost() : chain.final_state ? step.forward : 0;
  return steps * (static_cast<Wide>(step.reverse) + run);
}

bool may_keep(Keep keep, const Chain& blocks, const PlanOptions& options) {
  if (options.keep != Keep::automatic) return options.keep == keep;
  const Sizes s(blocks);
  return keep == Keep::states || (s.tapes && s.output && s.tape >= s.state);
}

constexpr Kind states_kind{Keep::states, "blocks", "equal blocks of equal steps, states kept", ""};
constexpr Kind tapes_kind{Keep::tapes, "blocks", "equal blocks of equal steps, tapes kept", ""};

Plan answer(const Chain& chain, Budget budget, Count block, const Plan& inner) {
  BlocksRecipe recipe{chain.steps(), block, StatesRecipe{}};
  const Recipe of_blocks = inner.schedule.recipe();
  if (const auto* states = std::get_if<StatesRecipe>(&of_blocks)) recipe.blocks = *states;
  if (const auto* tapes = std::get_if<TapesRecipe>(&of_blocks)) recipe.blocks = *tapes;
  const Kind& kind = inner.keep == Keep::tapes ? tapes_kind : states_kind;
  Plan plan = assemble(kind, chain, budget, Strategy::optimal, recipe,
                       tally(Schedule(recipe), chain, inner.keep, {}));
  plan.certificate.status = Certificate::Status::exact_in_class;
  plan.certificate.class_name = "equal blocks";
  plan.certificate.model += ", blocks of " + std::to_string(block);
  return plan;
}

}  // namespace

Plan plan_blocks(const Chain& chain, Budget budget, const PlanOptions& options) {
  if (budget.unit != Budget::Unit::bytes)
    throw Unsupported("blocks are planned for budgets in bytes: their tapes differ in size",
                      "give a budget in bytes");
  if (options.keep == Keep::mixed)
    throw Unsupported("blocks keep states or tapes, not both", "leave --keep open, or plan steps");
  require_sizes(chain);
  const Count l = chain.steps();
  std::optional<Plan> best;
  Count best_block = 1;
  Wide best_cost = 0;
  Count smallest = max_count;
  const auto consider = [&](Count block) {
    const Chain blocks = chain_of_blocks(chain, block);
    for (const Keep keep : {Keep::states, Keep::tapes}) {
      if (!may_keep(keep, blocks, options)) continue;
      try {
        const auto planner = keep == Keep::states ? plan_states : plan_tapes;
        Plan plan = planner(blocks, budget, Strategy::optimal);
        const Wide cost = plan.bill.cost - unused(chain, block);
        if (best && cost >= best_cost) continue;
        best = std::move(plan);
        best_cost = cost;
        best_block = block;
      } catch (const BudgetTooSmall& e) {
        smallest = std::min(smallest, e.smallest);
      } catch (const Overflow&) {  // of a block: others are shorter
      }
    }
  };
  if (options.block > 0) {
    consider(std::min(options.block, std::max<Count>(l, 1)));
  } else {
    for (Count block = 1;;) {
      consider(block);
      const Count blocks = ceil_div(l, block);
      if (blocks <= 1) break;
      block = ceil_div(l, blocks - 1);
    }
  }
  if (!best && smallest < max_count)
    refuse(budget, smallest, [&](Budget larger) { return plan_blocks(chain, larger, options); });
  if (!best) throw Overflow("the cost of every block is above 2^63-1");
  if (ceil_div(l, best_block) > most_blocks)
    throw Unsupported("more than " + std::to_string(most_blocks) + " blocks",
                      "give longer blocks or a smaller chain");
  return answer(chain, budget, best_block, *best);
}

}  // namespace sweepback::detail
