// SPDX-License-Identifier: Apache-2.0
#include "sweepback/torch/program.hpp"

#include <torch/torch.h>
#include <ATen/SequenceNumber.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "graph.hpp"
#include "sweepback/error.hpp"

namespace sweepback::torch {

namespace {

using Versions = std::vector<std::pair<at::Tensor, uint32_t>>;

Versions versions_of(const Value& value) {
  Versions versions;
  each_tensor(value, [&](const at::Tensor& tensor) {
    versions.emplace_back(tensor, static_cast<uint32_t>(tensor._version()));
  });
  return versions;
}

bool unchanged(const Versions& versions) {
  for (const auto& [tensor, version] : versions)
    if (static_cast<uint32_t>(tensor._version()) != version) return false;
  return true;
}

std::string step_name(Count k) {
  return k < 0 ? "the final loss" : "step " + std::to_string(k);
}

void require_one(Count i, Count j) {
  if (j != i + 1)
    throw Unsupported("steps " + std::to_string(i) + " to " + std::to_string(j) +
                          " in one call, and this program runs single steps",
                      "plan a chain of blocks = false, or make the program of a BlockFunction");
}

BlockFunction one_by_one(StepFunction step) {
  return [step = std::move(step)](Count i, Count j, const Value& input, const Value& state) {
    require_one(i, j);
    return step(i, input, state);
  };
}

constexpr Count final_loss = -1;

}  // namespace

struct Program::Gathered {
  std::vector<at::Tensor> parameters;  // those that require a gradient
  std::vector<GatherPtr> gathers;
  Versions versions;
  std::vector<std::pair<at::Tensor, GatherPtr>> inputs;  // of the steps reversed so far
};

Count bytes_of(const State& state) {
  std::vector<const void*> seen;
  Count bytes = 0;
  const auto add = [&](const at::Tensor& tensor) {
    if (!tensor.defined() || !tensor.has_storage()) return;
    const void* data = tensor.storage().data();
    if (std::find(seen.begin(), seen.end(), data) != seen.end()) return;
    seen.push_back(data);
    bytes += static_cast<Count>(tensor.storage().nbytes());
  };
  each_tensor(state.value, add);
  return bytes;
}

Tape::Tape() = default;
Tape::Tape(Tape&&) noexcept = default;
Tape& Tape::operator=(Tape&&) noexcept = default;
Tape::~Tape() = default;

Program::Program(StepFunction step, std::vector<at::Tensor> parameters)
    : Program(one_by_one(std::move(step)), std::move(parameters)) {}

Program::Program(BlockFunction block, std::vector<at::Tensor> parameters)
    : steps_(std::move(block)), gathered_(std::make_unique<Gathered>()) {
  for (at::Tensor& parameter : parameters) {
    if (!parameter.defined() || !parameter.requires_grad()) continue;
    if (!parameter.is_leaf())
      throw Unsupported("a parameter is computed from other tensors that require a gradient",
                        "give it to the step as part of its input, where gradients flow on");
    bool known = false;
    for (const at::Tensor& other : gathered_->parameters) known |= other.is_same(parameter);
    if (!known) gathered_->parameters.push_back(std::move(parameter));
  }
  begin(no_inputs());
}

Program::~Program() = default;
Program::Program(Program&&) noexcept = default;

void Program::begin(Inputs inputs) {
  begin([inputs = std::move(inputs)](Count i, Count j) {
    require_one(i, j);
    return inputs(i);
  });
}

void Program::begin(BlockInputs inputs) {
  Gathered& all = *gathered_;
  all.gathers.clear();
  all.versions.clear();
  all.inputs.clear();
  for (const at::Tensor& parameter : all.parameters) {
    all.gathers.emplace_back(parameter, Gather::Of::parameter);
    all.versions.emplace_back(parameter, static_cast<uint32_t>(parameter._version()));
  }
  inputs_ = std::move(inputs);
  losses_.clear();
  drew_ = false;
}

State Program::start(const Value& x0) const {
  const at::NoGradGuard no_grad;
  return {map_tensors(x0, [](const at::Tensor& tensor) { return tensor.detach().clone(); }),
          Position::now()};
}

void Program::check_parameters(Count k) const {
  if (!unchanged(gathered_->versions))
    throw Error("mismatch", "a parameter changed before " + step_name(k) + " was done with",
                "change parameters only when the whole sweep is over");
}

Stepped Program::run(Count i, Count j, const Value& input, const Value& state, Phase phase) {
  check_parameters(i);
  const Versions before = versions_of(state);
  Stepped stepped = steps_(i, j, input, state);
  if (!unchanged(before))
    throw Unsupported(step_name(i) + " writes into the state it is given",
                      "let it make a new tensor (x + y, not x += y), or clone the state first");
  note(i, stepped.loss, phase);
  return stepped;
}

void Program::note(Count k, const at::Tensor& loss, Phase phase) {
  const double value = loss.defined() ? loss.item<double>() : 0.0;
  const auto at = static_cast<std::size_t>(k);
  if (phase == Phase::first_pass) {
    if (losses_.size() <= at) losses_.resize(at + 1);
    losses_[at] = value;
  } else if (std::memcmp(&losses_[at], &value, sizeof value) != 0) {
    throw Error("mismatch",
                step_name(k) + " gave the loss " + std::to_string(losses_[at]) +
                    " at first and " + std::to_string(value) + " when it ran again",
                "a step may depend on k, its input, its state and the parameters only: put what it "
                "remembers into the state, or set with_graph where its kernels round differently "
                "without autograd");
  }
}

void Program::place_generator(const State& x, Phase phase) const {
  if (phase == Phase::recompute && drew_) x.position.restore();
}

Position Program::position_after(const State& x, Phase phase) {
  if (phase == Phase::recompute && !drew_) return x.position;
  Position position = Position::now(x.position);
  drew_ |= !position.is(x.position);
  return position;
}

State Program::forward(Count i, Count j, const State& x, Phase phase) {
  const at::AutoGradMode mode(with_graph);
  place_generator(x, phase);
  Value next;
  if (with_graph) {
    Graph graph;
    const Attached attached(gathered_->parameters, gathered_->gathers);
    const Value input = graph.start_inputs(inputs_(i, j), gathered_->parameters);
    next = graph.finish(run(i, j, input, graph.start(x.value), phase).state);
  } else {
    next = run(i, j, inputs_(i, j), x.value, phase).state;
  }
  return {std::move(next), position_after(x, phase)};
}

Tape Program::record(Count i, Count j, const State& x, Phase phase) {
  const at::AutoGradMode mode(true);
  place_generator(x, phase);
  const uint64_t since = at::sequence_number::peek();
  Tape tape;
  tape.graph = std::make_unique<Graph>();
  Graph& graph = *tape.graph;
  {
    const Attached attached(gathered_->parameters, gathered_->gathers);
    const Value input = graph.start_inputs(inputs_(i, j), gathered_->parameters);
    Stepped stepped = run(i, j, input, graph.start(x.value), phase);
    if (stepped.loss.defined() && stepped.loss.requires_grad()) graph.loss = stepped.loss;
    tape.output.value = graph.finish(stepped.state);
  }
  tape.output.position = position_after(x, phase);
  graph.look_through(i, since);
  return tape;
}

void Program::reverse(Count i, Count, Tape&& tape, Adjoint& adjoint) {
  reverse_graph(i, std::move(tape), adjoint);
}

void Program::reverse_graph(Count i, Tape&& tape, Adjoint& adjoint) {
  const at::NoGradGuard no_grad;
  check_parameters(i);
  const std::unique_ptr<Graph> graph = std::move(tape.graph);
  tape.output = {};  // not needed any more: its memory is free while the step is reversed
  edge_list edges;
  variable_list gradients;
  const auto put_in = [&](Edge edge, at::Tensor gradient) {
    edges.push_back(std::move(edge));
    gradients.push_back(std::move(gradient));
  };
  for (const NodePtr& node : graph->shared)
    if (auto* gather = static_cast<Gather*>(node.get()); !gather->empty())
      put_in(Edge(node, 0), gather->take());
  for (std::size_t at = 0; at < graph->outputs.size() && at < adjoint.size(); ++at)
    if (graph->outputs[at].is_valid() && adjoint[at].defined())
      put_in(std::move(graph->outputs[at]), std::move(adjoint[at]));
  if (graph->loss.defined()) {
    put_in(::torch::autograd::impl::gradient_edge(graph->loss), at::ones_like(graph->loss));
    graph->loss.reset();
  }
  graph->outputs.clear();
  adjoint.clear();
  run_engine(std::move(edges), std::move(gradients));
  adjoint.resize(graph->state.size());
  for (std::size_t at = 0; at < adjoint.size(); ++at)
    if (graph->state[at].node()) adjoint[at] = graph->state[at]->take();
  for (auto& input : graph->inputs)
    if (!input.second->empty()) gathered_->inputs.push_back(std::move(input));
}

Adjoint Program::seed(const State& last, const FinalLoss& loss) {
  if (!loss) return {};
  const at::AutoGradMode mode(true);
  const uint64_t since = at::sequence_number::peek();
  Tape tape;
  tape.graph = std::make_unique<Graph>();
  {
    const Attached attached(gathered_->parameters, gathered_->gathers);
    at::Tensor value = loss(tape.graph->start(last.value));
    if (!value.defined() || value.numel() != 1)
      throw OutOfRange("the final loss is not a tensor of one element", "sum it or take its mean");
    losses_.push_back(value.item<double>());
    if (value.requires_grad()) tape.graph->loss = std::move(value);
  }
  tape.graph->look_through(final_loss, since);
  Adjoint adjoint;
  reverse_graph(final_loss, std::move(tape), adjoint);
  return adjoint;
}

void Program::deposit(const Value& x0, Adjoint adjoint) {
  edge_list edges;
  variable_list gradients;
  const auto put_in = [&](const at::Tensor& tensor, at::Tensor gradient) {
    if (!tensor.requires_grad() || !gradient.defined()) return;
    edges.push_back(::torch::autograd::impl::gradient_edge(tensor));
    gradients.push_back(std::move(gradient));
  };
  Gathered& all = *gathered_;
  for (std::size_t i = 0; i < all.parameters.size(); ++i)
    put_in(all.parameters[i], all.gathers[i]->take());
  for (auto& [tensor, gather] : all.inputs) put_in(tensor, gather->take());
  std::size_t i = 0;
  each_tensor(x0, [&](const at::Tensor& tensor) {
    if (i < adjoint.size()) put_in(tensor, std::move(adjoint[i]));
    ++i;
  });
  all.inputs.clear();
  for (const GatherPtr& gather : all.gathers) gather->clear();
  run_engine(std::move(edges), std::move(gradients));
}

}  // namespace sweepback::torch
