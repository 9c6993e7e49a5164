// SPDX-License-Identifier: Apache-2.0
// The theory of equal steps in closed form (Griewank 1992; Griewank & Walther 2000).
//
// l states x_0 … x_{l-1} must be handed over in the order x_{l-1} … x_0. c slots keep states, the
// slot of x_0 included; the state in hand is outside. T(l,c) is the least number of forward steps,
// first pass included. With B(c,r) = C(c+r,c) and r the least number with B(c,r) >= l:
//
//     T(l,c) = min over 0<j<l of  j + T(l-j, c-1) + T(j, c)  =  r l - C(c+r, c+1)
//
// Leaves of two. Where memory is counted in bytes and states are immutable, one more state can
// often be kept as long as only a single step runs beside it. Pieces past the last slot then hold
// two states instead of one, and everything above holds with B(c,r) + B(c,r-1) in place of B(c,r):
//
//     T2(l,c) = r l - C(c+r, c+1) - C(c+r-1, c+1)
//
// Both are exact; the tests compare them with the dynamic programme and with exhaustive search.
#pragma once

#include <map>
#include <vector>

#include "sweepback/count.hpp"

namespace sweepback::binomial {

/// Room for states: `slots` that are free to use, and the longest piece (1 or 2 states) that can be
/// reversed past the last of them.
struct Room {
  Count slots = 1;
  Count leaf = 1;
  bool operator==(const Room&) const = default;
};

/// An interval of splits, both ends included.
struct Interval {
  Count min = 0, max = 0;
  bool operator==(const Interval&) const = default;
};

/// All functions throw OutOfRange for negative arguments or room that cannot hold the chain
/// (no slots and more states than a leaf), Overflow where the answer exceeds 2^63 - 1.

/// T(l,c): the least number of forward steps.
Count forward_steps(Count l, Room room);
inline Count forward_steps(Count l, Count slots) { return forward_steps(l, Room{slots, 1}); }

/// r: the most forward runs of any one step in a cheapest schedule.
Count repetition(Count l, Room room);
inline Count repetition(Count l, Count slots) { return repetition(l, Room{slots, 1}); }

/// The fewest stores of a cheapest schedule, that of x_0 left out (a state consumed at once is not
/// stored).
Count stores(Count l, Room room);
inline Count stores(Count l, Count slots) { return stores(l, Room{slots, 1}); }

/// Every j for which running to x_j first is cheapest. Needs l >= 2.
Interval first_splits(Count l, Room room);
inline Interval first_splits(Count l, Count slots) { return first_splits(l, Room{slots, 1}); }

/// Among those, the earliest of the ones with the fewest stores. Needs l >= 2.
Count split(Count l, Room room);
inline Count split(Count l, Count slots) { return split(l, Room{slots, 1}); }

/// How many steps run how often forward: {runs: steps}, the same in every cheapest schedule. The
/// work grows with r alone. Throws OutOfRange where r exceeds 10^6 (the answer would not be read).
std::map<Count, Count> runs(Count l, Room room);
inline std::map<Count, Count> runs(Count l, Count slots) { return runs(l, Room{slots, 1}); }

/// The forward steps that remain where some of the states 0 … end-1 are stored (ascending, x_0 first)
/// and each piece between them is reversed with the slots that those below leave; some may be given
/// up first. An upper bound on the cheapest finish (`plan` from a situation), which may also move a
/// state. O(stored^2) closed forms; of more than 48, at most 8 are given up beyond those that must be.
/// Throws OutOfRange for what is not such a set.
Count finishing_cost(const std::vector<Count>& stored, Count end, Count slots);

/// The longest chain that c slots reverse with no step run more than r times: C(c+r,c).
Count longest_chain(Count slots, Count runs);

/// The fewest slots with which no step runs more than `runs` times. Throws OutOfRange where no
/// number of slots does (fewer than one run and more than one state).
Count fewest_slots_for_runs(Count l, Count runs);

/// The fewest slots with which at most `steps` forward steps are run. Throws OutOfRange, naming the
/// least possible, where even a slot for every state needs more.
Count fewest_slots_for_forward_steps(Count l, Count steps);

}  // namespace sweepback::binomial
