// SPDX-License-Identifier: Apache-2.0
// `sweepback.chain/1`. Fields at their defaults are left out.
#include <vector>

#include "node.hpp"

namespace sweepback::json {

namespace {

Json to_json(const Step& step) {
  Json json = {{"forward", step.forward}};
  const auto put = [&](const char* key, const auto& value) {
    if (value) json[key] = *value;
  };
  const auto put_unless_zero = [&](const char* key, Count value) {
    if (value != 0) json[key] = value;
  };
  put("record", step.record);
  json["reverse"] = step.reverse;
  put_unless_zero("forward_call", step.forward_call);
  put_unless_zero("record_call", step.record_call);
  put_unless_zero("reverse_call", step.reverse_call);
  put("state", step.state_bytes);
  put("tape", step.tape_bytes);
  put("block_tape", step.block_tape);
  if (step.tapes) json["tapes"] = true;
  if (!step.tape_has_output) json["tape_has_output"] = false;
  put_unless_zero("forward_workspace", step.forward_workspace);
  put_unless_zero("reverse_workspace", step.reverse_workspace);
  put_unless_zero("adjoint", step.adjoint);
  if (!step.name.empty()) json["name"] = step.name;
  return json;
}

}  // namespace

Step read_step(const Node& node) {
  node.object({"forward", "record", "reverse", "forward_call", "record_call", "reverse_call", "state",
               "tape", "block_tape", "tapes", "tape_has_output", "forward_workspace",
               "reverse_workspace", "adjoint", "name", "repeat"});
  Step step;
  step.forward = node.count("forward", step.forward);
  step.record = node.maybe_count("record");
  step.reverse = node.count("reverse", step.reverse);
  step.forward_call = node.count("forward_call", 0);
  step.record_call = node.count("record_call", 0);
  step.reverse_call = node.count("reverse_call", 0);
  step.state_bytes = node.maybe_count("state");
  step.tape_bytes = node.maybe_count("tape");
  step.block_tape = node.maybe_count("block_tape");
  step.tapes = node.flag("tapes", step.tapes);
  step.tape_has_output = node.flag("tape_has_output", step.tape_has_output);
  step.forward_workspace = node.count("forward_workspace", step.forward_workspace);
  step.reverse_workspace = node.count("reverse_workspace", step.reverse_workspace);
  step.adjoint = node.count("adjoint", step.adjoint);
  if (node.has("name")) step.name = node.text("name");
  return step;
}

Input read_input(const Node& node) {
  node.object({"state", "adjoint"});
  return {node.maybe_count("state"), node.maybe_count("adjoint")};
}

/// The runs alone, for a chain and for the chain within a plan.
Json write_runs(const Chain& chain) {
  Json steps = Json::array();
  for (const Run& run : chain.runs()) {
    Json step = to_json(run.step);
    if (run.repeat != 1) step["repeat"] = run.repeat;
    steps.push_back(std::move(step));
  }
  return steps;
}

Chain read_runs(const Node& node, const char* key, bool final_state) {
  const Node steps = node.at(key);
  std::vector<Run> runs;
  runs.reserve(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Node step = steps.item(i);
    runs.push_back({read_step(step), step.count("repeat", 1)});
  }
  Chain chain =
      Chain::of(std::move(runs), node.has("input") ? read_input(node.at("input")) : Input{});
  chain.in_place = node.flag("in_place", false);
  chain.blocks = node.flag("blocks", false);
  chain.final_state = node.flag("final_state", final_state);
  return chain;
}

Json to_json(const Chain& chain) {
  Json json = {{"schema", "sweepback.chain/1"},
               {"in_place", chain.in_place},
               {"final_state", chain.final_state}};
  if (chain.blocks) json["blocks"] = true;
  if (const Input& input = chain.input(); input != Input{}) {
    Json& written = json["input"] = Json::object();
    if (input.state_bytes) written["state"] = *input.state_bytes;
    if (input.adjoint) written["adjoint"] = *input.adjoint;
  }
  json["steps"] = write_runs(chain);
  return json;
}

Chain read_chain(const Node& node, bool final_state) {
  node.schema("sweepback.chain/1");
  node.object({"schema", "in_place", "final_state", "blocks", "input", "steps"});
  return read_runs(node, "steps", final_state);
}

Chain chain_from(const Document& document, bool final_state) {
  return read_chain(Node(document), final_state);
}

template <>
Chain from_json<Chain>(const Document& document) {
  return chain_from(document, Chain{}.final_state);
}

}  // namespace sweepback::json
