// SPDX-License-Identifier: Apache-2.0
// What the tests of JSON share: a large family of plans, and what a reader says of a text.
#pragma once

#include <functional>
#include <string>

#include "sweepback/json.hpp"
#include "sweepback/json_actions.hpp"

namespace sweepback::testing {

/// Calls `see` with plans of every kind, strategy and unit; every field is exercised.
void for_many_plans(const std::function<void(const Plan&)>& see);

/// Parses `text` and reads a T: "ok", or the error's code and message, "bad_file: …".
template <class T>
std::string outcome(const std::string& text) {
  try {
    json::from_json<T>(json::parse(text));
    return "ok";
  } catch (const Error& e) {
    return e.code() + ": " + e.message();
  }
}

/// `value` written and read again.
template <class T>
T again(const T& value) {
  return json::from_json<T>(json::parse(json::dump(json::to_json(value))));
}

}  // namespace sweepback::testing
