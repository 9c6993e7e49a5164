// SPDX-License-Identifier: Apache-2.0
#include "sweepback/check.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <fstream>
#include <iostream>

#include "command.hpp"
#include "sizes.hpp"
#include "sweepback/json.hpp"
#include "sweepback/json_actions.hpp"

namespace sweepback::cli {

namespace {

constexpr const char* examples =
    R"(The stream is JSON lines: a header, then one action a line (schema sweepback.actions/1).
Exit code 0 where it keeps every rule, 1 where it breaks one, 2 where it is no such stream.

Examples:
  sweepback check schedule.jsonl
  sweepback plan --steps 1000 --slots 10 --actions | sweepback check -
  sweepback check --json schedule.jsonl      the bill, counted by the referee)";

std::string sentence(const Verdict& verdict, Count line, bool budget) {
  const Bill& bill = verdict.bill;
  std::string text = verdict.ok ? fmt::format("ok: {} steps reversed by the rules\n",
                                              print_count(bill.reverse_steps))
                                : fmt::format("line {} breaks the rule \"{}\": {}\n", line,
                                              verdict.violation->rule, verdict.violation->message);
  text += fmt::format(
      "{}{} forward steps, {} recorded, {} reversed, {} stores, {} restores; at most {} kept, no "
      "step run more than {} times, cost {}\n",
      verdict.ok ? "  " : "  up to there: ", print_count(bill.forward_steps),
      print_count(bill.record_steps), print_count(bill.reverse_steps), print_count(bill.stores),
      print_count(bill.restores), print_count(bill.peak_slots), print_count(bill.repetition),
      print_count(bill.cost));
  if (bill.makespan) text += fmt::format("  makespan {}: some moves ran beside the steps\n", print_count(*bill.makespan));
  if (!budget) text += "  the header gives no budget: nothing but the rules was judged\n";
  if (bill.peak_bytes)
    text += fmt::format("  at most {} alive at any instant\n", print_bytes(*bill.peak_bytes));
  return text;
}

}  // namespace

CheckRequest read_check(const Arguments& arguments) {
  CLI::App app("Judges a stream of actions by the rules alone, and counts what it costs.",
               "sweepback check");
  CheckRequest request;
  app.add_option("FILE", request.file, "the stream; - for standard input")->required();
  app.add_flag("--json", request.json, "one JSON document: sweepback.check/1");
  app.footer(examples);
  parse(app, arguments);
  return request;
}

int run_check(const CheckRequest& request, const Output& output) {
  std::ifstream file;
  const bool standard = request.file == "-";
  if (!standard) {
    file.open(request.file);
    if (!file)
      throw BadFile(request.file + ": " + std::strerror(errno), "give a file that can be read");
  }
  json::ActionReader reader(standard ? std::cin : file, standard ? "the stream" : request.file);
  Count line = 0;
  const Verdict verdict = json::check(reader, &line);
  if (request.json) {
    json::Json document = json::to_json(verdict);
    if (verdict.violation) document["violation"]["line"] = line;
    output.out << json::dump(document);
  } else {
    output.out << sentence(verdict, line, reader.rules().budget.has_value());
  }
  return verdict.ok ? 0 : 1;
}

}  // namespace sweepback::cli
