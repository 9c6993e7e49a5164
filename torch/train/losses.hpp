// SPDX-License-Identifier: Apache-2.0
// The losses that an outcome tells: the first ten and the last ten, however many there are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "sweepback/count.hpp"

namespace sweepback::train {

struct Losses {
  static constexpr std::size_t averaged = 10;
  Count count = 0;
  std::vector<double> early, late;

  void add(double loss) {
    ++count;
    if (early.size() < averaged) early.push_back(loss);
    if (late.size() == averaged) late.erase(late.begin());
    late.push_back(loss);
  }

  /// Means of ten, or of half of them where there are fewer than twenty. Need one at least.
  double first() const { return mean(early.data()); }
  double last() const { return mean(late.data() + late.size() - of_each()); }

 private:
  std::size_t of_each() const { return std::clamp<std::size_t>(static_cast<std::size_t>(count) / 2, 1, averaged); }
  double mean(const double* begin) const {
    return std::accumulate(begin, begin + of_each(), 0.0) / static_cast<double>(of_each());
  }
};

}  // namespace sweepback::train
