// SPDX-License-Identifier: Apache-2.0
// rotor: Beaumont, Eyraud-Dubois, Herrmann, Joly and Shilova (2019), "Optimal checkpointing for
// heterogeneous chains", as published. Sizes are rounded up to parts of memory. x_i takes its room
// outside m until its piece (persistent.hpp) is done, even where nothing but the tape of step i is
// used; w_i is that tape, its output x_{i+1} included, d_k the adjoint of x_k, f and r workspace:
//
//   run(i, k)  = d_k + max( a_{i+1} + f_i , a_j + a_{j+1} + f_j  for i < j < k-1 )
//   all(i, k)  = w_i + max( d_k + f_i , d_{i+1} + r_i )
//   C(i, k, m) = min( record_i + C(i+1, k, m - w_i) + reverse_i            where m >= all(i, k) ,
//                     F(i, j) + C(j, k, m - a_j) + C(i, j, m), i < j < k,  where m >= run(i, k) )
//
// with F(i, j) what steps i … j-1 cost forward, and nothing to pay for an empty piece.
// The answer is C(0, l, M - a_0). Where sizes are whole parts it is the cheapest of the persistent
// schedules in which step i is reversed from its tape and x_i: a tape may stay when x_i goes and
// comes back with another tape, and the cheapest of all schedules can be cheaper (3 steps: 8, not
// 9). Rounding costs more where there are few parts. This is the yardstick of the benchmark: the
// loops are the plain ones.
#include "rotor.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "engines.hpp"
#include "sweepback/error.hpp"

namespace sweepback::detail::uneven {

namespace {

std::size_t to(int i) { return static_cast<std::size_t>(i); }

Split split_of(const RotorNumbers& n, const Costs& costs, int i, int k, int m) {
  double best = std::numeric_limits<double>::infinity();
  Split split;
  if (m >= n.record_need(i, k)) {
    split = {false, i, m - n.tape[to(i)]};
    best = n.record[to(i)] + costs.row(i + 1, k)[split.above] + n.reverse[to(i)];
  }
  if (m < n.run_need(i, k)) return split;
  double run = 0;
  for (int j = i + 1; j < k; ++j) {
    run += n.forward[to(j - 1)];
    const int above = m - n.state[to(j)];
    if (above < 0) continue;
    const double cost = run + costs.row(j, k)[above] + costs.row(i, j)[m];
    if (cost < best) {
      best = cost;
      split = {true, j, above};
    }
  }
  return split;
}

/// Larger parts never make a size more of them, so what fits in some bytes fits in more.
[[noreturn]] void refuse(const Persistent& chain, Count bytes, int slots) {
  const auto need = [&](Count at) {
    return rotor_memory(rotor_numbers(chain, at, parts_of(at, slots)));
  };
  Count largest = 0;
  for (const std::vector<Count>* sizes : {&chain.state, &chain.adjoint, &chain.tape,
                                          &chain.forward_workspace, &chain.reverse_workspace})
    largest = std::max(largest, *std::max_element(sizes->begin(), sizes->end()));
  // There, everything is one part.
  Count least = bytes, enough = narrow(static_cast<Wide>(slots) * largest, "the smallest budget");
  if (const Count parts = need(enough); least >= enough || parts > slots)
    throw OutOfRange("rotor with memory in " + std::to_string(slots) +
                         " equal parts, which hold no schedule however large they are",
                     "give at least " + std::to_string(parts) + " parts");
  while (enough - least > 1) {
    const Count middle = least + (enough - least) / 2;
    (need(middle) <= parts_of(middle, slots) ? enough : least) = middle;
  }
  const int memory = parts_of(enough, slots);
  const double there = rotor_cost(rotor_numbers(chain, enough, memory), memory);
  throw BudgetTooSmall(bytes, enough, whole(there), true);
}

}  // namespace

int RotorNumbers::run_need(int i, int k) const {
  int most = state[to(i + 1)] + forward_workspace[to(i)];
  for (int j = i + 1; j < k - 1; ++j)
    most = std::max(most, state[to(j)] + state[to(j + 1)] + forward_workspace[to(j)]);
  return adjoint[to(k)] + most;
}

int RotorNumbers::record_need(int i, int k) const {
  return tape[to(i)] + std::max(adjoint[to(k)] + forward_workspace[to(i)],
                                adjoint[to(i + 1)] + reverse_workspace[to(i)]);
}

RotorNumbers rotor_numbers(const Persistent& chain, Count bytes, int memory) {
  const auto round = [&](const std::vector<Count>& sizes) {
    std::vector<int> parts;
    parts.reserve(sizes.size());
    for (const Count size : sizes) parts.push_back(in_parts(size, bytes, memory));
    return parts;
  };
  return {round(chain.state),
          round(chain.adjoint),
          round(chain.tape),
          round(chain.forward_workspace),
          round(chain.reverse_workspace),
          chain.forward,
          chain.record,
          chain.reverse};
}

Costs rotor_table(const RotorNumbers& n, int memory) {
  const int l = n.steps();
  Costs costs(l, memory);
  for (int length = 1; length <= l; ++length)
    for (int i = 0; i + length <= l; ++i) {
      const int k = i + length;
      double* row = costs.row(i, k);
      const double* rest = costs.row(i + 1, k);
      for (int m = n.record_need(i, k); m <= memory; ++m)
        row[m] = n.record[to(i)] + rest[m - n.tape[to(i)]] + n.reverse[to(i)];
      const int least = n.run_need(i, k);
      double run = 0;
      for (int j = i + 1; j < k; ++j) {
        run += n.forward[to(j - 1)];
        const double* above = costs.row(j, k);
        const double* below = costs.row(i, j);
        const int size = n.state[to(j)];
        for (int m = std::max(least, size); m <= memory; ++m)
          row[m] = std::min(row[m], run + above[m - size] + below[m]);
      }
    }
  return costs;
}

double rotor_cost(const RotorNumbers& n, int memory) {
  if (n.steps() == 0) return 0;
  if (n.state[0] > memory) return std::numeric_limits<double>::infinity();
  return rotor_table(n, memory).row(0, n.steps())[memory - n.state[0]];
}

Count rotor_memory(const RotorNumbers& n) {
  const int l = n.steps();
  if (l == 0) return 0;
  std::vector<std::vector<Count>> least(to(l + 1), std::vector<Count>(to(l + 1)));
  for (int i = l - 1; i >= 0; --i)
    for (int k = i + 1; k <= l; ++k) {
      Count best = std::max<Count>(n.record_need(i, k), n.tape[to(i)] + least[to(i + 1)][to(k)]);
      const Count run = k > i + 1 ? n.run_need(i, k) : 0;
      for (int j = i + 1; j < k; ++j)
        best = std::min(best, std::max({run, n.state[to(j)] + least[to(j)][to(k)],
                                        least[to(i)][to(j)]}));
      least[to(i)][to(k)] = best;
    }
  return n.state[0] + least[0][to(l)];
}

std::vector<Action> rotor_actions(const Chain& chain, Count bytes, int slots) {
  const Persistent line(chain, "rotor");
  const int memory = parts_of(bytes, slots);
  if (line.steps == 0) return {};
  const RotorNumbers numbers = rotor_numbers(line, bytes, memory);
  const Costs costs = rotor_table(numbers, memory);
  const int room = memory - numbers.state[0];
  if (room < 0 || costs.row(0, line.steps)[room] == std::numeric_limits<double>::infinity())
    refuse(line, bytes, slots);
  return actions_of(line, room,
                    [&](int i, int k, int m) { return split_of(numbers, costs, i, k, m); });
}

}  // namespace sweepback::detail::uneven
