// SPDX-License-Identifier: Apache-2.0
// Toy programs: one small nonlinear map, as a model of every form that a program can have.
//
//   Toy<Box, form, taping>   Box says what a state is made of: Plain, Vector, MoveOnly, Handle,
//                            Counted (counted.hpp)
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <exception>
#include <memory>
#include <ostream>
#include <utility>
#include <vector>

#include "sweepback/sweepback.hpp"

namespace toy {

using sweepback::Count;

/// Adjoint of the state, and of the parameter.
struct Gradient {
  double x = 1, theta = 0;

  /// Bit for bit.
  bool operator==(const Gradient& other) const {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(other.x) &&
           std::bit_cast<std::uint64_t>(theta) == std::bit_cast<std::uint64_t>(other.theta);
  }
  friend std::ostream& operator<<(std::ostream& out, const Gradient& g) {
    return out << std::hexfloat << "(" << g.x << ", " << g.theta << ")" << std::defaultfloat;
  }
};

/// x_{k+1} = x_k + 0.3 sin(theta x_k + k/10). Not inlined: one piece of machine code for all, so
/// that no compiler rounds a sum differently in different places.
struct Map {
  double theta = 0.7;

  [[gnu::noinline]] double next(Count k, double x) const {
    return x + 0.3 * std::sin(theta * x + 0.1 * static_cast<double>(k));
  }
  [[gnu::noinline]] void back(Count k, double x, Gradient& a) const {
    const double slope = 0.3 * std::cos(theta * x + 0.1 * static_cast<double>(k));
    a.theta += a.x * slope * x;
    a.x += a.x * slope * theta;
  }
};

/// The oracle: the same chain with every state kept.
struct Everything {
  std::vector<double> states;
  Gradient gradient;
};

inline Everything store_everything(const Map& map, Count l, double x0) {
  Everything all;
  all.states.push_back(x0);
  for (Count k = 0; k < l; ++k) all.states.push_back(map.next(k, all.states.back()));
  for (Count k = l; k-- > 0;) map.back(k, all.states[static_cast<std::size_t>(k)], all.gradient);
  return all;
}

/// Counts the calls, and makes one of them fail.
struct Calls {
  Count forwards = 0, records = 0, reverses = 0, copies = 0, outputs = 0;
  Count fail_at = -1;  ///< the call, counted from 0, that throws `error`
  std::exception_ptr error;

  Count calls() const { return forwards + records + reverses + copies + outputs; }
  void count(Count& kind) {
    const Count number = calls();
    ++kind;
    if (number == fail_at) std::rethrow_exception(error);
  }
};

struct Plain {
  using State = double;
  static State make(double value) { return value; }
  static double get(const State& x) { return x; }
  static void set(State& x, double value) { x = value; }
};

struct Vector {
  using State = std::vector<double>;
  static State make(double value) { return {value, 2 * value, 3 * value}; }
  static double get(const State& x) { return x.front(); }
  static void set(State& x, double value) { x[0] = value, x[1] = 2 * value, x[2] = 3 * value; }
};

struct MoveOnly {
  using State = std::unique_ptr<double>;
  static constexpr bool copies = true;
  static State make(double value) { return std::make_unique<double>(value); }
  static double get(const State& x) { return *x; }
  static void set(State& x, double value) { *x = value; }
};

/// Copies of a handle share what they stand for.
struct Handle {
  using State = std::shared_ptr<double>;
  static constexpr bool copies = true;
  static State make(double value) { return std::make_shared<double>(value); }
  static double get(const State& x) { return *x; }
  static void set(State& x, double value) { *x = value; }
};

enum class Form { in_place, immutable };
enum class Taping {
  none,    ///< reversed from the state
  output,  ///< the tape holds the step's output
  bare     ///< it does not
};

/// Every toy can be reversed from its states; those with tapes from them as well.
template <class Box_, Form form_, Taping taping_>
struct Toy : Map, Calls {
  using Box = Box_;
  static constexpr Form form = form_;
  static constexpr Taping taping = taping_;
  static constexpr bool in_place = form == Form::in_place;

  using State = typename Box::State;
  struct WithOutput {
    double x;
    State out;
  };
  struct Bare {
    double x;
  };
  using Tape = std::conditional_t<taping == Taping::output, WithOutput, Bare>;

  void forward(Count k, State& x)
    requires in_place
  {
    count(forwards);
    Box::set(x, next(k, Box::get(x)));
  }
  State forward(Count k, const State& x)
    requires(!in_place)
  {
    count(forwards);
    return Box::make(next(k, Box::get(x)));
  }

  Tape record(Count k, State& x)
    requires(in_place && taping != Taping::none)
  {
    count(records);
    const double before = Box::get(x);
    Box::set(x, next(k, before));
    if constexpr (taping == Taping::output)
      return {before, Box::make(Box::get(x))};
    else
      return {before};
  }
  Tape record(Count k, const State& x)
    requires(!in_place && taping == Taping::output)
  {
    count(records);
    return {Box::get(x), Box::make(next(k, Box::get(x)))};
  }
  std::pair<State, Tape> record(Count k, const State& x)
    requires(!in_place && taping == Taping::bare)
  {
    count(records);
    return {Box::make(next(k, Box::get(x))), Tape{Box::get(x)}};
  }

  const State& output(Count, const Tape& tape)
    requires(taping == Taping::output)
  {
    count(outputs);
    return tape.out;
  }
  State copy(const State& x)
    requires(in_place && requires { Box::copies; })
  {
    count(copies);
    return Box::make(Box::get(x));
  }

  void reverse(Count k, const State& x, Gradient& a) {
    count(reverses);
    back(k, Box::get(x), a);
  }
  void reverse(Count k, Tape&& tape, Gradient& a)
    requires(taping != Taping::none)
  {
    count(reverses);
    back(k, tape.x, a);
  }
};

}  // namespace toy
