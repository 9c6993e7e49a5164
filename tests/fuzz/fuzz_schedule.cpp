// SPDX-License-Identifier: Apache-2.0
// Any text is a schedule with a position it can be in, or one typed error; a schedule that was
// accepted goes on to its end (or a long way), and each position on the way is accepted as well.
#include <cstdlib>

#include "sweepback/json.hpp"

using namespace sweepback;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    Schedule schedule = json::from_json<Schedule>(
        json::parse(std::string_view(reinterpret_cast<const char*>(data), size)));
    Action action;
    for (int seen = 0; seen < 300 && schedule.next(action); ++seen) {
      const Situation at = schedule.situation();
      if (at.end < 0 || at.hand < Situation::none) std::abort();
    }
  } catch (const Error&) {
  }
  return 0;
}
