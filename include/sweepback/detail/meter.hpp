// SPDX-License-Identifier: Apache-2.0
// Counts what a sweep does and keeps, while it does it.
#pragma once

#include <algorithm>

#include "sweepback/detail/run_counts.hpp"
#include "sweepback/plan.hpp"

namespace sweepback::detail {

/// The sweep says what it is about to do with what it really holds; the meter adds up. Bytes are
/// the chain's declared sizes of the objects alive at that moment.
class Meter {
 public:
  Meter(const Chain& chain, Keep keep, Units units, bool sized)
      : step_(chain.step()),
        blocks_(chain.blocks),
        // The tape in use takes room only where tapes are all that is kept; of states, one each.
        counts_tape_in_use_(keep == Keep::tapes),
        units_(keep == Keep::mixed    ? units
               : keep == Keep::states ? Units{1, 0}
                                      : Units{0, 1}),
        sized_(sized),
        state_(step_.state_bytes.value_or(0)) {}

  explicit Meter(const Plan& plan)
      : Meter(plan.chain, plan.keep, plan.units, plan.bill.peak_bytes.has_value()) {}

  /// So many states are stored at the start, and `in_hand` beside them.
  void begin(Count states, Count in_hand) {
    states_ = states;
    take(states * units_.state);
    alive(in_hand, 0);
  }

  /// Steps i … j-1 ran without tape. While the first of them ran, `states` were alive beside the
  /// kept ones, and `then` while the others did.
  void forward(Count i, Count j, Count states, Count then) {
    settle(false);
    bill_.forward_steps += j - i;
    charge(j - i, step_.forward, step_.forward_call);
    runs_.run(i, j);
    alive(j - i > 1 && !blocks_ ? std::max(states, then) : states, step_.forward_workspace);
  }
  void record(Count i, Count j, Count states) {
    settle(false);
    bill_.record_steps += j - i;
    charge(j - i, step_.record_cost(), step_.record_call);
    runs_.run(i, j);
    tapes_ += tape_of(j - i);
    alive(states, step_.forward_workspace);
    in_use_ = i;
  }
  void reverse(Count i, Count j, bool from_tape, Count states) {
    settle(i == in_use_);
    bill_.reverse_steps += j - i;
    charge(j - i, step_.reverse, step_.reverse_call);
    runs_.forget(i);
    alive(states, step_.reverse_workspace);
    if (from_tape) drop_tape(j - i);
  }
  void store(Count states_in_hand) {
    settle(false);
    ++bill_.stores;
    ++states_;
    take(units_.state);
    alive(states_in_hand, 0);
  }
  void restore(Count states_in_hand) {
    settle(false);
    ++bill_.restores;
    alive(states_in_hand, 0);
  }
  void free() {
    settle(false);
    --states_;
    taken_ -= units_.state;
  }
  void free_tape(Count i, Count j) {
    settle(false);
    drop_tape(j - i);
  }

  /// The measured bill, its cost in the chain's units.
  Bill bill() const {
    Bill bill = bill_;
    bill.repetition = runs_.most();
    bill.cost = narrow(cost_, "the measured cost");
    if (sized_) bill.peak_bytes = peak_bytes_;
    return bill;
  }

 private:
  /// The tape recorded last takes room, unless it is reversed at once.
  void settle(bool at_once) {
    if (in_use_ == none) return;
    in_use_ = none;
    if (at_once && !counts_tape_in_use_)
      taken_ += units_.tape;  // which its reverse gives back
    else
      take(units_.tape);
  }
  void take(Count units) {
    taken_ += units;
    bill_.peak_slots = std::max(bill_.peak_slots, taken_);
  }
  void drop_tape(Count steps) {
    tapes_ -= tape_of(steps);
    taken_ -= units_.tape;
  }
  void charge(Count steps, Count each, Count call) {
    cost_ += static_cast<Wide>(steps) * each + static_cast<Wide>(blocks_ ? 1 : steps) * call;
  }
  /// Bytes of the tape of a block of steps, or of one.
  Count tape_of(Count steps) const {
    const Count one = step_.tape_bytes.value_or(0);
    return steps == 1 ? one : steps * step_.block_tape.value_or(one);
  }
  void alive(Count more_states, Count workspace) {
    const Count bytes = (states_ + more_states) * state_ + tapes_ + step_.adjoint + workspace;
    peak_bytes_ = std::max(peak_bytes_, bytes);
  }

  static constexpr Count none = -1;

  Step step_;
  bool blocks_, counts_tape_in_use_;
  Units units_;
  bool sized_;
  Count state_;
  Count states_ = 0;     // kept
  Count tapes_ = 0;      // bytes of the kept ones
  Count taken_ = 0;      // units
  Count in_use_ = none;  // the first step of the tape that was recorded last
  Count peak_bytes_ = 0;
  Wide cost_ = 0;
  Bill bill_;
  RunCounts runs_;
};

}  // namespace sweepback::detail
