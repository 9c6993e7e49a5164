// SPDX-License-Identifier: Apache-2.0
// Any text is a table of steps or one typed error; a chain read from one is written and read again.
#include <cstdlib>

#include "sweepback/json.hpp"

using namespace sweepback;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Chain chain = json::from_json<Chain>(
        json::parse_csv(std::string_view(reinterpret_cast<const char*>(data), size)));
    json::from_json<Chain>(json::parse_csv(json::to_csv(chain)));
  } catch (const Error&) {
  }
  return 0;
}
