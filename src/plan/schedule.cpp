// SPDX-License-Identifier: Apache-2.0
#include "sweepback/schedule.hpp"

namespace sweepback {

namespace {

using Stream =
    std::variant<StatesStream, TapesStream, MixedStream, BlocksStream, SegmentsStream, FinishStream,
                 ListedStream, LegsStream>;

/// The stream of the recipe's kind: both variants name them in the same order.
template <std::size_t kind, class... Position>
Stream stream_of(const Recipe& recipe, const Position&... at) {
  if constexpr (kind + 1 < std::variant_size_v<Recipe>)
    if (recipe.index() != kind) return stream_of<kind + 1>(recipe, at...);
  return std::variant_alternative_t<kind, Stream>(std::get<kind>(recipe), at...);
}

}  // namespace

Schedule::Schedule(const Recipe& recipe) : stream_(stream_of<0>(recipe)) {}

Schedule::Schedule(const Recipe& recipe, const Situation& at) : stream_(stream_of<0>(recipe, at)) {}

Recipe Schedule::recipe() const {
  return std::visit([](const auto& stream) -> Recipe { return stream.recipe(); }, stream_);
}

Situation Schedule::situation() const {
  return std::visit([](const auto& stream) { return stream.situation(); }, stream_);
}

}  // namespace sweepback
