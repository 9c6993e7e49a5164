// SPDX-License-Identifier: Apache-2.0
// A state that knows how many of its kind are alive.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>

#include "toy.hpp"

namespace toy {

/// Tiers may make states in threads of their own. `full` counts objects that hold a value; one that was moved from is an empty shell and counts in
/// `alive` only. The counts are static: one test at a time.
class CountedState {
 public:
  static inline std::atomic<Count> alive = 0, most_alive = 0;
  static inline std::atomic<Count> full = 0, most_full = 0;
  static inline Count copies = 0, fail_copy_at = -1;
  static inline std::exception_ptr error;

  static void reset() { most_alive = alive.load(), most_full = full.load(), copies = 0, fail_copy_at = -1; }

  explicit CountedState(double value) : value_(value) { born(true); }
  CountedState(const CountedState& other) : value_(other.value_) {
    if (copies++ == fail_copy_at) std::rethrow_exception(error);
    born(other.full_);
  }
  CountedState(CountedState&& other) noexcept : value_(other.value_) {
    const bool holds = other.full_;
    other.hold(false);
    born(holds);
  }
  CountedState& operator=(const CountedState& other) {
    if (copies++ == fail_copy_at) std::rethrow_exception(error);
    value_ = other.value_;
    hold(other.full_);
    return *this;
  }
  CountedState& operator=(CountedState&& other) noexcept {
    if (this == &other) return *this;
    value_ = other.value_;
    const bool holds = other.full_;
    other.hold(false);
    hold(holds);
    return *this;
  }
  ~CountedState() {
    hold(false);
    --alive;
  }

  double value() const { return value_; }
  void value(double v) { value_ = v; }

 private:
  void born(bool holds) {
    most_alive = std::max<Count>(most_alive, ++alive);
    hold(holds);
  }
  void hold(bool holds) {
    full += static_cast<Count>(holds) - static_cast<Count>(full_);
    full_ = holds;
    most_full = std::max<Count>(most_full, full);
  }

  double value_;
  bool full_ = false;
};

struct Counted {
  using State = CountedState;
  static State make(double value) { return State(value); }
  static double get(const State& x) { return x.value(); }
  static void set(State& x, double value) { x.value(value); }
};

}  // namespace toy
