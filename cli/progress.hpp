// SPDX-License-Identifier: Apache-2.0
// One line that tells how far it is: on stderr, and only where someone sees it.
#pragma once

#include <string>

#include "sweepback/count.hpp"

namespace sweepback::cli {

class Progress {
 public:
  /// Silent where `quiet`, where NO_COLOR is set, or where stderr is no terminal.
  Progress(Count total, bool quiet);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of `total`, and some words after the bar.
  void show(Count done, const std::string& words);

  /// Takes the line away.
  void clear();

 private:
  Count total_;
  bool visible_;
  bool shown_ = false;
};

}  // namespace sweepback::cli
