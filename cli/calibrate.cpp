// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <ostream>

#include "command.hpp"
#include "sizes.hpp"
#include "sweepback/json.hpp"
#include "sweepback/spill_directory.hpp"
#include "usage.hpp"

namespace sweepback::cli {

namespace {

constexpr const char* examples =
    R"(Costs are in nanoseconds: plan with step costs that are times as well.

Example:
  sweepback calibrate --spill-dir /scratch --state-bytes 8MiB --output disk.json
  sweepback plan --steps 1000 --state-bytes 8MiB --forward-cost 20ms --reverse-cost 50ms
      --tier memory:256MiB --tiers disk.json)";

std::string rate(const TransferCost& cost) {
  if (cost.units == 0) return "no time a byte";
  const double bytes = static_cast<double>(cost.bytes) / static_cast<double>(cost.units) * 1e9;
  return print_bytes(static_cast<Count>(bytes)) + "/s";
}

}  // namespace

CalibrateRequest read_calibrate(const Arguments& arguments) {
  CLI::App app("Measure what storing and restoring states in files costs on this machine.", "sweepback calibrate");
  CalibrateRequest request;
  std::string state = "8MiB", total = "256MiB";
  request.directory = SpillDirectory::default_base().string();
  app.add_option("--spill-dir", request.directory, "where [SWEEPBACK_SPILL_DIR, TMPDIR or /tmp]")->type_name("DIR");
  app.add_option("--state-bytes", state, "of a state [8MiB]")->type_name("SIZE");
  app.add_option("--total", total, "written and read in all, about [256MiB]")->type_name("SIZE");
  app.add_option("--output", request.output, "the tier, as a file for plan --tiers")->type_name("FILE");
  app.add_flag("--json", request.json, "one JSON document: sweepback.tiers/1");
  app.footer(examples);
  parse(app, arguments);
  request.state_bytes = parse_bytes(state, "--state-bytes");
  request.total_bytes = parse_bytes(total, "--total");
  return request;
}

int run_calibrate(const CalibrateRequest& request, const Output& output) {
  const TierModel tier = calibrate(request.directory, request.state_bytes, request.total_bytes);
  const std::string document =
      json::dump({{"schema", "sweepback.tiers/1"}, {"tiers", json::to_json(std::vector<TierModel>{tier})}});
  if (!request.output.empty()) {
    std::ofstream file(request.output, std::ios::binary);
    file << document;
    if (!file.flush()) throw io_failed("cannot write " + request.output + ": " + std::strerror(errno), "name a file that can be written");
  }
  if (request.json) {
    output.out << document;
    return 0;
  }
  const auto row = [&](const char* label, const TransferCost& cost) {
    output.out << fmt::format("  {:<8} {} and {} microseconds a state: {:.2f} ms for {}\n", label, rate(cost), print_count(cost.fixed / 1000),
                              static_cast<double>(cost.of(request.state_bytes)) * 1e-6, print_bytes(request.state_bytes));
  };
  output.out << fmt::format("{}: {} free\n", request.directory, print_bytes(tier.capacity));
  row("store", tier.store);
  row("restore", tier.restore);
  return 0;
}

}  // namespace sweepback::cli
