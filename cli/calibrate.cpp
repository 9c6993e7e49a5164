// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
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
      --tier memory:256MiB --tiers disk.json
  sweepback calibrate --compress states.raw --state-bytes 8MiB --element float
  sweepback calibrate --compress states.raw --state-bytes 8MiB --element float
      --error-bound 1e-4 --shape 128x128x128)";

/// What is compressed, as typed.
struct CompressionTexts {
  std::string element_bytes, element, bound, shape;

  bool any() const { return !element_bytes.empty() || !element.empty() || !bound.empty() || !shape.empty(); }

  Elements elements() const {
    if (!element.empty() && !element_bytes.empty()) throw usage("--element and --element-bytes say the same", "give one of them");
    if (!element_bytes.empty()) return {static_cast<std::size_t>(at_least_one(element_bytes, "--element-bytes"))};
    if (element == "float") return Elements::of<float>();
    if (element == "double") return Elements::of<double>();
    if (!element.empty()) throw usage("--element " + element + " is no kind of number", "give float or double, or the bytes of one as --element-bytes");
    return {};
  }

  std::optional<Lossy> lossy() const {
    if (bound.empty() && !shape.empty()) throw usage("--shape says what is compressed with a bound, and there is none", "give --error-bound E as well");
    if (bound.empty()) return std::nullopt;
    if (element.empty()) throw usage("an error bound is one of numbers", "say of which: --element float or --element double");
    Lossy lossy;
    const auto [end, error] = std::from_chars(bound.data(), bound.data() + bound.size(), lossy.bound);
    if (error != std::errc() || end != bound.data() + bound.size()) throw usage("--error-bound " + bound + " is no number", "give one as 1e-3");
    for (std::size_t at = 0; !shape.empty() && at <= shape.size();) {
      const std::size_t to = std::min(shape.find('x', at), shape.size());
      lossy.shape.push_back(static_cast<std::size_t>(at_least_one(shape.substr(at, to - at), "--shape")));
      at = to + 1;
    }
    return lossy;
  }
};

std::string rate(const TransferCost& cost) {
  if (cost.units == 0) return "no time a byte";
  const double bytes = static_cast<double>(cost.bytes) / static_cast<double>(cost.units) * 1e9;
  return print_bytes(static_cast<Count>(bytes)) + "/s";
}

}  // namespace

CalibrateRequest read_calibrate(const Arguments& arguments) {
  CLI::App app("Measure what storing and restoring states costs on this machine: in files, or compressed.", "sweepback calibrate");
  CalibrateRequest request;
  std::string state, total;
  CompressionTexts texts;
  request.directory = SpillDirectory::default_base().string();
  const CLI::Option* directory = app.add_option("--spill-dir", request.directory, "where [SWEEPBACK_SPILL_DIR, TMPDIR or /tmp]")->type_name("DIR");
  app.add_option("--state-bytes", state, "of a state [8MiB; with --compress the whole file]")->type_name("SIZE");
  app.add_option("--total", total, "written and read in all, about [256MiB]")->type_name("SIZE");
  app.add_option("--compress", request.compress, "states one after the other, as a program has them in memory:\nmeasures what these cost and save compressed, and no files")->type_name("FILE");
  app.add_option("--element", texts.element, "with --compress: the numbers in them, float or double")->type_name("KIND");
  app.add_option("--element-bytes", texts.element_bytes, "the same of other numbers: their size [1]")->type_name("N");
  app.add_option("--error-bound", texts.bound, "with --compress: how far a number may be off that comes back [0]")->type_name("E");
  app.add_option("--shape", texts.shape, "with --error-bound: of the field, up to NxMxK, the last runs fastest [a line]")->type_name("SHAPE");
  app.add_option("--output", request.output, "the tier, as a file for plan --tiers")->type_name("FILE");
  app.add_flag("--json", request.json, "one JSON document: sweepback.tiers/1");
  app.footer(examples);
  parse(app, arguments);
  const bool compressed = !request.compress.empty();
  if (compressed && (!total.empty() || directory->count() > 0))
    throw usage("--compress measures memory, --spill-dir and --total are for files", "give one of them");
  if (!compressed && texts.any()) throw usage("these options say what is compressed, and nothing is", "give --compress FILE as well");
  if (!compressed || !state.empty()) request.state_bytes = parse_bytes(state.empty() ? "8MiB" : state, "--state-bytes");
  if (!state.empty() && request.state_bytes < 1) throw OutOfRange("--state-bytes " + state + " is no state", "give at least one byte", {{"smallest", 1}});
  request.total_bytes = parse_bytes(total.empty() ? "256MiB" : total, "--total");
  request.elements = texts.elements();
  request.lossy = texts.lossy();
  return request;
}

bool write_tier(const TierModel& tier, const CalibrateRequest& request, const Output& output) {
  const std::string document =
      json::dump({{"schema", "sweepback.tiers/1"}, {"tiers", json::to_json(std::vector<TierModel>{tier})}});
  if (!request.output.empty()) {
    std::ofstream file(request.output, std::ios::binary);
    file << document;
    if (!file.flush()) throw io_failed("cannot write " + request.output + ": " + std::strerror(errno), "name a file that can be written");
  }
  if (request.json) output.out << document;
  return request.json;
}

void print_transfers(const TierModel& tier, Count state_bytes, const Output& output) {
  const auto row = [&](const char* label, const TransferCost& cost) {
    const std::string fixed = cost.fixed > 0 ? fmt::format(" and {} microseconds a state", print_count(cost.fixed / 1000)) : "";
    output.out << fmt::format("  {:<8} {}{}: {:.2f} ms for {}\n", label, rate(cost), fixed, static_cast<double>(cost.of(state_bytes)) * 1e-6,
                              print_bytes(state_bytes));
  };
  row("store", tier.store);
  row("restore", tier.restore);
}

int run_calibrate(const CalibrateRequest& request, const Output& output) {
  if (!request.compress.empty()) return run_calibrate_compression(request, output);
  const TierModel tier = calibrate(request.directory, request.state_bytes, request.total_bytes);
  if (write_tier(tier, request, output)) return 0;
  output.out << fmt::format("{}: {} free\n", request.directory, print_bytes(tier.capacity));
  print_transfers(tier, request.state_bytes, output);
  return 0;
}

}  // namespace sweepback::cli
