// SPDX-License-Identifier: Apache-2.0
#include "sweepback/bounds.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <optional>
#include <ostream>

#include "command.hpp"
#include "sizes.hpp"
#include "sweepback/binomial.hpp"
#include "sweepback/error.hpp"
#include "sweepback/json.hpp"
#include "usage.hpp"

namespace sweepback::cli {

namespace {

constexpr const char* examples =
    R"(Forward and record steps together, first pass included, as Gruslys et al. (2016) count them.

Examples:
  sweepback bounds --steps 1000 --slots 50
  sweepback bounds --steps 1e9 --slots 30 --json)";

constexpr std::array slowdowns = {1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 10.0};

std::optional<Count> attempt(Count (*number)(Count, Count), Count steps, Count slots) {
  try {
    return number(steps, slots);
  } catch (const Overflow&) {
    return std::nullopt;
  }
}

std::optional<Count> attempt(Count (*number)(Count, double), Count steps, double slowdown) {
  try {
    return number(steps, slowdown);
  } catch (const OutOfRange&) {
    return std::nullopt;
  }
}

json::Json value(const std::optional<Count>& count) {
  return count ? json::Json(*count) : json::Json();
}

std::string words(const std::optional<Count>& count, const char* none) {
  return count ? print_count(*count) : none;
}

}  // namespace

BoundsRequest read_bounds(const Arguments& arguments) {
  CLI::App app("What can be said of a length and a number of slots without planning, beside the exact "
               "values.",
               "sweepback bounds");
  std::optional<std::string> steps, slots;
  BoundsRequest request;
  app.add_option("--steps", steps, "number of equal steps")->type_name("N");
  app.add_option("--slots", slots, "states kept, that of x_0 included; or tapes")->type_name("C");
  app.add_flag("--json", request.json, "one JSON document: sweepback.bounds/1");
  app.footer(examples);
  parse(app, arguments);
  if (!steps || !slots) throw usage("no --steps or no --slots is given", "give both");
  request.steps = parse_count(*steps, "--steps");
  request.slots = parse_count(*slots, "--slots");
  return request;
}

int run_bounds(const BoundsRequest& request, const Output& output) {
  const auto [steps, slots, as_json] = request;
  const auto states = attempt(bounds::states_exact, steps, slots);
  const auto tapes = attempt(bounds::tapes_exact, steps, slots);
  const auto power = attempt(bounds::states_by_power, steps, slots);
  const auto states_runs = attempt(bounds::states_by_runs, steps, slots);
  const auto tapes_runs = attempt(bounds::tapes_by_runs, steps, slots);
  const Count repetition = steps > 0 ? binomial::repetition(steps, slots) : 0;

  if (as_json) {
    json::Json inverse = json::Json::array();
    for (const double slowdown : slowdowns)
      inverse.push_back({{"slowdown", slowdown},
                         {"states", value(attempt(bounds::fewest_state_slots, steps, slowdown))},
                         {"tapes", value(attempt(bounds::fewest_tape_slots, steps, slowdown))}});
    output.out << json::dump(
        {{"schema", "sweepback.bounds/1"},
         {"steps", steps},
         {"slots", slots},
         {"repetition", repetition},
         {"states", {{"exact", value(states)}, {"by_power", value(power)}, {"by_runs", value(states_runs)}}},
         {"tapes", {{"exact", value(tapes)}, {"by_runs", value(tapes_runs)}}},
         {"fewest_slots", inverse}});
    return 0;
  }
  const char* large = "above 2^63-1";
  output.out << fmt::format("{} steps, {} slots: forward and record steps together\n",
                            print_count(steps), print_count(slots))
             << fmt::format("  states kept   {} exactly; at most {} (m t^(1+1/m)) and {} ((r+1) t, r = {})\n",
                            words(states, large), words(power, large), words(states_runs, large),
                            print_count(repetition))
             << fmt::format("  tapes kept    {} exactly; at most {} (r t)\n", words(tapes, large),
                            words(tapes_runs, large))
             << "\n  slowdown   fewest states   fewest tapes\n";
  for (const double slowdown : slowdowns)
    output.out << fmt::format(
        "  {:>8.2f}   {:>13}   {:>12}\n", slowdown,
        words(attempt(bounds::fewest_state_slots, steps, slowdown), "none"),
        words(attempt(bounds::fewest_tape_slots, steps, slowdown), "none"));
  return 0;
}

}  // namespace sweepback::cli
