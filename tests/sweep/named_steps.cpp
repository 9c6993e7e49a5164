// SPDX-License-Identifier: Apache-2.0
// Steps that do not repeat themselves, as they were reported of other tools: Verify ends the sweep at the first
// state that differs, which a replay of the plan by hand finds as well. Steps that do are never flagged.
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>

#include "sweepback/step_random.hpp"
#include "sweepback/sweep.hpp"
#include "sweepback/verify.hpp"

namespace {

using namespace sweepback;

struct Adjoint {};

template <class S>
struct Toy {
  using State = S;
  void reverse(Count, const S&, Adjoint&) {}
};

/// Masks drawn by a generator beside the state (guided-diffusion #167, OLMo-core PR 828, pytorch #190717).
struct Draws : Toy<double> {
  std::mt19937 generator{7};
  void forward(Count, double& x) { x = generator() % 4 == 0 ? 0.5 * x : 0.5 * x + 1; }
};

/// An inner solver that starts from its last answer (MITgcm PR 446).
struct WarmStart : Toy<double> {
  double y = 1;
  void forward(Count, double& x) {
    y = (y + x / y) / 2;
    x = 1 + y;
  }
};

/// A cache that grows with every run (pytorch #155171, MemoryVLA #18).
struct Cache : Toy<double> {
  std::vector<double> cache;
  void forward(Count, double& x) {
    cache.push_back(x);
    x = 0.9 * x + static_cast<double>(cache.size());
  }
};

/// A sum in an order that changes with every run, as threads do it (devito #1399, jax PR 22244).
struct Order : Toy<std::vector<float>> {
  int runs = 0;
  void forward(Count k, std::vector<float>& x) {
    const float sum = ++runs % 3 == 0 ? std::accumulate(x.rbegin(), x.rend(), 0.0f) : std::accumulate(x.begin(), x.end(), 0.0f);
    x[static_cast<std::size_t>(k) % x.size()] = sum / 3;
  }
};

/// The same kinds, as functions of their number and their state alone.
struct PureDraws : Toy<double> {
  void forward(Count k, double& x) { x = StepRandom(7, k)() % 4 == 0 ? 0.5 * x : 0.5 * x + 1; }
};
struct PureOrder : Toy<std::vector<float>> {
  void forward(Count k, std::vector<float>& x) { x[static_cast<std::size_t>(k) % x.size()] = std::accumulate(x.begin(), x.end(), 0.0f) / 3; }
};

template <class State>
State first_state() {
  if constexpr (std::is_same_v<State, double>)
    return 5;
  else
    return {0.1f, 1e7f, -0.3f, 12.5f, 1e-3f};
}

/// The state whose recomputed value is the first to differ, by hand; -1 where none does.
template <class P>
Count by_hand(const Plan& plan) {
  P program;
  std::map<Count, typename P::State> first, stored;
  typename P::State hand = first_state<typename P::State>();
  for (const Action& action : plan.schedule) {
    if (action.kind == Action::Kind::store) stored.emplace(action.first, hand);
    if (action.kind == Action::Kind::restore) hand = stored.at(action.first);
    if (action.kind == Action::Kind::free) stored.erase(action.first);
    for (Count k = action.first; action.kind == Action::Kind::forward && k < action.last; ++k) {
      program.forward(k, hand);
      if (const auto seen = first.emplace(k + 1, hand); !seen.second && seen.first->second != hand) return k + 1;
    }
  }
  return -1;
}

template <class P>
Count by_verify(const Plan& plan) {
  P program;
  Verify<typename P::State> verify({.steps = plan.chain.steps()});
  Sweep<P, MemoryTier<typename P::State>, Verify<typename P::State>> sweep(program, plan, {}, verify);
  Adjoint adjoint;
  try {
    sweep.forward(first_state<typename P::State>());
    sweep.backward(adjoint);
    return -1;
  } catch (const Differs& e) {
    const std::string step = "step " + std::to_string(e.state - 1) + " gave another x_" + std::to_string(e.state);
    EXPECT_NE(e.message().find(step), std::string::npos) << e.message();
    return e.state;
  }
}

template <class P>
void expect_named(bool pure) {
  int found = 0;
  for (const Count l : {4, 9, 30, 100})
    for (const Count c : {1, 2, 3, 5}) {
      Chain chain = Chain::uniform(l);
      chain.in_place = true;
      const Plan plan = sweepback::plan(chain, Budget::slots(c));
      const Count expected = by_hand<P>(plan);
      EXPECT_EQ(by_verify<P>(plan), expected) << l << ' ' << c;
      found += expected >= 0;
    }
  EXPECT_EQ(found > 0, !pure);
  if (!pure) {
    EXPECT_GE(found, 8);
  }
}

TEST(NamedSteps, Draws) { expect_named<Draws>(false); }
TEST(NamedSteps, WarmStarts) { expect_named<WarmStart>(false); }
TEST(NamedSteps, Caches) { expect_named<Cache>(false); }
TEST(NamedSteps, OrderOfSums) { expect_named<Order>(false); }
TEST(NamedSteps, PureOnesAreNotFlagged) {
  expect_named<PureDraws>(true);
  expect_named<PureOrder>(true);
}

}  // namespace
