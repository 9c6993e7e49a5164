// SPDX-License-Identifier: Apache-2.0
// Any text is a manifest of a run or one typed error; a manifest read is written and read back equal.
#include <cstdlib>

#include "sweepback/manifest.hpp"

using namespace sweepback;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Manifest manifest = json::from_json<Manifest>(
        json::parse(std::string_view(reinterpret_cast<const char*>(data), size)));
    if (manifest.end < 0 || manifest.end > manifest.steps) std::abort();
    if (json::from_json<Manifest>(json::parse(json::dump(json::to_json(manifest)))) != manifest) std::abort();
  } catch (const Error& e) {
    if (e.remedy().empty()) std::abort();
  }
  return 0;
}
