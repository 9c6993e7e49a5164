// SPDX-License-Identifier: Apache-2.0
#include "sweepback/error.hpp"

namespace sweepback {

namespace {

std::string sentence(const std::string& message, const std::string& remedy) {
  return remedy.empty() ? message : message + "; " + remedy;
}

std::string amount(Count count, bool bytes) {
  return std::to_string(count) + (bytes ? " byte" : " slot") + (count == 1 ? "" : "s");
}

std::string too_small_message(Count given, Count smallest, bool bytes, const std::string& kind) {
  return "a budget of " + amount(given, bytes) + " holds no " + kind + "; the smallest that does is " +
         std::to_string(smallest);
}

std::string too_small_remedy(Count smallest, Count cost, bool bytes) {
  const std::string there = cost < 0 ? "too large to count in 63 bits" : std::to_string(cost);
  return "give at least " + amount(smallest, bytes) + " (the cost there is " + there + ")";
}

}  // namespace

Error::Error(std::string code, std::string message, std::string remedy, Numbers numbers)
    : std::runtime_error(sentence(message, remedy)),
      code_(std::move(code)),
      message_(std::move(message)),
      remedy_(std::move(remedy)),
      numbers_(std::move(numbers)) {}

BudgetTooSmall::BudgetTooSmall(Count given, Count smallest, Count cost_there, bool bytes, const std::string& kind)
    : Error("budget_too_small", too_small_message(given, smallest, bytes, kind),
            too_small_remedy(smallest, cost_there, bytes),
            {{"given", given}, {"smallest", smallest}, {"cost_there", cost_there}}),
      given(given),
      smallest(smallest),
      cost_there(cost_there),
      bytes(bytes) {}

Count narrow(Wide value, const char* what) {
  if (value > max_count) throw Overflow(std::string(what) + " is above 2^63-1");
  return static_cast<Count>(value);
}

}  // namespace sweepback
