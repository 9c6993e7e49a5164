// SPDX-License-Identifier: Apache-2.0
// States in files: a tier after memory.
//
//     FarTiers<State> further;
//     further.push_back(std::make_unique<FileTier<State>>());       // under SWEEPBACK_SPILL_DIR or TMPDIR
//     Sweep sweep(program, plan(chain, Budget::of({memory, disk})), std::move(further));
//
// How a state becomes bytes is the codec's matter:
//
// | expression         | result                     | meaning                                              |
// |--------------------|----------------------------|------------------------------------------------------|
// | c.bytes(x)         | span<const std::byte>      | all of x; valid until the next call                  |
// | c.state(n, fill)   | State                      | of n bytes, which `fill(span<std::byte>)` puts there, |
// |                    |                            | once, into room of just n                            |
// | c.refill(x, n, fill)| void                      | optional: the same in the room that x has            |
//
// PlainBytes is one for states that are nothing but their bytes: trivially copyable ones, and vectors of
// such. They are written from where they lie and read to where they will lie: no buffer in between.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "sweepback/error.hpp"
#include "sweepback/far_tier.hpp"
#include "sweepback/spill_directory.hpp"

namespace sweepback {

template <class C, class State>
concept Codec = requires(C& c, const State& x, std::size_t n, const SpillDirectory::Fill& fill) {
  { c.bytes(x) } -> std::convertible_to<std::span<const std::byte>>;
  { c.state(n, fill) } -> std::same_as<State>;
};

/// For std::vector and its like (data, size, resize) of trivially copyable elements, and for trivially
/// copyable states.
template <class State>
struct PlainBytes {
  static constexpr bool grows = requires(State& x, std::size_t n) {
    x.data();
    x.resize(n);
    requires std::is_trivially_copyable_v<std::remove_cvref_t<decltype(*x.data())>>;
  };
  static_assert(grows || (std::is_trivially_copyable_v<State> && std::default_initializable<State>),
                "this state is more than its bytes: give FileTier a codec of its own");

  std::span<const std::byte> bytes(const State& x) const {
    if constexpr (grows)
      return std::as_bytes(std::span(x.data(), x.size()));
    else
      return std::as_bytes(std::span(&x, 1));
  }

  template <class Fill>
  State state(std::size_t n, Fill&& fill) const {
    State x{};
    refill(x, n, fill);
    return x;
  }

  template <class Fill>
  void refill(State& x, std::size_t n, Fill&& fill) const {
    if constexpr (grows) {
      using Element = std::remove_cvref_t<decltype(*x.data())>;
      if (n % sizeof(Element) != 0)
        throw Io("a record of " + std::to_string(n) + " bytes is no whole number of elements", "read it as what it was written");
      x.resize(n / sizeof(Element));
      fill(std::as_writable_bytes(std::span(x.data(), x.size())));
    } else {
      if (n != sizeof(State))
        throw Io("a record of " + std::to_string(n) + " bytes for a state of " + std::to_string(sizeof(State)),
                 "read it as what it was written");
      fill(std::as_writable_bytes(std::span(&x, 1)));
    }
  }
};

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
