// SPDX-License-Identifier: Apache-2.0
// Notices a step that does not repeat itself, and a state that changed while it was kept: an observer that
// looks at every state on the first pass and again whenever it is run to or restored.
//
//     Verify<State> verify({.steps = l});
//     Sweep<Program, MemoryTier<State>, Verify<State>> sweep(program, plan, {}, verify);
//     …                                          // throws Differs, naming the first step that differs
//
// What is compared is the look's matter:
//
// | expression       | result  | meaning                                                            |
// |------------------|---------|--------------------------------------------------------------------|
// | L::Mark          |         | what is kept of a state                                            |
// | l.mark(x)        | L::Mark | of x                                                               |
// | l.difference(m,x)| string  | how x differs from what m was taken of; empty where it does not    |
//
// SameBits compares all bits, in 16 bytes a state; Within the numbers that it is given, each within a
// tolerance. Marks are beside the budget: `every` leaves states out, `VerifyOptions::bytes` says how many fit.
#pragma once

#include <cmath>
#include <concepts>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sweepback/error.hpp"
#include "sweepback/codec.hpp"
#include "sweepback/fingerprint.hpp"
#include "sweepback/observer.hpp"

namespace sweepback {

/// A state that is not what it was on the first pass. `state` is its index, counted from 0.
class Differs : public Error {
 public:
  Differs(const std::string& what, const std::string& remedy, Count state)
      : Error("mismatch", what, remedy, {{"state", state}}), state(state) {}
  Count state;
};

template <class L, class State>
concept Look = requires(L& look, const State& x, const typename L::Mark& mark) {
  { look.mark(x) } -> std::same_as<typename L::Mark>;
  { look.difference(mark, x) } -> std::same_as<std::string>;
};

/// All bits of a state, through a codec (codec.hpp): its fingerprint.
template <class State, class C = PlainBytes<State>>
  requires Codec<C, State>
class SameBits {
 public:
  using Mark = Fingerprint;

  explicit SameBits(C codec = {}) : codec_(std::move(codec)) {}

  Mark mark(const State& x) { return fingerprint(codec_.bytes(x)); }
  std::string difference(const Mark& first, const State& x) { return mark(x) == first ? "" : "its bits are others"; }

 private:
  C codec_;
};

/// Numbers of a state, each within an absolute tolerance of the first pass; what is no number is equal to
/// what is no number.
template <class State>
class Within {
 public:
  using Mark = std::vector<double>;
  using Numbers = std::function<std::vector<double>(const State&)>;

  /// One tolerance for all numbers, or one for each. Throws OutOfRange for one that is not 0 or more.
  Within(Numbers numbers, std::vector<double> tolerances) : numbers_(std::move(numbers)), tolerances_(std::move(tolerances)) {
    if (tolerances_.empty()) throw OutOfRange("no tolerance", "give one, or one for each number");
    for (const double each : tolerances_)
      if (!(each >= 0)) throw OutOfRange("a tolerance of " + std::to_string(each), "give 0 or more");
  }

  Mark mark(const State& x) { return numbers_(x); }
  std::string difference(const Mark& first, const State& x) {
    const Mark again = numbers_(x);
    if (again.size() != first.size())
      return "it has " + std::to_string(again.size()) + " numbers, and had " + std::to_string(first.size());
    if (tolerances_.size() > 1 && tolerances_.size() != first.size())
      throw OutOfRange(std::to_string(tolerances_.size()) + " tolerances for " + std::to_string(first.size()) + " numbers", "give one, or one for each");
    for (std::size_t n = 0; n < first.size(); ++n) {
      const double tolerance = tolerances_.size() > 1 ? tolerances_[n] : tolerances_[0];
      const double apart = std::abs(again[n] - first[n]);
      if (apart <= tolerance || again[n] == first[n] || (std::isnan(again[n]) && std::isnan(first[n]))) continue;
      return "its number " + std::to_string(n) + " differs by " + text(apart) + ", more than " + text(tolerance);
    }
    return "";
  }

 private:
  static std::string text(double value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.3g", value);
    return digits;
  }
  Numbers numbers_;
  std::vector<double> tolerances_;
};

struct VerifyOptions {
  Count steps = 0;               ///< of the chain, where it is known
  Count every = 1;               ///< states with this distance are looked at; at least 1
  std::optional<Count> bytes{};  ///< in which their marks must fit: `every` grows until they do (needs `steps`)
};

template <class State, class L = SameBits<State>>
  requires Look<L, State>
class Verify {
 public:
  /// Throws OutOfRange for an `every` below 1, or bytes without steps.
  explicit Verify(VerifyOptions options = {}, L look = L()) : look_(std::move(look)), steps_(options.steps), every_(options.every) {
    if (every_ < 1) throw OutOfRange("looking at every " + std::to_string(every_) + "th state", "give 1 or more");
    if (!options.bytes) return;
    if (options.steps < 1) throw OutOfRange("marks in so many bytes, of an unknown number of steps", "give the steps as well");
    const Count fit = std::max<Count>(1, (*options.bytes - 8) / (8 * size + 1) * 8);
    every_ = std::max(every_, (steps_ + fit) / fit);
    marks_.reserve(static_cast<std::size_t>(marks()));  // else it would grow to twice that
    known_.reserve(static_cast<std::size_t>(marks()));
  }

  /// What the sweep calls.
  void step(const StepEvent& event, const State& x) {
    const Count i = event.step + event.steps;
    if (event.phase == Phase::first_pass || !known(i)) return remember(i, x);
    if (const std::string how = compare(i, x); !how.empty())
      throw Differs(steps(event.step, i) + " gave another x_" + std::to_string(i) + " than on the first pass: " + how,
                    "look for what the step reads outside its state: random numbers, a warm start, a cache, parameters that changed, "
                    "sums in another order; put it into the state",
                    i);
  }
  void state(const ActionEvent& event, const State& x) {
    const Count i = event.action.first;
    if (i == 0 && event.action.kind == Action::Kind::store && event.number == 0) {
      known_.clear();
      marks_.clear();
      compared_ = 0;
    }
    if (event.action.kind == Action::Kind::store) return i == 0 && !known(0) ? remember(0, x) : void();
    if (const std::string how = compare(i, x); !how.empty())
      throw Differs("x_" + std::to_string(i) + " came back other than it was on the first pass: " + how,
                    "look for what writes into a state that is kept: one that shares its memory, or a storage that is damaged", i);
  }

  Count compared() const { return compared_; }  ///< states looked at again
  Count every() const { return every_; }
  Count bytes() const { return marks() * size + (marks() + 63) / 64 * 8; }  ///< of the marks of so many steps

 private:
  using Mark = typename L::Mark;
  static constexpr Count size = static_cast<Count>(sizeof(Mark));

  Count marks() const { return steps_ / every_ + 1; }

  std::size_t at(Count i) const { return static_cast<std::size_t>(i / every_); }
  bool known(Count i) const { return i % every_ == 0 && at(i) < known_.size() && known_[at(i)]; }
  void remember(Count i, const State& x) {
    if (i % every_ != 0) return;
    if (at(i) >= marks_.size()) {
      marks_.resize(at(i) + 1);
      known_.resize(at(i) + 1);
    }
    marks_[at(i)] = look_.mark(x);
    known_[at(i)] = true;
  }
  std::string compare(Count i, const State& x) {
    if (!known(i)) return "";
    ++compared_;
    return look_.difference(marks_[at(i)], x);
  }
  std::string steps(Count i, Count j) const {
    if (every_ == 1 && j == i + 1) return "step " + std::to_string(i);
    return "one of the steps before x_" + std::to_string(j);
  }

  L look_;
  Count steps_, every_, compared_ = 0;
  std::vector<Mark> marks_;
  std::vector<bool> known_;
};

}  // namespace sweepback
