// SPDX-License-Identifier: Apache-2.0
#include "gather.hpp"

#include <torch/torch.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/variable.h>

#include <memory>
#include <type_traits>

namespace sweepback::torch {

namespace {

// The top of a step's graph: one node from which everything flows, so that the engine meets the sums
// gathered so far before anything else, and can add to them in place.
class Seed final : public Node {
 public:
  Seed(edge_list edges, variable_list gradients)
      : Node(UINT64_MAX, std::move(edges)), gradients_(std::move(gradients)) {
    add_input_metadata(gradients_.back());
  }

 private:
  variable_list apply(variable_list&&) override { return std::move(gradients_); }

  variable_list gradients_;
};

template <class T, class... Args>
NodePtr make_node(Args&&... args) {
  if constexpr (std::is_same_v<NodePtr, std::shared_ptr<Node>>) {
    return std::make_shared<T>(std::forward<Args>(args)...);
  } else {
    return c10::make_intrusive<T>(std::forward<Args>(args)...);
  }
}

template <class Pointer>
auto weak(const Pointer& pointer) {
  if constexpr (requires { typename Pointer::weak_type; }) {
    return typename Pointer::weak_type(pointer);
  } else {
    return c10::weak_intrusive_ptr<typename Pointer::element_type>(pointer);
  }
}

}  // namespace

Gather::Gather(const at::Tensor& leaf, Of of) : Node(UINT64_MAX), of_(of) {
  add_input_metadata(leaf);
}

variable_list Gather::apply(variable_list&& gradients) {
  at::Tensor& arrived = gradients[0];
  if (!arrived.defined()) return {};
  const bool strided = arrived.layout() == at::kStrided;
  if (of_ == Of::parameter && !sum_.defined() && !taken_ && strided) {
    // The first to arrive may be a view of what others still read: the sum is its own from the start.
    exemption_.set(arrived.numel() * static_cast<Count>(arrived.element_size()));
    sum_ = arrived.clone();
  } else if (!sum_.defined()) {
    if (of_ != Of::state && strided)
      exemption_.set(static_cast<Count>(arrived.storage().nbytes()));
    sum_ = std::move(arrived);
  } else if (strided && sum_.layout() == at::kStrided) {
    sum_.add_(arrived);
  } else {
    sum_ = sum_ + arrived;
  }
  taken_ = false;
  return {};
}

at::Tensor Gather::take() {
  taken_ = sum_.defined();
  return std::move(sum_);
}

void Gather::clear() {
  sum_.reset();
  taken_ = false;
  exemption_.set(0);
}

GatherPtr::GatherPtr(const at::Tensor& leaf, Gather::Of of) : node_(make_node<Gather>(leaf, of)) {}

Attached::Attached(const std::vector<at::Tensor>& leaves, const std::vector<GatherPtr>& gathers)
    : leaves_(leaves) {
  before_.reserve(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    before_.push_back(::torch::autograd::impl::try_get_grad_accumulator(leaves[i]));
    attach(leaves[i], gathers[i]);
  }
}

Attached::~Attached() {
  for (std::size_t i = 0; i < before_.size(); ++i)
    ::torch::autograd::impl::set_grad_accumulator(leaves_[i], weak(before_[i]));
}

void attach(const at::Tensor& leaf, const GatherPtr& gather) {
  ::torch::autograd::impl::set_grad_accumulator(leaf, weak(gather.node()));
}

void run_engine(edge_list edges, variable_list gradients) {
  if (edges.empty()) return;
  // The engine asks for something to put in at the top, of which it looks at the device only. The
  // last gradient is the loss's, where there is one; holding on to the sums would forbid adding to
  // them in place.
  const variable_list nominal{gradients.back()};
  const Edge top(make_node<Seed>(std::move(edges), std::move(gradients)), 0);
  ::torch::autograd::Engine::get_default_engine().execute(
      {top}, nominal, /*keep_graph=*/false, /*create_graph=*/false,
      /*accumulate_grad=*/true);
}

}  // namespace sweepback::torch
