// SPDX-License-Identifier: Apache-2.0
#include "sweepback/situation.hpp"

#include <algorithm>

namespace sweepback {

namespace {

std::string kept(const std::vector<Count>& indices, const char* what, const char* prefix) {
  if (indices.empty()) return std::string("no ") + what + "s";
  std::string text = std::to_string(indices.size()) + ' ' + what + (indices.size() > 1 ? "s (" : " (");
  constexpr std::size_t shown = 8;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (i == shown && indices.size() > shown + 1) {
      text += "…, ";
      i = indices.size() - 1;
    }
    text += prefix + std::to_string(indices[i]) + (i + 1 < indices.size() ? ", " : ")");
  }
  return text;
}

}  // namespace

bool Situation::has_start() const {
  const auto begins = [](const std::vector<Count>& stored) { return !stored.empty() && stored.front() == 0; };
  return hand == 0 || begins(states) || std::any_of(further.begin(), further.end(), begins);
}

std::string to_string(const Situation& s) {
  const std::string hand =
      s.hand == Situation::none ? "nothing in hand" : "x_" + std::to_string(s.hand) + " in hand";
  const std::string rest =
      s.end == 0 ? "all steps reversed"
                 : "steps 0 to " + std::to_string(s.end - 1) + " to reverse";
  std::string stored = kept(s.states, "state", "x_") + " stored, ";
  for (std::size_t tier = 0; tier < s.further.size(); ++tier)
    if (!s.further[tier].empty())
      stored += kept(s.further[tier], "state", "x_") + " in tier " + std::to_string(tier + 1) + ", ";
  if (!s.moving.empty())
    stored += std::to_string(s.moving.size()) + (s.moving.size() == 1 ? " state" : " states") + " on the way, ";
  return hand + ", " + stored + kept(s.tapes, "tape", "") +
         " kept, " + rest;
}

}  // namespace sweepback
