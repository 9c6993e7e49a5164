// SPDX-License-Identifier: Apache-2.0
// Beyond the program's own work no action allocates: what a sweep allocates for itself does not
// grow with the chain.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <new>

#include "plans.hpp"

namespace {
std::atomic<sweepback::Count> allocations = 0;
}

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size > 0 ? size : 1)) return p;
  throw std::bad_alloc();
}
// Not inlined: g++ 12 would see new and free side by side, and warn.
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

using namespace toy;
using sweepback::Sweep;

/// Of one whole sweep that is not the first of its object.
template <class Program>
Count allocations_of(const Plan& plan) {
  Program program;
  Sweep sweep(program, plan);
  go<Program>(sweep, 0.3);
  const Count before = allocations;
  go<Program>(sweep, 0.3);
  return allocations - before;
}

// States and tapes that allocate nothing themselves.
template <class Program>
void expect_none_per_action(Keep keep, bool tapes) {
  const auto of = [&](Count l) {
    return allocations_of<Program>(plan(chain<Program>(l, tapes), Budget::slots(6), {keep}));
  };
  const Count hundred = of(100), thousand = of(1000), ten_thousand = of(10'000);
  EXPECT_LE(thousand, hundred + 6);  // a few numbers for each slot, in vectors that double
  EXPECT_LE(ten_thousand, hundred + 6);
  EXPECT_LE(ten_thousand, 40);
}

TEST(Allocations, DoNotGrowWithTheChain) {
  expect_none_per_action<Toy<Plain, Form::in_place, Taping::none>>(Keep::states, false);
  expect_none_per_action<Toy<Plain, Form::in_place, Taping::output>>(Keep::states, true);
  expect_none_per_action<Toy<Plain, Form::in_place, Taping::output>>(Keep::tapes, true);
  expect_none_per_action<Toy<Plain, Form::immutable, Taping::none>>(Keep::states, false);
  expect_none_per_action<Toy<Plain, Form::immutable, Taping::output>>(Keep::states, true);
  expect_none_per_action<Toy<Plain, Form::immutable, Taping::output>>(Keep::tapes, true);
}

// In place, a restore writes into the buffer that is there; only storing makes a new one.
struct Buffers : Map {
  struct Box {
    using State = std::vector<double>;
    static State make(double value) { return State(1, value); }
    static double get(const State& x) { return x[0]; }
  };
  static constexpr bool in_place = true;
  static constexpr Taping taping = Taping::none;
  using State = Box::State;
  void forward(Count k, State& x) { x[0] = next(k, x[0]); }
  void reverse(Count k, const State& x, Gradient& a) { back(k, x[0], a); }
};

TEST(Allocations, OfInPlaceVectorsAreTheirStores) {
  for (const Count l : {100, 1000, 10'000}) {
    const Plan plan = sweepback::plan(chain<Buffers>(l), Budget::slots(6));
    const Count own = allocations_of<Toy<Plain, Form::in_place, Taping::none>>(plan);
    EXPECT_LE(allocations_of<Buffers>(plan), own + plan.bill.stores + 2) << l;
  }
}

}  // namespace
