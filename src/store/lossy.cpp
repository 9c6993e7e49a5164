// SPDX-License-Identifier: Apache-2.0
// Bricks of at most 16,384 numbers by zfp (Lindstrom 2014), with its absolute error bound.
//
// zfp keeps to the bound as long as that is well above the rounding of its own arithmetic and numbers are of
// ordinary size (below 2^-96, and 2^-961 in double, its scaling overflows). A brick for which it may not be
// so is decoded and compared, and stays as it is where one number is too far off.
#include "sweepback/detail/state_coder.hpp"

#ifdef SWEEPBACK_HAS_ZFP

#include <zfp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "bricks.hpp"

namespace sweepback::detail {

namespace {

constexpr std::size_t most = 16384;  // numbers of a brick

template <class T>
constexpr zfp_type type_of = std::is_same_v<T, float> ? zfp_type_float : zfp_type_double;

struct Close {
  void operator()(zfp_stream* stream) const { zfp_stream_close(stream); }
  void operator()(bitstream* bits) const { stream_close(bits); }
  void operator()(zfp_field* field) const { zfp_field_free(field); }
};

template <class T>
std::unique_ptr<zfp_field, Close> field_of(const Bricks::Sides& n, T* numbers) {
  return std::unique_ptr<zfp_field, Close>(n[0] > 1   ? zfp_field_3d(numbers, type_of<T>, n[2], n[1], n[0])
                                           : n[1] > 1 ? zfp_field_2d(numbers, type_of<T>, n[2], n[1])
                                                      : zfp_field_1d(numbers, type_of<T>, n[2]));
}

template <class T>
class WithBound final : public StateCoder {
 public:
  explicit WithBound(const Lossy& lossy) : bound_(lossy.bound), shape_(lossy.shape), zfp_(zfp_stream_open(nullptr)), brick_(most), again_(most) {
    zfp_stream_set_accuracy(zfp_.get(), bound_);
    const Bricks::Sides largest = shape_.empty() ? Bricks::Sides{1, 1, most} : Bricks(shape_, most).sides(0);
    words_.resize(zfp_stream_maximum_size(zfp_.get(), field_of(largest, brick_.data()).get()) / 8 + 1);
    bits_.reset(stream_open(words_.data(), words_.size() * 8));
    zfp_stream_set_bit_stream(zfp_.get(), bits_.get());
    coded_.resize(1 + most * sizeof(T));
  }

  bool lossy() const override { return true; }

  std::size_t pieces(std::size_t bytes) const override {
    if (bytes == 0) return 0;
    return bricks(bytes).count();
  }

  std::span<const std::byte> encode(std::span<const std::byte> state, std::size_t piece) override {
    const Bricks bricks = this->bricks(state.size());
    double largest = 0;
    bricks.each_row(piece, [&](std::size_t from, std::size_t to, std::size_t n) {
      std::memcpy(brick_.data() + to, state.data() + from * sizeof(T), n * sizeof(T));
      for (std::size_t i = 0; i < n; ++i) {
        const double x = std::abs(static_cast<double>(brick_[to + i]));
        if (!(x <= std::numeric_limits<double>::max())) refuse(from + i, brick_[to + i]);
        largest = std::max(largest, x);
      }
    });
    const std::size_t numbers = bricks.numbers(piece), whole = numbers * sizeof(T);
    const std::size_t size = compress(bricks.sides(piece));
    const bool kept = size > 0 && size < whole && (is_sure(largest) || comes_back(bricks.sides(piece), numbers));
    coded_[0] = std::byte{kept};
    std::memcpy(coded_.data() + 1, kept ? static_cast<const void*>(words_.data()) : brick_.data(), kept ? size : whole);
    return std::span(coded_).first(1 + (kept ? size : whole));
  }

  bool decode(std::span<const std::byte> coded, std::span<std::byte> state, std::size_t piece) override {
    const Bricks bricks = this->bricks(state.size());
    const std::size_t whole = bricks.numbers(piece) * sizeof(T);
    if (coded.empty() || coded.size() > coded_.size()) return false;
    if (coded[0] == std::byte{0}) {
      if (coded.size() != 1 + whole) return false;
      std::memcpy(brick_.data(), coded.data() + 1, whole);
    } else {
      std::memcpy(words_.data(), coded.data() + 1, coded.size() - 1);
      if (!decompress(bricks.sides(piece), brick_.data())) return false;
    }
    bricks.each_row(piece, [&](std::size_t to, std::size_t from, std::size_t n) { std::memcpy(state.data() + to * sizeof(T), brick_.data() + from, n * sizeof(T)); });
    return true;
  }

 private:
  Bricks bricks(std::size_t bytes) const {
    const std::size_t numbers = bytes / sizeof(T);
    double shaped = 1;
    for (const std::size_t side : shape_) shaped *= static_cast<double>(side);
    if (bytes % sizeof(T) != 0 || (!shape_.empty() && shaped != static_cast<double>(numbers)))
      throw OutOfRange("a state of " + std::to_string(bytes) + " bytes is no field of the shape that was given", "give the sides of the field, or none: then it is a line",
                       {{"bytes", static_cast<Count>(bytes)}});
    if (shape_.empty()) return Bricks({&numbers, 1}, most);
    return Bricks(shape_, most);
  }

  [[noreturn]] static void refuse(std::size_t i, T x) {
    throw OutOfRange("number " + std::to_string(i) + " of a state is " + (std::isnan(x) ? "NaN" : "infinite") + ", and lossy compression keeps finite numbers alone",
                     "compress without loss, or see where it comes from", {{"number", static_cast<Count>(i)}});
  }

  /// From brick_ to words_; the bytes there, 0 where it fails.
  std::size_t compress(const Bricks::Sides& sides) {
    zfp_stream_rewind(zfp_.get());
    return zfp_compress(zfp_.get(), field_of(sides, brick_.data()).get());
  }

  /// From words_ to `numbers`.
  bool decompress(const Bricks::Sides& sides, T* numbers) {
    zfp_stream_rewind(zfp_.get());
    return zfp_decompress(zfp_.get(), field_of(sides, numbers).get()) > 0;
  }

  /// The bound is a thousand roundings of zfp's arithmetic; and its scaling of a block, by up to 2^62 (2^30)
  /// over what is largest there, is far from overflow in each block that is not all below the bound.
  bool is_sure(double largest) const {
    constexpr bool single = std::is_same_v<T, float>;
    return bound_ >= largest * (single ? 0x1p-20 : 0x1p-43) && largest >= (single ? 0x1p-60 : 0x1p-800) && largest <= (single ? 0x1p100 : 0x1p900);
  }

  bool comes_back(const Bricks::Sides& sides, std::size_t numbers) {
    if (!decompress(sides, again_.data())) return false;
    for (std::size_t i = 0; i < numbers; ++i)
      if (!(std::abs(static_cast<double>(brick_[i]) - static_cast<double>(again_[i])) <= bound_)) return false;
    return true;
  }

  double bound_;
  std::vector<std::size_t> shape_;
  std::unique_ptr<zfp_stream, Close> zfp_;
  std::vector<T> brick_, again_;
  std::vector<std::uint64_t> words_;
  std::unique_ptr<bitstream, Close> bits_;
  std::vector<std::byte> coded_;
};

std::string text(double x) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%g", x);
  return digits;
}

void require_valid(const Elements& elements, const Lossy& lossy) {
  if (!(lossy.bound > 0 && std::isfinite(lossy.bound)))
    throw OutOfRange("an error bound of " + text(lossy.bound), "give a finite number above zero, as large as what may be lost of a number");
  if (!elements.real || (elements.bytes != sizeof(float) && elements.bytes != sizeof(double)))
    throw OutOfRange("lossy compression of elements of " + std::to_string(elements.bytes) + " bytes that are not known to be float or double",
                     "compress without loss, or let the codec's elements() say what they are");
  if (lossy.shape.size() > 3) throw OutOfRange("a field of " + std::to_string(lossy.shape.size()) + " sides", "give up to three", {{"sides", static_cast<Count>(lossy.shape.size())}});
  for (const std::size_t side : lossy.shape)
    if (side == 0) throw OutOfRange("a field with a side of 0", "give sides of at least 1");
}

}  // namespace

std::unique_ptr<StateCoder> lossy_coder(const Elements& elements, const Lossy& lossy) {
  require_valid(elements, lossy);
  if (elements.bytes == sizeof(float)) return std::make_unique<WithBound<float>>(lossy);
  return std::make_unique<WithBound<double>>(lossy);
}

}  // namespace sweepback::detail

#else

namespace sweepback::detail {

std::unique_ptr<StateCoder> lossy_coder(const Elements&, const Lossy&) {
  throw Unsupported("this build of Sweepback compresses nothing with loss: it was made without zfp", "install libzfp-dev and build again");
}

}  // namespace sweepback::detail

#endif
