// SPDX-License-Identifier: Apache-2.0
// 128 bits of any number of bytes (XXH3): equal bytes, equal fingerprints; others differ but for an accident.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace sweepback {

struct Fingerprint {
  std::uint64_t high = 0, low = 0;
  bool operator==(const Fingerprint&) const = default;
};

Fingerprint fingerprint(std::span<const std::byte> bytes);

/// 32 hexadecimal digits.
std::string to_string(const Fingerprint& fingerprint);

}  // namespace sweepback
