// SPDX-License-Identifier: Apache-2.0
#include "sweepback/torch/step.hpp"

#include <torch/torch.h>
#include <torch/script.h>

#include <sstream>

#include "sweepback/error.hpp"

namespace sweepback::torch {

Inputs no_inputs() {
  return [](Count) { return Value(); };
}

at::Tensor own_loss(Count k, const Value& output) {
  if (output.isNone()) return {};
  if (output.isTensor() && (!output.toTensor().defined() || output.toTensor().numel() == 1))
    return output.toTensor();
  std::ostringstream shape;
  if (output.isTensor())
    shape << "a tensor of shape " << output.toTensor().sizes();
  else
    shape << "a " << output.tagKind();
  throw OutOfRange("step " + std::to_string(k) + " returned " + shape.str() +
                       " as its output, and no loss says what that adds",
                   "give the step a loss(k, output), or let it return its loss or None");
}

StepFunction step(::torch::jit::Module module, Loss loss) {
  return [module = std::move(module), loss = std::move(loss)](
             Count k, const Value& input, const Value& state) mutable {
    const Value result = module.forward({input, state});
    if (!result.isTuple() || result.toTupleRef().elements().size() != 2)
      throw Unsupported("the TorchScript step returned a " + result.tagKind(),
                        "let forward(input, state) return a pair of output and state");
    const auto& elements = result.toTupleRef().elements();
    return Stepped{loss(k, elements[0]), elements[1]};
  };
}

}  // namespace sweepback::torch
