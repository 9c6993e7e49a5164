// SPDX-License-Identifier: Apache-2.0
// Where gradients come out of a single step's graph, and how they are put in at its top.
//
// torch's engine adds what several uses of a tensor contribute in one buffer, in the order in which
// it meets them, and hands the sum to the node in which the tensor's branch of the graph ends. In the
// graph of the whole unrolled computation that sum runs over all steps, the last step first. Adding
// up each step on its own and those sums afterwards would round differently where a step uses a
// parameter twice. So a sweep goes through the same motions as that one buffer: `Gather` takes
// the node's place, and the next step's run of the engine starts with what it gathered so far.
//
// The parameter's own node is never run on the way: its hooks see one gradient, the whole one.
#pragma once

#include <torch/csrc/autograd/edge.h>
#include <torch/csrc/autograd/function.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "sweepback/torch/memory.hpp"

namespace sweepback::torch {

using ::torch::autograd::Edge;
using ::torch::autograd::Node;
using ::torch::autograd::edge_list;
using ::torch::autograd::variable_list;

/// A shared pointer to a node: of one kind or another, depending on the release of torch.
using NodePtr = decltype(Edge::function);

/// The end of a leaf's branch. Keeps what arrives.
class Gather final : public Node {
 public:
  /// `kept` gradients outlive the step and are left out of the budget (parameters', inputs').
  Gather(const at::Tensor& leaf, bool kept);

  bool empty() const { return !sum_.defined(); }

  /// Moves the gradient out, to be changed in place.
  at::Tensor take() { return std::move(sum_); }
  void clear();

 private:
  variable_list apply(variable_list&& gradients) override;

  at::Tensor sum_;
  bool kept_;
  memory::Exemption exemption_;
};

/// A Gather's node, to share with graphs.
class GatherPtr {
 public:
  GatherPtr() = default;
  GatherPtr(const at::Tensor& leaf, bool kept);
  Gather* operator->() const { return static_cast<Gather*>(node_.get()); }
  const NodePtr& node() const { return node_; }

 private:
  NodePtr node_;
};

/// Lets the graphs made while it lives end in `gathers[i]` where they use `leaves[i]`.
class Attached {
 public:
  Attached(const std::vector<at::Tensor>& leaves, const std::vector<GatherPtr>& gathers);
  ~Attached();
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;

 private:
  const std::vector<at::Tensor>& leaves_;
  std::vector<NodePtr> before_;
};

/// The same for good: for a leaf made for one step.
void attach(const at::Tensor& leaf, const GatherPtr& gather);

/// Runs torch's engine from `edges` down, with `gradients[i]` put in at `edges[i]`, in this thread.
/// What the graph saved is freed on the way.
void run_engine(edge_list edges, variable_list gradients);

}  // namespace sweepback::torch
