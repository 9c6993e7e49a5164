// SPDX-License-Identifier: Apache-2.0
// Any text is a list of tiers or one typed error; what is planned for them passes the referee, and is
// written and read back equal.
#include <cstdlib>

#include "sweepback/json.hpp"

using namespace sweepback;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto tiers = json::from_json<std::vector<TierModel>>(
        json::parse(std::string_view(reinterpret_cast<const char*>(data), size)));
    const Budget budget = Budget::of(tiers);
    if (json::from_json<Budget>(json::parse(json::dump(json::to_json(budget)))) != budget) std::abort();
    for (const bool final_state : {false, true}) {
      Chain chain = Chain::uniform(12, {.forward = 3, .state_bytes = 10, .forward_workspace = 3});
      chain.final_state = final_state;
      try {
        const Plan found = plan(chain, budget);
        if (!check(found).ok) std::abort();
        if (json::from_json<Plan>(json::parse(json::dump(json::to_json(found)))) != found) std::abort();
      } catch (const Error&) {
      }
    }
  } catch (const Error&) {
  }
  return 0;
}
