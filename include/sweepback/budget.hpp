// SPDX-License-Identifier: Apache-2.0
// The budget: what may be kept.
#pragma once

#include <string>
#include <vector>

#include "sweepback/count.hpp"
#include "sweepback/tier_model.hpp"

namespace sweepback {

class Chain;

/// Slots count whole things kept: states (the slot of `x_0` included) in a plan that keeps states,
/// tapes (the one in use included, `x_0` extra) in a plan that keeps tapes. The state in hand is
/// outside. Bytes count everything the sweep keeps alive, at every instant: stored states and
/// tapes, the state in hand, the tape in use, both sides of a copy, and the declared adjoint and
/// workspace.
struct Budget {
  enum class Unit : std::uint8_t { slots, bytes };

  Unit unit = Unit::slots;
  Count amount = 0;
  std::vector<TierModel> tiers = {};  ///< fastest first, memory (`unit`, `amount`) among them; else empty

  /// Both throw OutOfRange for a negative amount.
  static Budget slots(Count amount);
  static Budget bytes(Count amount);

  /// Several kinds of storage, the fastest first: memory, where the sweep works, in slots or bytes.
  /// Throws OutOfRange for no tier, memory without bound, two of one name, or negative numbers.
  static Budget of(std::vector<TierModel> tiers);

  /// A share (0 < share) of what store-everything keeps of the same chain: its peak bytes of
  /// states and tapes alone. Throws OutOfRange for a share that is not a positive number or where
  /// the chain's sizes are not known.
  static Budget share(const Chain& chain, double share);

  bool operator==(const Budget&) const = default;
};

/// "15 slots", "268435456 bytes", "memory: 3 slots, disk: unbounded".
std::string to_string(const Budget& budget);

}  // namespace sweepback
