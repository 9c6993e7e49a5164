// SPDX-License-Identifier: Apache-2.0
#include "sweepback/bounds.hpp"

#include <cmath>
#include <string>

#include "sweepback/binomial.hpp"
#include "sweepback/error.hpp"

namespace sweepback::bounds {

namespace {

void require(Count steps, Count slots) {
  if (steps < 0)
    throw OutOfRange(std::to_string(steps) + " steps", "give a number that is not negative",
                     {{"steps", steps}});
  if (steps > max_count / 2) throw Overflow("bounds of more than 2^62 steps", "give fewer steps");
  if (slots < 0 || (slots == 0 && steps > 0))
    throw OutOfRange(std::to_string(slots) + " slots hold no schedule", "give at least one",
                     {{"slots", slots}, {"smallest", 1}});
}

Count times(Count a, Count b) { return narrow(static_cast<Wide>(a) * b, "the bound"); }

/// The fewest slots with exact(slots) <= most; exact falls with every slot up to `enough`.
template <class Exact>
Count bisect(Count enough, Wide most, Exact&& exact) {
  const auto fits = [&](Count slots) {
    try {
      return exact(slots) <= most;
    } catch (const Overflow&) {
      return false;
    }
  };
  Count low = 0, high = enough;
  while (high - low > 1) {
    const Count middle = low + (high - low) / 2;
    (fits(middle) ? high : low) = middle;
  }
  return high;
}

template <class Exact>
Count fewest(Count steps, double slowdown, Exact&& exact) {
  require(steps, 1);
  if (steps == 0) return 0;
  const double least = static_cast<double>(exact(steps)) / static_cast<double>(steps);
  if (!(slowdown >= least))
    throw OutOfRange("a slowdown of " + std::to_string(slowdown) + ": with a slot for every step it is " +
                         std::to_string(least),
                     "allow at least that", {{"steps", steps}});
  const double most = std::floor(slowdown * static_cast<double>(steps) * (1 + 1e-15));
  return bisect(steps, most < 9e18 ? static_cast<Wide>(most) : Wide{max_count}, exact);
}

}  // namespace

Count states_by_power(Count steps, Count slots) {
  require(steps, slots);
  if (steps == 0) return 0;
  const long double t = steps, m = slots;
  const long double bound = std::ceil(m * t * std::pow(t, 1 / m) * (1 + 1e-15L));
  if (bound >= 9223372036854775807.0L) throw Overflow("the bound is above 2^63-1");
  return static_cast<Count>(bound);
}

Count states_by_runs(Count steps, Count slots) {
  require(steps, slots);
  return steps == 0 ? 0 : times(binomial::repetition(steps, slots) + 1, steps);
}

Count tapes_by_runs(Count steps, Count slots) {
  require(steps, slots);
  return steps == 0 ? 0 : times(std::max<Count>(1, binomial::repetition(steps + 1, slots)), steps);
}

Count states_exact(Count steps, Count slots) {
  require(steps, slots);
  if (steps == 0) return 0;
  return narrow(static_cast<Wide>(binomial::forward_steps(steps, slots)) + steps, "the cost");
}

Count tapes_exact(Count steps, Count slots) {
  require(steps, slots);
  return steps == 0 ? 0 : binomial::forward_steps(steps + 1, slots);
}

Count fewest_state_slots(Count steps, double slowdown) {
  return fewest(steps, slowdown, [&](Count slots) { return states_exact(steps, slots); });
}

Count fewest_tape_slots(Count steps, double slowdown) {
  return fewest(steps, slowdown, [&](Count slots) { return tapes_exact(steps, slots); });
}

}  // namespace sweepback::bounds
