// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <variant>

namespace sweepback::detail {

/// The stream of the recipe's kind: both variants name them in the same order.
template <class Stream, std::size_t kind = 0, class Recipe, class... Position>
Stream stream_of(const Recipe& recipe, const Position&... at) {
  if constexpr (kind + 1 < std::variant_size_v<Recipe>)
    if (recipe.index() != kind) return stream_of<Stream, kind + 1>(recipe, at...);
  return std::variant_alternative_t<kind, Stream>(std::get<kind>(recipe), at...);
}

}  // namespace sweepback::detail
