// SPDX-License-Identifier: Apache-2.0
// `sweepback plan`: from what was typed to a request. All values are taken as text and read by
// sizes.hpp, so that every error names its option and says what would do.
#include <CLI/CLI.hpp>
#include <optional>

#include "chain_arguments.hpp"
#include "command.hpp"
#include "sizes.hpp"
#include "tier_arguments.hpp"
#include "words.hpp"

namespace sweepback::cli {

namespace {

using Text = std::optional<std::string>;

struct Typed {
  ChainArguments chain;
  Text slots, budget, max_runs, max_time_ratio, keep, strategy, state_units, tape_units, block, parts,
      period, engine;
  std::vector<std::string> tiers;
  std::string tier_file;
  Effort effort;
  bool pin_input = false, runs = false, actions = false, json = false;
};

constexpr const char* examples =
    R"(A number is whole: 10000, or exactly 1e12. A size has a unit or is in bytes: 8MiB, 2GB, 4096.
A state x_k is what step k reads; a tape is what a recorded step leaves for its reverse step.
With --json an answer or error is one document; with --actions the answer is the stream itself.

Examples:
  sweepback plan --steps 10000 --slots 15
      15 states kept: 45,155 forward steps instead of 9,999
  sweepback plan --steps 10000 --max-runs 3
      the fewest slots with which no step runs more than 3 times
  sweepback plan --steps 1000 --state-bytes 32KiB --tape-bytes 160KiB --budget 5%
      bytes: everything kept counts, at every instant
  sweepback plan --steps 1000 --keep tapes --slots 50 --reverse-cost 2 --json
  sweepback plan --steps 1000 --tape-units 4 --slots 200
      states and tapes both kept, a tape four times as large as a state
  sweepback plan --steps 10000 --state-bytes 1MiB --max-time-ratio 1.5
      the least memory with which the whole takes at most half as long again
  sweepback plan --chain layers.json --budget 25%
      unequal steps from a file: sizes in bytes, costs as measured
  sweepback plan --chain layers.csv --budget 64MiB --time-limit 5
      the same as a table: name,forward,reverse,state,tape and one line a step
  sweepback plan --steps 1000 --state-bytes 8MiB --forward-cost 20ms --reverse-cost 50ms
      --tier memory:256MiB --tier disk:unbounded:store=2GB/s,restore=3GB/s,overlap
      memory and a disk: what goes where, and what moving costs
  sweepback plan --steps 10 --slots 2 --actions | sweepback check -)";

void add_options(CLI::App& app, Typed& typed) {
  const auto option = [&](const char* group, const char* name, Text& text, const char* value,
                          const char* meaning) {
    app.add_option(name, text, meaning)->type_name(value)->group(group);
  };
  typed.chain.add_to(app);
  const char* budget = "The budget (one of these)";
  option(budget, "--slots", typed.slots, "C",
         "states kept, that of x_0 included; tapes, the one in use included; or units of both");
  option(budget, "--budget", typed.budget, "SIZE|P%|auto",
         "bytes, a share of what store-everything keeps, or half of what is free");
  option(budget, "--max-runs", typed.max_runs, "R",
         "the fewest slots with which no step runs more often");
  option(budget, "--max-time-ratio", typed.max_time_ratio, "X",
         "the least memory with which the cost is at most X times that of storing everything");

  app.add_option("--tier", typed.tiers,
                 "several kinds of storage, fastest first, memory first of all; capacity 3slots, 64GiB or "
                 "unbounded; a cost of a state in units (5) or as time (2GB/s+80us, in ns); overlap: it moves "
                 "states while steps run")
      ->type_name("NAME:CAPACITY[:store=COST,restore=COST,overlap]")
      ->group(budget)
      ->allow_extra_args(false);
  app.add_option("--tiers", typed.tier_file, "more of them, from a file (sweepback.tiers/1)")->type_name("FILE")->group(budget);

  const char* how = "The plan";
  option(how, "--keep", typed.keep, "auto|states|tapes|mixed",
         "what is kept between steps [auto: the cheapest in bytes; mixed where units are given; else "
         "states]");
  option(how, "--state-units", typed.state_units, "S", "mixed: slots that a state takes [1]");
  option(how, "--tape-units", typed.tape_units, "T", "mixed: slots that a tape takes [1]");
  app.add_flag("--pin-x0", typed.pin_input, "mixed: x_0 stays stored throughout")->group(how);
  option(how, "--block", typed.block, "1|auto|K", "steps recorded and reversed in one call [1]");
  option(how, "--strategy", typed.strategy,
         "optimal|store-all|one-slot|halving|sqrt|chen|periodic|rotor|layers",
         "cheapest, or one to compare with; rotor (Beaumont et al. 2019) and layers (Gruslys et al. 2016, "
         "Appendix C) are for unequal steps with tapes [optimal]");
  option(how, "--parts", typed.parts, "K", "chen: borders stored of every piece [the cheapest]");
  option(how, "--period", typed.period, "P", "periodic: states between borders [the least]");
  option(how, "--engine", typed.engine, "auto|window|staircases|slots|search|coarse",
         "the planner of unequal steps: window (states of equal size or in slots), search (up to 12 steps, "
         "exact), staircases (to the byte), slots (500 parts), coarse (thousands of steps) [auto: the best "
         "within seconds]");
  typed.effort.add_to(app, how, "planning then ends with the best so far [none]");

  const char* answer = "The answer";
  app.add_flag("--runs", typed.runs, "also how many steps run how often forward")->group(answer);
  app.add_flag("--actions", typed.actions, "the schedule itself: sweepback.actions/1, JSON lines")
      ->group(answer);
  app.add_flag("--json", typed.json, "one JSON document: sweepback.plan/1")->group(answer);
}

Strategy read_strategy(const std::string& text) {
  return choose<Strategy>(text, "--strategy",
                          {{"optimal", Strategy::optimal},
                           {"store-all", Strategy::store_all},
                           {"one-slot", Strategy::one_slot},
                           {"halving", Strategy::halving},
                           {"sqrt", Strategy::sqrt},
                           {"chen", Strategy::chen},
                           {"periodic", Strategy::periodic},
                           {"rotor", Strategy::rotor},
                           {"layers", Strategy::layers}});
}

Engine read_engine(const std::string& text) {
  return choose<Engine>(text, "--engine",
                        {{"auto", Engine::automatic},
                         {"window", Engine::window},
                         {"staircases", Engine::staircases},
                         {"slots", Engine::slots},
                         {"search", Engine::search},
                         {"coarse", Engine::coarse}});
}

PlanOptions options_of(const Typed& typed) {
  PlanOptions options;
  if (typed.keep)
    options.keep = read_keep(*typed.keep);
  if (typed.strategy) options.strategy = read_strategy(*typed.strategy);
  if (typed.state_units) options.units.state = parse_count(*typed.state_units, "--state-units");
  if (typed.tape_units) options.units.tape = parse_count(*typed.tape_units, "--tape-units");
  const bool units = typed.state_units || typed.tape_units;
  if (units && options.keep == Keep::automatic && options.strategy == Strategy::optimal)
    options.keep = Keep::mixed;
  if ((units || typed.pin_input) && options.keep != Keep::mixed && options.keep != Keep::automatic)
    throw usage("units of states and tapes, and a plan that keeps one kind",
                "give --keep mixed, or leave --state-units, --tape-units and --pin-x0 out");
  if (units && typed.budget)
    throw usage("units and a budget in bytes: bytes choose their own",
                "give --slots, or --state-bytes and --tape-bytes alone");
  options.pin_input = typed.pin_input;
  if (options.pin_input) options.keep = Keep::mixed;
  if (typed.block)
    options.block = *typed.block == "auto" ? 0 : at_least_one(*typed.block, "--block");
  if (typed.engine) options.engine = read_engine(*typed.engine);
  typed.effort.read_into(options);
  if (typed.parts) options.parts = at_least_one(*typed.parts, "--parts");
  if (typed.period) options.period = at_least_one(*typed.period, "--period");
  return options;
}

}  // namespace

PlanRequest read_plan(const Arguments& arguments) {
  CLI::App app("The cheapest way to run steps backwards inside a budget, and its bill.",
               "sweepback plan");
  Typed typed;
  add_options(app, typed);
  app.footer(examples);
  parse(app, arguments);

  PlanRequest request;
  request.runs = typed.runs;
  request.actions = typed.actions;
  request.json = typed.json;
  if (typed.actions && typed.runs)
    throw usage("--actions and --runs exclude each other: a stream has no place for the runs",
                "ask for one of them");
  request.options = options_of(typed);
  const int given = !!typed.slots + !!typed.budget + !!typed.max_runs + !!typed.max_time_ratio +
                    (!typed.tiers.empty() || !typed.tier_file.empty());
  if (given != 1)
    throw usage(given ? "--slots, --budget, --max-runs, --max-time-ratio and --tier exclude each other"
                      : "no budget is given",
                "give one of --slots C, --budget SIZE, --max-runs R, --max-time-ratio X and --tier NAME:CAPACITY");
  if ((typed.max_runs || typed.max_time_ratio) && request.options.strategy != Strategy::optimal)
    throw usage("a bound on runs or time asks for the cheapest plan; it has no other --strategy",
                "give --slots or --budget with --strategy, or leave it out");
  request.chain = typed.chain.chain();
  if (typed.state_units || typed.tape_units) request.chain = request.chain.with_tapes();
  if (request.options.block != 1) request.chain.blocks = true;
  if (typed.max_runs) request.max_runs = parse_count(*typed.max_runs, "--max-runs");
  if (typed.max_time_ratio)
    request.max_time_ratio = parse_ratio(*typed.max_time_ratio, "--max-time-ratio");
  if (!typed.tiers.empty() || !typed.tier_file.empty()) request.budget = read_tiers(typed.tiers, typed.tier_file);
  const bool in_bytes_a_second = std::any_of(typed.tiers.begin(), typed.tiers.end(), [](const std::string& tier) { return tier.find("/s") != std::string::npos; });
  if (in_bytes_a_second && app.count("--steps") > 0 && app.count("--forward-cost") == 0)
    throw usage("a tier's costs are times, and a step's are not", "give --forward-cost and --reverse-cost as times, like 20ms");
  if (typed.slots) request.budget = Budget::slots(parse_count(*typed.slots, "--slots"));
  if (typed.budget)
    request.budget = budget_for(parse_budget(*typed.budget), request.chain);
  return request;
}

}  // namespace sweepback::cli
