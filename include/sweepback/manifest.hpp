// SPDX-License-Identifier: Apache-2.0
// What a run that may be gone on with says of itself, beside its files (durable_sweep.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweepback/fingerprint.hpp"
#include "sweepback/generations.hpp"
#include "sweepback/json.hpp"
#include "sweepback/run_directory.hpp"

namespace sweepback {

/// `sweepback.manifest/1`.
struct Manifest {
  std::string program;       ///< the user's name for it
  std::string chain;         ///< its fingerprint
  Count steps = 0;           ///< of the chain
  Count end = 0;             ///< steps end … steps-1 are reversed
  Count generation = 0;      ///< of marks, counted from 1
  bool backward = false;     ///< x_l was reached, and an adjoint is there
  std::string adjoint = {};  ///< its fingerprint: of a mark that was killed half way, the file is that of another
  bool operator==(const Manifest&) const = default;
};

namespace json {
Json to_json(const Manifest& manifest);
/// Throws BadFile: also for another version, or another order of bytes.
template <>
Manifest from_json<Manifest>(const Document&);
}  // namespace json

/// The newest in a directory that is whole, and its adjoint with it; empty where there is none. Throws Io where all
/// are damaged, BadFile for what is none.
inline std::optional<Manifest> newest_manifest(const RunDirectory& directory) {
  const auto file = [&](const std::string& name) { return (directory.path() / ("sweepback." + name)).string(); };
  const auto read = [&](const std::string& name) {
    const std::vector<std::byte> content = directory.read(name);
    const std::string text(reinterpret_cast<const char*>(content.data()), content.size());
    const Manifest found = json::from_json<Manifest>(json::parse(text, file(name)));
    const std::string adjoint = generation_name("adjoint", found.generation);
    if (found.backward && to_string(fingerprint(directory.read(adjoint))) != found.adjoint)
      throw Io(file(adjoint) + " is not that of its mark", "the file is damaged and is not used: check the disk");
    return found;
  };
  return newest_generation(directory, "manifest", read, [](const Manifest& found) { return found.generation; });
}

}  // namespace sweepback
