// SPDX-License-Identifier: Apache-2.0
// The program: the user's computation, as the sweep sees it.
//
// P is the program, x a state, t a tape, a the adjoint, k the global number of the step, 0 … l-1.
// `P::State` names the type of a state, `P::Tape` that of a tape where steps are recorded.
//
// | expression                  | result   | meaning                                             |
// |-----------------------------|----------|-----------------------------------------------------|
// | p.forward(k, x)             | void     | x_k becomes x_{k+1} in place (x is `State&`)        |
// |   or, immutable states:     | State    | x_{k+1}; x is `const State&` and stays as it is     |
// | p.reverse(k, x, a)          | void     | a moves from x_{k+1} to x_k; x is `const State&` x_k|
// |   or, with tapes:           |          |                                                     |
// | p.record(k, x)              | Tape     | in place: as forward, and what reversing will need; |
// |                             |          | immutable, with `output`: the tape holds x_{k+1}    |
// |                             | pair<State, Tape> | immutable, without `output`                |
// | p.reverse(k, std::move(t), a)| void    | a moves from x_{k+1} to x_k                         |
// | p.output(k, t)              | const State& | optional: x_{k+1}, inside tape k; needed by     |
// |                             |          | plans that keep tapes                               |
// | p.copy(x)                   | State    | optional: a deep copy, where the copy constructor   |
// |                             |          | of State shares memory (handles, shared pointers)   |
//
// Ranges. A program may run steps i … j-1 in one call instead (fused kernels): p.forward(i, j, x),
// p.record(i, j, x), p.reverse(i, j, x, a) or p.reverse(i, j, std::move(t), a), with the results of
// the table and j in place of k+1; output(k, t) then gets the last step, j-1. A plan of a chain with
// `blocks` calls it once for a block; any other plan once for each step.
//
// `forward` and `record` may take a Phase after the state: whether this is the step's first run.
//
// A step must be a function of k and x alone: whatever else it reads and changes (generators,
// caches, warm starts) belongs to the state. A step is never stopped half way. What it throws
// passes through the sweep untouched, and the sweep then keeps nothing alive.
//
// For k and x of a plan, every call is made from the thread that called the sweep.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "sweepback/count.hpp"

namespace sweepback {

/// Whether a step runs for the first time or again.
enum class Phase : std::uint8_t { first_pass, recompute };

/// `p.forward` of a step or of a range of steps, with or without the phase, whichever the program has.
template <class P, class X>
concept CallsForward = requires(P& p, Count k, X x) { p.forward(k, x); } ||
                       requires(P& p, Count k, X x) { p.forward(k, x, Phase{}); } ||
                       requires(P& p, Count k, X x) { p.forward(k, k, x); } ||
                       requires(P& p, Count k, X x) { p.forward(k, k, x, Phase{}); };

/// Steps i … j-1, which are one where the program does not run ranges.
template <class P, class X>
  requires CallsForward<P, X&>
decltype(auto) call_forward(P& p, Count i, Count j, X& x, Phase phase) {
  if constexpr (requires { p.forward(i, j, x, phase); }) {
    return p.forward(i, j, x, phase);
  } else if constexpr (requires { p.forward(i, j, x); }) {
    return p.forward(i, j, x);
  } else if constexpr (requires { p.forward(i, x, phase); }) {
    return p.forward(i, x, phase);
  } else {
    return p.forward(i, x);
  }
}

template <class P, class X>
concept CallsRecord = requires(P& p, Count k, X x) { p.record(k, x); } ||
                      requires(P& p, Count k, X x) { p.record(k, x, Phase{}); } ||
                      requires(P& p, Count k, X x) { p.record(k, k, x); } ||
                      requires(P& p, Count k, X x) { p.record(k, k, x, Phase{}); };

template <class P, class X>
  requires CallsRecord<P, X&>
decltype(auto) call_record(P& p, Count i, Count j, X& x, Phase phase) {
  if constexpr (requires { p.record(i, j, x, phase); }) {
    return p.record(i, j, x, phase);
  } else if constexpr (requires { p.record(i, j, x); }) {
    return p.record(i, j, x);
  } else if constexpr (requires { p.record(i, x, phase); }) {
    return p.record(i, x, phase);
  } else {
    return p.record(i, x);
  }
}

/// `p.reverse` from a state or a tape, of a step or of a range.
template <class P, class From, class A>
concept CallsReverse = requires(P& p, Count k, From&& from, A& a) {
  { p.reverse(k, std::forward<From>(from), a) } -> std::same_as<void>;
} || requires(P& p, Count k, From&& from, A& a) {
  { p.reverse(k, k, std::forward<From>(from), a) } -> std::same_as<void>;
};

template <class P, class From, class A>
  requires CallsReverse<P, From, A>
void call_reverse(P& p, Count i, Count j, From&& from, A& a) {
  if constexpr (requires { p.reverse(i, j, std::forward<From>(from), a); }) {
    p.reverse(i, j, std::forward<From>(from), a);
  } else {
    p.reverse(i, std::forward<From>(from), a);
  }
}

template <class P>
concept HasState = std::movable<typename P::State>;

/// Steps make a new state and leave the old one as it is.
template <class P>
concept ImmutableProgram =
    HasState<P> && CallsForward<P, const typename P::State&> &&
    requires(P& p, Count k, const typename P::State& x, Phase phase) {
      { call_forward(p, k, k, x, phase) } -> std::same_as<typename P::State>;
    };

/// Steps overwrite their state. Storing one is a copy.
template <class P>
concept InPlaceProgram =
    HasState<P> && !ImmutableProgram<P> && CallsForward<P, typename P::State&> &&
    requires(P& p, Count k, typename P::State& x, Phase phase) {
      { call_forward(p, k, k, x, phase) } -> std::same_as<void>;
    } &&
    (std::copyable<typename P::State> || requires(P& p, const typename P::State& x) {
      { p.copy(x) } -> std::same_as<typename P::State>;
    });

/// What can be run forward, stored and run again.
template <class P>
concept Program = InPlaceProgram<P> || ImmutableProgram<P>;

/// Tapes give their step's output.
template <class P>
concept TapesHoldOutput =
    Program<P> && std::movable<typename P::Tape> && requires(P& p, Count k, const typename P::Tape& t) {
      { p.output(k, t) } -> std::same_as<const typename P::State&>;
    };

/// Steps can be recorded.
template <class P>
concept RecordingProgram =
    Program<P> && std::movable<typename P::Tape> &&
    ((InPlaceProgram<P> && requires(P& p, Count k, typename P::State& x, Phase phase) {
       { call_record(p, k, k, x, phase) } -> std::same_as<typename P::Tape>;
     }) || (ImmutableProgram<P> && TapesHoldOutput<P> &&
            requires(P& p, Count k, const typename P::State& x, Phase phase) {
              { call_record(p, k, k, x, phase) } -> std::same_as<typename P::Tape>;
            }) || (ImmutableProgram<P> && !TapesHoldOutput<P> &&
                   requires(P& p, Count k, const typename P::State& x, Phase phase) {
                     {
                       call_record(p, k, k, x, phase)
                     } -> std::same_as<std::pair<typename P::State, typename P::Tape>>;
                   }));

/// Steps are reversed from their state.
template <class P, class A>
concept ReversesFromState = Program<P> && CallsReverse<P, const typename P::State&, A>;

/// Steps are reversed from their tape.
template <class P, class A>
concept ReversesFromTape = RecordingProgram<P> && CallsReverse<P, typename P::Tape, A>;

/// Ranges of steps run in one call.
template <class P>
concept RunsRanges = Program<P> && (requires(P& p, Count k, typename P::State& x) {
                       p.forward(k, k, x);
                     } || requires(P& p, Count k, typename P::State& x) {
                       p.forward(k, k, x, Phase{});
                     });

/// A program whose gradient a sweep can bring back to `x_0`.
template <class P, class A>
concept ReversibleProgram = ReversesFromState<P, A> || ReversesFromTape<P, A>;

}  // namespace sweepback
