// SPDX-License-Identifier: Apache-2.0
#include "sweepback/chain.hpp"

#include <algorithm>

#include "sweepback/error.hpp"

namespace sweepback {

namespace {

// Twice this many still fits in 63 bits, which the binomial planners use.
constexpr Count most_steps = max_count / 2;

void require_not_negative(Count value, const char* field) {
  if (value < 0)
    throw OutOfRange(std::string("a step's \"") + field + "\" is " + std::to_string(value),
                     "give a number that is not negative", {{field, value}});
}

void require_valid(const Step& step) {
  require_not_negative(step.forward, "forward");
  require_not_negative(step.record_cost(), "record");
  require_not_negative(step.reverse, "reverse");
  require_not_negative(step.forward_call, "forward_call");
  require_not_negative(step.record_call, "record_call");
  require_not_negative(step.reverse_call, "reverse_call");
  require_not_negative(step.block_tape.value_or(0), "block_tape");
  require_not_negative(step.state_bytes.value_or(0), "state");
  require_not_negative(step.tape_bytes.value_or(0), "tape");
  require_not_negative(step.forward_workspace, "forward_workspace");
  require_not_negative(step.reverse_workspace, "reverse_workspace");
  require_not_negative(step.adjoint, "adjoint");
}

}  // namespace

Chain Chain::uniform(Count steps, Step step) {
  if (steps < 0)
    throw OutOfRange("a chain of " + std::to_string(steps) + " steps",
                     "give a number of steps that is not negative", {{"steps", steps}});
  return of({{std::move(step), steps}});
}

Chain Chain::of(std::vector<Run> runs, Input input) {
  Chain chain;
  require_not_negative(input.state_bytes.value_or(0), "input state");
  require_not_negative(input.adjoint.value_or(0), "input adjoint");
  chain.input_ = input;
  for (Run& run : runs) {
    require_valid(run.step);
    require_not_negative(run.repeat, "repeat");
    if (run.repeat > most_steps - chain.steps_)
      throw Overflow("a chain of more than 2^62 steps", "give fewer steps");
    chain.steps_ += run.repeat;
    if (run.repeat == 0 && runs.size() > 1) continue;
    if (!chain.runs_.empty() && chain.runs_.back().step == run.step)
      chain.runs_.back().repeat += run.repeat;
    else
      chain.runs_.push_back(std::move(run));
  }
  return chain;
}

bool Chain::equal() const {
  if (runs_.size() > 1) return false;
  const Step& step = this->step();
  return steps_ == 0 || ((!input_.state_bytes || input_.state_bytes == step.state_bytes) &&
                         (!input_.adjoint || *input_.adjoint == step.adjoint));
}

const Step& Chain::step() const {
  static const Step nothing;
  return runs_.empty() ? nothing : runs_.front().step;
}

bool Chain::has_tapes() const {
  return std::any_of(runs_.begin(), runs_.end(), [](const Run& run) { return run.step.has_tape(); });
}

bool Chain::sized() const {
  return std::all_of(runs_.begin(), runs_.end(), [](const Run& run) {
    return run.repeat == 0 || (run.step.state_bytes && (!run.step.has_tape() || run.step.tape_bytes));
  });
}

Chain Chain::part(Count first, Count last) const {
  if (first < 0 || first > last || last > steps_)
    throw OutOfRange("steps " + std::to_string(first) + " to " + std::to_string(last) + " of " + std::to_string(steps_), "give a range of the chain's steps");
  Chain part = *this;
  part.runs_.clear();
  part.steps_ = last - first;
  part.final_state = final_state && last == steps_;
  Count begin = 0;
  for (const Run& run : runs_) {
    const Count end = begin + run.repeat, from = std::max(first, begin), to = std::min(last, end);
    if (from < to) part.runs_.push_back({run.step, to - from});
    if (first > begin && first <= end) part.input_ = {run.step.state_bytes, run.step.adjoint};
    begin = end;
  }
  if (part.runs_.empty() && !runs_.empty()) part.runs_.push_back({runs_.front().step, 0});
  return part;
}

Chain Chain::with_tapes() const {
  Chain chain = *this;
  for (Run& run : chain.runs_) run.step.tapes = true;
  return chain;
}

}  // namespace sweepback
