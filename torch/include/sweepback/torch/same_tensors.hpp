// SPDX-License-Identifier: Apache-2.0
// Whether a state of torch is what it was on the first pass: all bits of its tensors, and where the random
// numbers stand. A look for Verify (sweepback/verify.hpp):
//
//     Verify<State, SameTensors> verify({.steps = l});
//     auto result = net.backpropagate(plan, inputs, x0, {}, verify);
#pragma once

#include <string>

#include "sweepback/fingerprint.hpp"
#include "sweepback/torch/program.hpp"

namespace sweepback::torch {

struct SameTensors {
  using Mark = Fingerprint;
  Mark mark(const State& x) const;
  std::string difference(const Mark& first, const State& x) const { return mark(x) == first ? "" : "its bits are others"; }
};

}  // namespace sweepback::torch
