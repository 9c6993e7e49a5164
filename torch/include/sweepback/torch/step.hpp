// SPDX-License-Identifier: Apache-2.0
// A step of a recurrent computation: (input, state) -> (output, state), with its share of the loss.
//
// Read-out and loss belong to the step: its contribution is made, and reversed, with it, and no
// output is kept for the end. The whole loss is the sum of the contributions, in order.
//
//     auto cell = torch::nn::LSTMCell(64, 256);
//     using State = std::tuple<torch::Tensor, torch::Tensor>;
//     sweepback::torch::StepFunction step = sweepback::torch::step<State>(
//         [=](const torch::Tensor& x, const State& state) mutable {
//           auto next = cell(x, state);
//           return std::pair(std::get<0>(next), next);
//         },
//         [=](sweepback::Count k, const sweepback::torch::Value& y) { return loss(k, y); });
//
// A step makes new tensors and leaves those it is given as they are; one that writes into its state
// is refused when it does. It is a function of k, input, state and parameters alone: caches and
// hidden states that live outside are found out where they change the step's loss.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "sweepback/count.hpp"
#include "sweepback/torch/value.hpp"

namespace torch::jit {
struct Module;
}

namespace sweepback::torch {

/// What a step returns. `loss` is a tensor of one element, or undefined where step k adds nothing.
struct Stepped {
  at::Tensor loss;
  Value state;
};

/// The step that all of sweepback::torch works with: (k, input, state) -> (loss, state).
using StepFunction = std::function<Stepped(Count k, const Value& input, const Value& state)>;

/// The input of step k: made or found when asked for, the same every time. Returning rows of a
/// tensor that holds the whole sequence costs nothing.
using Inputs = std::function<Value(Count k)>;

/// Steps i … j-1 in one call, for kernels that run many at once: their inputs and the state before
/// them -> the sum of their losses, and the state after them.
using BlockFunction =
    std::function<Stepped(Count i, Count j, const Value& inputs, const Value& state)>;

/// The inputs of steps i … j-1, the same every time.
using BlockInputs = std::function<Value(Count i, Count j)>;

/// StepFunction k's contribution to the loss, of its output.
using Loss = std::function<at::Tensor(Count k, const Value& output)>;

/// Steps that do nothing but move the state on: the input is None, the output is the loss.
Inputs no_inputs();

/// The contribution of an output when no loss is given: the output itself, which must be a tensor of
/// one element, or None. Throws OutOfRange for any other, naming its shape.
at::Tensor own_loss(Count k, const Value& output);

/// A C++ callable f(input, state) or f(k, input, state) that returns a pair or tuple of output and
/// state. `State` and `Input` are tensors, std::tuples or std::vectors of them.
template <class State, class Input = at::Tensor, class F>
StepFunction step(F f, Loss loss = own_loss) {
  return [f = std::move(f), loss = std::move(loss)](Count k, const Value& input,
                                                    const Value& state) mutable {
    const auto as_input = [&] {
      if constexpr (std::is_same_v<Input, Value>) {
        return input;
      } else {
        return input.to<Input>();
      }
    };
    auto [output, next] = [&] {
      if constexpr (std::is_invocable_v<F&, Count, Input, State>) {
        return f(k, as_input(), state.to<State>());
      } else {
        return f(as_input(), state.to<State>());
      }
    }();
    return Stepped{loss(k, Value(std::move(output))), Value(std::move(next))};
  };
}

/// A TorchScript module whose forward(input, state) returns (output, state). States may be tensors,
/// tuples, named tuples, lists and dictionaries, with numbers, strings and None in them.
StepFunction step(::torch::jit::Module module, Loss loss = own_loss);

}  // namespace sweepback::torch
