// SPDX-License-Identifier: Apache-2.0
// What a planner knows of a place that keeps states: memory, a file, …
#pragma once

#include <optional>
#include <string>

#include "sweepback/count.hpp"

namespace sweepback {

/// What moving a state costs, in the chain's cost units: `fixed`, and `units` for every `bytes` of it,
/// rounded up. A rate in nanoseconds: 2 GB/s is {0, 1'000'000'000, 2'000'000'000}.
struct TransferCost {
  Count fixed = 0;
  Count units = 0;
  Count bytes = 1;

  /// Of a state of `size` bytes. Throws Overflow.
  Count of(Count size) const;

  bool operator==(const TransferCost&) const = default;
};

/// One kind of storage. The first of a budget is memory, where the sweep works: its capacity counts as
/// in a budget without tiers. Every further one keeps copies of states and is read back into the hand.
struct TierModel {
  enum class Unit : std::uint8_t {
    slots,
    bytes,
    unbounded,
    shared  ///< its bytes are memory's: compressed states, kept beside the others
  };

  std::string name = "memory";
  Unit unit = Unit::unbounded;
  Count capacity = 0;  ///< states, or bytes of states; of `unbounded` and `shared` nothing
  TransferCost store = {}, restore = {};
  bool overlap = false;  ///< moves one state at a time while steps run; not of memory
  double ratio = 1;      ///< bytes of a state over the bytes kept of it; not of memory
  bool lossy = false;    ///< what comes back is not quite what was stored; not of memory

  /// The bytes kept of a state of `size` bytes: size / ratio, rounded up.
  Count kept(Count size) const;

  /// How many of `states` states of `size` bytes fit; bytes need the size. Throws OutOfRange.
  Count room(Count states, std::optional<Count> size) const;

  bool operator==(const TierModel&) const = default;
};

/// "disk: 20 slots".
std::string to_string(const TierModel& tier);

}  // namespace sweepback
