// SPDX-License-Identifier: Apache-2.0
// One action of a schedule: the alphabet that planners write, the sweep executes and the referee
// judges.
#pragma once

#include <compare>
#include <string>

#include "sweepback/count.hpp"

namespace sweepback {

/// | action        | requires                                   | effect                           |
/// |---------------|--------------------------------------------|----------------------------------|
/// | forward(i,j)  | `x_i` in hand, i < j                       | hand is `x_j`                    |
/// | record(i,j)   | `x_i` in hand                              | their tape kept, hand is `x_j`   |
/// | store(i)      | `x_i` in hand                              | `x_i` is stored                  |
/// | restore(i)    | `x_i` stored, or tape i-1 that holds it    | hand is `x_i`                    |
/// | free(i)       | `x_i` stored                               | it is gone                       |
/// | free_tape(k)  | a tape that begins with step k             | it is gone                       |
/// | reverse(i,j)  | all above reversed; their tape, or `x_i`   | they are reversed, the tape gone |
///
/// With several tiers a state is stored in, restored and freed from one of them, `tier`; 0 is memory.
/// Tiers that work while steps run move one state after the other:
///
/// | begin_store(i)   | `x_i` stored in memory                  | on its way to the tier; memory keeps it   |
/// | begin_restore(i) | `x_i` in the tier, and not in memory    | on its way; its room in memory is taken   |
/// | wait(i)          | `x_i` on its way                        | it has arrived, and may be used or freed  |
///
/// Ranges are half open: forward(i,j) runs steps i … j-1. More than one step is recorded and reversed
/// only by programs that do so in one call (`Chain::blocks`).
struct Action {
  enum class Kind : std::uint8_t {
    forward,
    record,
    store,
    restore,
    free,
    free_tape,
    reverse,
    begin_store,
    begin_restore,
    wait
  };

  Kind kind = Kind::forward;
  std::uint8_t tier = 0;  ///< of actions on a state
  Count first = 0;  ///< the state or the first step
  Count last = 0;   ///< one past the last step; `first` for actions on a state

  static constexpr Action forward(Count i, Count j) { return {Kind::forward, 0, i, j}; }
  static constexpr Action record(Count k) { return {Kind::record, 0, k, k + 1}; }
  static constexpr Action record(Count i, Count j) { return {Kind::record, 0, i, j}; }
  static constexpr Action store(Count i, int tier = 0) { return on_state(Kind::store, i, tier); }
  static constexpr Action restore(Count i, int tier = 0) { return on_state(Kind::restore, i, tier); }
  static constexpr Action free(Count i, int tier = 0) { return on_state(Kind::free, i, tier); }
  static constexpr Action begin_store(Count i, int tier) { return on_state(Kind::begin_store, i, tier); }
  static constexpr Action begin_restore(Count i, int tier) { return on_state(Kind::begin_restore, i, tier); }
  static constexpr Action wait(Count i, int tier) { return on_state(Kind::wait, i, tier); }
  static constexpr Action free_tape(Count k) { return {Kind::free_tape, 0, k, k + 1}; }
  static constexpr Action reverse(Count k) { return {Kind::reverse, 0, k, k + 1}; }
  static constexpr Action reverse(Count i, Count j) { return {Kind::reverse, 0, i, j}; }

  /// Whether it is done to a state, and not to steps.
  constexpr bool on_state() const {
    return kind == Kind::store || kind == Kind::restore || kind == Kind::free || kind >= Kind::begin_store;
  }

  constexpr bool operator==(const Action&) const = default;

 private:
  static constexpr Action on_state(Kind kind, Count i, int tier) {
    return {kind, static_cast<std::uint8_t>(tier), i, i};
  }
};

/// The action read aloud: "forward 0 to 6", "store x_6", "reverse step 9".
std::string to_string(const Action& action);

/// The action's word in formats and messages: "forward", "record", "store", …
const char* name(Action::Kind kind) noexcept;

}  // namespace sweepback
