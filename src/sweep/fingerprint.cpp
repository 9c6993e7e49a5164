// SPDX-License-Identifier: Apache-2.0
#include "sweepback/fingerprint.hpp"

#include <cstdio>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sweepback {

Fingerprint fingerprint(std::span<const std::byte> bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

std::string to_string(const Fingerprint& fingerprint) {
  char digits[33];
  std::snprintf(digits, sizeof digits, "%016llx%016llx", static_cast<unsigned long long>(fingerprint.high), static_cast<unsigned long long>(fingerprint.low));
  return digits;
}

}  // namespace sweepback
