// SPDX-License-Identifier: Apache-2.0
// All strategies side by side, at equal slots, equal units or equal bytes. One that does not fit is
// shown with what it needs and what it would cost there.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <optional>
#include <ostream>

#include "chain_arguments.hpp"
#include "command.hpp"
#include "sizes.hpp"
#include "sweepback/error.hpp"
#include "sweepback/json.hpp"
#include "usage.hpp"

namespace sweepback::cli {

namespace {

constexpr const char* examples =
    R"(In slots all rows keep states; with --state-units and --tape-units, slots are units of both; in
bytes everything kept counts, at every instant.

Examples:
  sweepback compare --steps 10000 --slots 15
  sweepback compare --steps 1000 --slots 20..200 --tape-units 4
  sweepback compare --steps 1000 --state-bytes 32KiB --tape-bytes 115KiB --budget 2%..20%)";

struct Row {
  Budget budget;
  const char* name;
  std::optional<Plan> plan;    ///< where it fits, or where it needs to be
  std::optional<Count> needs;  ///< more than the budget
  std::string why;             ///< there is none
};

struct Scheme {
  const char* name;
  PlanOptions options;
};

/// What is compared for this chain.
std::vector<Scheme> schemes(const CompareRequest& request, bool bytes) {
  // In slots without units a tape and a state cannot be weighed: all rows keep states.
  const bool tapes = request.chain.steps() > 0 && request.chain.has_tapes() && (bytes || request.units);
  std::vector<Scheme> list;
  if (tapes) {
    list.push_back({"optimal, both", {.keep = Keep::mixed, .units = request.options.units}});
    if (bytes && request.chain.equal() && request.chain.step().tape_has_output)
      list.push_back({"optimal, tapes", {.keep = Keep::tapes}});
  }
  list.push_back({tapes ? "optimal, states" : "optimal", {.keep = Keep::states, .units = request.options.units}});
  std::vector<Strategy> others{Strategy::store_all, Strategy::sqrt,     Strategy::chen,
                               Strategy::halving,   Strategy::periodic, Strategy::one_slot};
  if (!request.chain.equal()) others = {Strategy::store_all, Strategy::one_slot};
  if (!request.chain.equal() && bytes && tapes) others.insert(others.end(), {Strategy::rotor, Strategy::layers});
  for (const Strategy strategy : others)
    list.push_back({name(strategy),
                    {.keep = bytes ? Keep::automatic
                             : tapes && (strategy == Strategy::sqrt || strategy == Strategy::store_all)
                                 ? Keep::mixed
                                 : Keep::states,
                     .strategy = strategy,
                     .units = request.options.units}});
  return list;
}

/// Budgets in units hold so many states.
Budget for_scheme(Budget budget, const PlanOptions& options) {
  if (budget.unit == Budget::Unit::bytes || options.keep == Keep::mixed) return budget;
  return Budget::slots(budget.amount / options.units.state);
}

Row row_of(const Chain& chain, Budget budget, const Scheme& scheme) {
  Row row{budget, scheme.name, {}, {}, {}};
  PlanOptions options = scheme.options;
  const Count unit = budget.unit == Budget::Unit::slots && options.keep != Keep::mixed
                         ? options.units.state
                         : 1;
  // In units, storing every tape is the mixed plan with room for all of them.
  if (options.strategy == Strategy::store_all && options.keep == Keep::mixed) {
    options.strategy = Strategy::optimal;
    const Count all = std::max<Count>(
        1, narrow((static_cast<Wide>(chain.steps()) - 1) * options.units.tape, "the units"));
    row.plan = plan(chain, Budget::slots(all), options);
    if (all > budget.amount) row.needs = all;
  } else {
    try {
      row.plan = plan(chain, for_scheme(budget, options), options);
    } catch (const BudgetTooSmall& e) {
      row.needs = narrow(static_cast<Wide>(e.smallest) * unit, "what it needs");
      row.plan = plan(chain, Budget{budget.unit, e.smallest}, options);
    }
  }
  return row;
}

std::string per_step(const Plan& plan) {
  const double steps = static_cast<double>(std::max<Count>(1, plan.chain.steps()));
  return fmt::format("{:.2f}", static_cast<double>(plan.bill.forward_steps) / steps);
}

/// Of storing everything; 0 where that is too large to count.
double least_cost(const Chain& chain) {
  try {
    const Budget any = chain.equal() || !chain.sized() ? Budget::slots(max_count) : Budget::bytes(max_count);
    const Plan all = plan(chain, any, {.strategy = Strategy::store_all});
    return static_cast<double>(all.bill.cost);
  } catch (const Overflow&) {
    return 0;
  }
}

std::string amount(Budget::Unit unit, Count count) {
  return unit == Budget::Unit::bytes ? print_bytes(count) : print_count(count) + " slots";
}

void print(const std::vector<Row>& rows, const CompareRequest& request, const Output& output) {
  const double least = least_cost(request.chain);
  const Budget* last = nullptr;
  for (const Row& row : rows) {
    if (!last || *last != row.budget) {
      output.out << fmt::format("{}{} steps, {}\n", last ? "\n" : "",
                                print_count(request.chain.steps()),
                                amount(row.budget.unit, row.budget.amount))
                 << fmt::format("  {:<16} {:>16} {:>14} {:>12}   {}\n", "", "forward per step",
                                "cost", "ratio", "needs");
      last = &row.budget;
    }
    if (!row.plan) {
      output.out << fmt::format("  {:<16} {}\n", row.name, row.why);
      continue;
    }
    const double cost = static_cast<double>(row.plan->bill.cost);
    output.out << fmt::format(
        "  {:<16} {:>16} {:>14} {:>12}   {}\n", row.name, per_step(*row.plan),
        print_count(row.plan->bill.cost), least > 0 ? fmt::format("{:.3f}", cost / least) : "",
        row.needs ? amount(row.budget.unit, *row.needs) + ": does not fit" : "");
  }
}

json::Json document(const std::vector<Row>& rows, const CompareRequest& request) {
  json::Json list = json::Json::array();
  for (const Row& row : rows) {
    json::Json entry = {{"budget", json::to_json(row.budget)},
                        {"scheme", row.name},
                        {"fits", row.plan && !row.needs},
                        {"needs", row.needs ? json::Json(*row.needs) : json::Json()}};
    if (row.plan) {
      const double steps = static_cast<double>(std::max<Count>(1, request.chain.steps()));
      entry["strategy"] = name(row.plan->strategy);
      entry["keep"] = name(row.plan->keep);
      entry["bill"] = json::to_json(row.plan->bill);
      entry["forward_per_step"] = static_cast<double>(row.plan->bill.forward_steps) / steps;
    } else {
      entry["why"] = row.why;
    }
    list.push_back(std::move(entry));
  }
  return {{"schema", "sweepback.compare/1"},
          {"steps", request.chain.steps()},
          {"state_units", request.options.units.state},
          {"tape_units", request.options.units.tape},
          {"rows", std::move(list)}};
}

/// A, or at most nine numbers from A to B, evenly spread in ratio.
std::vector<Count> spread(Count first, Count last) {
  constexpr int most = 9;
  std::vector<Count> counts;
  if (last - first < most) {
    for (Count count = first; count <= last; ++count) counts.push_back(count);
    return counts;
  }
  const double from = static_cast<double>(std::max<Count>(1, first));
  for (int i = 0; i < most; ++i) {
    const double ratio = std::pow(static_cast<double>(last) / from, i / (most - 1.0));
    const Count count = i == 0 ? first : i + 1 == most ? last : std::llround(from * ratio);
    if (counts.empty() || count > counts.back()) counts.push_back(count);
  }
  return counts;
}

/// "A" or "A..B", each read by `parse`.
template <class Parse>
std::vector<Count> range(const std::string& text, const char* option, Parse&& parse) {
  const std::size_t dots = text.find("..");
  const Count first = parse(text.substr(0, dots));
  const Count last = dots == std::string::npos ? first : parse(text.substr(dots + 2));
  if (last < first)
    throw usage(std::string(option) + " \"" + text.substr(0, 40) + "\" runs downwards",
                "write the smaller first: A..B");
  return spread(first, last);
}

}  // namespace

CompareRequest read_compare(const Arguments& arguments) {
  CLI::App app("All strategies side by side, at equal memory.", "sweepback compare");
  ChainArguments chain;
  std::optional<std::string> slots, bytes, state_units, tape_units;
  CompareRequest request;
  chain.add_to(app);
  const char* budget = "The budget (one of these)";
  app.add_option("--slots", slots, "slots, or up to nine numbers of them")->type_name("A[..B]")->group(budget);
  app.add_option("--budget", bytes, "bytes, or shares of what store-everything keeps")
      ->type_name("SIZE[..SIZE]")
      ->group(budget);
  app.add_option("--state-units", state_units, "slots that a state takes [1]")->type_name("S");
  app.add_option("--tape-units", tape_units, "slots that a tape takes; steps then have tapes")
      ->type_name("T");
  app.add_flag("--json", request.json, "one JSON document: sweepback.compare/1");
  app.footer(examples);
  parse(app, arguments);
  if (slots.has_value() == bytes.has_value())
    throw usage(slots ? "--slots and --budget exclude each other" : "no budget is given",
                "give one of --slots A..B and --budget SIZE..SIZE");
  if (bytes && (state_units || tape_units))
    throw usage("units and a budget in bytes: bytes choose their own", "leave the units out");
  request.chain = chain.chain();
  request.chain.blocks = false;
  if (state_units) request.options.units.state = parse_count(*state_units, "--state-units");
  if (tape_units) {
    request.options.units.tape = parse_count(*tape_units, "--tape-units");
    request.units = true;
    request.chain = request.chain.with_tapes();
  }
  PolicyTable(0, 0, {request.options.units.state, request.options.units.tape});  // throws
  if (slots) {
    const auto read = [](const std::string& text) { return parse_count(text, "--slots"); };
    for (const Count c : range(*slots, "--slots", read)) request.budgets.push_back(Budget::slots(c));
  } else {
    const auto read = [&](const std::string& text) {
      return budget_for(parse_budget(text), request.chain).amount;
    };
    for (const Count b : range(*bytes, "--budget", read)) request.budgets.push_back(Budget::bytes(b));
  }
  return request;
}

int run_compare(const CompareRequest& request, const Output& output) {
  std::vector<Row> rows;
  for (const Budget& budget : request.budgets)
    for (const Scheme& scheme : schemes(request, budget.unit == Budget::Unit::bytes)) {
      try {
        rows.push_back(row_of(request.chain, budget, scheme));
      } catch (const Error& e) {
        rows.push_back({budget, scheme.name, {}, {}, e.message()});
      }
    }
  if (request.json)
    output.out << json::dump(document(rows, request));
  else
    print(rows, request, output);
  return 0;
}

}  // namespace sweepback::cli
