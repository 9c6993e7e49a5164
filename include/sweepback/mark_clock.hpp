// SPDX-License-Identifier: Apache-2.0
// When the next mark is due: every `interval` seconds, or sqrt(2 C M) where a mark takes C and failures are M
// seconds apart (Young 1974): what marks take and what a failure loses are then in balance.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace sweepback {

class MarkClock {
 public:
  /// A negative interval: Young's.
  explicit MarkClock(double interval, double mtbf = 24 * 3600) : interval_(interval), mtbf_(mtbf) {}

  bool due() const { return Clock::now() >= next_; }

  /// Makes a mark, and says how many seconds that took.
  template <class Make>
  double time(Make&& make) {
    constexpr double longest = 1e9;  // that a clock still counts
    const auto begin = Clock::now();
    make();
    const auto now = Clock::now();
    const double cost = std::chrono::duration<double>(now - begin).count();
    const double wait = std::min(interval_ >= 0 ? interval_ : std::sqrt(2 * cost * mtbf_), longest);
    next_ = now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(wait));
    return cost;
  }

 private:
  using Clock = std::chrono::steady_clock;
  double interval_, mtbf_;
  Clock::time_point next_{};
};

}  // namespace sweepback
