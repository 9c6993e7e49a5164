// SPDX-License-Identifier: Apache-2.0
#include "sweepback/tier_model.hpp"

#include <algorithm>
#include <cmath>

#include "sweepback/error.hpp"

namespace sweepback {

Count TransferCost::of(Count size) const {
  const Wide moved = (static_cast<Wide>(size) * units + bytes - 1) / bytes;
  return narrow(fixed + moved, "the cost of moving a state");
}

Count TierModel::room(Count states, std::optional<Count> size) const {
  if (unit == Unit::unbounded || unit == Unit::shared) return states;
  if (unit == Unit::slots) return std::min(states, capacity);
  if (!size)
    throw OutOfRange("the tier " + name + " is given in bytes, and the size of a state is not known",
                     "give the bytes of a state, or the tier's capacity in slots");
  return kept(*size) == 0 ? states : std::min(states, capacity / kept(*size));
}

Count TierModel::kept(Count size) const {
  if (ratio == 1) return size;
  return static_cast<Count>(std::min(std::ceil(static_cast<double>(size) / ratio), static_cast<double>(size)));
}

std::string to_string(const TierModel& tier) {
  if (tier.unit == TierModel::Unit::unbounded) return tier.name + ": unbounded";
  if (tier.unit == TierModel::Unit::shared) return tier.name + ": in memory, compressed";
  const std::string unit = tier.unit == TierModel::Unit::bytes ? " byte" : " slot";
  return tier.name + ": " + std::to_string(tier.capacity) + unit + (tier.capacity == 1 ? "" : "s");
}

}  // namespace sweepback
