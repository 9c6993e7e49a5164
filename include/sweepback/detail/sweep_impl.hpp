// SPDX-License-Identifier: Apache-2.0
// There and back: how a sweep begins, goes through its schedule and ends. Included by sweep.hpp.
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
  return guarded([&] {
    start(std::move(x0));
    return last_state();
  });
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
  return guarded([&] {
    start(std::nullopt);
    return last_state();
  });
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::advance() {
  guarded([&] { start(std::nullopt); });
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
void Sweep<P, T, O>::advance(State x0) {
  guarded([&] { start(std::move(x0)); });
}

/// What leaves `work` by an exception leaves nothing alive in here.
template <Program P, class T, class O>
  requires Tier<T, typename P::State>
template <class Work>
auto Sweep<P, T, O>::guarded(Work&& work) {
  try {
    return work();
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
  return guarded([&] {
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
  });
}

template <Program P, class T, class O>
  requires Tier<T, typename P::State>
std::optional<typename Sweep<P, T, O>::Handed> Sweep<P, T, O>::step_back() {
  if (!ready_) throw OutOfRange("no state to step back to", "call advance(x0) first");
  if (plan_.bill.record_steps > 0 || plan_.chain.blocks)
    throw Unsupported("the plan records steps or runs blocks; stepping back hands over every state",
                      "plan a chain without tapes, of blocks = false");
  return guarded([&]() -> std::optional<Handed> {
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
  });
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
Report Sweep<P, T, O>::report() const {
  Report report{meter_.bill(), parts_, lost_, extra_steps_};
  for (const auto& channel : channels_)
    if (channel) report.stalled += channel->stalled();
  return report;
}

}  // namespace sweepback
