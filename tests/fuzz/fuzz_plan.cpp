// SPDX-License-Identifier: Apache-2.0
// Any text is a plan or one typed error; a plan read is written and read back equal.
#include <cstdlib>

#include "sweepback/json.hpp"

using namespace sweepback;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Plan plan = json::from_json<Plan>(
        json::parse(std::string_view(reinterpret_cast<const char*>(data), size)));
    if (json::from_json<Plan>(json::parse(json::dump(json::to_json(plan)))) != plan) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
