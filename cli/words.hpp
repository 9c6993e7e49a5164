// SPDX-License-Identifier: Apache-2.0
// Options that take one of a few words.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "sweepback/plan.hpp"
#include "usage.hpp"

namespace sweepback::cli {

/// The value whose word was typed after `option`. Throws Error "usage", naming all words.
template <class Value>
Value choose(const std::string& text, const char* option,
             std::initializer_list<std::pair<const char*, Value>> words) {
  std::string list;
  for (const auto& [word, value] : words) {
    if (text == word) return value;
    list += (list.empty() ? "" : ", ") + std::string(word);
  }
  throw usage(std::string(option) + " \"" + text.substr(0, 40) + "\" is not known",
              "give one of " + list);
}

inline Keep read_keep(const std::string& text) {
  return choose<Keep>(text, "--keep",
                      {{"auto", Keep::automatic},
                       {"states", Keep::states},
                       {"tapes", Keep::tapes},
                       {"mixed", Keep::mixed}});
}

inline bool yes(const std::string& text, const char* option) {
  return choose<bool>(text, option, {{"yes", true}, {"no", false}});
}

}  // namespace sweepback::cli
