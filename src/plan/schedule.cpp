// SPDX-License-Identifier: Apache-2.0
#include "sweepback/schedule.hpp"

namespace sweepback {

namespace {

using Stream = std::variant<StatesStream, TapesStream>;

template <class... Position>
Stream stream_of(const Recipe& recipe, const Position&... at) {
  if (const auto* states = std::get_if<StatesRecipe>(&recipe)) return StatesStream(*states, at...);
  return TapesStream(std::get<TapesRecipe>(recipe), at...);
}

}  // namespace

Schedule::Schedule(const Recipe& recipe) : stream_(stream_of(recipe)) {}

Schedule::Schedule(const Recipe& recipe, const Situation& at) : stream_(stream_of(recipe, at)) {}

Recipe Schedule::recipe() const {
  return std::visit([](const auto& stream) -> Recipe { return stream.recipe(); }, stream_);
}

Situation Schedule::situation() const {
  return std::visit([](const auto& stream) { return stream.situation(); }, stream_);
}

}  // namespace sweepback
