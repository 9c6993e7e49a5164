// SPDX-License-Identifier: Apache-2.0
// The table of rotor (rotor.cpp), alone: to be compared value by value and second by second.
#pragma once

#include <vector>

#include "persistent.hpp"

namespace sweepback::detail::uneven {

/// The numbers of a chain, sizes in parts of memory; counted as in Persistent.
struct RotorNumbers {
  std::vector<int> state, adjoint;
  std::vector<int> tape;  // the step's output included
  std::vector<int> forward_workspace, reverse_workspace;
  std::vector<double> forward, record, reverse;

  int steps() const { return static_cast<int>(tape.size()); }
  int run_need(int i, int k) const;     // m_empty, x_i outside
  int record_need(int i, int k) const;  // m_all, x_i outside
};

/// Sizes in parts of which `memory` are `bytes`, rounded up.
RotorNumbers rotor_numbers(const Persistent& chain, Count bytes, int memory);

/// What every piece costs. O(steps^3 memory).
Costs rotor_table(const RotorNumbers& numbers, int memory);

/// What the whole chain costs where `memory` holds everything, x_0 included; infinity where it does
/// not fit.
double rotor_cost(const RotorNumbers& numbers, int memory);

/// The least memory in which that is finite. O(steps^3).
Count rotor_memory(const RotorNumbers& numbers);

}  // namespace sweepback::detail::uneven
