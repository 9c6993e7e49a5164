// SPDX-License-Identifier: Apache-2.0
// Wrong usage of a command, and the exit code of every error.
#pragma once

#include <string>
#include <utility>

#include "sweepback/error.hpp"

namespace sweepback::cli {

/// What was typed has no meaning: an unknown option, a missing one, two that exclude each other, a
/// value that is no number. The remedy says what would have.
inline Error usage(std::string message, std::string remedy, Error::Numbers numbers = {}) {
  return Error("usage", std::move(message), std::move(remedy), std::move(numbers));
}

/// Reading or writing failed on the way.
inline Error io_failed(std::string message, std::string remedy) {
  return Error("io", std::move(message), std::move(remedy));
}

/// | exit | errors                                                                     |
/// |------|----------------------------------------------------------------------------|
/// | 1    | failed while running (anything not named below)                            |
/// | 2    | usage, out_of_range, overflow, bad_file, unsupported                       |
/// | 3    | budget_too_small                                                           |
/// | 4    | mismatch                                                                   |
/// | 5    | io                                                                         |
inline int exit_code(const std::string& code) {
  if (code == "budget_too_small") return 3;
  if (code == "mismatch") return 4;
  if (code == "io") return 5;
  for (const char* wrong : {"usage", "out_of_range", "overflow", "bad_file", "unsupported"})
    if (code == wrong) return 2;
  return 1;
}

}  // namespace sweepback::cli
