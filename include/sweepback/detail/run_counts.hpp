// SPDX-License-Identifier: Apache-2.0
// How often each step has run, for a chain of any length.
#pragma once

#include <algorithm>
#include <vector>

#include "sweepback/count.hpp"

namespace sweepback::detail {

/// Runs by step, as the borders between steps that ran equally often. Only the steps still to be
/// reversed are remembered: for nested schedules that is one border a stored state, whatever the
/// length of the chain, and the borders touched are the last ones.
class RunCounts {
 public:
  /// Steps i … j-1 run once more.
  void run(Count i, Count j) {
    const std::size_t from = border(i);
    const std::size_t to = border(j);
    for (std::size_t at = from; at < to; ++at) most_ = std::max(most_, ++pieces_[at].runs);
  }

  /// Steps from k on will not run again.
  void forget(Count k) {
    while (!pieces_.empty() && pieces_.back().first >= k) pieces_.pop_back();
  }

  /// The most runs of any one step so far.
  Count most() const { return most_; }

 private:
  struct Piece {
    Count first;  // of the steps up to the next piece's first
    Count runs;
  };

  // The index of the piece that begins at step k, which is made where there is none.
  std::size_t border(Count k) {
    std::size_t at = pieces_.size();
    while (at > 0 && pieces_[at - 1].first > k) --at;
    if (at > 0 && pieces_[at - 1].first == k) return at - 1;
    pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(at),
                   {k, at > 0 ? pieces_[at - 1].runs : 0});
    return at;
  }

  std::vector<Piece> pieces_;
  Count most_ = 0;
};

}  // namespace sweepback::detail
