// SPDX-License-Identifier: Apache-2.0
#include "sweepback/torch/same_tensors.hpp"

#include <torch/torch.h>

#include <span>
#include <vector>

namespace sweepback::torch {

Fingerprint SameTensors::mark(const State& x) const {
  const at::NoGradGuard no_grad;
  std::vector<Fingerprint> each;
  const auto add = [&](const at::Tensor& tensor) {
    const at::Tensor whole = tensor.contiguous();
    each.push_back(fingerprint(std::span(static_cast<const std::byte*>(whole.data_ptr()), whole.nbytes())));
  };
  each_tensor(x.value, add);
  add(x.position.as_tensor());
  return fingerprint(std::as_bytes(std::span(each)));
}

}  // namespace sweepback::torch
