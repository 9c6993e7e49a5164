// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "command.hpp"
#include "sizes.hpp"
#include "sweepback/manifest.hpp"
#include "training_mark.hpp"

namespace sweepback::cli {

namespace {

constexpr const char* examples =
    R"(A run that may be gone on with (DurableSweep in C++, sweepback train --durable) keeps its marks in a directory.
This says how far it is and changes nothing. Exit code 0 where a run lies there, 1 where none does, 5 where its marks are damaged.

Example:
  sweepback status run)";

std::string state_of(bool running) { return running ? "under way" : "not running"; }

void print(const TrainingMark& training, bool running, const Output& output) {
  output.out << fmt::format("a training: {}\n", state_of(running));
  output.out << fmt::format("  {} of {} iterations are done; {} are left\n", print_count(training.iteration), print_count(training.iterations),
                            print_count(training.iterations - training.iteration));
  for (const auto& [option, value] : training.options) output.out << fmt::format("  {} {}\n", option, value);
  output.out << fmt::format("  mark {}\n", print_count(training.generation));
}

void print(const Manifest& manifest, bool running, const Output& output) {
  output.out << fmt::format("{}: {}\n", manifest.program.empty() ? "a run without a name" : manifest.program, state_of(running));
  if (!manifest.backward)
    output.out << fmt::format("  the first pass of {} steps is not done\n", print_count(manifest.steps));
  else
    output.out << fmt::format("  {} of {} steps are reversed; {} are left\n", print_count(manifest.steps - manifest.end), print_count(manifest.steps),
                              print_count(manifest.end));
  output.out << fmt::format("  mark {}\n", print_count(manifest.generation));
}

}  // namespace

StatusRequest read_status(const Arguments& arguments) {
  CLI::App app("How far a run is that may be gone on with.", "sweepback status");
  StatusRequest request;
  app.add_option("DIR", request.directory, "where its marks are")->required();
  app.add_flag("--json", request.json, "one JSON document: sweepback.status/1");
  app.footer(examples);
  parse(app, arguments);
  return request;
}

int run_status(const StatusRequest& request, const Output& output) {
  const RunDirectory directory(request.directory, RunDirectory::Access::look);
  const std::optional<Manifest> manifest = newest_manifest(directory);
  const std::optional<WholeMark> training = newest_training(directory);
  const bool running = directory.owned();
  if (request.json)
    output.out << json::dump({{"schema", "sweepback.status/1"},
                              {"running", running},
                              {"manifest", manifest ? json::to_json(*manifest) : json::Json()},
                              {"training", training ? to_json(training->mark) : json::Json()}});
  else if (!manifest && !training)
    output.out << "no run lies in " << request.directory << '\n';
  if (!request.json && manifest) print(*manifest, running, output);
  if (!request.json && training) print(training->mark, running, output);
  return manifest || training ? 0 : 1;
}

}  // namespace sweepback::cli
