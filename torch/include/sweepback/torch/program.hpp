// SPDX-License-Identifier: Apache-2.0
// A recurrent computation as a program of the core: what Sweep drives (sweepback/program.hpp).
//
// Tapes are autograd graphs of single steps. A state owns nothing twice: storing one keeps a
// reference. Forward steps without tape run without autograd.
//
// The gradient is that of plain backpropagation through the graph of the whole unrolled computation,
// bit for bit, for any plan, where the step computes the same values with and without autograd
// (measure() finds out, and `with_graph` helps where it does not).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sweepback/program.hpp"
#include "sweepback/torch/generator.hpp"
#include "sweepback/torch/step.hpp"

namespace sweepback::torch {

/// The state's value, and where the random numbers stand for the step that follows.
struct State {
  Value value;
  Position position;
};

/// What a state's tensors take: each storage counted once.
Count bytes_of(const State& state);

struct Graph;

/// The graph of one step, and the state it made.
struct Tape {
  State output;
  std::unique_ptr<Graph> graph;

  Tape();
  Tape(Tape&&) noexcept;
  Tape& operator=(Tape&&) noexcept;
  ~Tape();
};

/// One gradient for every tensor of the state, depth first; undefined ones are zero.
using Adjoint = std::vector<at::Tensor>;

/// The contribution of the final state x_l to the loss.
using FinalLoss = std::function<at::Tensor(const Value& state)>;

class Program {
 public:
  using State = torch::State;
  using Tape = torch::Tape;

  /// `parameters`: the leaf tensors the step reads. Frozen ones are left alone. Throws Unsupported
  /// for one that requires a gradient and is not a leaf: give that one to the step as its input.
  Program(StepFunction step, std::vector<at::Tensor> parameters);

  /// A program that runs ranges of steps: for plans of chains with `blocks`.
  Program(BlockFunction block, std::vector<at::Tensor> parameters);
  ~Program();
  Program(Program&&) noexcept;

  /// Run forward steps with autograd and drop the graph: for steps whose kernels round differently
  /// without. Costs what recording does.
  bool with_graph = false;

  // One sweep at a time uses a parameter: sweeps in several threads need parameters of their own,
  // as steps are recorded with the parameters' gradients led aside.

  /// Forgets everything of earlier sweeps. Inputs that require a gradient get one per step.
  void begin(Inputs inputs);
  void begin(BlockInputs inputs);

  /// x_0 for a sweep: a deep copy, so that the caller's may change while the sweep runs.
  State start(const Value& x0) const;

  // What the sweep calls, with one step unless the program runs blocks. All throw what the step throws; OutOfRange for a step that reads what
  // requires a gradient and is not declared, Unsupported for one that writes into its state, Error
  // "mismatch" for one whose loss is another when it runs again, or whose parameters changed under
  // the sweep; each names the step.
  State forward(Count i, Count j, const State& x, Phase phase);
  Tape record(Count i, Count j, const State& x, Phase phase);
  const State& output(Count, const Tape& tape) const { return tape.output; }
  void reverse(Count i, Count j, Tape&& tape, Adjoint& adjoint);

  /// The adjoint that `loss` puts on x_l (all zero for none), its own parameters included.
  Adjoint seed(const State& last, const FinalLoss& loss);

  /// Adds what was gathered to the `.grad` of parameters, inputs and `x0`, once, as autograd's
  /// backward() does: hooks see the whole gradient, and gradients flow on into what made inputs and
  /// x0. `adjoint` is that of x_0.
  void deposit(const Value& x0, Adjoint adjoint);

  /// The contribution of each step, as far as it ran; 0 where it has none. That of a block stands at
  /// its first step.
  const std::vector<double>& losses() const { return losses_; }

 private:
  struct Gathered;

  Stepped run(Count i, Count j, const Value& input, const Value& state, Phase phase);
  void reverse_graph(Count i, Tape&& tape, Adjoint& adjoint);
  void note(Count k, const at::Tensor& loss, Phase phase);
  void check_parameters(Count k) const;
  void place_generator(const State& x, Phase phase) const;
  Position position_after(const State& x, Phase phase);

  BlockFunction steps_;
  std::unique_ptr<Gathered> gathered_;
  BlockInputs inputs_;
  std::vector<double> losses_;
  bool drew_ = false;  // some step used the random generator
};

}  // namespace sweepback::torch
