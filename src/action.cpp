// SPDX-License-Identifier: Apache-2.0
#include "sweepback/action.hpp"

namespace sweepback {

const char* name(Action::Kind kind) noexcept {
  using enum Action::Kind;
  switch (kind) {
    case forward: return "forward";
    case record: return "record";
    case store: return "store";
    case restore: return "restore";
    case Action::Kind::free: return "free";
    case free_tape: return "free_tape";
    case reverse: return "reverse";
    case begin_store: return "begin_store";
    case begin_restore: return "begin_restore";
    case wait: return "wait";
  }
  return "";
}

std::string to_string(const Action& action) {
  using enum Action::Kind;
  const std::string first = std::to_string(action.first), last = std::to_string(action.last);
  const bool one = action.last <= action.first + 1;
  const std::string steps = one ? " step " + first : " steps " + first + " to " + last;
  const std::string tier = std::to_string(action.tier);
  switch (action.kind) {
    case forward: return "forward " + first + " to " + last;
    case record: return "record" + steps;
    case store: return "store x_" + first + (action.tier ? " in tier " + tier : "");
    case restore: return "restore x_" + first + (action.tier ? " from tier " + tier : "");
    case Action::Kind::free: return "free x_" + first + (action.tier ? " in tier " + tier : "");
    case free_tape: return "free the tape of step " + first;
    case reverse: return "reverse" + steps;
    case begin_store: return "begin to store x_" + first + " in tier " + tier;
    case begin_restore: return "begin to restore x_" + first + " from tier " + tier;
    case wait: return "wait for x_" + first + " and tier " + tier;
  }
  return "";
}

}  // namespace sweepback
