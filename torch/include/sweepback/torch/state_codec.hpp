// SPDX-License-Identifier: Apache-2.0
// States as bytes, for tiers that keep them elsewhere: torch's own pickle of the value, and where the
// random numbers stand. Every bit comes back, and so do strides; tensors that shared memory do not
// share it any more.
//
//     FarTiers<State> further;
//     further.push_back(std::make_unique<FileTier<State, StateCodec>>("/scratch", StateCodec()));
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sweepback/torch/program.hpp"

namespace sweepback::torch {

class StateCodec {
 public:
  using Fill = std::function<void(std::span<std::byte>)>;

  /// Valid until the next call. Throws Unsupported for what torch does not pickle (named tuples).
  std::span<const std::byte> bytes(const State& x);

  /// Of n bytes, which `fill` puts there. Throws Io for what no such state wrote.
  State state(std::size_t n, const Fill& fill);

 private:
  std::vector<char> buffer_;
};

}  // namespace sweepback::torch
