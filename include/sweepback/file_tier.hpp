// SPDX-License-Identifier: Apache-2.0
// States in files: a tier after memory.
//
//     FarTiers<State> further;
//     further.push_back(std::make_unique<FileTier<State>>());       // under SWEEPBACK_SPILL_DIR or TMPDIR
//     Sweep sweep(program, plan(chain, Budget::of({memory, disk})), std::move(further));
//
// How a state becomes bytes is the codec's matter (codec.hpp). Plain ones are written from where they lie
// and read to where they will lie: no buffer in between.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "sweepback/codec.hpp"
#include "sweepback/far_tier.hpp"
#include "sweepback/spill_directory.hpp"

namespace sweepback {

template <class State, class C = PlainBytes<State>>
  requires Codec<C, State>
class FileTier final : public FarTier<State> {
 public:
  /// Makes its directory under `base`. Throws Io where it cannot.
  explicit FileTier(const std::filesystem::path& base = SpillDirectory::default_base(), C codec = {})
      : FileTier(base, Durability::none, std::move(codec)) {}

  /// The same; what a power cut leaves of it is `durability`'s matter.
  FileTier(const std::filesystem::path& base, Durability durability, C codec = {})
      : directory_(base, durability), codec_(std::move(codec)) {}

  void reserve(Count states, Count bytes) override {
    directory_.require_free(bytes + states * SpillDirectory::record_bytes(0));
  }
  void store(Count i, const State& x) override { directory_.write(i, codec_.bytes(x)); }
  void load(Count i, std::optional<State>& hand) override {
    directory_.read(i, [&](std::size_t n, const SpillDirectory::Fill& fill) {
      if constexpr (requires { codec_.refill(*hand, n, fill); }) {
        if (hand) return codec_.refill(*hand, n, fill);
      }
      hand.reset();
      hand.emplace(codec_.state(n, fill));
    });
  }
  State load(Count i) {
    std::optional<State> x;
    load(i, x);
    return std::move(*x);
  }
  void drop(Count i) override { directory_.remove(i); }
  void clear() noexcept override { directory_.remove_all(); }

  const std::filesystem::path& path() const { return directory_.path(); }

 private:
  SpillDirectory directory_;
  C codec_;
};

}  // namespace sweepback
