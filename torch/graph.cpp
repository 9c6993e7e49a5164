// SPDX-License-Identifier: Apache-2.0
#include "graph.hpp"

#include <torch/torch.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <sstream>
#include <unordered_set>

#include "sweepback/error.hpp"

namespace sweepback::torch {

namespace {

using ::torch::autograd::impl::gradient_edge;

at::Tensor leaf_of(const at::Tensor& tensor, const GatherPtr& gather) {
  at::Tensor leaf = tensor.detach();
  leaf.set_requires_grad(true);
  attach(leaf, gather);
  return leaf;
}

}  // namespace

Value Graph::start(const Value& value) {
  // A tensor that stands in several places is one leaf; its gradient comes out in the first.
  std::vector<std::pair<at::Tensor, at::Tensor>> leaves;
  each_tensor(value, [&](const at::Tensor& tensor) {
    const bool again = std::ranges::any_of(
        leaves, [&](const auto& leaf) { return leaf.first.is_same(tensor); });
    if (again || !differentiable(tensor)) {
      state.emplace_back();
    } else {
      state.emplace_back(tensor, Gather::Of::state);
      leaves.emplace_back(tensor, leaf_of(tensor, state.back()));
    }
  });
  return map_tensors(value, [&](const at::Tensor& tensor) {
    for (const auto& [from, leaf] : leaves)
      if (from.is_same(tensor)) return leaf;
    return tensor;
  });
}

Value Graph::start_inputs(const Value& input, const std::vector<at::Tensor>& parameters) {
  bool any = false;
  each_tensor(input, [&](const at::Tensor& tensor) { any |= tensor.requires_grad(); });
  if (!any) return input;
  return map_tensors(input, [&](const at::Tensor& tensor) {
    const bool parameter = std::ranges::any_of(
        parameters, [&](const at::Tensor& other) { return other.is_same(tensor); });
    if (!tensor.requires_grad() || parameter) return tensor;
    inputs.emplace_back(tensor, GatherPtr(tensor, Gather::Of::input));
    return leaf_of(tensor, inputs.back().second);
  });
}

Value Graph::finish(const Value& state) {
  each_tensor(state, [&](const at::Tensor& tensor) {
    outputs.push_back(tensor.requires_grad() ? gradient_edge(tensor) : Edge());
  });
  return map_tensors(state, [](const at::Tensor& tensor) { return tensor.detach(); });
}

void Graph::look_through(Count k, uint64_t since) {
  const auto refuse = [&](const std::string& what, const at::Tensor& leaf) {
    std::ostringstream shape;
    if (leaf.defined()) shape << " of shape " << leaf.sizes();
    const std::string reader = k < 0 ? "the final loss" : "step " + std::to_string(k);
    throw OutOfRange(reader + " reads " + what + shape.str() +
                         " that requires a gradient and is none of its parameters, input or state",
                     "add it to the parameters, give it to the step as its input, or detach it");
  };
  std::vector<Node*> open;
  std::unordered_set<Node*> seen;
  const auto visit = [&](const Edge& edge) {
    if (!edge.is_valid()) return;
    Node* node = edge.function.get();
    if (seen.insert(node).second)
      open.push_back(node);
    else if (dynamic_cast<Gather*>(node) && std::ranges::find(shared, edge.function) == shared.end())
      shared.push_back(edge.function);
  };
  if (loss.defined()) visit(gradient_edge(loss));
  std::ranges::for_each(outputs, visit);
  while (!open.empty()) {
    Node* node = open.back();
    open.pop_back();
    if (auto* end = dynamic_cast<::torch::autograd::AccumulateGrad*>(node))
      refuse("a tensor", end->variable);
    if (node->sequence_nr() < since) refuse("a tensor computed elsewhere", {});
    std::ranges::for_each(node->next_edges(), visit);
  }
}

}  // namespace sweepback::torch
