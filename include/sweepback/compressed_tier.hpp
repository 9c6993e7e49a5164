// SPDX-License-Identifier: Apache-2.0
// States in memory in fewer bytes: a tier after memory, whose bytes are memory's (TierModel::Unit::shared).
//
//     FarTiers<State> further;
//     further.push_back(std::make_unique<CompressedTier<State>>());
//     Sweep sweep(program, plan(chain, Budget::of({memory, compressed})), std::move(further));
//
// What comes back is what was stored, to the bit; or, where a bound is given (CompressedTier<State>({.bound =
// 1e-3})), numbers that differ by no more than that. A state is compressed in chunks of 64 KiB; one that does
// not become less stays as it is. So a state takes what its chunks take and 25 bytes for each of them, and
// never more than its own bytes and those; `kept_bytes` counts all of that. Not counted: a tier has about
// 290 KiB of scratch (with a bound up to 1 MiB), however large or many the states are, and some 100 bytes a
// state to find it again.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sweepback/codec.hpp"
#include "sweepback/detail/state_coder.hpp"
#include "sweepback/far_tier.hpp"

namespace sweepback {

/// `Allocator`: of bytes; all that is counted comes from it.
template <class State, class C = PlainBytes<State>, class Allocator = std::allocator<std::byte>>
  requires Codec<C, State>
class CompressedTier final : public FarTier<State> {
 public:
  /// Throws Unsupported in a build without LZ4.
  explicit CompressedTier(C codec = {}) : codec_(std::move(codec)), coder_(detail::lossless_coder(elements_of(codec_))) {}

  /// Within a bound. Throws Unsupported in a build without zfp, and OutOfRange where the bound is not finite
  /// and above zero, the shape has more than three sides, or the codec does not say float or double.
  explicit CompressedTier(const Lossy& lossy, C codec = {})
      : codec_(std::move(codec)), coder_(detail::lossy_coder(elements_of(codec_), lossy)) {}

  /// `bytes`: what the plan has set aside for all that is kept here at once; 0: there is no limit.
  void reserve(Count states, Count bytes) override {
    planned_states_ = states;
    planned_bytes_ = bytes;
  }

  /// Throws Io where that would take more than what is reserved, with the ratio to plan with. With a bound
  /// OutOfRange for a state of another shape, or with a number that is NaN or infinite.
  void store(Count i, const State& x) override {
    const std::span<const std::byte> all = codec_.bytes(x);
    const std::size_t pieces = coder_->pieces(all.size());
    Count bytes = static_cast<Count>(pieces * sizeof(Block));
    Kept kept{{}, all.size(), coder_->lossy() ? 0 : detail::checksum(all)};
    if (fits(bytes)) kept.blocks.reserve(pieces);
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      const std::span<const std::byte> coded = coder_->encode(all, piece);
      bytes += static_cast<Count>(coded.size());
      if (fits(bytes)) kept.blocks.emplace_back(coded.begin(), coded.end());  // else the ratio alone is wanted
    }
    if (coder_->lossy()) kept.checksum = of_blocks(kept);
    if (bytes > 0) least_ratio_ = std::min(least_ratio_, static_cast<double>(all.size()) / static_cast<double>(bytes));
    states_ += 1;
    sizes_ += static_cast<double>(all.size());
    if (!fits(bytes))
      detail::throw_compresses_less({planned_states_, planned_bytes_, kept_bytes_ + bytes, sizes_ / states_, least_ratio_});
    kept_.insert_or_assign(i, std::move(kept));
    kept_bytes_ += bytes;
  }

  /// Throws Io where what is kept is damaged.
  void load(Count i, std::optional<State>& hand) override {
    const auto at = kept_.find(i);
    if (at == kept_.end()) detail::throw_not_as_kept(i, "is not there");
    const Kept& kept = at->second;
    const auto fill = [&](std::span<std::byte> all) {
      bool right = all.size() == kept.size && (!coder_->lossy() || of_blocks(kept) == kept.checksum);
      for (std::size_t piece = 0; right && piece < kept.blocks.size(); ++piece) right = coder_->decode(kept.blocks[piece], all, piece);
      if (!right || (!coder_->lossy() && detail::checksum(all) != kept.checksum)) detail::throw_not_as_kept(i, "is not what was stored: its checksum differs");
    };
    if constexpr (requires { codec_.refill(*hand, kept.size, fill); }) {
      if (hand) return codec_.refill(*hand, kept.size, fill);
    }
    hand.reset();
    hand.emplace(codec_.state(kept.size, fill));
  }
  State load(Count i) {
    std::optional<State> x;
    load(i, x);
    return std::move(*x);
  }

  void drop(Count i) override {
    const auto at = kept_.find(i);
    if (at == kept_.end()) return;
    kept_bytes_ -= at->second.bytes();
    kept_.erase(at);
  }
  void clear() noexcept override {
    kept_.clear();
    kept_bytes_ = 0;
  }

  /// Of all states that are here now.
  Count kept_bytes() const { return kept_bytes_; }

 private:
  template <class T>
  using Vector = std::vector<T, typename std::allocator_traits<Allocator>::template rebind_alloc<T>>;
  using Block = Vector<std::byte>;

  struct Kept {
    Vector<Block> blocks;
    std::size_t size;
    std::uint64_t checksum;  // of the state, or with a bound of the blocks

    Count bytes() const {
      Count sum = static_cast<Count>(blocks.size() * sizeof(Block));
      for (const Block& block : blocks) sum += static_cast<Count>(block.size());
      return sum;
    }
  };

  static std::uint64_t of_blocks(const Kept& kept) {
    std::uint64_t sum = 0;
    for (const Block& block : kept.blocks) sum = detail::checksum(block, sum);
    return sum;
  }

  bool fits(Count bytes) const { return planned_bytes_ == 0 || bytes <= planned_bytes_ - kept_bytes_; }

  C codec_;
  std::unique_ptr<detail::StateCoder> coder_;
  std::map<Count, Kept> kept_;
  Count planned_states_ = 0, planned_bytes_ = 0, kept_bytes_ = 0;
  double least_ratio_ = std::numeric_limits<double>::infinity(), sizes_ = 0, states_ = 0;
};

}  // namespace sweepback
