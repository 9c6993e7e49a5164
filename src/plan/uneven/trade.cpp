// SPDX-License-Identifier: Apache-2.0
// One staircase is the whole trade of a short chain, cheapest of its class in every budget. Of longer
// chains, and of equal steps, a few budgets are planned, spread evenly in ratio; as good as each plan.
#include "sweepback/trade.hpp"

#include <cmath>
#include <set>

#include "engines.hpp"
#include "sweepback/error.hpp"

namespace sweepback {

namespace {

using namespace detail::uneven;

/// Up to so many steps one table of staircases answers every budget.
constexpr Count most_in_one_table = 64;

/// The bytes in which nothing is run again.
Count all_bytes(const Chain& chain, const PlanOptions& options) {
  PlanOptions all = options;
  all.strategy = Strategy::store_all;
  all.keep = Keep::automatic;
  all.engine = Engine::automatic;
  return *plan(chain, Budget::bytes(max_count), all).bill.peak_bytes;
}

/// Every k-th of the staircase, its first and last among them.
std::vector<TradePoint> thinned(const std::vector<Stair>& stairs, Count fixed, int points) {
  std::vector<TradePoint> out;
  const auto last = stairs.size() - 1;
  const std::size_t most = std::min(stairs.size(), static_cast<std::size_t>(points));
  for (std::size_t n = 0; n < most; ++n) {
    const Stair& stair = stairs[most == 1 ? 0 : n * last / (most - 1)];
    out.push_back({stair.room, stair.cost + fixed, Certificate::Status::exact_in_class});
  }
  if (out.back().cost == fixed) out.back().status = Certificate::Status::exact;
  return out;
}

/// The plans for these budgets; what is cheaper in less memory is done in more as well.
std::vector<TradePoint> planned(const Chain& chain, const PlanOptions& options, const std::set<Count>& budgets,
                                const TradeProgress& progress) {
  std::vector<TradePoint> out;
  int done = 0;
  for (const Count bytes : budgets) {
    if (progress) progress(done++, static_cast<int>(budgets.size()));
    const Plan found = plan(chain, Budget::bytes(bytes), options);
    if (out.empty() || found.bill.cost < out.back().cost)
      out.push_back({bytes, found.bill.cost, found.certificate.status});
  }
  return out;
}

}  // namespace

std::vector<TradePoint> trade(const Chain& chain, const PlanOptions& options, int points,
                              const TradeProgress& progress) {
  if (points < 2 || points > 10'000)
    throw OutOfRange("a trade of " + std::to_string(points) + " points", "give 2 to 10,000",
                     {{"points", points}});
  if (options.strategy != Strategy::optimal)
    throw OutOfRange("a trade is that of the cheapest plans", "leave the strategy out");
  if (chain.steps() == 0) return {{0, 0, Certificate::Status::exact}};
  const Count all = all_bytes(chain, options);
  const bool staircases = options.engine == Engine::staircases ||
                          (options.engine == Engine::automatic && !chain.equal());
  const Keep keep = options.keep != Keep::automatic ? options.keep
                    : chain.has_tapes()             ? Keep::mixed
                                                    : Keep::states;
  if (staircases && chain.steps() <= most_in_one_table && keep != Keep::tapes) {
    const Line line = Line::in_bytes(chain, keep);
    const Deadline deadline(options.time_limit);
    try {
      const Count least = LeastRooms(line, deadline).whole();
      const Staircases table(line, std::max(all, least), Bound::exact, 0, deadline);
      const std::vector<TradePoint> out = thinned(table.whole(), line.fixed, points);
      if (line.steps > most_searched_steps) return out;
      // So few steps are searched: as `plan` answers.
      std::set<Count> budgets;
      for (const TradePoint& point : out) budgets.insert(point.bytes);
      return planned(chain, options, budgets, progress);
    } catch (const TimeUp&) {  // a few plans then
    }
  }
  const Count smallest = [&] {
    try {
      return *plan(chain, Budget::bytes(0), options).bill.peak_bytes;
    } catch (const BudgetTooSmall& e) {
      return e.smallest;
    }
  }();
  const double ratio = static_cast<double>(std::max(all, smallest)) / static_cast<double>(std::max<Count>(1, smallest));
  std::set<Count> budgets{smallest, std::max(all, smallest)};
  for (int n = 1; n + 1 < points; ++n)
    budgets.insert(std::llround(static_cast<double>(std::max<Count>(1, smallest)) *
                                std::pow(ratio, static_cast<double>(n) / (points - 1))));
  return planned(chain, options, budgets, progress);
}

}  // namespace sweepback
