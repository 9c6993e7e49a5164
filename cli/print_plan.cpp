// SPDX-License-Identifier: Apache-2.0
// The plan as people read it: the bill in words, beside what storing everything would take.
#include <fmt/format.h>

#include <optional>
#include <ostream>

#include "command.hpp"
#include "sizes.hpp"

namespace sweepback::cli {

namespace {

std::string counted(Count count, const char* what) {
  return print_count(count) + ' ' + what + (count == 1 ? "" : "s");
}

std::string sized(Count bytes) {
  return bytes < 1024 ? counted(bytes, "byte")
                      : print_bytes(bytes) + " (" + print_count(bytes) + " bytes)";
}

/// "1.94", "26.1", "312": what people say of a ratio.
std::string ratio(Count above, Count below) {
  const double value = static_cast<double>(above) / static_cast<double>(below);
  return fmt::format("{:.{}f}", value, value < 10 ? 2 : value < 100 ? 1 : 0);
}

/// Storing everything, for comparison; none where that has no plan or cannot be counted.
std::optional<Plan> store_everything(const Plan& plan) {
  try {
    return sweepback::plan(plan.chain, plan.chain.equal() ? Budget::slots(max_count) : Budget{plan.budget.unit, max_count},
                           {Keep::automatic, Strategy::store_all});
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// One line a tier: what goes there.
std::string tier_line(const TierBill& bill, const TierModel& tier) {
  if (bill.stores == 0) return "not used";
  std::string text = "at most " + counted(bill.peak_slots, "state");
  if (bill.peak_bytes) text += " (" + print_bytes(*bill.peak_bytes) + ")";
  if (tier.unit == TierModel::Unit::slots) text += " of " + print_count(tier.capacity);
  if (tier.unit == TierModel::Unit::shared) text += " of memory's bytes";
  if (tier.unit == TierModel::Unit::bytes) text += " of " + print_bytes(tier.capacity);
  return text + "; " + counted(bill.stores, "store") + ", " + counted(bill.restores, "restore");
}

std::string title(const Plan& plan) {
  if (!plan.budget.tiers.empty())
    return fmt::format("{} reversed from {} {}, in {}", counted(plan.chain.steps(), plan.chain.equal() ? "equal step" : "step"),
                       plan.chain.steps() == 1 ? "its" : "their", plan.bill.record_steps > 0 ? "tapes" : "states",
                       plan.budget.tiers.size() == 1 ? "memory" : fmt::format("{} tiers", plan.budget.tiers.size()));
  const bool bytes = plan.budget.unit == Budget::Unit::bytes;
  const bool tapes = plan.bill.record_steps > 0;
  return fmt::format("{} reversed from {} {}, {} {}", counted(plan.chain.steps(), plan.chain.equal() ? "equal step" : "step"),
                     plan.chain.steps() == 1 ? "its" : "their", tapes ? "tapes" : "states",
                     bytes ? "in" : "with",
                     bytes ? sized(plan.budget.amount) : counted(plan.budget.amount, "slot"));
}

std::string forward(const Bill& bill, Count steps) {
  std::string text = counted(bill.forward_steps, "step");
  if (bill.forward_steps > 0) text += ": " + ratio(bill.forward_steps, steps) + " for each step";
  if (bill.repetition > 0)
    text += fmt::format("; no step runs more than {}{}",
                        bill.repetition == 1   ? "once"
                        : bill.repetition == 2 ? "twice"
                                               : print_count(bill.repetition) + " times",
                        bill.record_steps > 0 ? ", recording included" : "");
  return text;
}

std::string kept(const Plan& plan, const std::optional<Plan>& all) {
  if (plan.keep == Keep::mixed && plan.budget.unit == Budget::Unit::bytes && !plan.chain.equal())
    return fmt::format("states and tapes, at most {} at once; {}, {}", print_count(plan.bill.peak_slots),
                       counted(plan.bill.stores, "store"), counted(plan.bill.restores, "restore"));
  if (plan.keep == Keep::mixed)
    return fmt::format("states and tapes, at most {} (a state {}, a tape {}); {}, {}",
                       counted(plan.bill.peak_slots, "unit"), plan.units.state, plan.units.tape,
                       counted(plan.bill.stores, "store"), counted(plan.bill.restores, "restore"));
  const char* what = plan.keep == Keep::tapes ? "tape" : "state";
  std::string text = "at most " + counted(plan.bill.peak_slots, what);
  if (all && all->bill.peak_slots > plan.bill.peak_slots)
    text += " instead of " + (all->keep == plan.keep ? print_count(all->bill.peak_slots)
                                                     : counted(all->bill.peak_slots, "tape"));
  if (plan.keep == Keep::tapes)
    text += plan.bill.stores > 0 ? "; x_0 stored beside them" : "; x_0 not stored";
  else
    text += "; " + counted(plan.bill.stores, "store");
  return text + ", " + counted(plan.bill.restores, "restore");
}

std::string memory(const Plan& plan, const std::optional<Plan>& all) {
  std::string text = sized(*plan.bill.peak_bytes) + " at most, at any instant";
  if (all && all->bill.peak_bytes > plan.bill.peak_bytes)
    text += ", instead of " + print_bytes(*all->bill.peak_bytes);
  return text;
}

std::string cost(const Plan& plan, const std::optional<Plan>& all) {
  const Count taken = plan.bill.time();
  std::string text = counted(taken, "unit");
  if (all && all->bill.cost > 0 && all->bill.cost != taken)
    text += ", " + ratio(taken, all->bill.cost) + " times that of storing everything";
  if (plan.bill.cost != taken) text += "; steps and moves are " + print_count(plan.bill.cost);
  return text;
}

std::string first_store(const FirstStore& first) {
  const auto [min, max] = first.optimal;
  const std::string text = fmt::format("x_{} after x_0", first.chosen);
  return text + (min == max ? "; every other choice costs more"
                            : fmt::format("; anywhere from x_{} to x_{} is as cheap", min, max));
}

std::string certificate(const Plan& plan) {
  const Certificate& c = plan.certificate;
  const std::string bound = c.lower_bound ? print_count(*c.lower_bound) : "an unknown number of";
  switch (c.status) {
    case Certificate::Status::exact:
      return "proved cheapest of all schedules of its model: " + c.model;
    case Certificate::Status::exact_in_class:
      return fmt::format("proved cheapest of its class ({}): {}{}", c.class_name, c.model,
                         c.lower_bound ? "; nothing at all costs less than " + bound : "");
    case Certificate::Status::bounded:
      return fmt::format("no schedule costs less than {}{}: {}", bound,
                         c.class_bound ? fmt::format(", none of its class ({}) less than {}", c.class_name,
                                                     print_count(*c.class_bound))
                                       : std::string(),
                         c.model);
    case Certificate::Status::baseline:
      if (c.lower_bound == plan.bill.cost)
        return "a strategy to compare with; none is cheaper here";
      if (!plan.chain.equal() || plan.strategy == Strategy::rotor || plan.strategy == Strategy::layers)
        return "a strategy to compare with; no schedule costs less than " + bound + " units";
      return fmt::format("a strategy to compare with; the cheapest costs {} units", bound);
  }
  return "";
}

void print_runs(const Plan& plan, std::ostream& out) {
  constexpr std::size_t shown = 20;
  const auto runs = forward_runs(plan);
  std::size_t rows = 0;
  out << "\n  forward runs   steps\n";
  for (auto run = runs.rbegin(); run != runs.rend() && rows < shown; ++run, ++rows)
    out << fmt::format("  {:>12}   {}\n", print_count(run->first), print_count(run->second));
  if (runs.size() > shown)
    out << fmt::format("  and {} rows more (--json lists them all)\n", runs.size() - shown);
}

}  // namespace

void print_plan(const Plan& plan, bool runs, const Output& output) {
  const Bill& bill = plan.bill;
  const auto row = [&](const char* label, const std::string& text) {
    output.out << fmt::format("  {:<12} {}\n", label, text);
  };
  output.out << (output.bold ? "\033[1m" + title(plan) + "\033[0m" : title(plan)) << '\n';
  if (plan.chain.steps() == 0) {
    row("plan", "nothing to do: the adjoint goes through as it is");
    return;
  }
  const std::optional<Plan> all = store_everything(plan);
  row("plan", fmt::format("{}, keeping {}", plan.engine,
                          plan.keep == Keep::mixed ? "states and tapes" : name(plan.keep)));
  row("forward", forward(bill, plan.chain.steps()));
  if (bill.record_steps > 0) row("recorded", counted(bill.record_steps, "step") + ", each once");
  row("reversed", counted(bill.reverse_steps, "step"));
  if (bill.tiers.empty()) row("kept", kept(plan, all));
  for (std::size_t n = 0; n < bill.tiers.size(); ++n)
    row(bill.tiers[n].name.c_str(), tier_line(bill.tiers[n], plan.budget.tiers[n]));
  if (bill.peak_bytes) row(bill.tiers.empty() ? "memory" : "alive", memory(plan, all));
  row(bill.makespan ? "makespan" : "cost", cost(plan, all));
  if (plan.first_store) row("first store", first_store(*plan.first_store));
  row("certificate", certificate(plan));
  if (runs) print_runs(plan, output.out);
}

}  // namespace sweepback::cli
