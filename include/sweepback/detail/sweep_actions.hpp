// SPDX-License-Identifier: Apache-2.0
// The actions, one by one, on what is in hand and in memory. Included by sweep.hpp.
#pragma once

#include "sweepback/sweep.hpp"

namespace sweepback {

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
template <class Reverse>
void Sweep<P, T, O>::perform(const Action& action, Reverse&& reverse_steps) {
  const auto act = [&] {
    using enum Action::Kind;
    switch (action.kind) {
      case forward: return run(action.first, action.last);
      case record: return this->record(action.first, action.last);
      case store: return action.tier > 0 ? store_far(action.first, action.tier) : this->store(action.first);
      case restore: return action.tier > 0 ? load(action.first, action.tier) : this->restore(action.first);
      case free: return action.tier > 0 ? drop(action.first, action.tier) : this->free(action.first);
      case free_tape: return this->free_tape(action.first, action.last);
      case begin_store: return this->begin_store(action.first, action.tier);
      case begin_restore: return begin_load(action.first, action.tier);
      case wait: return this->wait(action.first, action.tier);
      case reverse: break;
    }
    const Count i = action.first, j = action.last;
    const bool from_tape = steps_[i].has_tape();
    const auto let_go = [&] {
      holds_ = Holds::nothing;
      index_ = Situation::none;
    };
    if (from_tape && index_ >= i) {  // no remaining step can use what is in hand
      own_.reset();
      let_go();
    }
    meter_.reverse(i, j, from_tape, holds_ == Holds::own ? index_ : Situation::none);
    reverse_steps(i, j);
    if (!from_tape) {
      if (!reuses_) own_.reset();
      let_go();
    }
  };
  if constexpr (ActionObserver<O> || StateObserver<O, State>) {
    const auto begin = std::chrono::steady_clock::now();
    act();
    const ActionEvent event{action, done_++, std::chrono::steady_clock::now() - begin};
    if constexpr (ActionObserver<O>) observer_.action(event);
    if constexpr (StateObserver<O, State>)
      if (action.kind == Action::Kind::store || action.kind == Action::Kind::restore) observer_.state(event, hand());
  } else {
    act();
  }
  if constexpr (Pilot<O>)
    if (observer_.turns()) turn(action);
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::run(Count i, Count j) {
  meter_.forward(i, j, holds_ == Holds::own);
  const Count call = plan_.chain.blocks ? j - i : 1;
  for (Count k = i; k < j; k += call) {
    const Phase phase = this->phase(k, k + call);
    timed_step(k, k + call, false, phase, [&] {
      if constexpr (in_place) {
        call_forward(program_, k, k + call, *own_, phase);
      } else {
        State next = call_forward(program_, k, k + call, hand(), phase);
        own_.emplace(std::move(next));
        holds_ = Holds::own;
      }
      index_ = k + call;
    });
  }
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::record(Count i, Count j) {
  if constexpr (records) {
    const Phase phase = this->phase(i, j);
    meter_.record(i, j, holds_ == Holds::own);
    timed_step(i, j, true, phase, [&] {
      if constexpr (in_place) {
        tapes_.push_back({j, call_record(program_, i, j, *own_, phase)});
      } else if constexpr (output) {
        tapes_.push_back({j, call_record(program_, i, j, hand(), phase)});
        holds_ = Holds::output;
        own_.reset();
      } else {
        auto [next, tape] = call_record(program_, i, j, hand(), phase);
        tapes_.push_back({j, std::move(tape)});
        own_.emplace(std::move(next));
        holds_ = Holds::own;
      }
      index_ = j;
    });
  }
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::store(Count i) {
  if constexpr (in_place) {
    tier_.store(i, copied(*own_));
    meter_.store(i, 0, true);
  } else {
    tier_.store(i, holds_ == Holds::own ? std::move(*own_) : copied(hand()));
    own_.reset();
    holds_ = Holds::stored;
    meter_.store(i, 0, false);
  }
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::restore(Count i) {
  const std::size_t tape = output ? find_tape(i) : tapes_.size();
  if constexpr (in_place) {
    const auto take = [&](const State& x) {
      if constexpr (std::copyable<State> && !requires { program_.copy(x); }) {
        if (own_ && reuses_) {
          *own_ = x;
          return;
        }
      }
      own_.reset();
      own_.emplace(copied(x));
    };
    if (tape == tapes_.size()) {
      take(stored(i));
    } else if constexpr (output) {
      take(program_.output(i - 1, tapes_[tape].tape));
    }
    holds_ = Holds::own;
    meter_.restore(i, 0, true);
  } else {
    own_.reset();
    holds_ = tape == tapes_.size() ? Holds::stored : Holds::output;
    meter_.restore(i, 0, false);
  }
  index_ = i;
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::free(Count i) {
  if (holds_ == Holds::stored && index_ == i) {
    own_.emplace(tier_.take(i));
    holds_ = Holds::own;
  } else {
    tier_.drop(i);
  }
  meter_.free(i, 0);
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::free_tape(Count i, Count j) {
  const bool copies_out = holds_ == Holds::output && index_ == j;
  if (copies_out) {
    own_.emplace(copied(hand()));
    holds_ = Holds::own;
  }
  tapes_.erase(tapes_.begin() + static_cast<std::ptrdiff_t>(find_tape(j)));
  meter_.free_tape(i, j, copies_out);
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
const typename P::State& Sweep<P, T, O>::hand() const {
  if constexpr (!in_place) {
    if (holds_ == Holds::stored) return stored(index_);
    if constexpr (output)
      if (holds_ == Holds::output)
        return program_.output(index_ - 1, tapes_[find_tape(index_)].tape);
  }
  return *own_;
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
std::size_t Sweep<P, T, O>::find_tape(Count output_state) const {
  for (std::size_t at = tapes_.size(); at-- > 0;)
    if (tapes_[at].output == output_state) return at;
  return tapes_.size();
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
Phase Sweep<P, T, O>::phase(Count i, Count j) {
  if (i < frontier_) return Phase::recompute;
  frontier_ = j;
  return Phase::first_pass;
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
typename Sweep<P, T, O>::State Sweep<P, T, O>::copied(const State& x) const {
  if constexpr (requires { program_.copy(x); }) {
    return program_.copy(x);
  } else if constexpr (std::copy_constructible<State>) {
    return x;
  } else {
    throw Unsupported("this schedule copies a state, and the program's State cannot be copied",
                      "make State copyable or give the program a copy(x)");
  }
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
template <class Work>
auto Sweep<P, T, O>::timed_step(Count i, Count j, bool recorded, Phase phase, Work&& work) {
  if constexpr (StepObserver<O, State>) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const auto elapsed = std::chrono::steady_clock::now() - begin;
    observer_.step(StepEvent{i, j - i, phase, recorded, elapsed}, hand());
  } else {
    work();
  }
}

}  // namespace sweepback
