// SPDX-License-Identifier: Apache-2.0
// The bytes of a chunk in an order in which they repeat: equal parts of all its words together. A word is
// an element, or as much of one as fits 8 bytes.
//
// Neighbours in a field have like signs, exponents and leading bits, and unlike last ones. LZ4 finds what
// repeats only where it lies together.
#pragma once

#include <cstddef>
#include <span>

namespace sweepback::detail {

/// Elements of `bytes` are `stride` words of `word` bytes: 1, 2, 4 or 8.
struct Words {
  explicit Words(std::size_t bytes);
  std::size_t word, stride;
};

/// Every first byte, every second, …; what is no whole word stays at the end. `in` and `out` have one size
/// and do not overlap, here and below.
void split_bytes(Words words, std::span<const std::byte> in, std::span<std::byte> out);
void join_bytes(Words words, std::span<const std::byte> in, std::span<std::byte> out);

/// Of split bytes: every first bit, every second, … of each plane, in groups of 64 words.
void split_bits(Words words, std::span<const std::byte> in, std::span<std::byte> out);
void join_bits(Words words, std::span<const std::byte> in, std::span<std::byte> out);

/// Words as integers, less the line through the two before (`stride` apart), the sign as the last bit:
/// small numbers where a field is smooth. Nothing is lost, whatever the bits are.
void differences(Words words, std::span<const std::byte> in, std::span<std::byte> out);
void sums(Words words, std::span<const std::byte> in, std::span<std::byte> out);

}  // namespace sweepback::detail
