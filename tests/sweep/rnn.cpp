// SPDX-License-Identifier: Apache-2.0
// Backpropagation through time of a small tanh network, h' = tanh(W h + U x_t + b), the loss a sum
// over all h_t: all five gradients equal plain backpropagation's bit for bit (Reactant.jl #1895,
// where they did not).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "print.hpp"

namespace {

using sweepback::Budget;
using sweepback::Chain;
using sweepback::Count;
using sweepback::Keep;

constexpr std::size_t hidden = 4;
using Hidden = std::array<double, hidden>;
using Matrix = std::array<Hidden, hidden>;

struct Weights {
  Matrix w, u;
  Hidden b;

  static Weights fixed() {
    Weights weights;
    for (std::size_t i = 0; i < hidden; ++i) {
      weights.b[i] = 0.05 * std::cos(static_cast<double>(i));
      for (std::size_t j = 0; j < hidden; ++j) {
        weights.w[i][j] = 0.4 * std::sin(static_cast<double>(1 + 3 * i + 5 * j));
        weights.u[i][j] = 0.3 * std::cos(static_cast<double>(2 + 7 * i + 2 * j));
      }
    }
    return weights;
  }
};

struct Gradients {
  Hidden h{};  // of the loss by h_{t+1}, as far as later steps know it
  Matrix w{}, u{};
  Hidden b{};
  std::vector<Hidden> inputs;

  bool operator==(const Gradients&) const = default;
};

struct Network {
  using State = Hidden;
  struct Tape {
    Hidden before, after;
  };

  Weights weights;
  std::vector<Hidden> inputs;

  explicit Network(Count l) : weights(Weights::fixed()), inputs(static_cast<std::size_t>(l)) {
    double seed = 0.2;
    for (Hidden& x : inputs)
      for (double& v : x) v = seed = 3.7 * seed * (1 - seed);
  }

  [[gnu::noinline]] Hidden next(Count t, const Hidden& h) const {
    Hidden out = weights.b;
    for (std::size_t i = 0; i < hidden; ++i) {
      for (std::size_t j = 0; j < hidden; ++j)
        out[i] += weights.w[i][j] * h[j] + weights.u[i][j] * inputs[static_cast<std::size_t>(t)][j];
      out[i] = std::tanh(out[i]);
    }
    return out;
  }
  [[gnu::noinline]] void back(Count t, const Hidden& h, const Hidden& out, Gradients& g) const {
    const Hidden& x = inputs[static_cast<std::size_t>(t)];
    Hidden below{}, input{};
    for (std::size_t i = 0; i < hidden; ++i) {
      const double inner = (g.h[i] + 1) * (1 - out[i] * out[i]);  // + 1: h_{t+1} is in the loss
      g.b[i] += inner;
      for (std::size_t j = 0; j < hidden; ++j) {
        g.w[i][j] += inner * h[j];
        g.u[i][j] += inner * x[j];
        below[j] += inner * weights.w[i][j];
        input[j] += inner * weights.u[i][j];
      }
    }
    g.h = below;
    g.inputs[static_cast<std::size_t>(t)] = input;
  }

  void forward(Count t, Hidden& h) { h = next(t, h); }
  Tape record(Count t, Hidden& h) {
    const Hidden before = h;
    forward(t, h);
    return {before, h};
  }
  const Hidden& output(Count, const Tape& tape) { return tape.after; }
  void reverse(Count t, const Hidden& h, Gradients& g) { back(t, h, next(t, h), g); }
  void reverse(Count t, Tape&& tape, Gradients& g) { back(t, tape.before, tape.after, g); }
};

Gradients plain(const Network& network, Count l, Hidden h) {
  std::vector<Hidden> states{h};
  for (Count t = 0; t < l; ++t) states.push_back(network.next(t, states.back()));
  Gradients g;
  g.inputs.resize(static_cast<std::size_t>(l));
  for (auto t = static_cast<std::size_t>(l); t-- > 0;)
    network.back(static_cast<Count>(t), states[t], states[t + 1], g);
  return g;
}

void expect_plain(Count l, Count c) {
  Network network(l);
  const Hidden h0{0.1, -0.2, 0.3, 0.05};
  const Gradients expected = plain(network, l, h0);
  for (const auto& [tapes, keep] :
       {std::pair{false, Keep::states}, {true, Keep::states}, {true, Keep::tapes}}) {
    Chain chain = Chain::uniform(l, {.tapes = tapes});
    chain.in_place = true;
    sweepback::Sweep sweep(network, plan(chain, Budget::slots(c), {keep}));
    sweep.forward(h0);
    Gradients g;
    g.inputs.resize(static_cast<std::size_t>(l));
    EXPECT_EQ(sweep.backward(g).bill, sweep.plan().bill);
    EXPECT_EQ(g, expected) << testing::PrintToString(sweep.plan());
  }
}

TEST(Rnn, SixteenTimeStepsWithAnySlots) {
  for (Count c = 1; c <= 16; ++c) expect_plain(16, c);
}

TEST(Rnn, AThousandTimeSteps) { expect_plain(1000, 8); }

// The plain loop above is itself right: a finite difference in a weight, a bias, an input, h_0.
TEST(Rnn, PlainBackpropagationIsRight) {
  const Count l = 16;
  const Hidden h0{0.1, -0.2, 0.3, 0.05};
  const auto loss = [&](const Network& network, Hidden h) {
    double sum = 0;
    for (Count t = 0; t < l; ++t) {
      h = network.next(t, h);
      for (const double v : h) sum += v;
    }
    return sum;
  };
  const Gradients g = plain(Network(l), l, h0);
  const auto difference = [&](auto&& move) {
    const double eps = 1e-6;
    Network up(l), down(l);
    Hidden high = h0, low = h0;
    move(up, high, eps);
    move(down, low, -eps);
    return (loss(up, high) - loss(down, low)) / (2 * eps);
  };
  const auto expect_near = [&](double gradient, auto&& move) {
    EXPECT_NEAR(gradient, difference(move), 1e-7);
  };
  expect_near(g.w[1][2], [](Network& n, Hidden&, double e) { n.weights.w[1][2] += e; });
  expect_near(g.u[3][0], [](Network& n, Hidden&, double e) { n.weights.u[3][0] += e; });
  expect_near(g.b[2], [](Network& n, Hidden&, double e) { n.weights.b[2] += e; });
  expect_near(g.inputs[5][1], [](Network& n, Hidden&, double e) { n.inputs[5][1] += e; });
  expect_near(g.h[0], [](Network&, Hidden& h, double e) { h[0] += e; });
}

}  // namespace
