// SPDX-License-Identifier: Apache-2.0
// The engines of this folder: each answers what a line costs in a given room.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "line.hpp"

namespace sweepback::detail::uneven {

/// When planning has to stop. Engines look at it often and throw TimeUp.
struct TimeUp {};
class Deadline {
 public:
  Deadline() = default;
  explicit Deadline(double seconds) {
    if (seconds > 0)
      at_ = std::chrono::steady_clock::now() +
            std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                std::chrono::duration<double>(std::min(seconds, 1e9)));
  }
  void look() const {
    if (at_ && std::chrono::steady_clock::now() > *at_) throw TimeUp{};
  }

 private:
  std::optional<std::chrono::steady_clock::time_point> at_;
};

// --- least rooms ------------------------------------------------------------------------------------

/// Whether there is a schedule, at no cost: the least room of every piece. O(steps^3).
class LeastRooms : public Table {
 public:
  explicit LeastRooms(const Line& line, const Deadline& deadline = {});
  Count cost(int from, int i, int k, Count room) const override;

  /// That of the whole line; `infinite` where no room is enough.
  Count whole() const { return whole_; }

 private:
  std::size_t cell(int i, int k) const { return Line::to(i) * (Line::to(steps_) + 1) + Line::to(k); }
  int steps_;
  std::vector<Count> least_[2];  // from a base that takes room, from a view
  Count whole_;
};

// --- staircases: exact rooms ----------------------------------------------------------------------

struct Stair {
  Count room, cost;
};
enum class Bound : std::uint8_t { exact, upper, lower };

/// What a piece costs in every room up to `most`, as the rooms at which it becomes cheaper. With
/// `Bound::upper` or `lower` lists are thinned to `stairs` entries, so that costs are bounds.
class Staircases : public Table {
 public:
  Staircases(const Line& line, Count most, Bound bound, int stairs, const Deadline& deadline = {});
  Count cost(int from, int i, int k, Count room) const override;

  /// Of the whole line, which has steps.
  const std::vector<Stair>& whole() const { return list(loose, 0, steps_); }

 private:
  using List = std::vector<Stair>;
  const List& list(int from, int i, int k) const;
  int steps_;
  std::vector<List> lists_[3];
};

// --- slots: dense tables ----------------------------------------------------------------------------

/// Costs of pieces of one step in rooms of 0 … slots, from a base that takes room and from a view.
using Leaves = std::vector<std::array<std::vector<Count>, 2>>;

/// The same for 0 … `slots` units, of a line in units. Costs are rounded down to multiples of `grain()`.
/// `leaves`: steps are blocks of steps, planned each by itself.
class Slots : public Table {
 public:
  Slots(const Line& line, Count slots, int threads, const Deadline& deadline = {},
        const Leaves* leaves = nullptr);
  ~Slots() override;

  /// Becomes the table of a line that differs in sizes alone, in the same memory: fresh pages are
  /// cleared by the system, which takes a fifth of the time.
  void refill(const Line& line, int threads, const Deadline& deadline = {});
  Count cost(int from, int i, int k, Count room) const override;

  /// What the line costs is at least this (in its own costs).
  Count at_least(Count room) const;
  Count grain() const;
  bool has_views() const;

  /// Bytes that the tables of such a line take.
  static Wide bytes(const Line& line, Count slots);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

// --- window: states of equal size -------------------------------------------------------------------

/// The cheapest schedule that keeps `slots` states of any steps (x_0's slot included), pieces of up
/// to `leaf` steps needing no slot above their base; `full`: every split is looked at, not only those
/// of the window. Costs and stores as the line has them.
std::pair<Count, std::vector<Action>> split_in_window(const Line& line, Count slots, int leaf,
                                                      bool full, const Deadline& deadline = {});

// --- search: all schedules --------------------------------------------------------------------------

/// The cheapest of all schedules of `chain` in `bytes`, of at most `most_searched_steps`; none where nothing
/// fits. `incumbent`: the cost of a known schedule. Throws TimeUp, also where more than `most_points`
/// situations (or 32 times as many sets of what might be given up) would have to be looked at.
inline constexpr int most_searched_steps = 12;
struct Found {
  Count cost;
  std::vector<Action> actions;
};
std::optional<Found> search(const Chain& chain, Keep keep, Count bytes, std::optional<Count> incumbent,
                            std::size_t most_points, const Deadline& deadline = {});

// --- long chains --------------------------------------------------------------------------------------

/// Blocks of steps as the steps of a shorter line; pieces of one block planned step by step. `line` in
/// units, `room` of them; none where that is too small.
std::optional<std::vector<Action>> coarsened(const Line& line, Count room, int blocks, int threads,
                                             const Deadline& deadline = {});

// --- to compare with ----------------------------------------------------------------------------------

/// Every step recorded (or its state stored), then reversed.
std::vector<Action> store_all_actions(const Line& line);

/// From x_0 again for every step.
std::vector<Action> one_slot_actions(const Line& line);

/// Beaumont et al. (2019), memory in `slots` equal parts; Gruslys et al. (2016), Appendix C.
std::vector<Action> rotor_actions(const Chain& chain, Count bytes, int slots);
std::vector<Action> layers_actions(const Chain& chain, Count bytes, int slots);

}  // namespace sweepback::detail::uneven
