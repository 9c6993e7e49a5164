// SPDX-License-Identifier: Apache-2.0
// Example 3: steps that are not alike. Heat spreads on a mesh that is refined four times on the way, so
// that late states are 16 times as large, and late steps as dear, as early ones. How does the final heat
// on the left depend on the first state?
#include <cstdio>
#include <vector>

#include "sweepback/sweepback.hpp"

using namespace sweepback;
using Mesh = std::vector<double>;

constexpr Count steps = 200, cells = 64;

bool refines(Count k) { return k % 40 == 39 && k < steps - 1; }
Count size_of(Count i) { return cells << (i / 40 < 4 ? i / 40 : 4); }  // of x_i

// 1. The program: a step, and what it does to an adjoint (its transpose).
struct Heat {
  using State = Mesh;

  State forward(Count k, const Mesh& x) const {
    const std::size_t n = x.size();
    Mesh next(n);
    for (std::size_t i = 0; i < n; ++i)
      next[i] = x[i] + 0.2 * (x[i > 0 ? i - 1 : 0] - 2 * x[i] + x[i + 1 < n ? i + 1 : i]);
    if (!refines(k)) return next;
    Mesh finer(2 * n);
    for (std::size_t i = 0; i < 2 * n; ++i) finer[i] = next[i / 2];
    return finer;
  }
  void reverse(Count k, const Mesh& x, Mesh& a) const {
    const std::size_t n = x.size();
    if (refines(k)) {
      for (std::size_t i = 0; i < n; ++i) a[i] = a[2 * i] + a[2 * i + 1];
      a.resize(n);
    }
    Mesh before(n);
    for (std::size_t i = 0; i < n; ++i) {
      before[i] += 0.6 * a[i];
      before[i > 0 ? i - 1 : 0] += 0.2 * a[i];
      before[i + 1 < n ? i + 1 : i] += 0.2 * a[i];
    }
    a = std::move(before);
  }
};

Mesh adjoint_of(const Chain& chain, Budget budget, Strategy strategy, Bill& bill) {
  Heat program;
  const Plan plan = sweepback::plan(chain, budget, {.strategy = strategy});
  Sweep sweep(program, plan);
  const Mesh last = sweep.forward(Mesh(cells, 1.0));
  Mesh adjoint(last.size(), 0.0);
  adjoint.front() = 1;
  bill = sweep.backward(adjoint).bill;
  return adjoint;
}

int main() {
  // 2. What each step costs and leaves: sizes in bytes, costs in cells.
  std::vector<Run> runs;
  for (Count k = 0; k < steps; ++k) {
    Step step;
    step.forward = step.reverse = size_of(k);
    step.state_bytes = step.adjoint = 8 * size_of(k + 1);
    step.reverse_workspace = 8 * size_of(k);  // the adjoint that is written
    runs.push_back({step, 1});
  }
  const Chain chain = Chain::of(runs, {8 * cells, 8 * cells});

  // 3. A tenth of what storing everything takes.
  Bill all, few;
  const Mesh plain = adjoint_of(chain, Budget::bytes(max_count), Strategy::store_all, all);
  const Budget tenth = Budget::bytes(*all.peak_bytes / 10);
  const Mesh swept = adjoint_of(chain, tenth, Strategy::optimal, few);

  std::printf("storing everything: %lld bytes\n", static_cast<long long>(*all.peak_bytes));
  std::printf("a tenth of it: %s, %.2f times the cost\n", *few.peak_bytes <= tenth.amount ? "kept" : "NOT kept",
              static_cast<double>(few.cost) / static_cast<double>(all.cost));
  std::printf("the gradients are %s\n", plain == swept ? "equal, bit for bit" : "DIFFERENT");
  return plain == swept ? 0 : 1;
}
