// SPDX-License-Identifier: Apache-2.0
// The autograd graph of a single step.
#pragma once

#include <utility>
#include <vector>

#include "gather.hpp"
#include "sweepback/torch/value.hpp"

namespace sweepback::torch {

/// From `outputs` and `loss` down to `state` and `inputs`, and to the parameters' Gathers.
struct Graph {
  at::Tensor loss;     ///< undefined where it requires no gradient
  edge_list outputs;   ///< one for every tensor of the step's output state; invalid: no gradient
  std::vector<GatherPtr> state;  ///< one for every tensor of the step's input state; may be empty
  std::vector<std::pair<at::Tensor, GatherPtr>> inputs;  ///< those that require a gradient

  /// The value with its tensors cut off from what made them, each the start of a new graph.
  Value start(const Value& value);

  /// The same for a step's input: its tensors that require a gradient.
  Value start_inputs(const Value& input, const std::vector<at::Tensor>& parameters);

  /// Notes where the graph begins, and returns the state cut off from it.
  Value finish(const Value& state);

  std::vector<NodePtr> shared;  ///< Gathers in which more than one branch ends

  /// Looks through the graph for what is `shared`. Throws OutOfRange where it ends in a leaf of
  /// someone else's, or goes on into nodes made before number `since`: what step k read there would
  /// get no gradient, or a wrong one.
  void look_through(Count k, uint64_t since);
};

}  // namespace sweepback::torch
