// SPDX-License-Identifier: Apache-2.0
// What can be said without planning (Gruslys, Munos, Danihelka, Lanctot and Graves 2016, Appendix B):
// upper bounds on the forward and record steps together, of t steps in m slots.
//
//     C_HSM(t,m) <= m t^(1+1/m)
//     C_HSM(t,m) <= (a+1) t   for t <= C(m+a, a)          each step runs forward at most a times
//     C_ISM(t,m) <= a t       for t <= C(m+a, a) - 1      each step runs at most a times
//     C_HSM(t,t) = 2t - 1
//
// The longest chain C(c+r, c) grows like c^r / r! in the slots c and like r^c / c! in the runs r.
#pragma once

#include "sweepback/count.hpp"

namespace sweepback::bounds {

/// All throw OutOfRange for negative steps or, with steps, fewer than one slot; Overflow above
/// 2^63-1.

/// m t^(1+1/m), rounded up.
Count states_by_power(Count steps, Count slots);

/// (a+1) t for the least a with t <= C(m+a, a).
Count states_by_runs(Count steps, Count slots);

/// a t for the least a with t <= C(m+a, a) - 1, but at least 1.
Count tapes_by_runs(Count steps, Count slots);

/// The exact values, C_HSM = T(t,m) + t and C_ISM = T(t+1,m).
Count states_exact(Count steps, Count slots);
Count tapes_exact(Count steps, Count slots);

/// The inverse: the fewest slots with which forward and record steps together are at most
/// `slowdown` times the steps. Exact, by bisection of a closed form. Throws OutOfRange for a slowdown
/// that is no number or that no number of slots reaches: below (2t-1)/t for states, 1 for tapes.
Count fewest_state_slots(Count steps, double slowdown);
Count fewest_tape_slots(Count steps, double slowdown);

}  // namespace sweepback::bounds
