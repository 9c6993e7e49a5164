// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "command.hpp"
#include "sizes.hpp"
#include "sweepback/json.hpp"
#include "sweepback/spill_directory.hpp"

namespace sweepback::cli {

namespace {

constexpr const char* examples =
    R"(A run that keeps states in files removes them when it ends, also by an error, Ctrl-C or SIGTERM. After
SIGKILL or a crash they stay. This removes them: directories that Sweepback made under DIR, of this user,
whose owner no longer runs. Others are left alone, and so is whatever else lies there.

Example:
  sweepback clean /scratch)";

}  // namespace

CleanRequest read_clean(const Arguments& arguments) {
  CLI::App app("Remove the files that killed runs left behind.", "sweepback clean");
  CleanRequest request;
  app.add_option("DIR", request.directory, "where runs keep states (--spill-dir, SWEEPBACK_SPILL_DIR, TMPDIR)")->required();
  app.add_flag("--json", request.json, "one JSON document: sweepback.clean/1");
  app.footer(examples);
  parse(app, arguments);
  return request;
}

int run_clean(const CleanRequest& request, const Output& output) {
  const Cleaned cleaned = clean(request.directory);
  if (request.json) {
    const auto list = [](const std::vector<std::filesystem::path>& paths) {
      json::Json names = json::Json::array();
      for (const auto& path : paths) names.push_back(path.string());
      return names;
    };
    output.out << json::dump({{"schema", "sweepback.clean/1"},
                              {"removed", list(cleaned.removed)},
                              {"bytes", cleaned.bytes},
                              {"live", cleaned.live},
                              {"kept", list(cleaned.kept)}});
    return 0;
  }
  for (const auto& path : cleaned.removed) output.out << "removed " << path.string() << '\n';
  for (const auto& path : cleaned.kept) output.out << "kept " << path.string() << ": something else lies in it\n";
  output.out << fmt::format("{} removed, {}; {} in use\n",
                            cleaned.removed.size() == 1 ? "1 directory" : print_count(static_cast<Count>(cleaned.removed.size())) + " directories",
                            print_bytes(cleaned.bytes), print_count(cleaned.live));
  return 0;
}

}  // namespace sweepback::cli
