// SPDX-License-Identifier: Apache-2.0
// The table of layers (layers.cpp), alone.
#pragma once

#include <vector>

#include "persistent.hpp"

namespace sweepback::detail::uneven {

/// The numbers of a chain, sizes in parts of memory; counted as in Persistent.
struct LayersNumbers {
  std::vector<int> state;
  std::vector<int> tape;  // the step's output included
  std::vector<double> forward, record, reverse;

  int steps() const { return static_cast<int>(tape.size()); }
};

/// What is alive beside the states and tapes that are kept, in bytes: x_0, and the most that any
/// step needs at once. The smallest budget.
Count layers_reserve(const Persistent& chain);

/// Sizes in parts of which `memory` are `bytes`, rounded up.
LayersNumbers layers_numbers(const Persistent& chain, Count bytes, int memory);

/// What every piece costs. O(steps^3 memory).
Costs layers_table(const LayersNumbers& numbers, int memory);

/// What the whole chain costs where `memory` holds what is kept beside x_0 and the tape in use.
double layers_cost(const LayersNumbers& numbers, int memory);

}  // namespace sweepback::detail::uneven
