// SPDX-License-Identifier: Apache-2.0
// `sweepback plan`: from what was typed to a request. All values are taken as text and read by
// sizes.hpp, so that every error names its option and says what would do.
#include <CLI/CLI.hpp>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>

#include "command.hpp"
#include "sizes.hpp"
#include "sweepback/json.hpp"

namespace sweepback::cli {

namespace {

using Text = std::optional<std::string>;

struct Typed {
  Text steps, chain, forward_cost, record_cost, reverse_cost, state_bytes, tape_bytes,
      tape_has_output, adjoint_bytes, forward_workspace, reverse_workspace, in_place;
  Text slots, budget, max_runs, keep, strategy;
  bool final_state = false, runs = false, actions = false, json = false;
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
  sweepback plan --steps 10 --slots 2 --actions | sweepback check -)";

void add_options(CLI::App& app, Typed& typed) {
  const auto option = [&](const char* group, const char* name, Text& text, const char* value,
                          const char* meaning) {
    app.add_option(name, text, meaning)->type_name(value)->group(group);
  };
  const char* chain = "The computation (--steps or --chain)";
  option(chain, "--steps", typed.steps, "N", "number of equal steps");
  option(chain, "--chain", typed.chain, "FILE", "sweepback.chain/1 (JSON; - for standard input)");
  option(chain, "--forward-cost", typed.forward_cost, "F", "of a forward step, in cost units [1]");
  option(chain, "--record-cost", typed.record_cost, "R", "of a step that keeps its tape [F]");
  option(chain, "--reverse-cost", typed.reverse_cost, "V", "of a reverse step [1]");
  option(chain, "--state-bytes", typed.state_bytes, "SIZE", "of a state [not known]");
  option(chain, "--tape-bytes", typed.tape_bytes, "SIZE",
         "of a tape; steps then have tapes [no tapes]");
  option(chain, "--tape-has-output", typed.tape_has_output, "yes|no",
         "a kept tape gives back its step's output [yes]");
  option(chain, "--adjoint-bytes", typed.adjoint_bytes, "SIZE", "of the adjoint of a state [0]");
  option(chain, "--forward-workspace", typed.forward_workspace, "SIZE",
         "needed while a step runs or records [0]");
  option(chain, "--reverse-workspace", typed.reverse_workspace, "SIZE",
         "needed while a step is reversed [0]");
  option(chain, "--in-place", typed.in_place, "yes|no",
         "a step overwrites its state; else storing one keeps a reference [no]");
  app.add_flag("--final-state", typed.final_state,
               "without tapes: make the last state as well, as to seed the adjoint [no]")
      ->group(chain);

  const char* budget = "The budget (one of these)";
  option(budget, "--slots", typed.slots, "C",
         "states kept, that of x_0 included; or tapes, the one in use included");
  option(budget, "--budget", typed.budget, "SIZE|P%|auto",
         "bytes, a share of what store-everything keeps, or half of what is free");
  option(budget, "--max-runs", typed.max_runs, "R",
         "the fewest slots with which no step runs more often");

  const char* how = "The plan";
  option(how, "--keep", typed.keep, "auto|states|tapes",
         "what is kept between steps [auto: the cheaper in bytes, else states]");
  option(how, "--strategy", typed.strategy, "optimal|store-all|one-slot",
         "cheapest, or one to compare with [optimal]");

  const char* answer = "The answer";
  app.add_flag("--runs", typed.runs, "also how many steps run how often forward")->group(answer);
  app.add_flag("--actions", typed.actions, "the schedule itself: sweepback.actions/1, JSON lines")
      ->group(answer);
  app.add_flag("--json", typed.json, "one JSON document: sweepback.plan/1")->group(answer);
}

/// The value whose word was typed.
template <class Value>
Value choose(const std::string& text, const char* option,
             std::initializer_list<std::pair<const char*, Value>> words) {
  std::string list;
  for (const auto& [word, value] : words) {
    if (text == word) return value;
    list += (list.empty() ? "" : ", ") + std::string(word);
  }
  throw usage(std::string(option) + " \"" + text.substr(0, 40) + "\" is not known",
              "give one of " + list);
}

bool yes(const std::string& text, const char* option) {
  return choose<bool>(text, option, {{"yes", true}, {"no", false}});
}

Chain read_file(const std::string& path, bool final_state) {
  std::ifstream file;
  if (path != "-") {
    file.open(path);
    if (!file)
      throw BadFile("--chain " + path + ": " + std::strerror(errno),
                    "give a file that can be read");
  }
  const std::string name = path == "-" ? "the chain" : path;
  const json::Document document = json::parse(path == "-" ? std::cin : file, name);
  try {
    return json::chain_from(document, final_state);
  } catch (const BadFile& e) {
    throw BadFile(name + ": " + e.message(), e.remedy(), e.numbers());
  } catch (const OutOfRange& e) {
    throw OutOfRange(name + ": " + e.message(), e.remedy(), e.numbers());
  } catch (const Overflow& e) {
    throw Overflow(name + ": " + e.message(), e.remedy());
  }
}

Chain equal_steps(const Typed& typed) {
  Step step;
  if (typed.forward_cost) step.forward = parse_count(*typed.forward_cost, "--forward-cost");
  if (typed.record_cost) step.record = parse_count(*typed.record_cost, "--record-cost");
  if (typed.reverse_cost) step.reverse = parse_count(*typed.reverse_cost, "--reverse-cost");
  if (typed.state_bytes) step.state_bytes = parse_bytes(*typed.state_bytes, "--state-bytes");
  if (typed.tape_bytes) step.tape_bytes = parse_bytes(*typed.tape_bytes, "--tape-bytes");
  if (typed.tape_has_output)
    step.tape_has_output = yes(*typed.tape_has_output, "--tape-has-output");
  if (typed.adjoint_bytes) step.adjoint = parse_bytes(*typed.adjoint_bytes, "--adjoint-bytes");
  if (typed.forward_workspace)
    step.forward_workspace = parse_bytes(*typed.forward_workspace, "--forward-workspace");
  if (typed.reverse_workspace)
    step.reverse_workspace = parse_bytes(*typed.reverse_workspace, "--reverse-workspace");
  Chain chain = Chain::uniform(parse_count(*typed.steps, "--steps"), step);
  chain.final_state = typed.final_state;
  return chain;
}

Chain chain_of(const Typed& typed) {
  if (typed.steps.has_value() == typed.chain.has_value())
    throw usage(typed.steps ? "--steps and --chain exclude each other" : "no computation is given",
                "give --steps N or --chain FILE");
  Chain chain;
  if (typed.chain) {
    for (const auto& [text, option] : {std::pair{&typed.forward_cost, "--forward-cost"},
                                       {&typed.record_cost, "--record-cost"},
                                       {&typed.reverse_cost, "--reverse-cost"},
                                       {&typed.state_bytes, "--state-bytes"},
                                       {&typed.tape_bytes, "--tape-bytes"},
                                       {&typed.tape_has_output, "--tape-has-output"},
                                       {&typed.adjoint_bytes, "--adjoint-bytes"},
                                       {&typed.forward_workspace, "--forward-workspace"},
                                       {&typed.reverse_workspace, "--reverse-workspace"}})
      if (*text)
        throw usage(std::string(option) + " and --chain exclude each other",
                    "say it of each step in the file");
    chain = read_file(*typed.chain, false);
    if (typed.final_state) chain.final_state = true;
  } else {
    chain = equal_steps(typed);
  }
  if (typed.in_place) chain.in_place = yes(*typed.in_place, "--in-place");
  return chain;
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
  if (typed.keep)
    request.options.keep =
        choose<Keep>(*typed.keep, "--keep",
                     {{"auto", Keep::automatic}, {"states", Keep::states}, {"tapes", Keep::tapes}});
  if (typed.strategy)
    request.options.strategy = choose<Strategy>(*typed.strategy, "--strategy",
                                                {{"optimal", Strategy::optimal},
                                                 {"store-all", Strategy::store_all},
                                                 {"one-slot", Strategy::one_slot}});
  if (const int given = !!typed.slots + !!typed.budget + !!typed.max_runs; given != 1)
    throw usage(
        given ? "--slots, --budget and --max-runs exclude each other" : "no budget is given",
        "give one of --slots C, --budget SIZE and --max-runs R");
  if (typed.max_runs && request.options.strategy != Strategy::optimal)
    throw usage("--max-runs looks for the cheapest plan; it has no other --strategy",
                "give --slots or --budget with --strategy, or leave it out");
  request.chain = chain_of(typed);
  if (typed.max_runs) request.max_runs = parse_count(*typed.max_runs, "--max-runs");
  if (typed.slots) request.budget = Budget::slots(parse_count(*typed.slots, "--slots"));
  if (typed.budget)
    request.budget = budget_for(parse_budget(*typed.budget), request.chain, request.options.keep);
  return request;
}

}  // namespace sweepback::cli
