// SPDX-License-Identifier: Apache-2.0
// What a run that may be gone on with says of itself.
#include <bit>

#include "node.hpp"
#include "sweepback/manifest.hpp"

namespace sweepback {

namespace {

const char* bytes_order() { return std::endian::native == std::endian::little ? "little" : "big"; }

}  // namespace

namespace json {

Json to_json(const Manifest& manifest) {
  return {{"schema", "sweepback.manifest/1"}, {"program", manifest.program},       {"chain", manifest.chain},
          {"steps", manifest.steps},          {"end", manifest.end},               {"generation", manifest.generation},
          {"backward", manifest.backward},    {"byte_order", bytes_order()},
          {"adjoint", manifest.adjoint}};
}

template <>
Manifest from_json<Manifest>(const Document& document) {
  const Node node(document);
  node.schema("sweepback.manifest/1");
  node.object({"schema", "program", "chain", "steps", "end", "generation", "backward", "byte_order", "adjoint"});
  if (node.text("byte_order") != bytes_order()) node.at("byte_order").bad("is that of another machine", "go on where the run began");
  Manifest manifest{node.text("program"), node.text("chain"), node.count("steps"), node.count("end"), node.count("generation"), node.flag("backward"), node.has("adjoint") ? node.text("adjoint") : ""};
  if (manifest.end > manifest.steps) node.at("end").bad("lies beyond the chain", "this is no run of ours");
  return manifest;
}

}  // namespace json

}  // namespace sweepback
