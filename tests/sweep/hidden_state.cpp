// SPDX-License-Identifier: Apache-2.0
// What a step reads and changes belongs to its state. Where it does, gradients are those of the
// first pass; where it does not, an observer finds the first step that differs.
#include <gtest/gtest.h>

#include <numeric>

#include "plans.hpp"
#include "sweepback/verify.hpp"

namespace {

using namespace toy;
using sweepback::Differs;
using sweepback::MemoryTier;
using sweepback::Sweep;
using sweepback::Verify;

std::uint64_t draw(std::uint64_t& generator) {  // xorshift64
  generator ^= generator << 13;
  generator ^= generator >> 7;
  return generator ^= generator << 17;
}
double factor(std::uint64_t& generator) { return draw(generator) & 1 ? 1.1 : 0.9; }

// x' = m_k x with m_k drawn; the generator is in the state, so recomputed draws are the first ones,
// and it ends where a plain run leaves it (pytorch #121212, guided-diffusion #167).
struct Drawing {
  struct State {
    double x;
    std::uint64_t generator;
  };
  void forward(Count, State& s) { s.x *= factor(s.generator); }
  void reverse(Count, const State& s, Gradient& a) {
    std::uint64_t generator = s.generator;
    a.x *= factor(generator);
  }
};

TEST(Draws, AreThoseOfTheFirstPass) {
  const Drawing::State start{2, 88172645463325252u};
  std::uint64_t generator = start.generator;
  std::vector<double> factors;
  for (int k = 0; k < 50; ++k) factors.push_back(factor(generator));
  double product = 1;
  for (std::size_t k = factors.size(); k-- > 0;) product *= factors[k];

  Drawing program;
  Sweep sweep(program, plan(Chain::uniform(50), Budget::slots(3)));
  Drawing::State last = sweep.forward(start);
  Gradient g;
  sweep.backward(g);
  EXPECT_EQ(g, (Gradient{product, 0}));
  EXPECT_EQ(draw(last.generator), draw(generator));  // the next draw of a plain run
}

// The same with the generator outside the state: other factors, another gradient.
TEST(Draws, OutsideTheStateAreFoundOut) {
  struct Outside {
    using State = double;
    std::uint64_t generator = 88172645463325252u;
    void forward(Count, double& x) { x *= factor(generator); }
    void reverse(Count, const double&, Gradient&) {}
  };
  Outside program;
  Verify<double> verify;
  Sweep sweep(program, plan(Chain::uniform(50), Budget::slots(3)), MemoryTier<double>{}, verify);
  sweep.forward(2);
  Gradient g;
  EXPECT_THROW(sweep.backward(g), Differs);
}

// One Newton update for y² = x_k, started from the last answer (MITgcm PR 446).
TEST(WarmStarts, OutsideTheStateAreFoundOut) {
  struct Outside {
    using State = double;
    double y = 1;
    void forward(Count, double& x) {
      y = (y + x / y) / 2;
      x = 1 + y;
    }
    void reverse(Count, const double&, Gradient&) {}
  };
  Outside program;
  Verify<double> verify;
  Sweep sweep(program, plan(Chain::uniform(30), Budget::slots(3)), MemoryTier<double>{}, verify);
  sweep.forward(5);
  Gradient g;
  EXPECT_THROW(sweep.backward(g), Differs);
}

struct WarmState {
  double x, y;
};

TEST(WarmStarts, InsideTheStateAreFine) {
  struct Inside {
    using State = WarmState;
    void forward(Count, State& s) {
      s.y = (s.y + s.x / s.y) / 2;
      s.x = 1 + s.y;
    }
    void reverse(Count, const State&, Gradient&) {}
  };
  Inside program;
  Verify<WarmState> verify;
  Sweep sweep(program, plan(Chain::uniform(30), Budget::slots(3)), MemoryTier<WarmState>{}, verify);
  sweep.forward({5, 1});
  Gradient g;
  EXPECT_NO_THROW(sweep.backward(g));
  EXPECT_GT(verify.compared(), 30);
}

// A cache that grows with every run of a step (pytorch #155171).
TEST(Caches, ThatGrowAreFoundOutAtTheFirstRecomputedStep) {
  struct Appending {
    using State = double;
    std::vector<double> cache;
    void forward(Count, double& x) {
      cache.push_back(x);
      x = std::accumulate(cache.begin(), cache.end(), 0.0);
    }
    void reverse(Count, const double&, Gradient&) {}
  };
  Appending program;
  Verify<double> verify;
  Sweep sweep(program, plan(Chain::uniform(8), Budget::slots(2)), MemoryTier<double>{}, verify);
  sweep.forward(1);
  Gradient g;
  try {
    sweep.backward(g);
    FAIL() << "not found out";
  } catch (const Differs& e) {
    EXPECT_EQ(verify.compared(), 2) << e.what();  // restored, and run on by a step
  }
}

}  // namespace
