// SPDX-License-Identifier: Apache-2.0
#include "sweepback/blocks_stream.hpp"

#include "stream_positions.hpp"

namespace sweepback {

namespace {

std::variant<StatesStream, TapesStream> stream_of(const BlocksRecipe& recipe) {
  if (recipe.block < 1)
    throw OutOfRange("blocks of " + std::to_string(recipe.block) + " steps",
                     "give blocks of at least one step", {{"block", recipe.block}});
  const Count blocks = recipe.steps / recipe.block + (recipe.steps % recipe.block != 0);
  if (std::visit([](const auto& inner) { return inner.steps; }, recipe.blocks) != blocks)
    throw OutOfRange("a schedule of another number of blocks than " + std::to_string(blocks),
                     "cut the chain into blocks of " + std::to_string(recipe.block) + " steps");
  if (const auto* states = std::get_if<StatesRecipe>(&recipe.blocks)) return StatesStream(*states);
  return TapesStream(std::get<TapesRecipe>(recipe.blocks));
}

}  // namespace

BlocksStream::BlocksStream(const BlocksRecipe& recipe)
    : recipe_(recipe), stream_(stream_of(recipe)) {}

BlocksStream::BlocksStream(const BlocksRecipe& recipe, const Situation& at)
    : BlocksStream(recipe) {
  detail::require_position(recipe.steps, at);
  detail::walk_to(*this, at);
}

Situation BlocksStream::situation() const {
  Situation at = std::visit([](const auto& stream) { return stream.situation(); }, stream_);
  for (Count& state : at.states) state = step(state);
  for (Count& tape : at.tapes) tape = step(tape + 1) - 1;
  if (at_ < until_) {
    at.hand = step(at_);
    at.reached_end = reached_end_;
  } else if (at.hand != Situation::none) {
    at.hand = step(at.hand);
  }
  at.end = step(at.end);
  return at;
}

bool BlocksStream::next(Action& action) {
  if (at_ == until_) {
    reached_end_ = situation().reached_end;
    const bool more = std::visit([&](auto& stream) { return stream.next(action); }, stream_);
    if (!more) return false;
    if (action.kind != Action::Kind::forward) {
      action.first = step(action.first);
      action.last = step(action.last);
      return true;
    }
    at_ = action.first;
    until_ = action.last;
  }
  action = Action::forward(step(at_), step(at_ + 1));
  ++at_;
  return true;
}

}  // namespace sweepback
