// SPDX-License-Identifier: Apache-2.0
// The sweep's actions, one by one. Included by sweep.hpp.
#pragma once

#include "sweepback/sweep.hpp"

namespace sweepback {

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
Sweep<P, T, O>::Sweep(P& program, Plan plan, T tier, O& observer, FarTiers<State> further)
    : program_(program),
      plan_(std::move(plan)),
      tier_(std::move(tier)),
      far_(std::move(further)),
      observer_(observer),
      steps_(plan_.chain),
      reuses_(in_place && plan_.chain.equal()),
      schedule_(plan_.schedule),
      meter_(plan_) {
  require(plan_);
  for (std::size_t n = 0; n < far_.size(); ++n) {
    if (!far_[n]) throw OutOfRange("the tier \"" + plan_.budget.tiers[n + 1].name + "\" is a null pointer", "give one for each tier after memory");
    const bool overlaps = plan_.budget.tiers[n + 1].overlap;
    channels_.push_back(overlaps ? std::make_unique<detail::Channel<State>>(*far_[n]) : nullptr);
  }
  reserve();
}

/// Throws Unsupported where the plan asks for what the program or the tiers do not offer.
template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::require(const Plan& plan) const {
  if (const std::size_t planned = std::max<std::size_t>(1, plan.budget.tiers.size()); far_.size() + 1 != planned)
    throw Unsupported("the plan is for " + std::to_string(planned) + " tiers, memory among them, and " +
                          std::to_string(far_.size() + 1) + " are given",
                      "give the sweep one for each tier of the budget after memory");
  if (plan.chain.steps() == 0) return;
  if (plan.chain.has_tapes() && !records)
    throw Unsupported("the plan records steps, and this program has no record(k, x)",
                      "plan a chain without tapes, or give the program a record");
  const auto any = [&](auto&& of) { return std::ranges::any_of(plan.chain.runs(), of); };
  const auto taped = [](bool with_output) {
    return [=](const Run& run) {
      return run.step.has_tape() && run.step.tape_has_output == with_output;
    };
  };
  if ((plan.keep == Keep::tapes || !plan.chain.equal()) && any(taped(true)) && !output)
    throw Unsupported("the plan restarts from tapes, and this program has no output(k, tape)",
                      "plan with tape_has_output = false, or give the program an output");
  if (plan.chain.blocks && !RunsRanges<P>)
    throw Unsupported("the plan runs blocks of steps, and this program has no forward(i, j, x)",
                      "plan a chain of blocks = false, or let the program run ranges");
  if (plan.bill.peak_bytes && plan.chain.in_place != in_place)
    throw Unsupported(std::string("the plan counts bytes for ") +
                          (in_place ? "immutable states, and this program works in place"
                                    : "steps in place, and this program makes new states"),
                      std::string("set chain.in_place = ") + (in_place ? "true" : "false"));
  if (plan.bill.peak_bytes && !in_place && any(taped(!output)))
    throw Unsupported(std::string("the plan counts bytes for tapes that ") +
                          (output ? "do not hold their step's output, and this program's do"
                                  : "hold their step's output, and this program's do not"),
                      std::string("set tape_has_output = ") + (output ? "true" : "false"));
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::reserve() {
  for (std::size_t n = 0; n < far_.size(); ++n) {
    const TierBill& bill = plan_.bill.tiers[n + 1];
    far_[n]->reserve(bill.peak_slots, bill.peak_bytes.value_or(0));
  }
  const auto kept = static_cast<std::size_t>(std::min<Count>(plan_.bill.peak_slots, 4096));
  if constexpr (requires { tier_.reserve(Count{}); }) tier_.reserve(static_cast<Count>(kept));
  if (plan_.chain.steps() > 0 && plan_.chain.has_tapes())
    tapes_.reserve(plan_.keep == Keep::states ? 1 : kept);
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
typename Sweep<P, T, O>::State Sweep<P, T, O>::forward(State x0) {
  require_last();
  try {
    start(std::move(x0));
    return last_state();
  } catch (...) {
    clear();
    throw;
  }
}

/// Throws Unsupported where x_l is not made, or cannot be handed out.
template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::require_last() const {
  const bool records_last = plan_.chain.steps() > 0 && plan_.chain.runs().back().step.has_tape();
  if (plan_.chain.steps() > 0 && !records_last && !plan_.chain.final_state)
    throw Unsupported("the plan gives the final state up",
                      "plan with chain.final_state = true, or call advance(x0)");
  if (!in_place && output && !copies && records_last)
    throw Unsupported("x_l lies in the last tape, and the program's State cannot be copied out of it",
                      "call advance(x0), or make State copyable");
}

/// x_l in hand is handed out.
template <Program P, class T, class O>
  requires Tier<T, typename P::State>
typename Sweep<P, T, O>::State Sweep<P, T, O>::last_state() {
  if (holds_ != Holds::own) return copied(hand());
  holds_ = Holds::nothing;
  index_ = Situation::none;
  State last = std::move(*own_);
  own_.reset();
  return last;
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
typename Sweep<P, T, O>::State Sweep<P, T, O>::forward() {
  require_last();
  if (plan_.schedule.situation().reached_end) throw Unsupported("the plan begins after x_l was made", "call advance()");
  try {
    start(std::nullopt);
    return last_state();
  } catch (...) {
    clear();
    throw;
  }
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::advance() {
  try {
    start(std::nullopt);
  } catch (...) {
    clear();
    throw;
  }
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::advance(State x0) {
  try {
    start(std::move(x0));
  } catch (...) {
    clear();
    throw;
  }
}

/// With x_0, or with states that lie in further tiers.
template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::start(std::optional<State> x0) {
  const Situation from = plan_.schedule.situation();
  const bool elsewhere = !from.states.empty() || !from.tapes.empty() || !from.moving.empty() || (from.hand == 0 ? !x0 || !from.further.empty() : x0 || from.hand != Situation::none);
  if (elsewhere && plan_.chain.steps() > 0)
    throw Unsupported("the plan begins with " + to_string(from), std::string("give one that begins with ") + (x0 ? "x_0 in hand and nothing else" : "states in further tiers alone"));
  clear(x0.has_value());
  schedule_ = plan_.schedule;
  meter_ = detail::Meter(plan_);
  frontier_ = done_ = 0;
  if (from.reached_end) frontier_ = plan_.chain.steps();
  if (x0) {
    if constexpr (requires { program_.copy(*x0); }) {
      const State given = *std::exchange(x0, std::nullopt);  // may share its memory with the caller's
      own_.emplace(program_.copy(given));
    } else {
      own_.emplace(*std::exchange(x0, std::nullopt));
    }
    holds_ = Holds::own;
    index_ = 0;
  }
  if (from != Situation::fresh(plan_.chain.steps())) meter_.begin(from, holds_ == Holds::own);
  const Count l = plan_.chain.steps();
  for (Action action; index_ != l && schedule_.next(action);) {
    if (action.kind == Action::Kind::reverse) {
      pending_ = action;
      break;
    }
    perform(action, [](Count, Count) {});
  }
  ready_ = true;
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
template <class Adjoint>
  requires ReversibleProgram<P, Adjoint>
Report Sweep<P, T, O>::backward(Adjoint& adjoint) {
  if (!ready_)
    throw OutOfRange("backward without a completed forward", "call forward(x0) first");
  for (const Run& run : plan_.chain.runs()) {
    const bool from_tape = run.step.has_tape();
    if (from_tape ? ReversesFromTape<P, Adjoint> : ReversesFromState<P, Adjoint>) continue;
    if (plan_.chain.steps() > 0) throw Unsupported(std::string("the plan reverses steps from their ") +
                          (from_tape ? "tapes" : "states") + ", and this program does not",
                      from_tape ? "plan a chain without tapes" : "plan a chain with tapes");
  }
  try {
    const auto reverse = [&](Count i, Count j) {
      if (steps_[i].has_tape()) {
        if constexpr (ReversesFromTape<P, Adjoint>) {
          const std::size_t at = find_tape(j);
          Tape tape = std::move(tapes_[at].tape);
          tapes_.erase(tapes_.begin() + static_cast<std::ptrdiff_t>(at));
          call_reverse(program_, i, j, std::move(tape), adjoint);
        }
      } else {
        if constexpr (ReversesFromState<P, Adjoint>)
          call_reverse(program_, i, j, hand(), adjoint);
      }
    };
    if (pending_) perform(*std::exchange(pending_, std::nullopt), reverse);
    for (Action action; schedule_.next(action);) perform(action, reverse);
    const Report report = this->report();
    clear();
    return report;
  } catch (...) {
    clear();
    throw;
  }
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
std::optional<typename Sweep<P, T, O>::Handed> Sweep<P, T, O>::step_back() {
  if (!ready_) throw OutOfRange("no state to step back to", "call advance(x0) first");
  if (plan_.bill.record_steps > 0 || plan_.chain.blocks)
    throw Unsupported("the plan records steps or runs blocks; stepping back hands over every state",
                      "plan a chain without tapes, of blocks = false");
  try {
    if (std::exchange(handed_, false)) perform(*std::exchange(pending_, std::nullopt), [](Count, Count) {});
    for (Action action; !pending_ && schedule_.next(action);) {
      if (action.kind == Action::Kind::reverse)
        pending_ = action;
      else
        perform(action, [](Count, Count) {});
    }
    if (!pending_) {
      own_.reset();  // in place: the buffer that was kept for the next restore
      return std::nullopt;
    }
    handed_ = true;
    return Handed{pending_->first, hand()};
  } catch (...) {
    clear();
    throw;
  }
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::clear(bool further) {
  for (const auto& channel : channels_)
    if (channel) channel->clear();
  tapes_.clear();
  tier_.clear();
  if (further)
    for (const auto& tier : far_) tier->clear();
  parts_.clear();
  gone_.clear();
  lost_ = extra_steps_ = 0;
  own_.reset();
  pending_.reset();
  holds_ = Holds::nothing;
  index_ = Situation::none;
  ready_ = handed_ = false;
}

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
  const auto begins = [](const std::vector<Count>& states) { return !states.empty() && states.front() == 0; };
  if (at.hand != 0 && !begins(at.states) && !std::ranges::any_of(at.further, begins)) return;  // x_0 is given up: a tape stands for it
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
  while (!at.further.empty() && at.further.back().empty()) at.further.pop_back();
  return at;
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

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
Report Sweep<P, T, O>::report() const {
  Report report{meter_.bill(), parts_, lost_, extra_steps_};
  for (const auto& channel : channels_)
    if (channel) report.stalled += channel->stalled();
  return report;
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
