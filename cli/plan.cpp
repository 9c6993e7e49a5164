// SPDX-License-Identifier: Apache-2.0
#include "sweepback/plan.hpp"

#include <ostream>

#include "command.hpp"
#include "sweepback/json.hpp"
#include "sweepback/json_actions.hpp"

namespace sweepback::cli {

namespace {

/// The whole stream, line by line; ends early where nobody reads on.
void write_actions(const Plan& plan, std::ostream& out) {
  constexpr std::size_t piece = std::size_t{1} << 16;
  std::string lines = json::header_line(Rules::of(plan));
  Schedule schedule = plan.schedule;
  for (Action action; out && schedule.next(action);) {
    json::append_line(lines, action, plan.budget.tiers);
    if (lines.size() < piece) continue;
    out << lines;
    lines.clear();
  }
  out << lines;
}

}  // namespace

int run_plan(const PlanRequest& request, const Output& output) {
  const Plan answer =
      request.budget           ? plan(request.chain, *request.budget, request.options)
      : request.max_time_ratio ? plan_for_time(request.chain, *request.max_time_ratio, request.options)
                               : plan_for_runs(request.chain, request.max_runs, request.options);
  if (request.actions) {
    write_actions(answer, output.out);
  } else if (request.json) {
    json::Json document = json::to_json(answer);
    if (request.runs) document["runs"] = json::to_json(forward_runs(answer));
    output.out << json::dump(document);
  } else {
    print_plan(answer, request.runs, output);
  }
  return 0;
}

}  // namespace sweepback::cli
