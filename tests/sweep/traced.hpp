// SPDX-License-Identifier: Apache-2.0
// An allocator that knows where bytes lie, for tests that damage them.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <utility>

#include "sweepback/error.hpp"

namespace traced {

inline std::set<std::pair<std::byte*, std::size_t>> blocks;

template <class T>
struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <class U>
  Allocator(const Allocator<U>&) {}
  T* allocate(std::size_t n) {
    T* p = std::allocator<T>{}.allocate(n);
    if constexpr (sizeof(T) == 1) blocks.insert({reinterpret_cast<std::byte*>(p), n});
    return p;
  }
  void deallocate(T* p, std::size_t n) {
    if constexpr (sizeof(T) == 1) blocks.erase({reinterpret_cast<std::byte*>(p), n});
    std::allocator<T>{}.deallocate(p, n);
  }
  bool operator==(const Allocator&) const { return true; }
};

/// Whether `load` throws Io, or returns what it does without damage, for each of many bits that are flipped.
template <class Load>
bool is_found(Load&& load) {
  const auto whole = load();
  bool found = !blocks.empty();
  for (const auto& [block, size] : blocks)
    for (std::size_t at = 0; at < size; at += at < 100 ? 1 : 997)
      for (const int bit : {0, 1, 5}) {
        block[at] ^= std::byte{1} << bit;
        try {
          found = found && load() == whole;  // two codes may mean the same
        } catch (const sweepback::Io&) {
        }
        block[at] ^= std::byte{1} << bit;
      }
  return found;
}

}  // namespace traced
