// SPDX-License-Identifier: Apache-2.0
#include "sweepback/schedule.hpp"

#include "stream_of.hpp"

namespace sweepback {

namespace {

using Stream =
    std::variant<StatesStream, TapesStream, MixedStream, BlocksStream, SegmentsStream, FinishStream,
                 ListedStream, LegsStream>;

}  // namespace

Schedule::Schedule(const Recipe& recipe) : stream_(detail::stream_of<Stream>(recipe)) {}

Schedule::Schedule(const Recipe& recipe, const Situation& at) : stream_(detail::stream_of<Stream>(recipe, at)) {}

Recipe Schedule::recipe() const {
  return std::visit([](const auto& stream) -> Recipe { return stream.recipe(); }, stream_);
}

Situation Schedule::situation() const {
  return std::visit([](const auto& stream) { return stream.situation(); }, stream_);
}

}  // namespace sweepback
