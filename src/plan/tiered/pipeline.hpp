// SPDX-License-Identifier: Apache-2.0
// A tier that works while steps run (asynchronous multistage checkpointing: Kukreja, Hueckelheim,
// Louboutin, Gorman 2018), with reads that begin as soon as a slot is free for good. n states are to be
// handed over in reverse order, memory has c slots.
//
// The first pass stores the bases x_0, x_p, x_2p, … x_mp in memory; all but the last move on to the tier
// while the steps to the next ones run. On the way back the piece above a base, of q states (p but for the
// topmost), is halved at j: its upper part is reversed in the c-1 slots beside the base, its lower part in
// c-1 slots, the base among them, while the base below arrives in the last slot. The lowest piece has all
// slots. With u for a forward step, b for the reverse of one, w and r for a store and a restore in the tier,
// and T of binomial.hpp:
//
//     upper(q, j) = u j + u T(q-j, c-1) + (q-j) b       0 for j = q: the whole piece is the lower part
//     lower(j)    = max(u T(j, c-1) + j b, r)
//     makespan    = max(max(m p u, (m-c+1) w) + u j, m w) - u j + upper(n-mp, j) + lower(j)
//                   + (m-1) min over j of upper(p, j) + lower(j)  +  u T(p, c) + p b
//
// All p and m are looked at (with more than 20,000 states m by halving; with one slot, where parts are single states: q = 2, and the lowest piece is
// what is left); every term is convex in j below q. Nothing stalls where p u >= w and a lower part
// takes r; what a step takes is then independent of n.
#pragma once

#include <optional>
#include <vector>

#include "sweepback/action.hpp"
#include "table.hpp"

namespace sweepback::detail::tiered {

class Pipeline {
 public:
  struct Steps {
    Count states;            ///< to be handed over
    Count forward, reverse;  ///< what one takes
  };

  /// The fastest; none where no state goes to the tier.
  static std::optional<Pipeline> fastest(const Steps& steps, const Level& memory, const Level& far);

  /// `leaf` writes what is done with x_i in hand when it is its turn.
  template <class Leaf>
  std::vector<Action> actions(Leaf&& leaf) const;

 private:
  class Times;
  struct Shape {
    Count lowest, period, top;     ///< states of the lowest piece, p, m
    Count period_half, top_half;  ///< j of either
  };

  Pipeline(Count states, Count slots, int tier, const Shape& shape) : states_(states), slots_(slots), tier_(tier), shape_(shape) {}

  Count states_, slots_;
  int tier_;
  Shape shape_;
};

}  // namespace sweepback::detail::tiered

#include "pipeline_actions.hpp"
