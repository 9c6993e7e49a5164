// SPDX-License-Identifier: Apache-2.0
// Another plan between two actions. Included by sweep.hpp.
#pragma once

#include "sweepback/sweep.hpp"

namespace sweepback {

/// After `action`, where it can be done: another course, if the observer wants one.
template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::turn(const Action& action) {
  Situation at = situation();
  const bool made_last = index_ == plan_.chain.steps();  // it is handed out first
  if (made_last || at.end == 0 || !at.moving.empty()) return;
  if (action.kind == Action::Kind::record) {
    Schedule next = schedule_;
    if (Action after; next.next(after) && after.kind == Action::Kind::reverse) return;
  }
  at.tapes.clear();
  if (!at.has_start()) return;  // x_0 is given up: a tape stands for it
  Plan now = plan_;
  now.schedule = schedule_;
  if (std::optional<Plan> next = observer_.course(now, at)) follow(*std::move(next));
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::follow(Plan next) {
  Situation at = situation();
  at.tapes.clear();
  const auto same = [](const TierModel& a, const TierModel& b) { return a.overlap == b.overlap; };
  if (next.chain.steps() != plan_.chain.steps() || next.schedule.situation() != at ||
      !std::equal(next.budget.tiers.begin(), next.budget.tiers.end(), plan_.budget.tiers.begin(), plan_.budget.tiers.end(), same))
    throw OutOfRange("the new course begins elsewhere, or has other tiers: this sweep stands at " + to_string(at),
                     "plan it for the same chain and tiers, from the situation given");
  require(next);
  if (holds_ == Holds::output) {  // out of the last tape
    const std::size_t tape = find_tape(index_);
    std::swap(tapes_[tape], tapes_.front());
    tapes_.erase(tapes_.begin() + 1, tapes_.end());
    own_.emplace(copied(hand()));
    holds_ = Holds::own;
  }
  tapes_.clear();
  if (index_ != Situation::none && index_ >= at.end) {
    own_.reset();
    holds_ = Holds::nothing;
    index_ = Situation::none;
  }
  if (!in_place && holds_ == Holds::own && std::ranges::binary_search(at.states, index_)) {
    own_.reset();
    holds_ = Holds::stored;
  }
  parts_.push_back(meter_.bill());
  plan_ = std::move(next);
  steps_ = detail::Steps(plan_.chain);
  reuses_ = in_place && plan_.chain.equal();
  schedule_ = plan_.schedule;
  meter_ = detail::Meter(plan_);
  meter_.begin(at, holds_ == Holds::own);
  reserve();
}

/// As plans know it: what no remaining step can use is not in hand.
template <Program P, class T, class O>
  requires Tier<T, typename P::State>
Situation Sweep<P, T, O>::situation() const {
  Situation at = schedule_.situation();
  if (at.hand >= at.end) at.hand = Situation::none;
  return at;
}

}  // namespace sweepback
