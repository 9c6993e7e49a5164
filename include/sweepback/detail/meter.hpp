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
  explicit Meter(const Plan& plan)
      : step_(plan.chain.step()),
        counts_tapes_(plan.keep == Keep::tapes),
        sized_(plan.bill.peak_bytes.has_value()),
        state_(step_.state_bytes.value_or(0)),
        tape_(step_.tape_bytes.value_or(0)) {}

  /// Steps i … j-1 ran without tape. While the first of them ran, `states` were alive beside the
  /// kept ones, and `then` while the others did.
  void forward(Count i, Count j, Count states, Count then) {
    bill_.forward_steps += j - i;
    runs_.run(i, j);
    alive(j - i > 1 ? std::max(states, then) : states, 0, step_.forward_workspace);
  }
  void record(Count k, Count states) {
    ++bill_.record_steps;
    runs_.run(k, k + 1);
    alive(states, 1, step_.forward_workspace);
    ++tapes_;
    if (counts_tapes_) bill_.peak_slots = std::max(bill_.peak_slots, tapes_);
  }
  void reverse(Count k, bool from_tape, Count states) {
    ++bill_.reverse_steps;
    runs_.forget(k);
    alive(states, 0, step_.reverse_workspace);
    tapes_ -= from_tape;
  }
  void store(Count states_in_hand) {
    ++bill_.stores;
    ++states_;
    if (!counts_tapes_) bill_.peak_slots = std::max(bill_.peak_slots, states_);
    alive(states_in_hand, 0, 0);
  }
  void restore(Count states_in_hand) {
    ++bill_.restores;
    alive(states_in_hand, 0, 0);
  }
  void free() { --states_; }
  void free_tape() { --tapes_; }

  /// The measured bill, its cost in the chain's units.
  Bill bill() const {
    Bill bill = bill_;
    bill.repetition = runs_.most();
    bill.cost = narrow(static_cast<Wide>(bill.forward_steps) * step_.forward +
                           static_cast<Wide>(bill.record_steps) * step_.record_cost() +
                           static_cast<Wide>(bill.reverse_steps) * step_.reverse,
                       "the measured cost");
    if (sized_) bill.peak_bytes = peak_bytes_;
    return bill;
  }

 private:
  void alive(Count more_states, Count more_tapes, Count workspace) {
    const Count bytes = (states_ + more_states) * state_ + (tapes_ + more_tapes) * tape_ +
                        step_.adjoint + workspace;
    peak_bytes_ = std::max(peak_bytes_, bytes);
  }

  Step step_;
  bool counts_tapes_, sized_;
  Count state_, tape_;
  Count states_ = 0, tapes_ = 0;  // kept
  Count peak_bytes_ = 0;
  Bill bill_;
  RunCounts runs_;
};

}  // namespace sweepback::detail
