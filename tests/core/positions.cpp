// SPDX-License-Identifier: Apache-2.0
// A schedule can be left at any action and gone on with from its position: the rest is the same.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "../../src/plan/stream_positions.hpp"
#include "random_plans.hpp"
#include "sweepback/error.hpp"
#include "sweepback/schedule.hpp"

namespace sweepback {
namespace {

std::vector<Action> rest_of(const Schedule& schedule) {
  std::vector<Action> actions;
  for (const Action& action : schedule) actions.push_back(action);
  return actions;
}

RC_GTEST_PROP(Positions, EveryOneContinuesTheSame, ()) {
  const test::Question q = test::random_question(40);
  try {
    Schedule schedule = plan(q.chain, q.budget, {.keep = q.keep}).schedule;
    const std::vector<Action> all = rest_of(schedule);
    Action action;
    for (std::size_t done = 0; done <= all.size(); ++done) {
      const Schedule restored(schedule.recipe(), schedule.situation());
      RC_ASSERT(restored == schedule);
      RC_ASSERT(rest_of(restored) == std::vector<Action>(all.begin() + done, all.end()));
      RC_ASSERT(schedule.next(action) == (done < all.size()));
    }
  } catch (const BudgetTooSmall&) {
    RC_DISCARD("no schedule");
  }
}

// What is saved of a run in the middle is what is stored, in hand and reversed: O(c) numbers.
TEST(Positions, SayWhatIsKept) {
  Chain chain = Chain::uniform(10);
  chain.final_state = false;
  Schedule schedule = plan(chain, Budget::slots(2)).schedule;
  EXPECT_EQ(schedule.situation(), Situation::fresh(10));
  Action action;
  for (int i = 0; i < 6; ++i) schedule.next(action);  // … reverse step 9, restore x_6
  EXPECT_EQ(schedule.situation(), (Situation{{0, 6}, {}, 6, 9, true}));
  EXPECT_EQ(to_string(schedule.situation()),
            "x_6 in hand, 2 states (x_0, x_6) stored, no tapes kept, steps 0 to 8 to reverse");
}

TEST(Positions, CopiesAreIndependent) {
  Schedule schedule = plan(Chain::uniform(20), Budget::slots(3)).schedule;
  const Schedule copy = schedule;
  Action action;
  schedule.next(action);
  EXPECT_NE(schedule, copy);
  EXPECT_EQ(rest_of(copy).size(), rest_of(schedule).size() + 1);
  std::size_t drained = 0;
  schedule.drain([&](const Action&) { ++drained; });
  EXPECT_EQ(drained + 1, rest_of(copy).size());
  EXPECT_FALSE(schedule.next(action));
}

TEST(Positions, OthersAreRefused) {
  const StatesRecipe states{10, {3, 1}, false, Ending::given_up};
  const TapesRecipe tapes{10, {3, 1}, true};
  const auto refused = [](const Recipe& recipe, const Situation& at) {
    EXPECT_THROW(Schedule(recipe, at), OutOfRange) << to_string(at);
  };
  for (const Recipe& recipe : {Recipe(states), Recipe(tapes)}) {
    refused(recipe, {{0}, {}, 0, 11, false});      // beyond the chain
    refused(recipe, {{0}, {}, 0, -1, false});
    refused(recipe, {{0}, {}, 9, 8, false});       // hand above the end
    refused(recipe, {{0}, {}, -2, 8, false});
    refused(recipe, {{3, 0}, {}, 4, 8, false});    // not ascending
    refused(recipe, {{0, 9}, {}, 4, 8, false});    // stored above the end
    refused(recipe, {{}, {}, 3, 8, false});        // nothing to come back to
    refused(recipe, {{}, {}, -1, 8, false});
    refused(recipe, {{2}, {}, 3, 8, false});       // x_0 is lost
  }
  refused(states, {{0, 2, 4, 6}, {}, 7, 9, false});  // more than there is room for
  refused(states, {{0, 5}, {}, 3, 9, false});        // the hand is below what is stored
  refused(states, {{0}, {3}, 4, 9, false});          // a tape in a plan without
  refused(tapes, {{0, 1}, {}, 1, 9, false});
  refused(tapes, {{0}, {5}, 3, 9, false});
  refused(tapes, {{0}, {}, 9, 9, false});  // the tape in use is missing
}

// Every position there is of five steps, reachable or not: it is refused, or the schedule goes on from
// it by actions that can be done, inside its room, to the end.
void every_position(const Recipe& recipe, std::size_t room, bool with_tapes = true) {
  constexpr Count steps = 5;
  const auto set = [](unsigned bits) {
    std::vector<Count> members;
    for (Count k = 0; k <= steps; ++k)
      if (bits >> k & 1) members.push_back(k);
    return members;
  };
  std::size_t accepted = 0;
  for (unsigned states = 0; states < 1u << steps; ++states)
    for (unsigned tapes = 0; tapes < (with_tapes ? 1u << steps : 2); ++tapes)
      for (Count end = 0; end <= steps; ++end)
        for (Count hand = -1; hand <= end; ++hand)
          for (const bool reached_end : {false, true}) {
            const Situation start{set(states), set(tapes), hand, end, reached_end};
            Situation now = start;
            try {
              Schedule schedule(recipe, start);
              ++accepted;
              Action action;
              for (int seen = 0; schedule.next(action); ++seen) {
                ASSERT_LT(seen, 200) << to_string(start);
                ASSERT_NO_THROW(detail::apply(now, action, steps))
                    << to_string(action) << " from " << to_string(start);
                ASSERT_LE(now.states.size() + now.tapes.size(), room) << to_string(start);
              }
            } catch (const OutOfRange&) {
              continue;
            }
            ASSERT_EQ(now.end, 0) << to_string(start);
          }
  EXPECT_GT(accepted, 10u);
}

TEST(Positions, AnyIsRefusedOrGoesOnToTheEnd) {
  for (const Count slots : {1, 2, 3})
    for (const Count leaf : {1, 2}) {
      const std::size_t room = static_cast<std::size_t>(slots + leaf - 1);
      for (const Ending ending : {Ending::given_up, Ending::state, Ending::detour})
        every_position(StatesRecipe{5, {slots, leaf}, false, ending},
                       room + (ending == Ending::detour), false);
      every_position(StatesRecipe{5, {slots, leaf}, true, Ending::given_up}, room + 1);
      for (const bool stores_input : {false, true})
        if (stores_input || slots > 1)
          every_position(TapesRecipe{5, {slots, leaf}, stores_input}, room + 1);
    }
}

}  // namespace
}  // namespace sweepback
