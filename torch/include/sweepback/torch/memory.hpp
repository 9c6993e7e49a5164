// SPDX-License-Identifier: Apache-2.0
// What tensors on the CPU take, counted at every instant by an allocator of torch's own kind.
//
// Counted are the bytes that storages ask for; not counted are what the system's allocator adds, and
// the nodes of autograd graphs, which do not live in tensors (some kB a step's tape).
#pragma once

#include "sweepback/count.hpp"

namespace sweepback::torch::memory {

/// Puts the counting allocator before torch's present one for CPU tensors, for the whole process
/// and for good. Tensors made earlier are not counted, neither is their end. Call it any number of
/// times, at any time; thread-safe.
void count();

/// count() has been called.
bool counting() noexcept;

/// Bytes alive now, less what is exempt.
Count live() noexcept;

/// The most of them since the last reset_peak(), at any instant, in all threads together.
Count peak() noexcept;
void reset_peak() noexcept;

/// Leaves `bytes` more out of live() and peak() (fewer, where negative): gradients of parameters,
/// which the budget does not count.
void exempt(Count bytes) noexcept;

/// exempt(bytes) for as long as it lives.
class Exemption {
 public:
  Exemption() = default;
  explicit Exemption(Count bytes) : bytes_(bytes) { exempt(bytes_); }
  Exemption(Exemption&& other) noexcept : bytes_(other.bytes_) { other.bytes_ = 0; }
  Exemption& operator=(Exemption&& other) noexcept {
    set(other.bytes_);
    other.set(0);
    return *this;
  }
  ~Exemption() { set(0); }
  void set(Count bytes) noexcept {
    if (bytes != bytes_) exempt(bytes - bytes_);
    bytes_ = bytes;
  }

 private:
  Count bytes_ = 0;
};

}  // namespace sweepback::torch::memory
