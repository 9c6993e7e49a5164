// SPDX-License-Identifier: Apache-2.0
// layers: Gruslys, Munos, Danihelka, Lanctot and Graves (2016), "Memory-efficient backpropagation
// through time", Appendix C: their mixed strategy with a cost and a size for every layer. x_i and
// the tape in use are outside m; w_j is the tape of step j, its output x_{j+1} included; every size
// is rounded up to parts of memory. For a piece (i, k) of persistent.hpp:
//
//   C(i, k, m) = min( F(i, k-1) + V(k-1) + C(i, k-1, m) ,
//                     F(i, j) + C(j, k, m - a_j) + C(i, j, m)           for i < j < k ,
//                     F(i, j) + V(j) + C(j+1, k, m - w_j) + C(i, j, m)  for i <= j < k-1 )
//
// with F(i, j) what steps i … j-1 cost forward, V(j) what recording and reversing step j does.
// Only what is kept is weighed there. So that a budget in bytes holds all that is alive, x_0 and
// the most that any step needs at once are taken from it before it is divided.
//
// Cheapest where only kept states and tapes are counted, in whole parts, and whatever is kept stays
// until its piece is done. Not so otherwise: the reserve is that of the worst step wherever the
// sweep is, and a base stays when tapes alone would do.
#include "layers.hpp"

#include <algorithm>
#include <limits>

#include "engines.hpp"
#include "sweepback/error.hpp"

namespace sweepback::detail::uneven {

namespace {

std::size_t to(int i) { return static_cast<std::size_t>(i); }

Split split_of(const LayersNumbers& n, const Costs& costs, int i, int k, int m) {
  double best = std::numeric_limits<double>::infinity();
  Split split;
  double run = 0;
  for (int j = i; j < k; ++j) {
    const auto offer = [&](bool keep, int above, double cost) {
      if (above < 0 || cost + costs.row(i, j)[m] >= best) return;
      best = cost + costs.row(i, j)[m];
      split = {keep, j, above};
    };
    const int beside = m - n.tape[to(j)], kept = m - n.state[to(j)];
    const double taped = run + n.record[to(j)] + n.reverse[to(j)];
    if (j == k - 1)
      offer(false, 0, taped);
    else if (beside >= 0)
      offer(false, beside, taped + costs.row(j + 1, k)[beside]);
    if (j > i && kept >= 0) offer(true, kept, run + costs.row(j, k)[kept]);
    run += n.forward[to(j)];
  }
  return split;
}

}  // namespace

Count layers_reserve(const Persistent& chain) {
  Wide most = 0;
  Count adjoint = 0;  // of any state above step k: one of them is alive
  for (int k = chain.steps - 1; k >= 0; --k) {
    const auto at = to(k);
    adjoint = std::max(adjoint, chain.adjoint[at + 1]);
    const Wide running = static_cast<Wide>(chain.state[at]) +
                         std::max(chain.state[at + 1], chain.tape[at]) +
                         chain.forward_workspace[at] + adjoint;
    const Wide reversing = static_cast<Wide>(chain.tape[at]) + chain.reverse_workspace[at] +
                           chain.adjoint[at + 1];
    most = std::max({most, running, reversing});
  }
  return chain.steps == 0 ? 0 : narrow(most + chain.state[0], "the memory that a step needs");
}

LayersNumbers layers_numbers(const Persistent& chain, Count bytes, int memory) {
  const auto round = [&](const std::vector<Count>& sizes) {
    std::vector<int> parts;
    parts.reserve(sizes.size());
    for (const Count size : sizes) parts.push_back(in_parts(size, bytes, memory));
    return parts;
  };
  return {round(chain.state), round(chain.tape), chain.forward, chain.record, chain.reverse};
}

Costs layers_table(const LayersNumbers& n, int memory) {
  const int l = n.steps();
  Costs costs(l, memory);
  for (int length = 1; length <= l; ++length)
    for (int i = 0; i + length <= l; ++i) {
      const int k = i + length;
      double* row = costs.row(i, k);
      double run = 0;
      for (int j = i; j < k; ++j) {
        const double* below = costs.row(i, j);
        const double taped = run + n.record[to(j)] + n.reverse[to(j)];
        const double* beside = costs.row(j + 1, k);
        const int size = j == k - 1 ? 0 : n.tape[to(j)];  // the last tape is the one in use
        for (int m = size; m <= memory; ++m)
          row[m] = std::min(row[m], taped + beside[m - size] + below[m]);
        if (j > i) {
          const double* above = costs.row(j, k);
          const int kept = n.state[to(j)];
          for (int m = kept; m <= memory; ++m)
            row[m] = std::min(row[m], run + above[m - kept] + below[m]);
        }
        run += n.forward[to(j)];
      }
    }
  return costs;
}

double layers_cost(const LayersNumbers& n, int memory) {
  return layers_table(n, memory).row(0, n.steps())[memory];
}

std::vector<Action> layers_actions(const Chain& chain, Count bytes, int slots) {
  const Persistent line(chain, "layers");
  parts_of(bytes, slots);  // throws where they mean nothing
  const Count reserve = layers_reserve(line);
  if (bytes < reserve)
    throw BudgetTooSmall(bytes, reserve, whole(layers_cost(layers_numbers(line, 0, 0), 0)), true);
  const Count room = bytes - reserve;
  const int memory = parts_of(room, slots);
  const LayersNumbers numbers = layers_numbers(line, room, memory);
  const Costs costs = layers_table(numbers, memory);
  return actions_of(line, memory,
                    [&](int i, int k, int m) { return split_of(numbers, costs, i, k, m); });
}

}  // namespace sweepback::detail::uneven
