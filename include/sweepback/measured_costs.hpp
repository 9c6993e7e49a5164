// SPDX-License-Identifier: Apache-2.0
// What steps and moves really take, beside what a plan said.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "sweepback/detail/steps.hpp"
#include "sweepback/plan.hpp"

namespace sweepback {

class MeasuredCosts {
 public:
  using Time = std::chrono::nanoseconds;

  MeasuredCosts(Chain chain, Budget budget);

  /// Steps i … j-1 were run in one call, forward or recorded.
  void ran(Count i, Count j, bool recorded, Time took);
  void reversed(Count i, Count j, Time took);
  /// x_i was moved to a tier after memory, or from there.
  void moved(Count i, int tier, bool stored, Time took);

  /// All that was measured.
  Time total() const { return total_; }

  /// By what factor a kind of step or move takes more or less than planned, beside all others; at least 1. Plans
  /// depend on how costs compare, not on their unit. Kinds that were seen less than three times, or take less
  /// than a fiftieth of the time, do not count.
  double furthest() const;

  /// With what was measured, in nanoseconds; what was not is as planned, in the same unit.
  Chain chain() const;
  Budget budget() const;

 private:
  struct Kind {
    double planned = 0;  // units
    double taken = 0;    // nanoseconds
    Count calls = 0;
    void add(Wide units, Time took);
  };
  struct OfRun {
    Kind forward, record, reverse;
  };
  struct OfTier {
    Kind store, restore;
  };

  template <class See>
  void each(See&& see) const;
  double unit() const;
  Count in_nanoseconds(Count planned, const Kind& kind) const;

  std::shared_ptr<const Chain> chain_;  // copies share it
  detail::Steps steps_;                 // of it
  Budget budget_;
  std::vector<OfRun> runs_;
  std::vector<OfTier> tiers_;
  Time total_{};
};

}  // namespace sweepback
