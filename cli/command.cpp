// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <new>
#include <ostream>

#include "sweepback/json.hpp"
#include "usage.hpp"

namespace sweepback::cli {

namespace {

constexpr const char* help_text =
    R"(sweepback: run any long computation backwards inside the memory you have

Usage: sweepback SUBCOMMAND [OPTIONS]

Subcommands:
  plan       the cheapest schedule for a number of steps and a budget, and what it costs
  compare    all strategies side by side, at equal memory
  bounds     what theory says of a length and a number of slots
  trade      what memory buys: cost against budget
  check      judge a stream of actions by the rules alone
  clean      remove the files that killed runs left behind
  status     how far a run is that may be gone on with
  calibrate  measure what storing and restoring states costs here, in files or compressed
  train      train a recurrent network on a text, in a fraction of the memory
  version    the version, and what this build has

sweepback SUBCOMMAND --help says more. With --json the answer, or the error, is one JSON document.

Exit codes:
  0  done                              3  no schedule fits the budget
  1  failed, or a rule was broken      4  a check of results failed
  2  wrong usage, unreadable input     5  damaged data, or reading or writing failed

Examples:
  sweepback plan --steps 10000 --slots 15
  sweepback plan --steps 10000 --state-bytes 8MiB --budget 5% --json
  sweepback compare --steps 10000 --slots 15
  sweepback plan --steps 1000 --slots 50 --actions | sweepback check -
)";

template <class Request>
int answer(Request (*read)(const Arguments&), int (*run)(const Request&, const Output&),
           const Arguments& arguments, const Output& output) {
  return run(read(arguments), output);
}

int dispatch(const Arguments& arguments, const Output& output) {
  if (arguments.empty())
    throw usage("no subcommand is given", "give plan, compare, bounds, trade, check, clean, status, calibrate, train or version; or --help");
  const std::string& first = arguments.front();
  const Arguments rest(arguments.begin() + 1, arguments.end());
  if (first == "plan") return answer(read_plan, run_plan, rest, output);
  if (first == "compare") return answer(read_compare, run_compare, rest, output);
  if (first == "bounds") return answer(read_bounds, run_bounds, rest, output);
  if (first == "trade") return answer(read_trade, run_trade, rest, output);
  if (first == "check") return answer(read_check, run_check, rest, output);
  if (first == "clean") return answer(read_clean, run_clean, rest, output);
  if (first == "status") return answer(read_status, run_status, rest, output);
  if (first == "calibrate") return answer(read_calibrate, run_calibrate, rest, output);
  if (first == "train") return run_train(rest, output);
  if (first == "version" || first == "--version")
    return answer(read_version, run_version, rest, output);
  if (first == "--help" || first == "-h" || first == "help") throw HelpWanted{help_text};
  throw usage("there is no subcommand \"" + first + '"',
              "give plan, compare, bounds, trade, check, clean, status, calibrate, train or version; or --help");
}

int report(const Error& error, bool json, const Output& output) {
  if (json) {
    output.out << json::dump(json::to_json(error));
  } else {
    output.err << "sweepback: " << error.message() << '\n';
    if (!error.remedy().empty()) output.err << "  " << error.remedy() << '\n';
  }
  return exit_code(error.code());
}

/// In how many places two words differ (insertions, deletions, exchanges).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t exchanged = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, exchanged});
    }
  }
  return row.back();
}

[[noreturn]] void refuse_unknown(const CLI::App& app, const std::string& unknown) {
  std::string nearest;
  std::size_t least = 4;
  const std::string name = unknown.substr(0, std::min(unknown.find('='), std::size_t{40}));
  for (const CLI::Option* option : app.get_options()) {
    const std::string full = option->get_name();
    if (full.empty() || full.front() != '-') continue;
    if (const std::size_t far = distance(name, full); far < least) least = far, nearest = full;
  }
  const std::string command = app.get_name().substr(app.get_name().find(' ') + 1);
  const std::string remedy = "see " + app.get_name() + " --help";
  if (unknown.front() != '-') throw usage('"' + name + "\" is one argument too many", remedy);
  throw usage(command + " has no option " + name,
              nearest.empty() ? remedy : "did you mean " + nearest + "?");
}

}  // namespace

void parse(CLI::App& app, const Arguments& arguments) {
  app.allow_extras();
  app.get_formatter()->column_width(32);
  try {
    Arguments reversed(arguments.rbegin(), arguments.rend());
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    throw HelpWanted{app.help()};
  } catch (const CLI::ParseError& e) {
    std::string message = e.what();
    throw usage(message.substr(0, message.find('\n')), "see " + app.get_name() + " --help");
  }
  const Arguments unknown = app.remaining();
  for (const std::string& argument : unknown)
    if (argument.starts_with('-')) refuse_unknown(app, argument);
  if (!unknown.empty()) refuse_unknown(app, unknown.front());
}

std::string this_program() {
  std::array<char, 4096> path;
  const auto length = readlink("/proc/self/exe", path.data(), path.size());
  return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : std::string();
}

int run(const Arguments& arguments, const Output& output) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  const bool json = std::find(arguments.begin(), end, "--json") != end;
  try {
    return dispatch(arguments, output);
  } catch (const HelpWanted& help) {
    output.out << help.text;
    return 0;
  } catch (const Error& error) {
    return report(error, json, output);
  } catch (const std::bad_alloc&) {
    return report(
        Error("failure", "there is not enough memory for this", "free some, or ask for less"), json,
        output);
  } catch (const std::exception& error) {
    return report(Error("failure", error.what(), ""), json, output);
  }
}

}  // namespace sweepback::cli
