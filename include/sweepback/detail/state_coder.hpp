// SPDX-License-Identifier: Apache-2.0
// States in fewer bytes, piece by piece: what a compressed tier is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "sweepback/codec.hpp"
#include "sweepback/count.hpp"
#include "sweepback/lossy.hpp"

namespace sweepback::detail {

/// Takes a state apart into pieces of some 64 KiB and keeps room to work on one of them (scratch, which
/// does not grow with the state).
class StateCoder {
 public:
  StateCoder() = default;
  StateCoder(const StateCoder&) = delete;
  StateCoder& operator=(const StateCoder&) = delete;
  virtual ~StateCoder() = default;

  /// Of a state of so many bytes. Throws OutOfRange where it can be none of this coder's.
  virtual std::size_t pieces(std::size_t bytes) const = 0;

  /// A piece of `state`, compressed, or as it is with one byte more; valid until the next call. Pieces
  /// come in order.
  virtual std::span<const std::byte> encode(std::span<const std::byte> state, std::size_t piece) = 0;

  /// What is decoded may differ from what was encoded.
  virtual bool lossy() const { return false; }

  /// Puts a piece where it was in `state`. False where `coded` is none.
  [[nodiscard]] virtual bool decode(std::span<const std::byte> coded, std::span<std::byte> state, std::size_t piece) = 0;
};

/// Without loss, by LZ4. Throws Unsupported in a build without it.
std::unique_ptr<StateCoder> lossless_coder(const Elements& elements);

/// Within a bound, by zfp. Throws Unsupported in a build without it, OutOfRange for a bound, a shape or
/// elements that it cannot have; encoding throws OutOfRange for numbers that are not finite.
std::unique_ptr<StateCoder> lossy_coder(const Elements& elements, const Lossy& lossy);

/// XXH3 of `bytes`, begun with `seed`.
std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed = 0);

/// What a run has kept so far, for the error below.
struct KeptSoFar {
  Count planned_states = 0, planned_bytes = 0;  ///< as reserved
  Count needed = 0;                             ///< bytes, with the state that does not fit
  double mean_size = 0;                         ///< bytes of a state
  double least_ratio = 0;                       ///< of a state so far
};

/// Throws Io: what a plan has set aside does not hold what is to be kept.
[[noreturn]] void throw_compresses_less(const KeptSoFar& so_far);

/// Throws Io: x_i does not come back.
[[noreturn]] void throw_not_as_kept(Count i, const char* how);

}  // namespace sweepback::detail
