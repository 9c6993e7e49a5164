// SPDX-License-Identifier: Apache-2.0
// A record's header: how long its content is, and the checksums of both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sweepback::detail {

struct RecordHeader {
  std::array<char, 8> magic = {'s', 'w', 'b', 'k', 'r', 'e', 'c', '1'};
  std::uint64_t length = 0;
  std::uint64_t content = 0;  // XXH3
  std::uint64_t header = 0;   // of the three above

  static RecordHeader of(std::span<const std::byte> content);
  bool whole() const;
  bool matches(std::span<const std::byte> bytes) const;
};
static_assert(sizeof(RecordHeader) == 32);

}  // namespace sweepback::detail
