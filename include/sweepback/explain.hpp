// SPDX-License-Identifier: Apache-2.0
// Why a class is not a program, in one sentence. A compiler that refuses `Sweep` lists every concept
// that was not met; this names the first thing that is missing:
//
//     static_assert(sweepback::explain<MyProgram, MyAdjoint>());
//
// Compiles where `Sweep<MyProgram>` and `backward(MyAdjoint&)` do.
#pragma once

#include "sweepback/program.hpp"

namespace sweepback {

/// `P` is a program whose adjoint is `A` (void: it is only run, stored and run again).
template <class P, class A = void>
consteval bool explain() {
  if constexpr (!requires { typename P::State; }) {
    static_assert(Program<P>, "the program names no State: add `using State = …;`");
  } else if constexpr (!HasState<P>) {
    static_assert(HasState<P>, "State cannot be moved: give it a move constructor and assignment");
  } else {
    using State = typename P::State;
    constexpr bool takes_const = CallsForward<P, const State&>;
    constexpr bool returns_state = requires(P& p, Count k, State& x) {
      { call_forward(p, k, k, x, Phase{}) } -> std::same_as<State>;
    };
    if constexpr (!takes_const && !CallsForward<P, State&>) {
      static_assert(Program<P>, "no forward: add `void forward(Count k, State& x)` or, for steps that "
                                "make a new state, `State forward(Count k, const State& x)`");
    } else if constexpr (!takes_const && returns_state) {
      static_assert(Program<P>, "forward takes `State&` and returns a value: return nothing to work in "
                                "place, or take `const State&`");
    } else if constexpr (!takes_const && !std::copyable<State> &&
                         !requires(P& p, const State& x) { p.copy(x); }) {
      static_assert(Program<P>, "State cannot be copied, and steps in place are stored by copying: add "
                                "`State copy(const State& x)`");
    } else {
      static_assert(Program<P>, "forward or copy returns another type than State");
    }
    if constexpr (Program<P> && requires { typename P::Tape; }) {
      static_assert(std::movable<typename P::Tape>, "Tape cannot be moved");
      static_assert(RecordingProgram<P>,
                    "the program names a Tape and does not record: in place `Tape record(Count k, "
                    "State& x)`; with new states `std::pair<State, Tape> record(Count k, const State& "
                    "x)`, or the Tape alone where `const State& output(Count k, const Tape& t)` finds "
                    "the new state in it");
    }
    if constexpr (Program<P> && !std::same_as<A, void>)
      static_assert(ReversibleProgram<P, A>,
                    "no reverse for this adjoint: add `void reverse(Count k, const State& x, A& a)` "
                    "or, with tapes, `void reverse(Count k, Tape&& t, A& a)`; it changes `a` and "
                    "returns nothing");
  }
  return true;
}

}  // namespace sweepback
