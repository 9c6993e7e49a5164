// SPDX-License-Identifier: Apache-2.0
// A field in bricks: boxes of at most so many numbers, of sides that are alike and multiples of four where
// the field is as long, so that room for one brick is enough to work on all.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace sweepback::detail {

class Bricks {
 public:
  using Sides = std::array<std::size_t, 3>;  ///< slowest first; those that a field has not are 1

  /// Of a field with up to three sides, none of them 0.
  Bricks(std::span<const std::size_t> shape, std::size_t most);

  std::size_t count() const { return counts_[0] * counts_[1] * counts_[2]; }
  Sides sides(std::size_t brick) const;
  std::size_t numbers(std::size_t brick) const;

  /// Calls `row(in field, in brick, numbers)` for each row of a brick: where it begins, and how long it is.
  template <class Row>
  void each_row(std::size_t brick, Row&& row) const {
    const Sides from = begin(brick), size = sides(brick);
    std::size_t there = 0;
    for (std::size_t a = 0; a < size[0]; ++a)
      for (std::size_t b = 0; b < size[1]; ++b, there += size[2])
        row(((from[0] + a) * field_[1] + from[1] + b) * field_[2] + from[2], there, size[2]);
  }

 private:
  Sides begin(std::size_t brick) const;

  Sides field_{1, 1, 1}, brick_, counts_;
};

}  // namespace sweepback::detail
