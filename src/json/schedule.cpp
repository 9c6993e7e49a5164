// SPDX-License-Identifier: Apache-2.0
// Actions, situations and schedules: what is needed to go on from where one stands.
#include <vector>

#include "node.hpp"

namespace sweepback::json {

namespace {

std::vector<Count> read_counts(const Node& node) {
  std::vector<Count> counts(node.size());
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = node.item(i).count();
  return counts;
}

}  // namespace

Situation read_situation(const Node& node) {
  node.object({"states", "tapes", "hand", "end", "reached_end", "further", "moving"});
  Situation at;
  at.states = read_counts(node.at("states"));
  at.tapes = read_counts(node.at("tapes"));
  at.hand = node.count("hand", Situation::none);
  at.end = node.count("end");
  at.reached_end = node.flag("reached_end");
  if (node.has("further")) {
    const Node tiers = node.at("further");
    if (tiers.size() > 16) tiers.bad("lists more than 16 tiers", "give the states of each tier in use");
    for (std::size_t n = 0; n < tiers.size(); ++n) at.further.push_back(read_counts(tiers.item(n)));
  }
  if (node.has("moving")) {
    const Node moves = node.at("moving");
    for (std::size_t n = 0; n < moves.size(); ++n) {
      const Action move = read_action(moves.item(n));
      if (move.kind != Action::Kind::begin_store && move.kind != Action::Kind::begin_restore)
        moves.item(n).bad("is no state on its way", R"(write {"begin_store":6,"to":T} or {"begin_restore":6,"from":T})");
      at.moving.push_back({move.first, move.tier, move.kind == Action::Kind::begin_restore});
    }
  }
  return at;
}

/// In which field an action names its tier.
const char* tier_field(Action::Kind kind) noexcept {
  using enum Action::Kind;
  return kind == store || kind == begin_store ? "to" : kind == wait ? "at" : "from";
}

Json to_json(const Action& action) {
  using enum Action::Kind;
  const bool one = action.on_state() || action.kind == free_tape || (action.kind != forward && action.last == action.first + 1);
  if (action.tier > 0) return {{name(action.kind), action.first}, {tier_field(action.kind), action.tier}};
  if (one) return {{name(action.kind), action.first}};
  return {{name(action.kind), {action.first, action.last}}};
}

template <>
Action from_json<Action>(const Document& document) {
  return read_action(Node(document));
}

/// `{"store":6,"to":1}` and its like: of a tier, by number.
Action read_in_tier(const Node& node) {
  using enum Action::Kind;
  for (const Action::Kind kind : {store, restore, Action::Kind::free, begin_store, begin_restore, wait}) {
    const char* where = tier_field(kind);
    if (!node.has(name(kind)) || !node.has(where) || node.value().size() != 2) continue;
    const Count tier = node.count(where);
    if (tier >= 16) node.at(where).bad("is no tier", "give a number below 16, counted from 0");
    return {kind, static_cast<std::uint8_t>(tier), node.count(name(kind)), node.count(name(kind))};
  }
  node.bad("is no action in a tier", R"(write {"store":6,"to":T}, {"restore":6,"from":T} or {"free":6,"from":T})");
}

Action read_action(const Node& node) {
  using enum Action::Kind;
  node.object({"forward", "record", "store", "restore", "free", "free_tape", "reverse", "begin_store", "begin_restore",
               "wait", "to", "from", "at"});
  if (node.value().size() > 1 && (node.has("to") || node.has("from") || node.has("at"))) return read_in_tier(node);
  if (node.value().size() != 1) node.bad("holds no action or several", "write one action a line");
  for (const Action::Kind kind :
       {forward, record, store, restore, Action::Kind::free, free_tape, reverse}) {
    if (!node.has(name(kind))) continue;
    const Node what = node.at(name(kind));
    if (!what.value().is_array()) {
      if (kind == forward) what.bad("is not a range", "write {\"forward\":[i,j]}, half open");
      const Count k = what.count();
      const bool on_state = kind == store || kind == restore || kind == Action::Kind::free;
      if (k == max_count) throw Overflow(what.path() + " is 2^63-1", "give a smaller number");
      return {kind, 0, k, on_state ? k : k + 1};
    }
    if (kind == store || kind == restore || kind == Action::Kind::free || kind == free_tape)
      what.bad("is a range", "give one number");
    if (what.size() != 2) what.bad("is no range of two numbers", "write [i,j], half open");
    const Action action{kind, 0, what.item(0).count(), what.item(1).count()};
    if (kind != forward && action.last <= action.first)
      what.bad("is an empty range", "write [i,j] with i below j");
    return action;
  }
  node.bad("holds no action", "give one of the actions of sweepback.actions/1");
}

Json to_json(const Situation& at) {
  Json json = {{"states", at.states},
               {"tapes", at.tapes},
               {"hand", at.hand == Situation::none ? Json() : Json(at.hand)},
               {"end", at.end},
               {"reached_end", at.reached_end}};
  if (!at.further.empty()) json["further"] = at.further;
  for (const Situation::Move& move : at.moving)
    json["moving"].push_back(to_json(move.to_memory ? Action::begin_restore(move.state, move.tier)
                                                    : Action::begin_store(move.state, move.tier)));
  return json;
}

template <>
Situation from_json<Situation>(const Document& document) {
  return read_situation(Node(document));
}

Json to_json(const Schedule& schedule) {
  return {{"recipe", to_json(schedule.recipe())}, {"position", to_json(schedule.situation())}};
}

Schedule read_schedule(const Node& node) {
  node.object({"recipe", "position"});
  const Recipe recipe = read_recipe(node.at("recipe"));
  return Schedule(recipe, read_situation(node.at("position")));
}

template <>
Schedule from_json<Schedule>(const Document& document) {
  return read_schedule(Node(document));
}

}  // namespace sweepback::json
