// SPDX-License-Identifier: Apache-2.0
// Two generations of a mark: the newer one is written over the older one, so that one of them is always whole.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "sweepback/count.hpp"
#include "sweepback/error.hpp"
#include "sweepback/run_directory.hpp"

namespace sweepback {

/// Of a file that each generation has: "manifest.0", "manifest.1" in turn.
inline std::string generation_name(const std::string& file, Count generation) { return file + (generation % 2 == 0 ? ".0" : ".1"); }

/// The newest, by `generation`, that `read(name)` finds whole; empty where none is there. Throws Io where all are
/// damaged, and whatever else `read` throws.
template <class Read, class Generation>
auto newest_generation(const RunDirectory& directory, const std::string& file, Read&& read, Generation&& generation) {
  using Mark = decltype(read(file));
  std::optional<Mark> newest;
  std::optional<Io> damage;
  for (const Count each : {0, 1}) {
    const std::string name = generation_name(file, each);
    if (!directory.has(name)) continue;
    try {
      Mark found = read(name);
      if (!newest || generation(found) > generation(*newest)) newest = std::move(found);
    } catch (const Io& e) {
      damage = e;
    }
  }
  if (!newest && damage) throw *damage;
  return newest;
}

}  // namespace sweepback
