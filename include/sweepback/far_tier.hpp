// SPDX-License-Identifier: Apache-2.0
// Further tiers: places beside memory that keep copies of states. They store, load and drop; they never
// choose. Moving a state costs so much that a virtual call does not matter.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sweepback/count.hpp"

namespace sweepback {

template <class State>
class FarTier {
 public:
  FarTier() = default;
  FarTier(const FarTier&) = delete;
  FarTier& operator=(const FarTier&) = delete;
  virtual ~FarTier() = default;

  /// What a run will keep here at once, at most. Throws Io where that does not fit.
  virtual void reserve(Count states, Count bytes) {
    (void)states;
    (void)bytes;
  }

  /// Keeps a copy of x_i, which is not there yet. Throws Io where it cannot be kept; nothing is then.
  virtual void store(Count i, const State& x) = 0;

  /// x_i, as it was stored: or Io, never anything else. What is in `hand` before may serve as its room.
  virtual void load(Count i, std::optional<State>& hand) = 0;

  /// x_i is gone.
  virtual void drop(Count i) = 0;

  /// All are gone.
  virtual void clear() noexcept = 0;
};

/// Those of a budget, after memory, in its order.
template <class State>
using FarTiers = std::vector<std::unique_ptr<FarTier<State>>>;

}  // namespace sweepback
