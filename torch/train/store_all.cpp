// SPDX-License-Identifier: Apache-2.0
#include "store_all.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "sweepback/torch/memory.hpp"

namespace sweepback::train {

StoreAll store_all(torch::StepFunction step, const torch::Inputs& inputs, const torch::Value& x0,
                   const std::vector<at::Tensor>& parameters, Count steps,
                   const std::function<void()>& tick) {
  StoreAll result;
  const Count before = torch::memory::live();
  torch::memory::reset_peak();
  const auto begin = std::chrono::steady_clock::now();
  {
    torch::Value state = x0;
    at::Tensor loss;
    for (Count k = 0; k < steps; ++k) {
      tick();
      torch::Stepped stepped = step(k, inputs(k), state);
      state = std::move(stepped.state);
      loss = loss.defined() ? loss + stepped.loss : stepped.loss;
    }
    result.held_bytes = torch::memory::live() - before;
    result.loss = loss.item<double>();
    loss.backward();
  }
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.peak_bytes = torch::memory::peak() - before;
  result.gradients = take_gradients(parameters);
  Count gradient_bytes = 0;
  for (const at::Tensor& gradient : result.gradients)
    if (gradient.defined()) gradient_bytes += static_cast<Count>(gradient.nbytes());
  result.peak_bytes = std::max(result.peak_bytes - gradient_bytes, result.held_bytes);
  return result;
}

bool same_bits(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].defined() != b[i].defined()) return false;
    if (!a[i].defined()) continue;
    const at::Tensor x = a[i].contiguous(), y = b[i].contiguous();
    if (x.nbytes() != y.nbytes() || std::memcmp(x.data_ptr(), y.data_ptr(), x.nbytes()) != 0)
      return false;
  }
  return true;
}

double relative_difference(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (!a[i].defined() || !b[i].defined()) continue;
    const double largest = b[i].abs().max().item<double>();
    const double apart = (a[i] - b[i]).abs().max().item<double>();
    if (apart > 0) most = std::max(most, largest > 0 ? apart / largest : apart);
  }
  return most;
}

std::vector<at::Tensor> take_gradients(const std::vector<at::Tensor>& parameters) {
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& parameter : parameters) {
    gradients.push_back(parameter.grad());
    parameter.mutable_grad().reset();
  }
  return gradients;
}

}  // namespace sweepback::train
