// SPDX-License-Identifier: Apache-2.0
#include "sweepback/torch/state_codec.hpp"

#include <torch/torch.h>

#include "sweepback/error.hpp"

namespace sweepback::torch {

std::span<const std::byte> StateCodec::bytes(const State& x) {
  const at::NoGradGuard no_grad;
  try {
    buffer_ = ::torch::pickle_save(c10::ivalue::Tuple::create({x.value, x.position.as_tensor()}));
  } catch (const c10::Error& e) {
    throw Unsupported("a state that cannot be written: " + std::string(e.what_without_backtrace()),
                      "use tensors in tuples, lists and dictionaries without names");
  }
  return std::as_bytes(std::span(buffer_));
}

State StateCodec::state(std::size_t n, const Fill& fill) {
  const at::NoGradGuard no_grad;
  buffer_.resize(n);
  fill(std::as_writable_bytes(std::span(buffer_)));
  try {
    const Value pair = ::torch::pickle_load(buffer_);
    const auto& elements = pair.toTupleRef().elements();
    return {elements.at(0), Position::of(elements.at(1).toTensor())};
  } catch (const std::exception&) {
    throw Io("a record of " + std::to_string(n) + " bytes that is no state of torch", "read what StateCodec has written");
  }
}

}  // namespace sweepback::torch
