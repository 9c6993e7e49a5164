// SPDX-License-Identifier: Apache-2.0
// A chain of unequal steps as its planners read it: arrays of costs and of the room that each action
// needs, in bytes, in slots or in units. All that the planners of this folder know of memory is here.
//
// A piece (i, k) is steps i … k-1, with x_i in hand at first; `room` is what it may take, x_i
// included where it is a state of its own, and not where it is a view of the kept tape of step i-1.
// A schedule is a tree of pieces (P-DP: persistent, peak-aware, bases may be dropped):
//
//   record   step i, x_i dropped; the piece (i+1, k) beside its tape; reverse step i
//   reverse  the piece of one step without a tape, from x_i
//   keep j   x_i stays; run to x_j; the piece (j, k) beside x_i; come back; the piece (i, j)
//
// What every schedule pays, each step's record and reverse, is `fixed`; the planners weigh forward
// runs alone.
#pragma once

#include <functional>
#include <vector>

#include "sweepback/chain.hpp"
#include "sweepback/plan.hpp"

namespace sweepback::detail::uneven {

inline constexpr Count infinite = max_count;

/// What a piece starts from: a state that nothing keeps, one that is stored, the output of a kept tape.
enum Base : int { loose, stored, view };

struct Line {
  /// Everything alive counts. Throws Overflow where sizes or costs are too large to add up.
  static Line in_bytes(const Chain& chain, Keep keep);

  /// Only what is kept counts: states and tapes, in the units given (a tape of a chain that keeps
  /// states is never kept).
  static Line in_units(const Chain& chain, Keep keep, Units units);

  enum class Rounding : std::uint8_t { up, down };

  /// The same in units of `unit` bytes, every size rounded up or down.
  Line in_slots(Count unit, Rounding rounding) const;

  /// The greatest unit of which every size is a multiple.
  Count common_unit() const;

  /// The same with costs in which a store breaks ties; as it is where such costs are too large.
  Line with_stores() const;

  int steps = 0;  ///< one more than the chain's where x_l is to be made for its own sake
  int real_steps = 0;
  Count fixed = 0;
  Count scale = 1, store = 0;  ///< of the costs below; what a store costs beside them

  // Of states x_0 … x_steps.
  std::vector<Count> state, adjoint;
  std::vector<Count> sum;  // of the forward costs of all steps below

  // Of steps.
  std::vector<char> taped, output;    // recorded; its output is then a view of the tape
  std::vector<Count> tape;            // kept beside what comes after
  // Of steps, for a base that takes room of its own (0) or is a view (1).
  std::vector<Count> record_room[2];  // while it is recorded from a base; the adjoint beside it
  std::vector<Count> reverse_room;    // while it is reversed, the adjoint and its tape included
  std::vector<Count> single_room[2];  // without a tape: reversed from a base, adjoint included
  std::vector<Count> first_run;       // run from a base that stays, beside it and the adjoint
  std::vector<Count> later_run;       // run from a state that does not
  std::vector<Count> again;           // beside a base and the adjoint, when it is come back to

  /// Every size of the line.
  template <class Visit>
  void each_size(Visit&& visit) {
    for (std::vector<Count>* sizes : {&state, &adjoint, &tape, &record_room[0], &record_room[1], &reverse_room,
                                      &single_room[0], &single_room[1], &first_run, &later_run, &again})
      for (Count& size : *sizes) visit(size);
  }

  bool keeps_tapes = true;

  Count forward(int i, int j) const { return sum[to(j)] - sum[to(i)]; }
  Count base(int from, int i) const { return from == view ? 0 : state[to(i)]; }
  Base after_record(int i) const { return output[to(i)] ? view : loose; }
  Base after_keep(int from) const { return from == view ? view : stored; }
  Count keep_cost(int from, int i, int j) const {
    return forward(i, j) + (from == loose ? store : 0);
  }
  bool can_record(int i, int k) const { return taped[to(i)] && (keeps_tapes || k == i + 1); }

  /// The least room in which step i can be recorded, the first of the piece (i, k).
  Count record_need(int from, int i, int k) const {
    return std::max(record_room[from == view][to(i)] + adjoint[to(k)], reverse_room[to(i)]);
  }
  /// `run`: the most that `first_run` and `later_run` say of steps i … j-1.
  Count keep_need(int from, int i, int j, int k, Count run) const {
    return base(from, i) + std::max(run + adjoint[to(k)], again[to(i)] + adjoint[to(j)]);
  }
  Count run_from(int i, int j, Count run) const {  // to x_j, where `run` is that to x_{j-1}
    return std::max(run, j == i + 1 ? first_run[to(i)] : later_run[to(j - 1)]);
  }

  static std::size_t to(int i) { return static_cast<std::size_t>(i); }
};

/// The forward cost of the cheapest way through a piece, for every room: what a planner computed.
class Table {
 public:
  Table() = default;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  virtual ~Table() = default;

  /// `infinite` where the room is too small.
  virtual Count cost(int from, int i, int k, Count room) const = 0;
};

/// The first thing to do in a piece, and what the piece then costs.
struct Choice {
  enum class Kind : std::uint8_t { record, reverse, keep } kind = Kind::keep;
  int j = 0;
  Count cost = infinite;
};
/// The only thing to do in a piece of one step.
Choice single(const Line& line, int i);

using Chooser = std::function<Choice(int from, int i, int k, Count room)>;

/// The schedule of the whole line in `room`. A store, a restore and a free for every base: in all a
/// few actions a step.
std::vector<Action> actions_of(const Line& line, const Chooser& choose, Count room);

/// The same of one piece, behind `actions`, with x_i in hand and stored nowhere.
void write_piece(const Line& line, const Chooser& choose, int i, int k, Count room, std::vector<Action>& actions);
void write_piece(const Line& line, const Table& table, int i, int k, Count room, std::vector<Action>& actions);

/// The cheapest by `table`, the earliest among equals. O(steps).
Choice choose(const Line& line, const Table& table, int from, int i, int k, Count room);

/// The schedule that `table` holds. O(steps) a step.
std::vector<Action> actions_of(const Line& line, const Table& table, Count room);

}  // namespace sweepback::detail::uneven
