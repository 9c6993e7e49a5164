// SPDX-License-Identifier: Apache-2.0
#include "sweepback/version.hpp"

#include <CLI/CLI.hpp>
#include <ostream>

#include "command.hpp"
#include "sweepback/json.hpp"

namespace sweepback::cli {

namespace {

#if defined(__clang__)
constexpr const char* compiler = "clang++ " __clang_version__;
#else
constexpr const char* compiler = "g++ " __VERSION__;
#endif

}  // namespace

VersionRequest read_version(const Arguments& arguments) {
  CLI::App app("The version of this program, and what this build has.", "sweepback version");
  VersionRequest request;
  app.add_flag("--json", request.json, "one JSON document: sweepback.version/1");
  parse(app, arguments);
  return request;
}

int run_version(const VersionRequest& request, const Output& output) {
  const bool trainer = !find_train(this_program()).empty();
  if (request.json) {
    const json::Json document = {{"schema", "sweepback.version/1"},
                                 {"version", std::string(version)},
                                 {"compiler", compiler},
                                 {"train", trainer}};
    output.out << json::dump(document);
  } else {
    output.out << "sweepback " << version << " (" << compiler
               << (trainer ? ", with sweepback-train" : ", without sweepback-train") << ")\n";
  }
  return 0;
}

}  // namespace sweepback::cli
