// SPDX-License-Identifier: Apache-2.0
// All plans of a length and a number of slots that a program can follow, and one whole sweep.
#pragma once

#include <optional>

#include "print.hpp"
#include "toy.hpp"

namespace toy {

using sweepback::Budget;
using sweepback::Chain;
using sweepback::Keep;
using sweepback::Plan;
using sweepback::Strategy;

/// The plan makes `x_l`, so `forward` can hand it out.
inline bool makes_last(const Plan& plan) {
  return plan.chain.steps() == 0 || plan.chain.has_tapes() || plan.chain.final_state;
}

/// The chain that `Program` runs, its sizes not known.
template <class Program>
Chain chain(Count l, bool tapes = false, bool final_state = true) {
  Chain chain = Chain::uniform(
      l, {.tapes = tapes, .tape_has_output = !tapes || Program::taping == Taping::output});
  chain.in_place = Program::in_place;
  chain.final_state = final_state;
  return chain;
}

/// States kept with and without `x_l`, recorded steps between kept states, tapes kept, and both.
template <class Program>
std::vector<Plan> plans(Count l, Count c, Strategy strategy = Strategy::optimal) {
  const auto make = [&](Chain chain, Keep keep) {
    return plan(chain, Budget::slots(c), {.keep = keep, .strategy = strategy, .units = {1, 2}});
  };
  std::vector<Plan> plans{make(chain<Program>(l, false, true), Keep::states),
                          make(chain<Program>(l, false, false), Keep::states)};
  if constexpr (Program::taping != Taping::none)
    plans.push_back(make(chain<Program>(l, true), Keep::states));
  if constexpr (Program::taping == Taping::output)
    plans.push_back(make(chain<Program>(l, true), Keep::tapes));
  if (Program::taping != Taping::none && strategy == Strategy::optimal)
    plans.push_back(make(chain<Program>(l, true), Keep::mixed));
  return plans;
}

/// What a whole sweep gives.
struct Outcome {
  std::optional<double> last;  ///< `x_l`, where the plan makes it
  Gradient gradient;
  sweepback::Bill bill;
};

/// Goes there and back with a sweep of `Program` that exists already.
template <class Program, class Sweep>
Outcome go(Sweep& sweep, double x0) {
  Outcome outcome;
  if (makes_last(sweep.plan()))
    outcome.last = Program::Box::get(sweep.forward(Program::Box::make(x0)));
  else
    sweep.advance(Program::Box::make(x0));
  outcome.bill = sweep.backward(outcome.gradient).bill;
  return outcome;
}

/// Goes there and back by `plan`.
template <class Program>
Outcome there_and_back(Program& program, const Plan& plan, double x0) {
  sweepback::Sweep sweep(program, plan);
  return go<Program>(sweep, x0);
}

}  // namespace toy
