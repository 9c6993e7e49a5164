// SPDX-License-Identifier: Apache-2.0
// Every error is a sentence that names the number and the remedy. The library throws, it never
// exits and never prints.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sweepback/count.hpp"

namespace sweepback {

/// What all errors share. `what()` is the message and the remedy, each a sentence.
class Error : public std::runtime_error {
 public:
  using Numbers = std::vector<std::pair<std::string, Count>>;

  Error(std::string code, std::string message, std::string remedy, Numbers numbers = {});

  /// The error's kind, one of the words of `sweepback.error/1`: "out_of_range", "overflow", …
  const std::string& code() const noexcept { return code_; }
  /// What is wrong, with the number.
  const std::string& message() const noexcept { return message_; }
  /// What to do about it; may be empty where the message says it all.
  const std::string& remedy() const noexcept { return remedy_; }
  /// The numbers of the message, by name.
  const Numbers& numbers() const noexcept { return numbers_; }

 private:
  std::string code_, message_, remedy_;
  Numbers numbers_;
};

/// A number or a combination of options that has no meaning (negative, zero, contradictory).
class OutOfRange : public Error {
 public:
  OutOfRange(std::string message, std::string remedy, Numbers numbers = {})
      : Error("out_of_range", std::move(message), std::move(remedy), std::move(numbers)) {}
};

/// A count or cost above 2^63 - 1.
class Overflow : public Error {
 public:
  explicit Overflow(std::string message, std::string remedy = "use larger cost units, more slots or fewer steps")
      : Error("overflow", std::move(message), std::move(remedy)) {}
};

/// A request that is meaningful but that no planner or executor of this version answers.
class Unsupported : public Error {
 public:
  Unsupported(std::string message, std::string remedy)
      : Error("unsupported", std::move(message), std::move(remedy)) {}
};

/// A file or document that is not what it should be.
class BadFile : public Error {
 public:
  BadFile(std::string message, std::string remedy, Numbers numbers = {})
      : Error("bad_file", std::move(message), std::move(remedy), std::move(numbers)) {}
};

/// Reading or writing failed, or what comes back is damaged.
class Io : public Error {
 public:
  Io(std::string message, std::string remedy, Numbers numbers = {})
      : Error("io", std::move(message), std::move(remedy), std::move(numbers)) {}
};

/// No schedule fits. Carries the smallest budget that holds one (same unit as given) and the cost
/// of the plan there; `cost_there` is -1 where that cost is itself too large to count.
class BudgetTooSmall : public Error {
 public:
  /// `kind`: what does not fit, where it is not every schedule.
  BudgetTooSmall(Count given, Count smallest, Count cost_there, bool bytes, const std::string& kind = "schedule");

  Count given;
  Count smallest;
  Count cost_there;
  bool bytes;  ///< the unit of `given` and `smallest`: bytes, or else slots
};

}  // namespace sweepback
