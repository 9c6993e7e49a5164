// SPDX-License-Identifier: Apache-2.0
// A user of sweepback::sweepback: d(x_10)/d(x_0) of x <- x * x / 2 in 3 slots.
#include <cstdio>

#include <sweepback/sweepback.hpp>

struct Squaring {
  using State = double;
  void forward(sweepback::Count, double& x) { x = x * x / 2; }
  void reverse(sweepback::Count, const double& x, double& adjoint) { adjoint *= x; }
};

int main() {
  const auto chain = sweepback::Chain::uniform(10);
  Squaring program;
  sweepback::Sweep sweep(program, sweepback::plan(chain, sweepback::Budget::slots(3)));
  const double last = sweep.forward(2.0);  // 2 is a fixed point: each step doubles the derivative
  double adjoint = 1.0;
  const sweepback::Report report = sweep.backward(adjoint);
  std::printf("x_10 = %g, derivative %g, %lld forward steps\n", last, adjoint,
              static_cast<long long>(report.bill.forward_steps));
  return last == 2.0 && adjoint == 1024.0 && report.bill == sweep.plan().bill ? 0 : 1;
}
