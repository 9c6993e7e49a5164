// SPDX-License-Identifier: Apache-2.0
// Recipes: with a position, all that is needed to stream the same actions again.
#include <algorithm>
#include <array>

#include "node.hpp"

namespace sweepback::json {

namespace {

constexpr std::array endings = {std::pair{Ending::given_up, "given-up"},
                                std::pair{Ending::state, "state"},
                                std::pair{Ending::detour, "detour"}};

/// The value whose word stands at `key`.
template <class Words, class Value>
Value read_word(const Node& node, const char* key, const Words& words, Value absent) {
  if (!node.has(key)) return absent;
  const std::string found = node.text(key);
  std::string known;
  for (const auto& [value, word] : words) {
    if (found == word) return value;
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  node.at(key).bad("is \"" + Node::shortened(found) + '"', "one of " + known + " is known");
}

template <class Words, class Value>
const char* word(const Words& words, Value value) {
  for (const auto& [known, word] : words)
    if (known == value) return word;
  return "";
}

constexpr std::array cuts = {std::pair{SegmentsRecipe::Cut::parts, "parts"},
                             std::pair{SegmentsRecipe::Cut::periods, "periods"}};
constexpr std::array insides = {std::pair{SegmentsRecipe::Inside::rerun, "rerun"},
                                std::pair{SegmentsRecipe::Inside::states, "states"},
                                std::pair{SegmentsRecipe::Inside::tapes, "tapes"}};

// Twice a number of steps fits in 63 bits, which the streams use.
Count read_steps(const Node& node) {
  const Count steps = node.count("steps");
  if (steps > max_count / 2)
    throw Overflow(node.at("steps").path() + " is above 2^62", "give fewer steps");
  return steps;
}

/// For handing over `length` states.
binomial::Room read_room(const Node& node, Count length) {
  const binomial::Room room{node.count("slots"), node.count("leaf", 1)};
  if (room.leaf != 1 && room.leaf != 2)
    throw OutOfRange(node.at("leaf").path() + " is " + std::to_string(room.leaf), "give 1 or 2",
                     {{"leaf", room.leaf}});
  if (room.slots == 0 && length > room.leaf)
    throw OutOfRange(node.at("slots").path() + " is 0", "give at least one", {{"smallest", 1}});
  return room;
}

StatesRecipe read_states(const Node& node) {
  node.object({"kind", "steps", "slots", "leaf", "tapes", "ending"});
  const Count steps = read_steps(node);
  const Ending ending = read_word(node, "ending", endings, Ending::given_up);
  return {steps, read_room(node, steps + (ending == Ending::state)), node.flag("tapes", false),
          ending};
}

TapesRecipe read_tapes(const Node& node) {
  node.object({"kind", "steps", "slots", "leaf", "stores_input"});
  const Count steps = read_steps(node);
  return {steps, read_room(node, steps + 1), node.flag("stores_input", true)};
}

/// Computes its table again.
MixedRecipe read_mixed(const Node& node) {
  node.object({"kind", "steps", "units", "state_units", "tape_units", "tape_has_output", "pinned"});
  const MixedModel model{node.count("state_units", 1), node.count("tape_units", 1),
                         node.flag("tape_has_output", true), node.flag("pinned", false)};
  const Count steps = node.count("steps"), units = node.count("units");
  if (static_cast<double>(steps) * static_cast<double>(steps) * static_cast<double>(std::max<Count>(8, units)) >
      1e10)
    throw Unsupported("a mixed schedule of " + std::to_string(steps) + " steps and " +
                          std::to_string(units) + " units takes too long to compute again",
                      "plan it anew, or keep its actions");
  const Count table_units = model.pinned ? std::max<Count>(0, units - model.state_units) : units;
  return {steps, units, PolicyTable(steps, table_units, model)};
}

BlocksRecipe read_blocks(const Node& node) {
  node.object({"kind", "steps", "block", "blocks"});
  BlocksRecipe recipe{read_steps(node), node.count("block"), {}};
  const Node blocks = node.at("blocks");
  if (blocks.text("kind") == "tapes")
    recipe.blocks = read_tapes(blocks);
  else
    recipe.blocks = read_states(blocks);
  return recipe;
}

SegmentsRecipe read_segments(const Node& node) {
  node.object({"kind", "steps", "cut", "size", "inside", "tapes", "ending"});
  return {read_steps(node),
          read_word(node, "cut", cuts, SegmentsRecipe::Cut::parts),
          node.count("size"),
          read_word(node, "inside", insides, SegmentsRecipe::Inside::rerun),
          node.flag("tapes", false),
          read_word(node, "ending", endings, Ending::given_up)};
}

FinishRecipe read_finish(const Node& node) {
  node.object({"kind", "steps", "from", "first", "rest"});
  FinishRecipe recipe{read_situation(node.at("from")), {}, read_states(node.at("rest"))};
  if (node.count("steps") != recipe.rest.steps)
    node.at("steps").bad("is not that of \"rest\"", "give one of them right");
  const Node first = node.at("first");
  for (std::size_t i = 0; i < first.size(); ++i) recipe.first.push_back(read_action(first.item(i)));
  return recipe;
}

Json write(const StatesRecipe& recipe) {
  return {{"kind", "states"},          {"steps", recipe.steps}, {"slots", recipe.room.slots},
          {"leaf", recipe.room.leaf}, {"tapes", recipe.tapes}, {"ending", word(endings, recipe.ending)}};
}

Json write(const TapesRecipe& recipe) {
  return {{"kind", "tapes"},
          {"steps", recipe.steps},
          {"slots", recipe.room.slots},
          {"leaf", recipe.room.leaf},
          {"stores_input", recipe.stores_input}};
}

Json write(const MixedRecipe& recipe) {
  const MixedModel& model = recipe.table.model();
  return {{"kind", "mixed"},
          {"steps", recipe.steps},
          {"units", recipe.units},
          {"state_units", model.state_units},
          {"tape_units", model.tape_units},
          {"tape_has_output", model.tape_has_output},
          {"pinned", model.pinned}};
}

Json write(const BlocksRecipe& recipe) {
  return {{"kind", "blocks"},
          {"steps", recipe.steps},
          {"block", recipe.block},
          {"blocks", std::visit([](const auto& inner) { return write(inner); }, recipe.blocks)}};
}

Json write(const SegmentsRecipe& recipe) {
  return {{"kind", "segments"},
          {"steps", recipe.steps},
          {"cut", word(cuts, recipe.cut)},
          {"size", recipe.size},
          {"inside", word(insides, recipe.inside)},
          {"tapes", recipe.tapes},
          {"ending", word(endings, recipe.ending)}};
}

Json write(const FinishRecipe& recipe) {
  Json first = Json::array();
  for (const Action& action : recipe.first) first.push_back(to_json(action));
  return {{"kind", "finish"},
          {"steps", recipe.rest.steps},
          {"from", to_json(recipe.from)},
          {"first", std::move(first)},
          {"rest", write(recipe.rest)}};
}

ListedRecipe read_listed(const Node& node) {
  node.object({"kind", "steps", "actions"});
  const Node listed = node.at("actions");
  std::vector<Action> actions;
  for (std::size_t i = 0; i < listed.size(); ++i) actions.push_back(read_action(listed.item(i)));
  return {read_steps(node), std::make_shared<const std::vector<Action>>(std::move(actions))};
}

Json write(const ListedRecipe& recipe) {
  Json actions = Json::array();
  for (const Action& action : *recipe.actions) actions.push_back(to_json(action));
  return {{"kind", "listed"}, {"steps", recipe.steps}, {"actions", std::move(actions)}};
}

LegsRecipe read_legs(const Node& node) {
  node.object({"kind", "steps", "from", "legs"});
  const Node listed = node.at("legs");
  std::vector<Leg> legs(listed.size());
  for (std::size_t n = 0; n < legs.size(); ++n) {
    const Node leg = listed.item(n);
    leg.object({"before", "first", "recipe"});
    const Node before = leg.at("before");
    for (std::size_t i = 0; i < before.size(); ++i) legs[n].before.push_back(read_action(before.item(i)));
    legs[n].first = leg.count("first");
    const Node inner = leg.at("recipe");
    if (const std::string kind = inner.text("kind"); kind == "legs" || kind == "finish")
      inner.at("kind").bad("is \"" + kind + "\", which begins in the middle", "give a leg that begins with its first state");
    std::visit(
        [&](auto&& recipe) {
          if constexpr (std::is_constructible_v<Leg::Recipe, decltype(recipe)>) legs[n].recipe = std::forward<decltype(recipe)>(recipe);
        },
        read_recipe(inner));
  }
  return {read_steps(node), read_situation(node.at("from")), std::make_shared<const std::vector<Leg>>(std::move(legs))};
}

Json write(const LegsRecipe& recipe) {
  Json legs = Json::array();
  for (const Leg& leg : *recipe.legs) {
    Json before = Json::array();
    for (const Action& action : leg.before) before.push_back(to_json(action));
    legs.push_back({{"before", std::move(before)},
                    {"first", leg.first},
                    {"recipe", std::visit([](const auto& kind) { return write(kind); }, leg.recipe)}});
  }
  return {{"kind", "legs"}, {"steps", recipe.steps}, {"from", to_json(recipe.from)}, {"legs", std::move(legs)}};
}

}  // namespace

Recipe read_recipe(const Node& node) {
  const std::string kind = node.text("kind");
  if (kind == "states") return read_states(node);
  if (kind == "tapes") return read_tapes(node);
  if (kind == "mixed") return read_mixed(node);
  if (kind == "blocks") return read_blocks(node);
  if (kind == "segments") return read_segments(node);
  if (kind == "finish") return read_finish(node);
  if (kind == "listed") return read_listed(node);
  if (kind == "legs") return read_legs(node);
  node.at("kind").bad("is \"" + Node::shortened(kind) + '"',
                      "one of states, tapes, mixed, blocks, segments, finish, listed, legs is known");
}

Json to_json(const Recipe& recipe) {
  return std::visit([](const auto& kind) { return write(kind); }, recipe);
}

template <>
Recipe from_json<Recipe>(const Document& document) {
  return read_recipe(Node(document));
}

}  // namespace sweepback::json
