// SPDX-License-Identifier: Apache-2.0
// A situation: where a sweep stands. A fresh start is one; so is any point on the way.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "sweepback/count.hpp"

namespace sweepback {

/// What is stored, what is in hand and how far the adjoint has come. O(states kept) numbers; with
/// the plan's recipe it is all that is needed to go on from here (theory: the future of a nested
/// schedule depends on nothing else).
struct Situation {
  static constexpr Count none = -1;

  /// A state on its way between memory and another tier.
  struct Move {
    Count state = 0;
    std::uint8_t tier = 0;
    bool to_memory = false;
    auto operator<=>(const Move&) const = default;
  };

  std::vector<Count> states;  ///< stored states, ascending
  std::vector<Count> tapes;   ///< kept tapes, ascending
  Count hand = 0;             ///< the state in hand, or `none`
  Count end = 0;              ///< steps end … l-1 are reversed; end - 1 is next
  bool reached_end = false;   ///< `x_l` has been made (or the first pass given it up)
  std::vector<std::vector<Count>> further = {};  ///< stored in tiers 1, 2, …; none beyond the last in use
  std::vector<Move> moving = {};                 ///< in the order they were begun

  /// `x_0` in hand and nothing else.
  static Situation fresh(Count steps) { return {{}, {}, 0, steps, false, {}, {}}; }

  /// Whether x_0 is in hand or stored: else nothing leads back to it.
  bool has_start() const;

  bool operator==(const Situation&) const = default;
};

/// "x_6 in hand, 2 states stored (x_0, x_6), steps 0 … 9 to reverse".
std::string to_string(const Situation& situation);

}  // namespace sweepback
