// SPDX-License-Identifier: Apache-2.0
// An LSTM (hidden 256, batch 16) through 1,000 time steps, several ways in the same run, in turns:
//
//   store everything      plain backpropagation through the graph of the whole window
//   √T segments           every ⌈√T⌉-th state kept; going back, the graph of a whole segment is made
//                         again and reversed: what is usually written by hand
//   fused segments        the same, each segment one call of the fused kernel
//   Sweepback             in a budget of 5 % of what store-everything keeps, and in what the
//                         segments took
//   Sweepback, blocks     blocks of the fused kernel, in 5 % and 16 % of it
//
// Prints medians. `recurrent [ROUNDS [LENGTH]]`.
#include <malloc.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "sweepback/torch/blocks.hpp"
#include "train/char_model.hpp"
#include "train/store_all.hpp"
#include "train/threads.hpp"

namespace sweepback {
namespace {

namespace memory = torch::memory;

struct Way {
  std::string name;
  Count forward_steps = 0, record_steps = 0, peak = 0;
  std::vector<double> seconds = {};
  double predicted = 0;  // relative to store-everything; 0: no prediction
  std::vector<at::Tensor> gradients = {};

  double median() {
    std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
    return seconds[seconds.size() / 2];
  }
};

struct Net {
  torch::StepFunction step;
  torch::Inputs inputs;
  torch::Value x0;
  std::vector<at::Tensor> parameters;
  Count steps;
};

Count bytes(const std::vector<at::Tensor>& tensors) {
  Count sum = 0;
  for (const at::Tensor& t : tensors)
    if (t.defined()) sum += static_cast<Count>(t.nbytes());
  return sum;
}

/// The state's tensors, cut off from their history, so that gradients stop there and are kept.
torch::Value cut(const torch::Value& state) {
  return torch::map_tensors(state, [](const at::Tensor& t) {
    return t.detach().requires_grad_(torch::differentiable(t));
  });
}

std::vector<at::Tensor> tensors(const torch::Value& state) {
  std::vector<at::Tensor> all;
  torch::each_tensor(state, [&](const at::Tensor& t) { all.push_back(t); });
  return all;
}

/// The adjoint is carried from segment to segment as the gradient of the state each begins with.
void segments(const Net& net, Way& way, Count length) {
  std::vector<torch::Value> kept{net.x0};
  way.forward_steps = way.record_steps = 0;
  {
    const at::NoGradGuard without_graph;
    torch::Value state = net.x0;
    const Count last = (net.steps - 1) / length * length;
    for (Count k = 0; k < last; ++k, ++way.forward_steps) {
      state = net.step(k, net.inputs(k), state).state;
      if ((k + 1) % length == 0) kept.push_back(state);
    }
  }
  std::vector<at::Tensor> adjoint;
  for (Count segment = static_cast<Count>(kept.size()); segment-- > 0;) {
    const torch::Value begin = cut(kept.back());
    kept.pop_back();
    torch::Value state = begin;
    std::vector<at::Tensor> ends;
    at::Tensor loss;
    for (Count k = segment * length; k < std::min(net.steps, (segment + 1) * length); ++k) {
      torch::Stepped stepped = net.step(k, net.inputs(k), state);
      state = std::move(stepped.state);
      loss = loss.defined() ? loss + stepped.loss : stepped.loss;
      ++way.record_steps;
    }
    std::vector<at::Tensor> roots{loss}, gradients{at::ones_like(loss)};
    for (std::size_t i = 0; i < adjoint.size(); ++i) {
      roots.push_back(tensors(state)[i]);
      gradients.push_back(adjoint[i]);
    }
    ::torch::autograd::backward(roots, gradients);
    adjoint.clear();
    for (const at::Tensor& t : tensors(begin))
      adjoint.push_back(t.grad().defined() ? t.grad() : at::zeros_like(t));
  }
}

template <class Work>
void timed(Way& way, const Net& net, Work&& work) {
  const Count before = memory::live();
  memory::reset_peak();
  const auto begin = std::chrono::steady_clock::now();
  work();
  way.seconds.push_back(
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  const Count peak = memory::peak() - before;
  way.gradients = train::take_gradients(net.parameters);
  way.peak = std::max(way.peak, peak - bytes(way.gradients));
}

/// The largest difference of any two elements, in units of the largest element of the gradient.
double difference(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  double most = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, (a[i] - b[i]).abs().max().item<double>());
    scale = std::max(scale, b[i].abs().max().item<double>());
  }
  return most / scale;
}

void compare(int count, char** arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 5;
  const Count length = count > 2 ? std::atoll(arguments[2]) : 1000, batch = 16, symbols = 96;
  // As sweepback-train: freed pages are kept, or store-everything spends its time on fresh ones.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  train::use_threads(1);
  ::torch::manual_seed(1);
  memory::count();

  const auto model = std::make_shared<train::CharModelImpl>(
      train::CharModelImpl::Shape{train::Cell::lstm, 1, 256, symbols});
  const auto window = at::randint(symbols, {length + 1, batch}, at::kLong);
  const Net net{train::step_of(model, length),
                train::inputs_of(window),
                torch::Value(model->zero_state(batch)), model->parameters(), length};

  torch::Recurrence recurrence(net.step, net.parameters);
  const torch::Measured costs = recurrence.measure(net.inputs, net.x0);
  const Chain chain = costs.chain(length);
  const Count all = costs.store_all_bytes(length);
  const double record = static_cast<double>(costs.record + costs.reverse) * length;

  Way everything{.name = "store everything"}, by_hand{.name = "sqrt(T) segments"};
  const Count root = static_cast<Count>(std::ceil(std::sqrt(static_cast<double>(length))));
  const auto block = train::block_of(model, length);
  const auto block_inputs = train::block_inputs_of(window);
  torch::Recurrence fused(block, net.parameters);
  const auto end = [=](Count q) { return std::min((q + 1) * root, length); };
  const Net calls{[=](Count q, const torch::Value& input, const torch::Value& state) {
                    return block(q * root, end(q), input, state);
                  },
                  [=](Count q) { return block_inputs(q * root, end(q)); }, net.x0, net.parameters,
                  (length + root - 1) / root};
  Way fused_by_hand{.name = "fused segments"};
  Way blocks_5{.name = "Sweepback, blocks 5 %"}, blocks_16{.name = "Sweepback, blocks 16 %"};
  const auto planned = [&](Count budget) {
    return torch::plan_blocks(fused, block_inputs, net.x0, length, Budget::bytes(budget));
  };
  const torch::PlannedBlocks in_5 = planned(all / 20), in_16 = planned(all * 16 / 100);
  const auto in_blocks = [&](Way& way, const torch::PlannedBlocks& blocks) {
    timed(way, net, [&] { fused.backpropagate(blocks.plan, block_inputs, net.x0); });
    way.forward_steps = blocks.plan.bill.forward_steps;
    way.record_steps = blocks.plan.bill.record_steps;
    way.predicted = static_cast<double>(blocks.plan.bill.cost) / record;
  };
  Way five{.name = "Sweepback in 5 %"}, same{.name = "Sweepback, as much"};
  const auto sweepback_in = [&](Way& way, Count budget) {
    const Plan p = plan(chain, Budget::bytes(budget));
    timed(way, net, [&] { recurrence.backpropagate(p, net.inputs, net.x0); });
    way.forward_steps = p.bill.forward_steps;
    way.record_steps = p.bill.record_steps;
    way.predicted = static_cast<double>(p.bill.cost) / record;
  };
  for (int round = -1; round < rounds; ++round) {
    timed(everything, net, [&] {
      auto plain = train::store_all(net.step, net.inputs, net.x0, net.parameters, length, [] {});
      for (std::size_t i = 0; i < net.parameters.size(); ++i)
        net.parameters[i].mutable_grad() = plain.gradients[i];
    });
    everything.record_steps = length;
    timed(by_hand, net, [&] { segments(net, by_hand, root); });
    timed(fused_by_hand, net, [&] { segments(calls, fused_by_hand, 1); });
    fused_by_hand.forward_steps *= root;
    fused_by_hand.record_steps = length;
    in_blocks(blocks_5, in_5);
    in_blocks(blocks_16, in_16);
    by_hand.predicted = 1 + static_cast<double>(costs.forward * by_hand.forward_steps) / record;
    sweepback_in(five, all / 20);
    sweepback_in(same, by_hand.peak);
    if (round < 0)  // the first is a warm-up
      for (Way* way : {&everything, &by_hand, &fused_by_hand, &five, &same, &blocks_5, &blocks_16}) way->seconds.clear();
  }

  std::printf("  %lld steps of an LSTM, hidden 256, batch %lld, one thread; medians of %d\n",
              static_cast<long long>(length), static_cast<long long>(batch), rounds);
  std::printf("  blocks of %lld steps in 5 %%, of %lld in 16 %%\n", static_cast<long long>(in_5.block),
              static_cast<long long>(in_16.block));
  std::printf("  a step: forward %.2f ms, recorded %.2f ms, reversed %.2f ms\n",
              static_cast<double>(costs.forward) / 1e6, static_cast<double>(costs.record) / 1e6,
              static_cast<double>(costs.reverse) / 1e6);
  std::printf("  %-22s %8s %8s %10s %8s %8s %10s  %s\n", "", "forward", "record", "peak MiB",
              "seconds", "ratio", "predicted", "gradient");
  const double plain = everything.median();
  for (Way* way : {&everything, &by_hand, &fused_by_hand, &five, &same, &blocks_5, &blocks_16}) {
    std::printf("  %-22s %8lld %8lld %10.2f %8.3f %8.3f ", way->name.c_str(),
                static_cast<long long>(way->forward_steps),
                static_cast<long long>(way->record_steps),
                static_cast<double>(way->peak) / (1 << 20), way->median(), way->median() / plain);
    if (way->predicted > 0)
      std::printf("%10.3f  ", way->predicted);
    else
      std::printf("%10s  ", "");
    if (train::same_bits(way->gradients, everything.gradients))
      std::printf("equal bit for bit\n");
    else
      std::printf("differs by %.0e\n", difference(way->gradients, everything.gradients));
  }
}

}  // namespace
}  // namespace sweepback

int main(int count, char** arguments) { sweepback::compare(count, arguments); }
