// SPDX-License-Identifier: Apache-2.0
// Observes a sweep: how long its steps take, what it keeps, and whether someone wants it to stop.
#pragma once

#include <algorithm>
#include <csignal>
#include <vector>

#include "sweepback/observer.hpp"
#include "sweepback/torch/memory.hpp"
#include "sweepback/torch/program.hpp"

namespace sweepback::train {

/// Thrown between steps after SIGINT or SIGTERM.
struct Interrupted {
  int signal;
};

/// The signal that came, or 0.
inline volatile std::sig_atomic_t interrupted_by = 0;

inline void stop_if_interrupted() {
  if (interrupted_by) throw Interrupted{interrupted_by};
}

/// Times of single steps, in nanoseconds.
class Times {
 public:
  void add(std::chrono::nanoseconds time) {
    if (times_.size() < most) times_.push_back(time.count());
  }

  /// The median in seconds; 0 for none.
  double median() const {
    if (times_.empty()) return 0;
    std::vector<Count> times = times_;
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return static_cast<double>(*middle) * 1e-9;
  }

 private:
  static constexpr std::size_t most = 1'000'000;
  std::vector<Count> times_;
};

struct StepTimes {
  Times forward, record, reverse;
};

/// Bytes are those of the counting allocator above what was alive when the Watch was made.
class Watch {
 public:
  explicit Watch(StepTimes* times) : times_(times) { torch::memory::reset_peak(); }

  void step(const StepEvent& event, const torch::State&) {
    stop_if_interrupted();
    if (times_) (event.recorded ? times_->record : times_->forward).add(event.elapsed);
  }

  void action(const ActionEvent& event) {
    if (event.action.kind == Action::Kind::reverse && times_) times_->reverse.add(event.elapsed);
    if (event.action.kind != Action::Kind::reverse || event.action.first > 0)
      held_ = std::max(held_, torch::memory::live() - before_);
    peak_ = torch::memory::peak() - before_;
  }

  /// The most that was alive between two actions: stored states, tapes, hand and adjoint.
  Count held_bytes() const { return held_; }
  /// The most that was alive at any instant.
  Count peak_bytes() const { return peak_; }

 private:
  StepTimes* times_;
  Count before_ = torch::memory::live();
  Count held_ = 0, peak_ = 0;
};

}  // namespace sweepback::train
