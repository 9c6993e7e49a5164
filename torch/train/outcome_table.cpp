// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "outcome.hpp"

namespace sweepback::train {

namespace {

using cli::print_bytes;
using cli::print_count;

std::string bytes(const std::optional<Count>& value) {
  return value ? print_bytes(*value) : "not measured";
}

std::string seconds(const std::optional<double>& value) {
  return value ? fmt::format("{:.3g} s", *value) : "not measured";
}

std::string row(const std::string& what, const std::string& store_all, const std::string& sweep,
                const std::string& note = "") {
  return fmt::format("{:<22}{:>18}{:>16}{}{}\n", what, store_all, sweep, note.empty() ? "" : "   ",
                     note);
}

std::string cells(const Outcome& outcome) {
  std::string cell = name(outcome.cell);
  std::ranges::transform(cell, cell.begin(), [](unsigned char c) { return std::toupper(c); });
  return fmt::format("{} of {} layer{} of {}", cell, outcome.layers, outcome.layers > 1 ? "s" : "",
                     outcome.hidden);
}

std::string what_is_kept(const Plan& plan) {
  const Bill& bill = plan.bill;
  if (plan.keep == Keep::mixed)
    return fmt::format("states and tapes kept; each step runs at most {} times", bill.repetition);
  return fmt::format("{} of {} {} kept at once; each step runs at most {}",
                     print_count(bill.peak_slots), print_count(plan.chain.steps()),
                     name(plan.keep),
                     bill.repetition == 1 ? "once" : fmt::format("{} times", bill.repetition));
}

}  // namespace

std::string to_table(const Outcome& outcome, const Options& options) {
  const Plan& plan = outcome.plan;
  std::string text;
  text += fmt::format("{}, {} readers, {} time steps; {} characters, {} symbols\n", cells(outcome),
                      options.batch, print_count(options.length), print_count(outcome.characters),
                      outcome.symbols);
  text += fmt::format("{}: {:.3g} ms forward, {:.3g} ms recorded, {:.3g} ms reversed\n",
                      outcome.block == 1 ? "a step" : fmt::format("a call of {} steps", outcome.block),
                      outcome.forward * 1e3, outcome.record * 1e3, outcome.reverse * 1e3);
  text += fmt::format("plan in {}: {}\n\n", print_bytes(plan.budget.amount), what_is_kept(plan));

  text += row("", "store everything", "sweepback");
  text += row("forward steps", print_count(outcome.store_all.forward_steps),
              print_count(outcome.measured.forward_steps),
              fmt::format("predicted {}", print_count(plan.bill.forward_steps)));
  text += row("recorded steps", print_count(outcome.store_all.record_steps),
              print_count(outcome.measured.record_steps),
              fmt::format("predicted {}", print_count(plan.bill.record_steps)));
  text += row("peak memory", bytes(outcome.store_all.peak_bytes),
              bytes(outcome.measured.peak_bytes),
              fmt::format("predicted at most {}", print_bytes(plan.bill.peak_bytes.value_or(0))));
  for (std::size_t n = 1; n < plan.bill.tiers.size(); ++n)
    text += row("in " + plan.bill.tiers[n].name, "", print_count(plan.bill.tiers[n].peak_slots),
                fmt::format("states at most, {} stores and {} restores", print_count(plan.bill.tiers[n].stores),
                            print_count(plan.bill.tiers[n].restores)));
  text += row("states and tapes",
              outcome.store_all.held_bytes ? bytes(outcome.store_all.held_bytes)
                                           : fmt::format("({})", print_bytes(outcome.store_all_bytes)),
              bytes(outcome.measured.held_bytes),
              outcome.memory_ratio ? fmt::format("{:.2f} %", *outcome.memory_ratio * 100) : "");
  text += row("time an iteration", seconds(outcome.store_all.seconds_per_iteration),
              seconds(outcome.measured.seconds_per_iteration));
  text += row("time ratio", "1",
              outcome.time_ratio ? fmt::format("{:.3f}", *outcome.time_ratio) : "not measured",
              outcome.predicted_time_ratio
                  ? fmt::format("predicted {:.3f}", *outcome.predicted_time_ratio)
                  : "");
  if (outcome.gradient_equal)
    text += row("gradient", "", *outcome.gradient_equal ? "equal" : "DIFFERENT",
                !*outcome.gradient_equal ? ""
                : outcome.block == 1     ? "bit for bit"
                                         : "bit for bit, to the same blocks with everything stored");
  if (outcome.from_single_steps)
    text += row("  from single steps", "", fmt::format("{:.1e}", *outcome.from_single_steps),
                "of the largest number");
  if (outcome.verified)
    text += row("states run to again", "", print_count(*outcome.verified),
                outcome.verified_every == 1 ? "equal, bit for bit"
                                            : fmt::format("equal, bit for bit; every {}th was looked at", print_count(outcome.verified_every)));
  text += fmt::format("\nloss {:.3f} bits per character at first, {:.3f} at last\n",
                      outcome.first_loss, outcome.last_loss);
  if (outcome.resumed_at) text += fmt::format("gone on with after {} of {} iterations\n", print_count(*outcome.resumed_at), print_count(options.iterations));
  if (outcome.budget_changes > 0)
    text += fmt::format("{} time{} another budget was given; the table is of the last\n", print_count(outcome.budget_changes),
                        outcome.budget_changes == 1 ? "" : "s");
  if (outcome.marks)
    text += fmt::format("{} mark{}, {:.3g} s{}\n", print_count(*outcome.marks), *outcome.marks == 1 ? "" : "s", outcome.mark_seconds,
                        *outcome.marks == 1 ? "" : " each");
  if (outcome.compared_length < options.length)
    text += fmt::format(
        "\nStore-everything does not fit in the memory that is free: {} of states and tapes, and "
        "some\n{} that libtorch takes beside them. It ran {} step{}, to compare gradients; its number\n"
        "in brackets is predicted.\n",
        print_bytes(outcome.store_all_bytes), print_bytes(outcome.store_all_graph_bytes),
        print_count(outcome.compared_length), outcome.compared_length == 1 ? "" : "s");
  if (!outcome.sample.empty()) text += "\n" + outcome.sample + "\n";
  return text;
}

}  // namespace sweepback::train
