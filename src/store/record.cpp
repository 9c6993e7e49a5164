// SPDX-License-Identifier: Apache-2.0
#include "record.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sweepback::detail {

namespace {

std::uint64_t of_header(const RecordHeader& header) { return XXH3_64bits(&header, offsetof(RecordHeader, header)); }

}  // namespace

RecordHeader RecordHeader::of(std::span<const std::byte> content) {
  RecordHeader header;
  header.length = content.size();
  header.content = XXH3_64bits(content.data(), content.size());
  header.header = of_header(header);
  return header;
}

bool RecordHeader::whole() const { return magic == RecordHeader{}.magic && header == of_header(*this); }

bool RecordHeader::matches(std::span<const std::byte> bytes) const {
  return bytes.size() == length && XXH3_64bits(bytes.data(), bytes.size()) == content;
}

}  // namespace sweepback::detail
