// SPDX-License-Identifier: Apache-2.0
// Where gradients come out of a single step's graph, and how they are put in at its top.
//
// torch's engine adds what several uses of a tensor contribute in one buffer, in the order in which
// it meets them, and hands the sum to the node in which the tensor's branch of the graph ends. In the
// graph of the whole unrolled computation that sum runs over all steps, the last step first. A sweep
// goes through the same additions: `Gather` takes the node's place and adds step after step. Where
// a step uses a parameter more than once, adding up the step on its own first would round
// differently: there the engine starts with the sum so far (`take`, and put in at the top).
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

/// The end of a leaf's branch.
class Gather final : public Node {
 public:
  enum class Of : std::uint8_t {
    state,     ///< of one step: keeps what arrives
    input,     ///< the same, beyond the step, outside the budget
    parameter  ///< of all steps: adds up, outside the budget
  };

  Gather(const at::Tensor& leaf, Of of);

  bool empty() const { return !sum_.defined(); }

  /// Moves the sum out; what arrives next is the sum, carried on.
  at::Tensor take();
  void clear();

 private:
  variable_list apply(variable_list&& gradients) override;

  at::Tensor sum_;
  Of of_;
  bool taken_ = false;
  memory::Exemption exemption_;
};

/// A Gather's node, to share with graphs.
class GatherPtr {
 public:
  GatherPtr() = default;
  GatherPtr(const at::Tensor& leaf, Gather::Of of);
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
