// SPDX-License-Identifier: Apache-2.0
// The schedule of a pipeline. Included by pipeline.hpp.
#pragma once

#include "in_memory.hpp"
#include "pipeline.hpp"

namespace sweepback::detail::tiered {

template <class Leaf>
std::vector<Action> Pipeline::actions(Leaf&& leaf) const {
  std::vector<Action> actions;
  const auto act = [&](const Action& action) { actions.push_back(action); };
  const auto [lowest, period, top, period_half, top_half] = shape_;
  const auto base = [lowest = lowest, period = period](Count k) { return k == 0 ? 0 : lowest + (k - 1) * period; };

  Count written = 0;  // bases that are no longer in memory
  const auto write_until = [&](Count k) {
    for (; written < k; ++written) {
      act(Action::wait(base(written), tier_));
      act(Action::free(base(written)));
    }
  };
  for (Count k = 0; k < top; ++k) {
    write_until(k - slots_ + 1);
    act(Action::store(base(k)));
    act(Action::begin_store(base(k), tier_));
    act(Action::forward(base(k), base(k + 1)));
  }
  write_until(top - slots_ + 1);
  act(Action::store(base(top)));

  for (Count k = top; k >= 0; --k) {
    const Count states = (k == top ? states_ : base(k + 1)) - base(k);
    const Count half = k == top ? top_half : k == 0 ? states : period_half;
    if (k < top) {
      act(Action::wait(base(k), tier_));
      act(Action::free(base(k), tier_));
      act(Action::restore(base(k)));
    }
    if (half < states) {
      act(Action::forward(base(k), base(k) + half));
      write_until(top);
      in_memory(base(k) + half, states - half, slots_ - 1, actions, leaf);
      act(Action::restore(base(k)));
    }
    if (half == 1) act(Action::free(base(k)));  // the hand is all it needs
    if (k > 0) act(Action::begin_restore(base(k - 1), tier_));
    in_memory(base(k), half, slots_ - (k > 0), actions, leaf, half > 1);
  }
  return actions;
}

}  // namespace sweepback::detail::tiered
