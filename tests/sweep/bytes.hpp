// SPDX-License-Identifier: Apache-2.0
// An allocator that knows the bytes alive, and the most there ever were, at every instant.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace bytes {

inline std::atomic<std::int64_t> alive = 0, peak = 0;  // tiers allocate in threads of their own

/// The peak is counted from what is alive now.
inline void reset() { peak = alive.load(); }

/// While it is set, the peak is counted from what is left whenever something goes.
inline bool giving_up = false;

template <class T>
struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <class U>
  Allocator(const Allocator<U>&) {}

  T* allocate(std::size_t n) {
    const auto size = static_cast<std::int64_t>(n * sizeof(T));
    const std::int64_t now = alive += size;
    for (std::int64_t most = peak; most < now && !peak.compare_exchange_weak(most, now);) {
    }
    return std::allocator<T>{}.allocate(n);
  }
  void deallocate(T* p, std::size_t n) {
    alive -= static_cast<std::int64_t>(n * sizeof(T));
    if (giving_up) reset();
    std::allocator<T>{}.deallocate(p, n);
  }
  bool operator==(const Allocator&) const { return true; }
};

using Block = std::vector<std::uint8_t, Allocator<std::uint8_t>>;

inline Block block(std::int64_t size, std::uint8_t value = 0) {
  return Block(static_cast<std::size_t>(size), value);
}

}  // namespace bytes
