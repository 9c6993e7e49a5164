// SPDX-License-Identifier: Apache-2.0
#include "stream_positions.hpp"

#include <algorithm>

namespace sweepback::detail {

void apply(Situation& at, const Action& action, Count steps) {
  using enum Action::Kind;
  const auto [kind, first, last] = action;
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
      add(at.states, first);
      break;
    case restore:
      require(has(at.states, first) || has(at.tapes, first - 1));
      at.hand = first;
      break;
    case Action::Kind::free:
      remove(at.states, first);
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
}

}  // namespace sweepback::detail
