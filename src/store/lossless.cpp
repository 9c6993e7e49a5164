// SPDX-License-Identifier: Apache-2.0
// Chunks of 64 KiB by LZ4, each in one of two orders of its bytes, or as it is.
//
//   bits         the same bit of all words together
//   differences  words less what the two before let expect, then the same byte of all words together
//
// Differences win where a field is smooth (wave fields: 1.46 against 1.27 times), bits where it is not
// (recurrent states: 1.17 against 1.03). The first of every 16 chunks of a state is coded in both ways,
// the others in the way that won. zstd, level 1, in LZ4's place makes 1 to 5 % less of a field, and takes
// 3 to 5 times as long to store it (docs/compressed.md).
#include "sweepback/detail/state_coder.hpp"

#ifdef SWEEPBACK_HAS_LZ4

#include <lz4.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "planes.hpp"

namespace sweepback::detail {

namespace {

constexpr std::size_t chunk_bytes = 65536, chunks_a_trial = 16;

enum class Way : std::uint8_t { as_it_is, bits, differences };

class Lossless final : public StateCoder {
 public:
  explicit Lossless(Words words)
      : words_(words), lz4_(static_cast<std::size_t>(LZ4_sizeofState())), first_(chunk_bytes), second_(chunk_bytes), coded_(1 + chunk_bytes), other_(1 + chunk_bytes) {}

  std::size_t pieces(std::size_t bytes) const override { return bytes / chunk_bytes + (bytes % chunk_bytes != 0); }

  std::span<const std::byte> encode(std::span<const std::byte> state, std::size_t piece) override {
    const auto chunk = part(state, piece);
    if (piece % chunks_a_trial != 0) return pack(better_, chunk, chunk.size(), coded_);
    const auto bits = pack(Way::bits, chunk, chunk.size(), coded_);
    const auto differences = pack(Way::differences, chunk, bits.size() - 1, other_);
    better_ = differences.size() < bits.size() ? Way::differences : Way::bits;
    return better_ == Way::bits ? bits : differences;
  }

  bool decode(std::span<const std::byte> coded, std::span<std::byte> state, std::size_t piece) override {
    const auto chunk = part(state, piece);
    if (coded.empty()) return false;
    const auto way = static_cast<Way>(coded[0]);
    coded = coded.subspan(1);
    if (way == Way::as_it_is) {
      if (coded.size() != chunk.size()) return false;
      std::copy(coded.begin(), coded.end(), chunk.begin());
      return true;
    }
    const auto first = std::span(first_).first(chunk.size()), second = std::span(second_).first(chunk.size());
    const int size = LZ4_decompress_safe(chars(coded.data()), chars(second.data()), static_cast<int>(coded.size()), static_cast<int>(second.size()));
    if (size != static_cast<int>(chunk.size())) return false;
    if (way == Way::bits) {
      join_bits(words_, second, first);
      join_bytes(words_, first, chunk);
    } else {
      join_bytes(words_, second, first);
      sums(words_, first, chunk);
    }
    return true;
  }

 private:
  template <class Byte>
  static std::span<Byte> part(std::span<Byte> state, std::size_t piece) {
    const std::size_t begin = piece * chunk_bytes;
    return state.subspan(begin, std::min(chunk_bytes, state.size() - begin));
  }
  static const char* chars(const std::byte* bytes) { return reinterpret_cast<const char*>(bytes); }
  static char* chars(std::byte* bytes) { return reinterpret_cast<char*>(bytes); }

  /// In less than `most` bytes and one, or as it is.
  std::span<const std::byte> pack(Way way, std::span<const std::byte> chunk, std::size_t most, std::vector<std::byte>& coded) {
    const auto first = std::span(first_).first(chunk.size()), second = std::span(second_).first(chunk.size());
    if (way == Way::bits) {
      split_bytes(words_, chunk, first);
      split_bits(words_, first, second);
    } else {
      detail::differences(words_, chunk, first);
      split_bytes(words_, first, second);
    }
    const int room = static_cast<int>(most) - 1;
    int size = 0;
    if (room > 0)
      size = LZ4_compress_fast_extState(lz4_.data(), chars(second.data()), chars(coded.data() + 1), static_cast<int>(chunk.size()), room, 1);
    coded[0] = static_cast<std::byte>(size > 0 ? way : Way::as_it_is);
    if (size > 0) return std::span(coded).first(1 + static_cast<std::size_t>(size));
    std::copy(chunk.begin(), chunk.end(), coded.begin() + 1);
    return std::span(coded).first(1 + chunk.size());
  }

  Words words_;
  Way better_ = Way::bits;
  std::vector<std::byte> lz4_, first_, second_, coded_, other_;
};

}  // namespace

std::unique_ptr<StateCoder> lossless_coder(const Elements& elements) { return std::make_unique<Lossless>(Words(elements.bytes)); }

}  // namespace sweepback::detail

#else

namespace sweepback::detail {

std::unique_ptr<StateCoder> lossless_coder(const Elements&) {
  throw Unsupported("this build of Sweepback compresses nothing: it was made without LZ4", "install liblz4-dev and build again");
}

}  // namespace sweepback::detail

#endif
