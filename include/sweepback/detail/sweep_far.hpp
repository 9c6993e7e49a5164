// SPDX-License-Identifier: Apache-2.0
// Moves to and from further tiers, and states that are lost there. Included by sweep.hpp.
#pragma once

#include "sweepback/sweep.hpp"

namespace sweepback {

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::store_far(Count i, int tier) {
  far(tier).store(i, hand());
  meter_.store(i, tier, holds_ == Holds::own);
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::load(Count i, int tier) {
  if (!reuses_) own_.reset();
  try {
    if (gone_.contains({tier, i})) throw Io("x_" + std::to_string(i) + " was lost", "see that its storage can be read and written");
    far(tier).load(i, own_);
  } catch (const Io& why) {
    make_again(i, tier, why);
  }
  holds_ = Holds::own;
  index_ = i;
  meter_.restore(i, tier, true);
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::make_again(Count i, int tier, const Io& why) {
  const Situation at = schedule_.situation();
  std::set<Count> below(at.states.begin(), at.states.end());
  for (const auto& states : at.further) below.insert(states.begin(), states.end());
  std::size_t tried = 0;
  for (auto j = below.lower_bound(i); j != below.begin(); ++tried)
    if (take_below(*--j)) {
      const Count from = *j;
      run(from, i);
      ++lost_;
      extra_steps_ += i - from;
      try {
        gone_.insert({tier, i});
        far(tier).drop(i);
        far(tier).store(i, *own_);
        gone_.erase({tier, i});
      } catch (const Io&) {  // it is made again whenever it is needed
      }
      return;
    }
  const std::string none = tried == 0 ? "no state below x_" + std::to_string(i) + " is left to make it again"
                                      : "none of the " + std::to_string(tried) + " states below x_" + std::to_string(i) + " that are left to make it again can be read";
  throw Io(why.message() + ", and " + none, why.remedy(), why.numbers());
}

/// x_i into the hand, from wherever it can be read.
template <Program P, class T, class O>
  requires Tier<T, typename P::State>
bool Sweep<P, T, O>::take_below(Count i) {
  const Situation at = schedule_.situation();
  own_.reset();
  int from = -1;
  const bool in_memory_too = std::binary_search(at.states.begin(), at.states.end(), i);
  if (in_memory_too) {
    own_.emplace(copied(stored(i)));
    from = 0;
  }
  for (std::size_t n = 0; n < at.further.size() && from < 0; ++n) {
    const int tier = static_cast<int>(n) + 1;
    if (!std::binary_search(at.further[n].begin(), at.further[n].end(), i) || gone_.contains({tier, i})) continue;
    try {
      far(tier).load(i, own_);
      from = tier;
    } catch (const Io&) {
      own_.reset();
    }
  }
  if (from < 0) return false;
  holds_ = Holds::own;
  index_ = i;
  meter_.restore(i, from, true);
  return true;
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::drop(Count i, int tier) {
  if (gone_.erase({tier, i}) == 0) far(tier).drop(i);
  meter_.free(i, tier);
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::begin_store(Count i, int tier) {
  channel(tier).begin_store(i, tier_.take(i));
  meter_.begin_store(i, tier, holds_ == Holds::own ? index_ : Situation::none);
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::begin_load(Count i, int tier) {
  channel(tier).begin_load(i);
  meter_.begin_restore(i, tier, holds_ == Holds::own ? index_ : Situation::none);
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::wait(Count i, int tier) {
  const bool arrives = channel(tier).find(i) == nullptr;
  try {
    tier_.store(i, channel(tier).wait(i));
  } catch (const Io& why) {
    if (!arrives) throw;
    std::optional<State> hand = std::exchange(own_, std::nullopt);
    const Holds holds = holds_;
    const Count index = index_;
    make_again(i, tier, why);
    tier_.store(i, *std::exchange(own_, std::nullopt));
    own_ = std::move(hand);
    holds_ = holds;
    index_ = index;
  }
  meter_.wait(i, tier);
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
FarTier<typename P::State>& Sweep<P, T, O>::far(int tier) {
  const auto n = static_cast<std::size_t>(tier - 1);
  if (channels_[n]) channels_[n]->idle();
  return *far_[n];
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
const typename P::State& Sweep<P, T, O>::stored(Count i) const {
  for (const auto& channel : channels_)
    if (channel)
      if (const State* moving = channel->find(i)) return *moving;
  return tier_.view(i);
}

}  // namespace sweepback
