// SPDX-License-Identifier: Apache-2.0
// Each model satisfies exactly the concepts it should. What must not be accepted, for one reason
// each, stands in tests/compile_fail.
#include <gtest/gtest.h>

#include <ranges>

#include "counted.hpp"
#include "toy.hpp"

namespace sweepback {
namespace {

using toy::Form;
using toy::Gradient;
using toy::Taping;
using toy::Toy;

/// The concepts as numbers that can be compared: in place, immutable, recording, tapes hold the
/// output, reversed from the state, reversed from the tape.
template <class P>
constexpr unsigned fits() {
  return InPlaceProgram<P> << 5 | ImmutableProgram<P> << 4 | RecordingProgram<P> << 3 |
         TapesHoldOutput<P> << 2 | ReversesFromState<P, Gradient> << 1 |
         ReversesFromTape<P, Gradient>;
}

template <class Box>
constexpr bool boxed_toys_fit() {
  return fits<Toy<Box, Form::in_place, Taping::none>>() == 0b100010 &&
         fits<Toy<Box, Form::in_place, Taping::bare>>() == 0b101011 &&
         fits<Toy<Box, Form::in_place, Taping::output>>() == 0b101111 &&
         fits<Toy<Box, Form::immutable, Taping::none>>() == 0b010010 &&
         fits<Toy<Box, Form::immutable, Taping::bare>>() == 0b011011 &&
         fits<Toy<Box, Form::immutable, Taping::output>>() == 0b011111;
}
static_assert(boxed_toys_fit<toy::Plain>());
static_assert(boxed_toys_fit<toy::Vector>());
static_assert(boxed_toys_fit<toy::MoveOnly>());
static_assert(boxed_toys_fit<toy::Handle>());
static_assert(boxed_toys_fit<toy::Counted>());

// The phase is an argument more, in any form.
struct PhaseInPlace {
  using State = double;
  using Tape = double;
  void forward(Count, double&, Phase) {}
  double record(Count, double& x, Phase) { return x; }
  void reverse(Count, double&&, Gradient&) {}
};
static_assert(fits<PhaseInPlace>() == 0b101001);

struct PhaseImmutable {
  using State = double;
  double forward(Count, const double& x, Phase) { return x; }
  void reverse(Count, const double&, Gradient&) {}
};
static_assert(fits<PhaseImmutable>() == 0b010010);

// One of the two may take it, and the other not.
struct PhaseOfForwardOnly {
  using State = double;
  struct Tape {};
  void forward(Count, double&, Phase) {}
  Tape record(Count, double&) { return {}; }
  void reverse(Count, Tape&&, Gradient&) {}
};
static_assert(fits<PhaseOfForwardOnly>() == 0b101001);

// What takes no notice of its state's constness is an immutable program if it returns a state.
struct ByValue {
  using State = double;
  double forward(Count, double x) { return x + 1; }
};
static_assert(fits<ByValue>() == 0b010000);
static_assert(Program<ByValue> && !ReversibleProgram<ByValue, Gradient>);

// Any adjoint that reverse takes, and no other.
static_assert(!ReversibleProgram<Toy<toy::Plain, Form::in_place, Taping::none>, double>);

struct AnyAdjoint {
  using State = double;
  void forward(Count, double&) {}
  template <class A>
  void reverse(Count, const double&, A&) {}
};
static_assert(ReversibleProgram<AnyAdjoint, int> && ReversibleProgram<AnyAdjoint, Gradient>);

// Steps that do not change the program may say so.
struct ConstProgram {
  using State = double;
  void forward(Count, double&) const {}
  void reverse(Count, const double&, Gradient&) const {}
};
static_assert(fits<ConstProgram>() == 0b100010 && fits<const ConstProgram>() == 0b100010);

static_assert(!Program<int> && !Program<Gradient>);
static_assert(Tier<MemoryTier<double>, double>);
static_assert(Tier<MemoryTier<std::unique_ptr<double>>, std::unique_ptr<double>>);
static_assert(!Tier<MemoryTier<double>, std::unique_ptr<double>>);

static_assert(!ActionObserver<NoObserver> && !StepObserver<NoObserver, double>);

using InPlace = Toy<toy::Vector, Form::in_place, Taping::none>;
static_assert(!std::copy_constructible<Sweep<InPlace>>);
static_assert(std::ranges::input_range<StatesInReverse<InPlace>>);
static_assert(!std::ranges::forward_range<StatesInReverse<InPlace>>);

TEST(Concepts, AreJudgedWhileCompiling) {}

}  // namespace
}  // namespace sweepback
