// SPDX-License-Identifier: Apache-2.0
// What compressed states cost and save, measured with some of them.
#pragma once

#include <cstddef>
#include <span>

#include "sweepback/codec.hpp"
#include "sweepback/count.hpp"
#include "sweepback/lossy.hpp"
#include "sweepback/tier_model.hpp"

namespace sweepback {

/// The model of a CompressedTier ("compressed", in memory's bytes) for states like those in `sample`, one
/// after the other, each of `state_bytes` bytes of `elements`. Its ratio is that of the worst of them less
/// 2 %, since others may be worse still, rounded down to two digits; 1 where that is less. Costs are
/// nanoseconds on this machine, medians, and take a tenth of a second to measure, or as long as six
/// rounds do. Throws OutOfRange where the sample is no whole number of states, at least one; Unsupported
/// as the tier does.
TierModel measure_compression(std::span<const std::byte> sample, Count state_bytes, const Elements& elements);

/// The same within an error bound: the model is `lossy`.
TierModel measure_compression(std::span<const std::byte> sample, Count state_bytes, const Elements& elements, const Lossy& lossy);

}  // namespace sweepback
