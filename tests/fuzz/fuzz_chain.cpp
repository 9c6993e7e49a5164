// SPDX-License-Identifier: Apache-2.0
// Any text is a chain or one typed error; a chain read is written and read back equal, and what is
// planned for it passes the referee.
#include <cstdlib>

#include "sweepback/json.hpp"

using namespace sweepback;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Chain chain = json::from_json<Chain>(
        json::parse(std::string_view(reinterpret_cast<const char*>(data), size)));
    if (json::from_json<Chain>(json::parse(json::dump(json::to_json(chain)))) != chain)
      std::abort();
    if (!chain.equal() && chain.steps() > 8) return 0;  // seconds each
    for (const Budget& budget : {Budget::slots(3), Budget::bytes(100'000)}) {
      try {
        const Plan found = plan(chain, budget);
        if (chain.steps() < 1000 && !check(found).ok) std::abort();
      } catch (const Error&) {
      }
    }
  } catch (const Error&) {
  }
  return 0;
}
