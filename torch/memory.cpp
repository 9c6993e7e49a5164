// SPDX-License-Identifier: Apache-2.0
#include "sweepback/torch/memory.hpp"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>

#include <atomic>
#include <cstddef>
#include <cstring>
#include <mutex>

namespace sweepback::torch::memory {

namespace {

std::atomic<Count> alive{0}, most{0};
std::atomic<bool> installed{false};

void add(Count bytes) noexcept {
  const Count now = alive.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  Count seen = most.load(std::memory_order_relaxed);
  while (now > seen && !most.compare_exchange_weak(seen, now, std::memory_order_relaxed)) {
  }
}

// Before each block stands its size, in room that keeps the block as aligned as torch's own.
constexpr std::size_t header = 64;

void release(void* block) {
  if (!block) return;  // kernels release what they asked no bytes of
  char* begin = static_cast<char*>(block) - header;
  Count bytes;
  std::memcpy(&bytes, begin, sizeof bytes);
  alive.fetch_sub(bytes, std::memory_order_relaxed);
  c10::free_cpu(begin);
}

class CountingAllocator final : public c10::Allocator {
 public:
  // Releases of torch differ in whether allocate is const: one of these two is the override.
  c10::DataPtr allocate(std::size_t bytes) const { return make(bytes); }
  c10::DataPtr allocate(std::size_t bytes) { return make(bytes); }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  // Of releases that ask for it.
  void copy_data(void* to, const void* from, std::size_t bytes) const {
    std::memcpy(to, from, bytes);
  }

 private:
  static c10::DataPtr make(std::size_t bytes) {
    if (bytes == 0) return {nullptr, nullptr, &c10::detail::deleteNothing, c10::DeviceType::CPU};
    char* begin = static_cast<char*>(c10::alloc_cpu(bytes + header));
    const auto size = static_cast<Count>(bytes);
    std::memcpy(begin, &size, sizeof size);
    add(size);
    char* block = begin + header;
    return {block, block, &release, c10::DeviceType::CPU};
  }
};

}  // namespace

void count() {
  static CountingAllocator allocator;
  static std::once_flag once;
  std::call_once(once, [] {
    c10::SetCPUAllocator(&allocator, 255);
    installed = true;
  });
}

bool counting() noexcept { return installed; }
Count live() noexcept { return alive.load(std::memory_order_relaxed); }
Count peak() noexcept { return most.load(std::memory_order_relaxed); }
void reset_peak() noexcept { most.store(live(), std::memory_order_relaxed); }
void exempt(Count bytes) noexcept {
  if (bytes < 0)
    add(-bytes);
  else
    alive.fetch_sub(bytes, std::memory_order_relaxed);
}

}  // namespace sweepback::torch::memory
