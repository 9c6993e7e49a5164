// SPDX-License-Identifier: Apache-2.0
// The search finds what the cheapest of all action sequences costs, with as few stores.
#include "../../src/plan/uneven/engines.hpp"

#include <gtest/gtest.h>

#include <random>

#include "exhaustive_uneven.hpp"
#include "sweepback/check.hpp"
#include "sweepback/error.hpp"

namespace sweepback {
namespace {

namespace un = rival::uneven;
using detail::uneven::Found;
using detail::uneven::search;

constexpr std::size_t plenty = 50'000'000;

Chain chain_of(const un::Model& m) {
  std::vector<Run> runs;
  for (const un::Step& s : m.steps) {
    Step step{.forward = s.forward, .record = s.record, .reverse = s.reverse,
              .state_bytes = s.state, .tape_has_output = s.output,
              .forward_workspace = s.forward_workspace, .reverse_workspace = s.reverse_workspace,
              .adjoint = s.adjoint};
    if (s.tape >= 0) step.tape_bytes = s.tape;
    runs.push_back({step, 1});
  }
  Chain chain = Chain::of(std::move(runs), {m.input, m.input_adjoint});
  chain.in_place = m.in_place;
  chain.final_state = m.final_state;
  return chain;
}

Keep keep_of(un::Keep keep) {
  return keep == un::Keep::states ? Keep::states
         : keep == un::Keep::tapes ? Keep::tapes
                                   : Keep::mixed;
}

std::string print(const un::Model& m) {
  std::string text = "input " + std::to_string(m.input) + ", adjoint " +
                     std::to_string(m.input_adjoint) + (m.in_place ? ", in place" : "") +
                     (m.final_state ? ", x_l wanted" : "") + ", keep " +
                     std::to_string(static_cast<int>(m.keep)) + ", bytes " +
                     std::to_string(m.bytes) +
                     "; forward record reverse state tape output of ob adjoint:";
  for (const un::Step& s : m.steps)
    text += " " + ::testing::PrintToString(std::vector<int>{
                      s.forward, s.record, s.reverse, s.state, s.tape, s.output,
                      s.forward_workspace, s.reverse_workspace, s.adjoint});
  return text;
}

/// What the rival's rules say of a list of actions; empty where they forbid it.
std::optional<un::Cost> replayed(const un::Model& m, const std::vector<Action>& actions) {
  const un::Rules rules(m);
  un::Point p = rules.start();
  un::Cost cost;
  for (const Action& action : actions) {
    const int first = static_cast<int>(action.first);
    const bool run = action.kind == Action::Kind::forward;
    const int last = run ? static_cast<int>(action.last) : first + 1;
    for (int i = first; i < last; ++i)
      if (!rules.act(static_cast<un::Do>(action.kind), i, p, cost)) return std::nullopt;
  }
  if (!un::Rules::over(p)) return std::nullopt;
  return cost;
}

std::string print(const std::vector<Action>& actions) {
  std::string text;
  for (const Action& action : actions) text += to_string(action) + "; ";
  return text;
}

/// Compares the search with the rival, and returns what it costs.
std::optional<Count> compare(const un::Model& m) {
  SCOPED_TRACE(print(m));
  const auto rival = un::cheapest(m);
  const Chain chain = chain_of(m);
  const Keep keep = keep_of(m.keep);
  const auto found = search(chain, keep, m.bytes, {}, plenty);
  EXPECT_EQ(found.has_value(), rival.has_value());
  if (!found || !rival) return {};
  SCOPED_TRACE(print(found->actions));
  EXPECT_EQ(found->cost, rival->cost);
  const auto by_the_rules = replayed(m, found->actions);
  EXPECT_TRUE(by_the_rules && by_the_rules->cost == rival->cost);
  Referee referee({chain, Budget::bytes(m.bytes), keep});
  for (const Action& action : found->actions) referee.see(action);
  const Verdict verdict = referee.finish();
  EXPECT_TRUE(verdict.ok) << (verdict.violation ? verdict.violation->message : "");
  EXPECT_EQ(verdict.bill.cost, rival->cost);
  // What a tape holds is stored before the tape is given up, and not copied into the hand.
  EXPECT_GE(verdict.bill.stores, rival->stores);
  const auto again = search(chain, keep, m.bytes, found->cost, plenty);
  EXPECT_TRUE(again && again->cost == rival->cost);
  if (found->cost > 0) {
    EXPECT_FALSE(search(chain, keep, m.bytes, found->cost - 1, plenty).has_value());
  }
  return found->cost;
}

class Random {
 public:
  explicit Random(unsigned seed) : random_(seed) {}
  int operator()(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1));
  }
  bool coin() { return (*this)(0, 1) == 1; }

  un::Model model(int l) {
    un::Model m;
    const int tapes = (*this)(0, 3);  // none, all, all, some
    const bool work = coin(), adjoints = coin(), cheap = (*this)(0, 3) == 0, outputs = coin();
    for (int k = 0; k < l; ++k) {
      un::Step s{(*this)(cheap ? 0 : 1, 9), (*this)(cheap ? 0 : 1, 9), (*this)(0, 9),
                 (*this)(1, 5)};
      if (tapes == 1 || tapes == 2 || (tapes == 3 && coin())) {
        s.tape = (*this)(1, 9);
        s.output = outputs || coin();
      }
      if (work) s.forward_workspace = (*this)(0, 3), s.reverse_workspace = (*this)(0, 5);
      if (adjoints) s.adjoint = (*this)(0, 5);
      m.steps.push_back(s);
    }
    m.input = (*this)(1, 5);
    m.input_adjoint = adjoints ? (*this)(0, 5) : 0;
    m.in_place = (*this)(0, 2) == 0;
    m.final_state = coin();
    m.keep = tapes == 0 ? un::Keep::states
             : (*this)(0, 3) > 0 ? un::Keep::mixed
                                 : un::Keep::states;
    m.bytes = (*this)(6, 10 + 4 * l);
    return m;
  }

 private:
  std::mt19937 random_;
};

TEST(Search, CheapestOfAllSequences) {
  Random random(20240611);
  int fit = 0, cases = 0;
  for (const auto& [l, times] : {std::pair{1, 100}, {2, 500}, {3, 500}, {4, 400}, {5, 100}})
    for (int n = 0; n < times; ++n, ++cases) {
      fit += compare(random.model(l)).has_value();
      if (::testing::Test::HasFailure()) return;
    }
  EXPECT_GT(fit, cases / 2);
  EXPECT_LT(fit, cases);
}

TEST(Search, StatesOfUnequalSizes) {
  un::Model m;
  const std::vector<int> sizes{1, 1, 2, 3, 3, 1, 1, 0};
  for (std::size_t k = 0; k < 7; ++k) m.steps.push_back({.reverse = 0, .state = sizes[k + 1]});
  m.input = sizes[0];
  for (m.bytes = 2; m.bytes <= 13; ++m.bytes) compare(m);
}

TEST(Search, TapesWithoutOutput) {
  for (const int back : {0, 1}) {
    un::Model m;
    m.keep = un::Keep::mixed;
    m.input = 2, m.input_adjoint = 1;
    m.bytes = 12;
    const std::vector<int> states{2, 3, 2, 3}, tapes{2, 3, 3, 3};
    for (std::size_t k = 0; k < 4; ++k)
      m.steps.push_back({.state = states[k], .tape = tapes[k], .output = false,
                         .reverse_workspace = back, .adjoint = k < 3});
    EXPECT_EQ(compare(m), 12);  // and 13 of trees of pieces
  }
}

TEST(Search, GivesUpWhereAsked) {
  const Chain chain = chain_of(Random(7).model(5));
  EXPECT_THROW(search(chain, Keep::mixed, 1000, {}, 3), detail::uneven::TimeUp);
  EXPECT_THROW(search(Chain::uniform(13, {.state_bytes = 1}), Keep::states, 1000, {}, plenty),
               Unsupported);
  EXPECT_THROW(search(Chain::uniform(3, {}), Keep::states, 1000, {}, plenty), OutOfRange);
  const auto nothing = search(Chain{}, Keep::states, 0, {}, plenty);
  EXPECT_TRUE(nothing && nothing->cost == 0 && nothing->actions.empty());
}

}  // namespace
}  // namespace sweepback
