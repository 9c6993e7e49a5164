// SPDX-License-Identifier: Apache-2.0
#include "sweepback/fingerprint.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sweepback {

Fingerprint fingerprint(std::span<const std::byte> bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

}  // namespace sweepback
