// SPDX-License-Identifier: Apache-2.0
// Plain backpropagation, to compare with: the graph of the whole unrolled computation, kept.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sweepback/torch/step.hpp"

namespace sweepback::train {

struct StoreAll {
  std::vector<at::Tensor> gradients;  ///< of the parameters; undefined where there is none
  double loss = 0;
  double seconds = 0;
  Count held_bytes = 0;  ///< alive when it turns round: states and tapes
  Count peak_bytes = 0;  ///< the most at any instant, less the gradients
};

/// Runs `steps` steps from `x0` and torch's backward(). The `.grad` of `parameters` must be
/// undefined, and is again afterwards. `tick` is called before every step (and may throw).
StoreAll store_all(torch::StepFunction step, const torch::Inputs& inputs, const torch::Value& x0,
                   const std::vector<at::Tensor>& parameters, Count steps,
                   const std::function<void()>& tick);

/// The same bits, or both undefined, in every place.
bool same_bits(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b);

/// The largest difference of two numbers in one place, relative to the largest number of its tensor.
double relative_difference(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b);

/// Moves the `.grad` of each parameter out.
std::vector<at::Tensor> take_gradients(const std::vector<at::Tensor>& parameters);

}  // namespace sweepback::train
