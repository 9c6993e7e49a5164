// SPDX-License-Identifier: Apache-2.0
// Observes a sweep: how long its steps take, what it keeps, and whether someone wants it to stop.
#pragma once

#include <algorithm>
#include <csignal>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cpu_time.hpp"
#include "sweepback/observer.hpp"
#include "sweepback/torch/memory.hpp"
#include "sweepback/torch/program.hpp"

namespace sweepback::train {

/// A mark from which a training is gone on with.
struct Kept {
  std::string directory;
  Count iterations = 0;  ///< that are done there
};

/// Thrown between steps after SIGINT or SIGTERM.
struct Interrupted {
  int signal;
  bool saved = false;  ///< the model was written before
  std::optional<Kept> kept{};
};

/// The signal that came, or 0.
inline volatile std::sig_atomic_t interrupted_by = 0;

inline void stop_if_interrupted(bool saved = false) {
  if (interrupted_by) throw Interrupted{interrupted_by, saved};
}

/// Times of single steps: nanoseconds of the calling thread on its processor.
class Times {
 public:
  void add(Count time) {
    if (times_.size() < most) times_.push_back(time);
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
    if (times_) (event.recorded ? times_->record : times_->forward).add(lap());
  }

  void action(const ActionEvent& event) {
    if (times_) {
      const Count time = lap();
      if (event.action.kind == Action::Kind::reverse) times_->reverse.add(time);
    }
    if (event.action.kind != Action::Kind::reverse || event.action.first > 0)
      held_ = std::max(held_, torch::memory::live() - before_);
    peak_ = torch::memory::peak() - before_;
  }

  /// The most that was alive between two actions: stored states, tapes, hand and adjoint.
  Count held_bytes() const { return held_; }
  /// The most that was alive at any instant.
  Count peak_bytes() const { return peak_; }

 private:
  // The time since the last event: that of the work which this one reports.
  Count lap() {
    const Count now = torch::cpu_nanoseconds();
    return now - std::exchange(last_, now);
  }

  StepTimes* times_;
  Count last_ = torch::cpu_nanoseconds();
  Count before_ = torch::memory::live();
  Count held_ = 0, peak_ = 0;
};

}  // namespace sweepback::train
