// SPDX-License-Identifier: Apache-2.0
// Random chains, budgets and options, with rapidcheck.
#pragma once

#include <rapidcheck.h>

#include "sweepback/plan.hpp"

namespace sweepback::test {

struct Question {
  Chain chain;
  Budget budget;
  Keep keep = Keep::states;
};

inline Chain random_chain(Count most_steps) {
  Step step;
  step.state_bytes = *rc::gen::inRange<Count>(0, 20);
  if (*rc::gen::arbitrary<bool>()) {
    step.tape_bytes = *rc::gen::inRange<Count>(*step.state_bytes, 60);
    step.tape_has_output = *rc::gen::weightedElement<bool>({{3, true}, {1, false}});
  }
  step.forward = *rc::gen::inRange<Count>(0, 9);
  step.record = step.forward + *rc::gen::inRange<Count>(0, 5);
  step.reverse = *rc::gen::inRange<Count>(0, 9);
  step.forward_workspace = *rc::gen::inRange<Count>(0, 40);
  step.reverse_workspace = *rc::gen::inRange<Count>(0, 60);
  step.adjoint = *rc::gen::inRange<Count>(0, 20);
  Chain chain = Chain::uniform(*rc::gen::inRange<Count>(0, most_steps), step);
  chain.in_place = *rc::gen::arbitrary<bool>();
  chain.final_state = *rc::gen::arbitrary<bool>();
  return chain;
}

inline Question random_question(Count most_steps) {
  Question question{random_chain(most_steps), {}, Keep::automatic};
  if (*rc::gen::arbitrary<bool>())
    question.budget = Budget::slots(*rc::gen::inRange<Count>(1, 30));
  else
    question.budget = Budget::bytes(*rc::gen::inRange<Count>(0, 1200));
  const Step& step = question.chain.step();
  if (step.tape_has_output)
    question.keep = *rc::gen::element(Keep::automatic, Keep::states, Keep::tapes);
  if (question.keep == Keep::tapes && !step.tape_bytes) question.keep = Keep::states;
  return question;
}

}  // namespace sweepback::test
