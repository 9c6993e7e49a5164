// SPDX-License-Identifier: Apache-2.0
// The cheapest schedules for equal steps where states and tapes may both be kept, tabulated: the MSM
// policy of Gruslys, Munos, Danihelka, Lanctot and Graves (2016), completed.
//
// A kept state takes s units, a kept tape t units; the state in hand and one tape in use are
// outside. With x_0 in hand, nothing kept and m units, n steps cost (forward and record steps)
//
//     V(0,m) = 0, V(1,m) = 1
//     V(n,m) = min of  1 + X(n-1, m-t)                                  record the step, keep its tape
//                      min over 0<j<n of  j + V(n-j, m-s) + V(j, m)     store, run j, come back
//
// X = V; where a tape also holds its step's output, it serves as a base that takes no room, and
//
//     G(n,m) = min of  1 + G(n-1, m-t),  min over 0<j<n of  j + V(n-j, m) + G(j, m),      X = G
//
// V(j,m) may drop its base when it comes back to it for the last time and go on with tapes alone,
// which the article's recurrence cannot: equal to exhaustive search on all small cases (the tests;
// Maddison's mixed mode is s = t = 1 without outputs). The article's own recurrence, in which every
// base stays until its piece is done, is kept as `pinned`:
//
//     C(n,m) = min of  n + C(n-1, m),  min over 0<j<n of  j + C(n-j, m-s) + C(j, m),
//                                      min over 0<j<n of  j + C(n-j, m-t) + C(j-1, m)
//
// Neither is convex in n once t > s, so the scan over j is never cut short: O(steps^2 units) time,
// in vectors over the units; O(steps units) memory.
#pragma once

#include <memory>
#include <optional>

#include "sweepback/count.hpp"

namespace sweepback {

namespace detail {
class MixedTable;
}

/// What is kept, in whole units of the user's choice.
struct MixedModel {
  Count state_units = 1;
  Count tape_units = 1;
  bool tape_has_output = true;
  bool pinned = false;  ///< every base, `x_0` among them, stays until its piece is done

  bool operator==(const MixedModel&) const = default;
};

/// Computed once for a length and a number of units, it answers every shorter and smaller one: a
/// training run with windows of unequal lengths needs one. A value; copies share the numbers.
class PolicyTable {
 public:
  /// No steps.
  PolicyTable() = default;

  /// Throws OutOfRange for negative steps or units, units of a state or tape below 1, or pinned
  /// bases and tapes without output; Unsupported above 2^26 cells (1.6 GiB) or 10^5 steps.
  PolicyTable(Count steps, Count units, MixedModel model = {});

  Count steps() const { return steps_; }
  Count units() const { return units_; }
  const MixedModel& model() const { return model_; }

  /// The least number of forward and record steps together, from `x_0` in hand and nothing kept;
  /// pinned: from `x_0` kept, its units not among these. Empty where no schedule fits. Throws
  /// OutOfRange beyond the table.
  std::optional<Count> cost(Count steps, Count units) const;

  /// The fewest store actions among the schedules of that cost.
  std::optional<Count> stores(Count steps, Count units) const;

  /// The fewest units that do in at most `most` forward and record steps; empty where none of the
  /// table do.
  std::optional<Count> fewest_units(Count steps, Count most) const;

  /// Where a decision is taken: at a state in hand that nothing keeps, that is stored, or that a
  /// kept tape holds.
  enum class Base : std::uint8_t { loose, stored, view };

  /// What to do with n steps to reverse from here: run forward, then record the step reached or
  /// (unless `record`) store the state reached. At a loose state `run` counts from it once stored.
  struct Decision {
    Count run = 0;
    bool record = false;
    bool operator==(const Decision&) const = default;
  };

  /// Whether `n` steps can be reversed from there in these units.
  bool fits(Base base, Count n, Count units) const;

  /// `units` are free beside everything kept, a stored base left out. O(n).
  Decision decide(Base base, Count n, Count units) const;

  bool operator==(const PolicyTable& other) const {
    return steps_ == other.steps_ && units_ == other.units_ && model_ == other.model_;
  }

 private:
  Count steps_ = 0, units_ = 0;
  MixedModel model_;
  std::shared_ptr<const detail::MixedTable> table_;
};

}  // namespace sweepback
