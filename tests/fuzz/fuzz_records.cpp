// SPDX-License-Identifier: Apache-2.0
// What is read from a file of a run, or from a state's, is what was written or one typed error, whatever
// became of the file; and a header that lies about its length takes no memory.
//
// The first byte says what the file holds: anything, a record of a length that is not its own, or a record
// in which bytes are changed and from which the end is cut.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "../../src/store/names.hpp"
#include "../../src/store/record.hpp"
#include "../sweep/scratch.hpp"
#include "sweepback/error.hpp"
#include "sweepback/run_directory.hpp"

using namespace sweepback;

namespace {

using Bytes = std::vector<std::byte>;

/// Two directories that are asked for the same file.
class Readers {
 public:
  Readers() { states_.write(0, {}); }

  void put(const Bytes& file) {
    for (const auto& path : {scratch_.path() / "sweepback.x", states_.path() / detail::record_name(0)})
      std::ofstream(path, std::ios::binary | std::ios::trunc).write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  }

  /// Stops the fuzzer where another content is read, where an error is none of ours, or where one reader takes
  /// what the other refuses.
  void expect(const Bytes& written) {
    const bool run = is(written, [&] { return run_.read("x"); });
    const bool state = is(written, [&] { return scratch::read_back(states_, 0); });
    if (run != state) std::abort();
  }

 private:
  static bool is(const Bytes& written, auto&& read) {
    try {
      if (read() != written) std::abort();
      return true;
    } catch (const Io& e) {
      if (e.remedy().empty()) std::abort();
      return false;
    }
  }

  scratch::Scratch scratch_;
  SpillDirectory states_{scratch_.path()};
  RunDirectory run_{scratch_.path()};
};

Bytes record(const detail::RecordHeader& header, std::span<const std::byte> content) {
  const auto head = std::as_bytes(std::span(&header, 1));
  Bytes file(head.begin(), head.end());
  file.insert(file.end(), content.begin(), content.end());
  return file;
}

/// The next value of the fuzzer's bytes; zero where there are no more.
template <class T>
T take(std::span<const std::byte>& bytes) {
  T value{};
  const std::size_t size = std::min(sizeof value, bytes.size());
  std::memcpy(&value, bytes.data(), size);
  bytes = bytes.subspan(size);
  return value;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Readers readers;
  std::span<const std::byte> left = std::as_bytes(std::span(data, size));
  if (left.empty()) return 0;
  const auto kind = static_cast<unsigned>(take<std::uint8_t>(left)) % 3;
  if (kind == 0) {
    readers.put({left.begin(), left.end()});
    readers.expect(left.size() < 32 ? Bytes() : Bytes(left.begin() + 32, left.end()));
  } else if (kind == 1) {
    const auto length = take<std::uint64_t>(left);
    detail::RecordHeader header = detail::RecordHeader::of(left);
    header.length = length;
    header.header = XXH3_64bits(&header, offsetof(detail::RecordHeader, header));
    readers.put(record(header, left));
    readers.expect({left.begin(), left.end()});
  } else {
    const auto edits = take<std::uint8_t>(left) % 4;
    std::vector<std::pair<std::uint16_t, std::uint8_t>> changes;
    for (int n = 0; n < edits; ++n) {
      const auto at = take<std::uint16_t>(left);
      changes.emplace_back(at, take<std::uint8_t>(left));
    }
    const auto cut = take<std::uint16_t>(left);
    Bytes file = record(detail::RecordHeader::of(left), left);
    for (const auto& [at, flip] : changes) file[at % file.size()] ^= static_cast<std::byte>(flip);
    file.resize(file.size() - cut % (file.size() + 1));
    readers.put(file);
    readers.expect({left.begin(), left.end()});
  }
  return 0;
}
