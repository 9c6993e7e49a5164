// SPDX-License-Identifier: Apache-2.0
// The reverse sweep as a lazy range, no adjoint at all:
//
//     for (auto [k, x] : states_in_reverse(program, x0, plan)) …    // x_{l-1} first, x_0 last
//
// Nothing runs before begin(). A state is valid until the next one is asked for; whoever stops
// early has paid for what was seen and nothing more.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "sweepback/sweep.hpp"

namespace sweepback {

template <Program P>
class StatesInReverse {
 public:
  using State = typename P::State;
  using Handed = typename Sweep<P>::Handed;

  StatesInReverse(P& program, State x0, Plan plan)
      : sweep_(program, std::move(plan)), x0_(std::move(x0)) {
    if (sweep_.plan().bill.record_steps > 0)
      throw Unsupported("the plan records steps; a range of states reverses none",
                        "plan a chain without tapes");
  }

  class Iterator {
   public:
    using value_type = Handed;
    using difference_type = std::ptrdiff_t;

    explicit Iterator(StatesInReverse& range) : range_(&range) {}
    Handed operator*() const { return *range_->at_; }
    Iterator& operator++() {
      range_->move();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return !range_->at_; }

   private:
    StatesInReverse* range_;
  };

  /// Runs to the end of the chain and to the first state handed over. Throws OutOfRange when called
  /// a second time, and whatever the program throws.
  Iterator begin() {
    if (!x0_)
      throw OutOfRange("this range has been walked already", "make another, from x_0 again");
    State x0 = std::move(*x0_);
    x0_.reset();
    sweep_.advance(std::move(x0));
    move();
    return Iterator(*this);
  }
  std::default_sentinel_t end() const { return {}; }

  /// What has been done so far.
  Report report() const { return sweep_.report(); }

 private:
  void move() {
    at_.reset();
    if (const auto handed = sweep_.step_back()) at_.emplace(*handed);
  }

  Sweep<P> sweep_;
  std::optional<State> x0_;
  std::optional<Handed> at_;
};

/// The states `x_{l-1}` … `x_0` of `program` from `x0` on, by a plan for a chain without tapes. A
/// plan with chain.final_state = false saves the step that makes `x_l`. Keeps a reference to
/// `program`. Throws as Sweep's constructor, and Unsupported for a plan that records steps.
template <Program P>
StatesInReverse<P> states_in_reverse(P& program, typename P::State x0, Plan plan) {
  return StatesInReverse<P>(program, std::move(x0), std::move(plan));
}

}  // namespace sweepback
