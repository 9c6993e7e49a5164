// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "sizes.hpp"
#include "words.hpp"

namespace sweepback::cli {

void Effort::add_to(CLI::App& app, const char* group, const char* limited) {
  app.add_option("--time-limit", time_limit, limited)->type_name("SECONDS")->group(group);
  app.add_option("--threads", threads, "that planning may use [1]")->type_name("N")->group(group);
}

void Effort::read_into(PlanOptions& options) const {
  if (time_limit) {
    try {
      options.time_limit = parse_ratio(*time_limit, "--time-limit");
    } catch (const Error&) {
      throw usage("--time-limit \"" + time_limit->substr(0, 40) + "\" is no time",
                  "give seconds above 0, such as 2 or 0.5");
    }
  }
  if (threads) options.threads = static_cast<int>(std::min<Count>(at_least_one(*threads, "--threads"), 1 << 20));
}

}  // namespace sweepback::cli
