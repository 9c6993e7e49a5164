// SPDX-License-Identifier: Apache-2.0
#include "persistent.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "line.hpp"
#include "sweepback/error.hpp"

namespace sweepback::detail::uneven {

namespace {

constexpr Count most_steps = 100'000;
constexpr int most_slots = 1'000'000;
constexpr double most_table = 2.0 * (1 << 30);

Count known(const std::optional<Count>& size, const char* planner) {
  if (size) return *size;
  throw OutOfRange(std::string(planner) + " needs the bytes of every state and tape",
                   "give them in the chain");
}

void require_supported(const Chain& chain, const char* planner) {
  if (chain.steps() > most_steps)
    throw Unsupported(std::string(planner) + " for " + std::to_string(chain.steps()) + " steps",
                      "give at most " + std::to_string(most_steps));
  if (chain.blocks)
    throw Unsupported(std::string(planner) + " for steps that run in fused calls",
                      "make each step a call of its own (blocks = false)");
  const bool taped = std::all_of(chain.runs().begin(), chain.runs().end(),
                                 [](const Run& run) { return run.step.has_tape(); });
  if (!taped)
    throw Unsupported(std::string(planner) + " for steps without tapes",
                      "give every step its tape_bytes, or use the optimal strategy");
}

double cost(Count step, Count call) {
  return static_cast<double>(step) + static_cast<double>(call);
}

}  // namespace

Persistent::Persistent(const Chain& chain, const char* planner) {
  require_supported(chain, planner);
  steps = static_cast<int>(chain.steps());
  if (steps == 0) return;
  const Step& first = chain.runs().front().step;
  state.push_back(chain.input().state_bytes ? *chain.input().state_bytes
                                            : known(first.state_bytes, planner));
  adjoint.push_back(chain.input().adjoint.value_or(first.adjoint));
  for (const Run& run : chain.runs())
    for (Count n = 0; n < run.repeat; ++n) {
      const Step& step = run.step;
      const Count in = state.back(), out = known(step.state_bytes, planner);
      const Wide beside = step.tape_has_output ? 0 : out;
      tape.push_back(narrow(known(step.tape_bytes, planner) + beside, "the size of a tape"));
      output.push_back(step.tape_has_output);
      // In place, what is in hand is a copy, and the step's output overwrites it.
      const Wide copy = chain.in_place ? std::max(in, out) - beside : 0;
      forward_workspace.push_back(narrow(step.forward_workspace + copy, "the size of a workspace"));
      reverse_workspace.push_back(step.reverse_workspace);
      forward.push_back(cost(step.forward, step.forward_call));
      record.push_back(cost(step.record_cost(), step.record_call));
      reverse.push_back(cost(step.reverse, step.reverse_call));
      state.push_back(out);
      adjoint.push_back(step.adjoint);
    }
}

std::vector<Action> actions_of(const Persistent& chain, int memory, const Splitter& split) {
  struct Task {
    enum class Kind : std::uint8_t { piece, reverse, free } kind;
    int i, k = 0, memory = 0;
    Base from = loose;
    bool restore = false;
  };
  using enum Task::Kind;
  std::vector<Action> actions;
  std::vector<Task> open;
  if (chain.steps > 0) {
    actions.push_back(Action::store(0));
    open.push_back({free, 0});
    open.push_back({piece, 0, chain.steps, memory, stored});
  }
  while (!open.empty()) {
    const Task task = open.back();
    open.pop_back();
    const int i = task.i;
    if (task.kind == free) actions.push_back(Action::free(i));
    if (task.kind == reverse) actions.push_back(Action::reverse(i));
    if (task.kind != piece || i == task.k) continue;
    if (task.restore) actions.push_back(Action::restore(i));
    const Split next = split(i, task.k, task.memory);
    if (next.j > i) {
      if (task.from == loose) {
        actions.push_back(Action::store(i));
        open.push_back({free, i});
      }
      open.push_back({piece, i, next.j, task.memory, task.from == view ? view : stored, true});
      actions.push_back(Action::forward(i, next.j));
    }
    if (next.keep) {
      open.push_back({piece, next.j, task.k, next.above});
      continue;
    }
    actions.push_back(Action::record(next.j));
    const Base after = chain.output[static_cast<std::size_t>(next.j)] ? view : loose;
    open.push_back({reverse, next.j});
    open.push_back({piece, next.j + 1, task.k, next.above, after});
  }
  return actions;
}

Costs::Costs(int steps, int memory)
    : width_(static_cast<std::size_t>(steps) + 1), row_(static_cast<std::size_t>(memory) + 1) {
  const double bytes = 4.0 * static_cast<double>(width_) * static_cast<double>(width_ + 1) *
                       static_cast<double>(row_);
  if (bytes > most_table)
    throw Unsupported("a table of " + std::to_string(bytes / (1 << 30)) + " GiB, above 2 GiB",
                      "give fewer slots or fewer steps");
  cells_.assign(width_ * (width_ + 1) / 2 * row_, std::numeric_limits<double>::infinity());
  for (int i = 0; i <= steps; ++i) std::fill_n(row(i, i), row_, 0.0);
}

int parts_of(Count bytes, int slots) {
  if (bytes < 0)
    throw OutOfRange("a budget of " + std::to_string(bytes) + " bytes", "give 0 or more");
  if (slots < 1 || slots > most_slots)
    throw OutOfRange("memory in " + std::to_string(slots) + " equal parts",
                     "give 1 to " + std::to_string(most_slots));
  return static_cast<int>(std::min<Count>(bytes, slots));
}

int in_parts(Count size, Count bytes, int parts) {
  if (size == 0) return 0;
  if (size > bytes) return parts + 1;
  return static_cast<int>((static_cast<Wide>(size) * parts + bytes - 1) / bytes);
}

Count whole(double cost) { return cost < 0x1p63 ? static_cast<Count>(cost) : -1; }

}  // namespace sweepback::detail::uneven
