// SPDX-License-Identifier: Apache-2.0
#include "bricks.hpp"

#include <algorithm>
#include <cmath>

namespace sweepback::detail {

namespace {

std::size_t parts(std::size_t whole, std::size_t part) { return (whole + part - 1) / part; }

}  // namespace

Bricks::Bricks(std::span<const std::size_t> shape, std::size_t most) {
  // Sides of 1 go, to the front.
  std::size_t at = 3;
  for (std::size_t n = shape.size(); n-- > 0;)
    if (shape[n] != 1) field_[--at] = shape[n];
  for (std::size_t n = 0; n < 3; ++n) {
    // What is left of `most`, shared among the sides that are left: each at least four.
    const double even = std::pow(static_cast<double>(most), 1.0 / static_cast<double>(3 - n)) + 1e-9;
    const std::size_t side = std::max<std::size_t>(4, static_cast<std::size_t>(even) / 4 * 4);
    counts_[n] = parts(field_[n], side);
    brick_[n] = std::min(field_[n], parts(parts(field_[n], counts_[n]), 4) * 4);
    counts_[n] = parts(field_[n], brick_[n]);
    most = std::max<std::size_t>(4, most / brick_[n]);
  }
}

Bricks::Sides Bricks::begin(std::size_t brick) const {
  const std::size_t c = brick % counts_[2], b = brick / counts_[2] % counts_[1], a = brick / counts_[2] / counts_[1];
  return {a * brick_[0], b * brick_[1], c * brick_[2]};
}

Bricks::Sides Bricks::sides(std::size_t brick) const {
  const Sides from = begin(brick);
  Sides sides;
  for (std::size_t n = 0; n < 3; ++n) sides[n] = std::min(brick_[n], field_[n] - from[n]);
  return sides;
}

std::size_t Bricks::numbers(std::size_t brick) const {
  const Sides size = sides(brick);
  return size[0] * size[1] * size[2];
}

}  // namespace sweepback::detail
