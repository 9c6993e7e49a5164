// SPDX-License-Identifier: Apache-2.0
// Cost against memory: what every further byte buys.
#pragma once

#include <functional>
#include <vector>

#include "sweepback/plan.hpp"

namespace sweepback {

/// A plan of this cost fits in so many bytes.
struct TradePoint {
  Count bytes = 0;
  Count cost = 0;
  Certificate::Status status = Certificate::Status::exact;
  bool operator==(const TradePoint&) const = default;
};

/// Called before each budget that is planned by itself, with how many were and how many there are.
using TradeProgress = std::function<void(int done, int of)>;

/// At most `points` (two at least) from the smallest budget that holds a schedule to the one in which
/// nothing is run again, each cheaper than the one before. Of few unequal steps they come from one
/// table; else they are plans of their own, each within `time_limit`. Throws as `plan`, and OutOfRange where sizes are not known.
std::vector<TradePoint> trade(const Chain& chain, const PlanOptions& options = {}, int points = 24,
                              const TradeProgress& progress = {});

}  // namespace sweepback
