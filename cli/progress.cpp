// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace sweepback::cli {

Progress::Progress(Count total, bool quiet)
    : total_(std::max<Count>(total, 1)), visible_(!quiet && isatty(STDERR_FILENO) == 1) {
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color && *no_color) visible_ = false;
}

void Progress::show(Count done, const std::string& words) {
  if (!visible_) return;
  constexpr Count width = 24;
  const Count full = std::min(done, total_) * width / total_;
  std::string bar;
  for (Count i = 0; i < width; ++i) bar += i < full ? "█" : "·";
  std::fprintf(stderr, "\r\033[K%s %lld/%lld  %s", bar.c_str(), static_cast<long long>(done),
               static_cast<long long>(total_), words.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace sweepback::cli
