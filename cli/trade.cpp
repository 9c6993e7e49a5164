// SPDX-License-Identifier: Apache-2.0
#include "sweepback/trade.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "chain_arguments.hpp"
#include "command.hpp"
#include "progress.hpp"
#include "sizes.hpp"
#include "sweepback/json.hpp"
#include "words.hpp"

namespace sweepback::cli {

namespace {

constexpr const char* examples =
    R"(From the smallest budget that holds a schedule to the one in which nothing is run again.

Examples:
  sweepback trade --chain layers.json
  sweepback trade --steps 1000 --state-bytes 32KiB --tape-bytes 115KiB --points 12 --json)";

constexpr int shown_bar = 30;

}  // namespace

TradeRequest read_trade(const Arguments& arguments) {
  CLI::App app("What memory buys: the cost of the cheapest plan in every budget.", "sweepback trade");
  ChainArguments chain;
  std::optional<std::string> keep, points;
  Effort effort;
  TradeRequest request;
  chain.add_to(app);
  app.add_option("--keep", keep, "what is kept between steps [auto]")->type_name("auto|states|tapes|mixed")
      ->group("The plans");
  app.add_option("--points", points, "budgets shown, at most [24]")->type_name("N")->group("The plans");
  effort.add_to(app, "The plans", "planning each budget then ends with the best so far [none]");
  app.add_flag("--json", request.json, "one JSON document: sweepback.trade/1");
  app.footer(examples);
  parse(app, arguments);
  request.chain = chain.chain();
  if (keep) request.options.keep = read_keep(*keep);
  effort.read_into(request.options);
  if (points)
    request.points = static_cast<int>(std::min<Count>(parse_count(*points, "--points"), 1 << 20));
  return request;
}

int run_trade(const TradeRequest& request, const Output& output) {
  Progress progress(request.points, request.json);
  const std::vector<TradePoint> points =
      trade(request.chain, request.options, request.points,
            [&](int done, int) { progress.show(done, "budgets planned"); });
  progress.clear();
  if (request.json) {
    json::Json list = json::Json::array();
    for (const TradePoint& point : points)
      list.push_back({{"bytes", point.bytes}, {"cost", point.cost}, {"status", name(point.status)}});
    output.out << json::dump({{"schema", "sweepback.trade/1"},
                              {"steps", request.chain.steps()},
                              {"points", std::move(list)}});
    return 0;
  }
  const double least = static_cast<double>(std::max<Count>(1, points.back().cost));
  const double most = static_cast<double>(points.front().cost) / least;
  output.out << fmt::format("  {:>12} {:>20} {:>8}   {}\n", "memory", "cost", "ratio", "how good");
  for (const TradePoint& point : points) {
    const double ratio = static_cast<double>(point.cost) / least;
    const int bar = most > 1 ? static_cast<int>(shown_bar * (ratio - 1) / (most - 1)) : 0;
    std::string line = fmt::format("  {:>12} {:>20} {:>8.3f}   {:<15} {}", print_bytes(point.bytes),
                                   print_count(point.cost), ratio, name(point.status),
                                   std::string(static_cast<std::size_t>(bar), '#'));
    line.erase(line.find_last_not_of(' ') + 1);
    output.out << line << '\n';
  }
  return 0;
}

}  // namespace sweepback::cli
