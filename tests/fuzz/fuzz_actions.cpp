// SPDX-License-Identifier: Apache-2.0
// Any text is a stream that is judged, or one typed error; every action read is written and read
// back equal.
#include <cstdlib>
#include <sstream>

#include "sweepback/json.hpp"
#include "sweepback/json_actions.hpp"

using namespace sweepback;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    std::istringstream in(text);
    json::ActionReader reader(in);
    for (Action action; reader.next(action);) {
      std::string line;
      json::append_line(line, action);
      if (json::from_json<Action>(json::parse(line)) != action) std::abort();
    }
  } catch (const Error&) {
  }
  try {
    std::istringstream in(text);
    json::ActionReader reader(in);
    json::check(reader);
  } catch (const Error&) {
  }
  return 0;
}
