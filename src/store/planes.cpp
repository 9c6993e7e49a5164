// SPDX-License-Identifier: Apache-2.0
#include "planes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace sweepback::detail {

namespace {

constexpr std::size_t group = 64;  // words whose bits are gathered at once: 8 times 8

/// Calls `work` with an unsigned word of so many bytes.
template <class Work>
void with_word(std::size_t bytes, Work&& work) {
  switch (bytes) {
    case 8: return work(std::uint64_t{});
    case 4: return work(std::uint32_t{});
    case 2: return work(std::uint16_t{});
    default: return work(std::uint8_t{});
  }
}

template <class T>
T at(const std::byte* bytes, std::size_t i) {
  T x;
  std::memcpy(&x, bytes + i * sizeof x, sizeof x);
  return x;
}

template <class T>
void put(std::byte* bytes, std::size_t i, T x) {
  std::memcpy(bytes + i * sizeof x, &x, sizeof x);
}

void copy_rest(std::size_t from, std::span<const std::byte> in, std::span<std::byte> out) {
  std::copy(in.begin() + static_cast<std::ptrdiff_t>(from), in.end(), out.begin() + static_cast<std::ptrdiff_t>(from));
}

/// Bit b of byte j of word k becomes bit k of byte j of word b: eight transpositions of 8 by 8 bits at
/// once, each its own inverse (Warren, Hacker's Delight, 7-3).
void transpose(std::array<std::uint64_t, 8>& w) {
  const auto swap = [](std::uint64_t& a, std::uint64_t& b, int by, std::uint64_t mask) {
    const std::uint64_t t = ((a >> by) ^ b) & mask;
    b ^= t;
    a ^= t << by;
  };
  for (const std::size_t i : {0, 1, 2, 3}) swap(w[i], w[i + 4], 4, 0x0f0f0f0f0f0f0f0f);
  for (const std::size_t i : {0, 1, 4, 5}) swap(w[i], w[i + 2], 2, 0x3333333333333333);
  for (const std::size_t i : {0, 2, 4, 6}) swap(w[i], w[i + 1], 1, 0x5555555555555555);
}

/// A plane of n bytes in whole groups: 8 words side by side here, n / 8 bytes apart there.
void transpose_plane(const std::byte* in, std::byte* out, std::size_t n, bool split) {
  const std::size_t groups = n / group;
  std::array<std::uint64_t, 8> w;
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t k = 0; k < 8; ++k) w[k] = at<std::uint64_t>(in, split ? 8 * g + k : k * groups + g);
    transpose(w);
    for (std::size_t k = 0; k < 8; ++k) put(out, split ? k * groups + g : 8 * g + k, w[k]);
  }
}

void transpose_planes(Words words, std::span<const std::byte> in, std::span<std::byte> out, bool split) {
  const std::size_t n = in.size() / words.word, whole = n / group * group;
  for (std::size_t b = 0; b < words.word; ++b) {
    transpose_plane(in.data() + b * n, out.data() + b * n, whole, split);
    copy_rest(whole, in.subspan(b * n, n), out.subspan(b * n, n));
  }
  copy_rest(words.word * n, in, out);
}

/// What is expected of word i: the line through those before. Beginnings are lower by one degree.
template <class T>
T expected(const std::byte* words, std::size_t i, std::size_t stride) {
  if (i < stride) return 0;
  const T last = at<T>(words, i - stride);
  if (i < 2 * stride) return last;
  return static_cast<T>(2 * last - at<T>(words, i - 2 * stride));
}

}  // namespace

Words::Words(std::size_t bytes) : word(bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1), stride(bytes / word) {
  if (stride < 1 || stride > 256) stride = 1;
}

void split_bytes(Words words, std::span<const std::byte> in, std::span<std::byte> out) {
  const std::size_t n = in.size() / words.word;
  with_word(words.word, [&]<class T>(T) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t b = 0; b < sizeof(T); ++b) out[b * n + i] = in[i * sizeof(T) + b];
  });
  copy_rest(words.word * n, in, out);
}

void join_bytes(Words words, std::span<const std::byte> in, std::span<std::byte> out) {
  const std::size_t n = in.size() / words.word;
  with_word(words.word, [&]<class T>(T) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t b = 0; b < sizeof(T); ++b) out[i * sizeof(T) + b] = in[b * n + i];
  });
  copy_rest(words.word * n, in, out);
}

void split_bits(Words words, std::span<const std::byte> in, std::span<std::byte> out) { transpose_planes(words, in, out, true); }

void join_bits(Words words, std::span<const std::byte> in, std::span<std::byte> out) { transpose_planes(words, in, out, false); }

void differences(Words words, std::span<const std::byte> in, std::span<std::byte> out) {
  const std::size_t n = in.size() / words.word;
  with_word(words.word, [&]<class T>(T) {
    for (std::size_t i = 0; i < n; ++i) {
      const T d = static_cast<T>(at<T>(in.data(), i) - expected<T>(in.data(), i, words.stride));
      const T sign = static_cast<T>(d >> (8 * sizeof(T) - 1));
      put(out.data(), i, static_cast<T>((d << 1) ^ (0 - sign)));
    }
  });
  copy_rest(words.word * n, in, out);
}

void sums(Words words, std::span<const std::byte> in, std::span<std::byte> out) {
  const std::size_t n = in.size() / words.word;
  with_word(words.word, [&]<class T>(T) {
    for (std::size_t i = 0; i < n; ++i) {
      const T z = at<T>(in.data(), i);
      const T d = static_cast<T>((z >> 1) ^ (0 - static_cast<T>(z & 1)));
      put(out.data(), i, static_cast<T>(d + expected<T>(out.data(), i, words.stride)));
    }
  });
  copy_rest(words.word * n, in, out);
}

}  // namespace sweepback::detail
