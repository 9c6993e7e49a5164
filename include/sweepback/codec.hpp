// SPDX-License-Identifier: Apache-2.0
// How a state becomes bytes, and bytes a state: what tiers need that keep them elsewhere or otherwise.
//
// | expression         | result                     | meaning                                              |
// |--------------------|----------------------------|------------------------------------------------------|
// | c.bytes(x)         | span<const std::byte>      | all of x; valid until the next call                  |
// | c.state(n, fill)   | State                      | of n bytes, which `fill(span<std::byte>)` puts there, |
// |                    |                            | once, into room of just n                            |
// | c.refill(x, n, fill)| void                      | optional: the same in the room that x has            |
// | c.elements()       | Elements                   | optional: what the bytes are, for those who compress  |
//
// PlainBytes is one for states that are nothing but their bytes: trivially copyable ones, and vectors of
// such.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "sweepback/error.hpp"

namespace sweepback {

template <class C, class State>
concept Codec = requires(C& c, const State& x, std::size_t n, const std::function<void(std::span<std::byte>)>& fill) {
  { c.bytes(x) } -> std::convertible_to<std::span<const std::byte>>;
  { c.state(n, fill) } -> std::same_as<State>;
};

/// What the bytes of a state are, as far as its codec knows.
struct Elements {
  std::size_t bytes = 1;  ///< of one
  bool real = false;      ///< float or double

  template <class T>
  static constexpr Elements of() {
    return {sizeof(T), std::is_same_v<T, float> || std::is_same_v<T, double>};
  }
};

/// Of any state; bytes of nothing in particular where the codec does not say.
template <class C>
Elements elements_of(const C& c) {
  if constexpr (requires { c.elements(); })
    return c.elements();
  else
    return {};
}

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
                "this state is more than its bytes: give the tier a codec of its own");

  std::span<const std::byte> bytes(const State& x) const {
    if constexpr (grows)
      return std::as_bytes(std::span(x.data(), x.size()));
    else
      return std::as_bytes(std::span(&x, 1));
  }

  static constexpr Elements elements() {
    if constexpr (grows)
      return Elements::of<std::remove_cvref_t<decltype(*std::declval<State&>().data())>>();
    else
      return {alignof(State)};
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

}  // namespace sweepback
