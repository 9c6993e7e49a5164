// SPDX-License-Identifier: Apache-2.0
// Runs the command: as a process (SWEEPBACK names it) or in this one.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sweepback::testing {

struct Result {
  int code = 0;
  std::string out, err;

  /// `out` as one document with one newline at its end; throws where it is not.
  nlohmann::json json() const;
};

/// In this process, without standard input.
Result call(const std::vector<std::string>& arguments);

/// As a process. `input` goes to its standard input.
Result run(const std::vector<std::string>& arguments, const std::string& input = "");

/// A shell command, in which $SWEEPBACK is the command; by bash, with its exit code.
Result shell(const std::string& command);

/// A file of this text, which is gone at the end of the test program.
std::string file_of(const std::string& text);

/// The words of `line`, for call and run.
std::vector<std::string> words(const std::string& line);

}  // namespace sweepback::testing
