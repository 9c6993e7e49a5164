#include <iostream>
#include <sweepback/sweepback.hpp>

struct Growth {  // a step, and what it does to an adjoint
  using State = double;
  double forward(sweepback::Count, const double& x) { return x + 0.001 * x * (1 - x); }
  void reverse(sweepback::Count, const double& x, double& a) { a *= 1 + 0.001 * (1 - 2 * x); }
};

int main() {
  Growth program;
  auto plan = sweepback::plan(sweepback::Chain::uniform(10'000), sweepback::Budget::slots(15));
  sweepback::Sweep sweep(program, plan);
  double last = sweep.forward(0.01), adjoint = 1;
  auto report = sweep.backward(adjoint);  // d last / d first: 15 states kept instead of 10,000
  std::cout << last << ' ' << adjoint << ' ' << report.bill.forward_steps << '\n';
}
