// SPDX-License-Identifier: Apache-2.0
// A schedule: the actions of a plan, as a lazy stream that is a value.
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>
#include <variant>

#include "sweepback/action.hpp"
#include "sweepback/blocks_stream.hpp"
#include "sweepback/finish_stream.hpp"
#include "sweepback/legs_stream.hpp"
#include "sweepback/listed_stream.hpp"
#include "sweepback/mixed_stream.hpp"
#include "sweepback/segments_stream.hpp"
#include "sweepback/situation.hpp"
#include "sweepback/states_stream.hpp"
#include "sweepback/tapes_stream.hpp"

namespace sweepback {

/// What a planner decided; with a position it is the whole schedule.
using Recipe =
    std::variant<StatesRecipe, TapesRecipe, MixedRecipe, BlocksRecipe, SegmentsRecipe, FinishRecipe,
                 ListedRecipe, LegsRecipe>;

/// The actions from a position on, made one by one: 10^12 steps take no more room than ten. Memory
/// is one number a state or tape kept. Copies are independent; two schedules are equal when their
/// recipes and positions are.
class Schedule {
 public:
  Schedule() : Schedule(Recipe{}) {}

  /// From a fresh start.
  explicit Schedule(const Recipe& recipe);

  /// From a saved position. Throws OutOfRange for a situation the recipe cannot be in.
  Schedule(const Recipe& recipe, const Situation& at);

  Recipe recipe() const;

  /// The position: where a sweep that has done all actions so far stands.
  Situation situation() const;

  /// Writes the next action and moves on; false at the end.
  bool next(Action& action) {
    if (auto* states = std::get_if<StatesStream>(&stream_)) return states->next(action);
    return std::visit([&](auto& stream) { return stream.next(action); }, stream_);
  }

  /// Hands all remaining actions to `visit` from one inlined loop: the fastest way through. If
  /// `visit` throws, the action it was handed counts as done.
  template <class Visitor>
  void drain(Visitor&& visit) {
    const auto each = [&](auto& stream) {
      if constexpr (requires { stream.drain(visit); }) {
        stream.drain(visit);
      } else {
        for (Action action; stream.next(action);) visit(std::as_const(action));
      }
    };
    std::visit(each, stream_);
  }

  class Iterator;
  /// Iterates over a copy: the schedule itself stays where it is.
  Iterator begin() const;
  std::default_sentinel_t end() const { return {}; }

  bool operator==(const Schedule& other) const {
    return recipe() == other.recipe() && situation() == other.situation();
  }

 private:
  std::variant<StatesStream, TapesStream, MixedStream, BlocksStream, SegmentsStream, FinishStream,
               ListedStream, LegsStream>
      stream_;
};

class Schedule::Iterator {
 public:
  using value_type = Action;
  using difference_type = std::ptrdiff_t;

  explicit Iterator(Schedule rest) : rest_(std::move(rest)) { ++*this; }
  const Action& operator*() const { return action_; }
  Iterator& operator++() {
    done_ = !rest_.next(action_);
    return *this;
  }
  void operator++(int) { ++*this; }
  bool operator==(std::default_sentinel_t) const { return done_; }

 private:
  Schedule rest_;
  Action action_;
  bool done_ = false;
};

inline Schedule::Iterator Schedule::begin() const { return Iterator(*this); }

}  // namespace sweepback
