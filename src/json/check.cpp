// SPDX-License-Identifier: Apache-2.0
// By what a stream is judged (its header), and the verdict.
#include "node.hpp"

namespace sweepback::json {

namespace {

/// Steps of cost 1 whose sizes are not known: said in a few words instead of a chain.
bool plain(const Chain& chain) {
  Step step;
  step.tapes = chain.steps() > 0 && chain.has_tapes();
  Chain same = Chain::uniform(chain.steps(), step);
  same.in_place = chain.in_place;
  same.final_state = chain.final_state;
  return same == chain;
}

Keep read_keep(const Node& node) {
  const std::string word = node.has("keep") ? node.text("keep") : "states";
  for (const Keep keep : {Keep::states, Keep::tapes, Keep::mixed})
    if (word == name(keep)) return keep;
  node.at("keep").bad("is \"" + Node::shortened(word) + '"',
                      "one of states, tapes, mixed is known");
}

Chain read_plain_chain(const Node& node, Keep keep) {
  const Count steps = node.count("steps");
  const bool tapes = node.flag("tapes", keep != Keep::states);
  if (!tapes && keep != Keep::states)
    node.at("tapes").bad("is false, and tapes are what is kept", "leave it out, or keep states");
  Step step;
  step.tapes = tapes && steps > 0;
  Chain chain = Chain::uniform(steps, step);
  chain.in_place = node.flag("in_place", false);
  chain.final_state = node.flag("final_state", false);
  return chain;
}

Chain read_whole_chain(const Node& node, Keep keep) {
  for (const char* twice : {"tapes", "in_place", "final_state"})
    if (node.has(twice)) node.at(twice).bad("is given beside a chain", "say it in the chain");
  Chain chain = read_chain(node.at("chain"), false);
  if (node.has("steps") && node.count("steps") != chain.steps())
    node.at("steps").bad("is not the number of steps of the chain", "give one of them right");
  return keep == Keep::states || chain.has_tapes() ? chain : chain.with_tapes();
}

}  // namespace

Json to_json(const Rules& rules) {
  const Chain& chain = rules.chain;
  Json json = {{"schema", "sweepback.actions/1"}, {"steps", chain.steps()}};
  if (rules.budget) json.update(to_json(*rules.budget));
  json["keep"] = name(rules.keep);
  if (rules.keep == Keep::mixed) {
    json["state_units"] = rules.state_units;
    json["tape_units"] = rules.tape_units;
  }
  if (rules.from) json["from"] = to_json(*rules.from);
  if (plain(chain)) {
    json["tapes"] = chain.steps() > 0 && chain.has_tapes();
    json["in_place"] = chain.in_place;
    json["final_state"] = chain.final_state;
  } else {
    json["chain"] = to_json(chain);
  }
  return json;
}

template <>
Rules from_json<Rules>(const Document& document) {
  const Node node(document);
  node.schema("sweepback.actions/1");
  // What only describes where a stream comes from is let through.
  node.object({"schema", "steps", "slots", "bytes", "tiers", "keep", "state_units", "tape_units", "tapes",
               "in_place", "final_state", "chain", "from", "comment", "source", "strategy", "engine"});
  Rules rules;
  rules.keep = read_keep(node);
  rules.chain =
      node.has("chain") ? read_whole_chain(node, rules.keep) : read_plain_chain(node, rules.keep);
  if (node.has("slots") && node.has("bytes"))
    node.bad("has a budget in slots and one in bytes", "give one of them");
  if (node.has("tiers"))
    rules.budget = read_tiered_budget(node);
  else if (node.has("slots"))
    rules.budget = Budget::slots(node.count("slots"));
  else if (node.has("bytes"))
    rules.budget = Budget::bytes(node.count("bytes"));
  if (node.has("from")) rules.from = read_situation(node.at("from"));
  rules.state_units = node.count("state_units", 1);
  rules.tape_units = node.count("tape_units", 1);
  return rules;
}

Json to_json(const Verdict& verdict) {
  Json violation;
  if (verdict.violation)
    violation = {{"line", verdict.violation->action + 2},
                 {"action", verdict.violation->action},
                 {"rule", verdict.violation->rule},
                 {"message", verdict.violation->message}};
  return {{"schema", "sweepback.check/1"},
          {"ok", verdict.ok},
          {"bill", to_json(verdict.bill)},
          {"violation", violation}};
}

template <>
Verdict from_json<Verdict>(const Document& document) {
  const Node node(document);
  node.schema("sweepback.check/1");
  Verdict verdict;
  verdict.ok = node.flag("ok");
  verdict.bill = read_bill(node.at("bill"));
  if (node.has("violation")) {
    const Node violation = node.at("violation");
    verdict.violation =
        Violation{violation.count("action"), violation.text("rule"), violation.text("message")};
  }
  return verdict;
}

}  // namespace sweepback::json
