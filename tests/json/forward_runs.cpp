// SPDX-License-Identifier: Apache-2.0
// forward_runs(plan) equals the runs counted action by action, for every kind of plan.
#include <gtest/gtest.h>

#include "sweepback/plan.hpp"

namespace sweepback {
namespace {

std::map<Count, Count> counted(const Plan& plan) {
  std::vector<Count> runs(static_cast<std::size_t>(plan.chain.steps()));
  for (const Action& action : plan.schedule)
    if (action.kind == Action::Kind::forward)
      for (Count k = action.first; k < action.last; ++k) ++runs[static_cast<std::size_t>(k)];
  std::map<Count, Count> steps;
  for (const Count times : runs) ++steps[times];
  return steps;
}

TEST(ForwardRuns, EqualAReplayThatCounts) {
  for (const bool in_place : {false, true})
    for (const bool final_state : {false, true})
      for (const std::optional<Count> tape : {std::optional<Count>(), {40}})
        for (Count l = 0; l <= 40; ++l) {
          Step step{.state_bytes = 16, .tape_bytes = tape, .reverse_workspace = 7, .adjoint = 3};
          Chain chain = Chain::uniform(l, step);
          chain.in_place = in_place;
          chain.final_state = final_state;
          for (const Keep keep : {Keep::states, Keep::tapes}) {
            if (keep == Keep::tapes && !tape) continue;
            for (Count amount = 1; amount < 8; ++amount) {
              const Plan slots = plan(chain, Budget::slots(amount), {keep, Strategy::optimal});
              ASSERT_EQ(forward_runs(slots), counted(slots)) << l << " in " << amount;
            }
            const Count least = smallest_budget(chain, keep);
            for (Count bytes = least; bytes < least + 150; bytes += 5) {
              const Plan sized = plan(chain, Budget::bytes(bytes), {keep, Strategy::optimal});
              ASSERT_EQ(forward_runs(sized), counted(sized)) << l << " in " << bytes << " bytes";
            }
            for (const Strategy strategy : {Strategy::store_all, Strategy::one_slot}) {
              const Plan other = plan(chain, Budget::slots(100), {keep, strategy});
              ASSERT_EQ(forward_runs(other), counted(other)) << l;
            }
          }
        }
}

TEST(ForwardRuns, OfTheArticle) {
  Chain chain = Chain::uniform(56);
  chain.final_state = false;
  const std::map<Count, Count> expected{{5, 21}, {4, 15}, {3, 10}, {2, 6}, {1, 3}, {0, 1}};
  EXPECT_EQ(forward_runs(plan(chain, Budget::slots(3))), expected);
}

TEST(ForwardRuns, OfAVeryLongChain) {
  const Plan long_one = plan(Chain::uniform(1'000'000'000'000), Budget::slots(64));
  Count steps = 0;
  Wide runs = 0;
  for (const auto& [times, of] : forward_runs(long_one)) {
    steps += of;
    runs += static_cast<Wide>(times) * of;
  }
  EXPECT_EQ(steps, 1'000'000'000'000);
  EXPECT_EQ(narrow(runs, "runs"), long_one.bill.forward_steps);
}

}  // namespace
}  // namespace sweepback
