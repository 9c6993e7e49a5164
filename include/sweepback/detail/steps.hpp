// SPDX-License-Identifier: Apache-2.0
// Step k of a chain, found at once where all are alike and by bisection where they are not.
#pragma once

#include <algorithm>
#include <vector>

#include "sweepback/chain.hpp"

namespace sweepback::detail {

/// Refers to the chain, which must outlive it and stay as it is.
class Steps {
 public:
  explicit Steps(const Chain& chain) : chain_(&chain) {
    Count end = 0;
    for (const Run& run : chain.runs()) ends_.push_back(end += run.repeat);
  }

  /// The run of equal steps that step k is in.
  std::size_t run_of(Count k) const {
    if (ends_.size() <= 1) return 0;
    const auto after = std::upper_bound(ends_.begin(), ends_.end(), k);
    return std::min(static_cast<std::size_t>(after - ends_.begin()), ends_.size() - 1);
  }
  const Step& operator[](Count k) const {
    return ends_.empty() ? chain_->step() : chain_->runs()[run_of(k)].step;
  }

  /// Bytes of x_i and of its adjoint, zero where they are not known.
  Count state(Count i) const {
    if (i > 0) return (*this)[i - 1].state_bytes.value_or(0);
    return chain_->input().state_bytes.value_or(chain_->step().state_bytes.value_or(0));
  }
  Count adjoint(Count i) const {
    return i > 0 ? (*this)[i - 1].adjoint : chain_->input().adjoint.value_or(chain_->step().adjoint);
  }

  /// Hands the steps i … j-1 to `visit(step, first, last)`, one run of equal ones after the other.
  template <class Visit>
  void each_run(Count i, Count j, Visit&& visit) const {
    for (std::size_t at = run_of(i); i < j; ++at) {
      const Count last = std::min(j, ends_[at]);
      visit(chain_->runs()[at].step, i, last);
      i = last;
    }
  }

 private:
  const Chain* chain_;
  std::vector<Count> ends_;  // of the runs
};

}  // namespace sweepback::detail
