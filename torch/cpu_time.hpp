// SPDX-License-Identifier: Apache-2.0
// Time that this thread itself has computed: the same whatever else the machine does meanwhile.
#pragma once

#include <time.h>

#include "sweepback/count.hpp"

namespace sweepback::torch {

/// Nanoseconds of the calling thread's time on a processor.
inline Count cpu_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<Count>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace sweepback::torch
