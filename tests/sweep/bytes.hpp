// SPDX-License-Identifier: Apache-2.0
// An allocator that knows the bytes alive, and the most there ever were, at every instant.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace bytes {

inline std::int64_t alive = 0, peak = 0;

/// The peak is counted from what is alive now.
inline void reset() { peak = alive; }

template <class T>
struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <class U>
  Allocator(const Allocator<U>&) {}

  T* allocate(std::size_t n) {
    alive += static_cast<std::int64_t>(n * sizeof(T));
    peak = std::max(peak, alive);
    return std::allocator<T>{}.allocate(n);
  }
  void deallocate(T* p, std::size_t n) {
    alive -= static_cast<std::int64_t>(n * sizeof(T));
    std::allocator<T>{}.deallocate(p, n);
  }
  bool operator==(const Allocator&) const { return true; }
};

using Block = std::vector<std::uint8_t, Allocator<std::uint8_t>>;

inline Block block(std::int64_t size, std::uint8_t value = 0) {
  return Block(static_cast<std::size_t>(size), value);
}

}  // namespace bytes
