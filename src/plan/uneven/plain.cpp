// SPDX-License-Identifier: Apache-2.0
// What needs no planning: everything stored, and nothing but x_0.
#include "engines.hpp"

namespace sweepback::detail::uneven {

std::vector<Action> store_all_actions(const Line& line) {
  std::vector<Action> actions;
  const int l = line.real_steps;
  for (int k = 0; k < l; ++k) {
    const bool last = k + 1 == line.steps;
    if (line.taped[Line::to(k)]) {
      actions.push_back(Action::record(k));
    } else if (!last) {
      actions.push_back(Action::store(k));
      actions.push_back(Action::forward(k, k + 1));
    }
  }
  for (int k = l - 1; k >= 0; --k) {
    const bool in_hand = line.taped[Line::to(k)] || k + 1 == line.steps;
    if (!in_hand) {
      actions.push_back(Action::restore(k));
      actions.push_back(Action::free(k));
    }
    actions.push_back(Action::reverse(k));
  }
  return actions;
}

std::vector<Action> one_slot_actions(const Line& line) {
  std::vector<Action> actions;
  const int l = line.real_steps;
  if (line.steps > 1) actions.push_back(Action::store(0));
  if (line.steps > l) actions.push_back(Action::forward(0, l));
  for (int k = l - 1; k >= 0; --k) {
    if (k + 1 < line.steps) actions.push_back(Action::restore(0));
    if (k == 0 && line.steps > 1) actions.push_back(Action::free(0));
    if (k > 0) actions.push_back(Action::forward(0, k));
    if (line.taped[Line::to(k)]) actions.push_back(Action::record(k));
    actions.push_back(Action::reverse(k));
  }
  return actions;
}

}  // namespace sweepback::detail::uneven
