// SPDX-License-Identifier: Apache-2.0
#include "stream_positions.hpp"

#include <algorithm>

namespace sweepback::detail {

void apply(Situation& at, const Action& action, Count steps) {
  using enum Action::Kind;
  const auto [kind, tier, first, last] = action;
  const auto require = [&](bool possible) {
    if (!possible) refuse_position(to_string(action) + " cannot be done there");
  };
  const auto has = [](const std::vector<Count>& kept, Count i) {
    return std::binary_search(kept.begin(), kept.end(), i);
  };
  const auto add = [&](std::vector<Count>& kept, Count i) {
    require(!has(kept, i));
    kept.insert(std::upper_bound(kept.begin(), kept.end(), i), i);
  };
  const auto remove = [&](std::vector<Count>& kept, Count i) {
    require(has(kept, i));
    kept.erase(std::lower_bound(kept.begin(), kept.end(), i));
  };
  if (tier > at.further.size()) at.further.resize(tier);
  std::vector<Count>& states = tier == 0 ? at.states : at.further[tier - 1u];
  switch (kind) {
    case forward:
      require(at.hand == first && last > first && last <= steps);
      at.hand = last;
      break;
    case record:
      require(at.hand == first && last == first + 1);
      add(at.tapes, first);
      at.hand = last;
      break;
    case store:
      require(at.hand == first);
      add(states, first);
      break;
    case restore:
      require(has(states, first) || (tier == 0 && has(at.tapes, first - 1)));
      at.hand = first;
      break;
    case begin_store:
    case begin_restore:
      require(tier > 0 && has(kind == begin_store ? at.states : states, first));
      at.moving.push_back({first, tier, kind == begin_restore});
      break;
    case wait: {
      const auto move = std::find_if(at.moving.begin(), at.moving.end(),
                                     [&](const Situation::Move& m) { return m.state == action.first && m.tier == action.tier; });
      require(move != at.moving.end());
      add(move->to_memory ? at.states : states, first);
      at.moving.erase(move);
      break;
    }
    case Action::Kind::free:
      remove(states, first);
      break;
    case free_tape:
      remove(at.tapes, first);
      break;
    case reverse:
      require(at.end == last && last == first + 1);
      at.end = first;
      if (has(at.tapes, first)) {
        remove(at.tapes, first);
        if (at.hand < first) break;  // it may still be of use
      } else {
        require(at.hand == first);
      }
      at.hand = Situation::none;
      break;
  }
  while (!at.further.empty() && at.further.back().empty()) at.further.pop_back();
}

}  // namespace sweepback::detail
