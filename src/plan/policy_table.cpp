// SPDX-License-Identifier: Apache-2.0
#include "sweepback/policy_table.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "mixed_table.hpp"
#include "sweepback/error.hpp"

namespace sweepback {

using detail::MixedTable;

PolicyTable::PolicyTable(Count steps, Count units, MixedModel model)
    : steps_(steps), units_(units), model_(model) {
  if (steps < 0 || units < 0)
    throw OutOfRange("a table of " + std::to_string(steps) + " steps and " +
                         std::to_string(units) + " units",
                     "give numbers that are not negative", {{"steps", steps}, {"units", units}});
  constexpr Count most = 1'000'000'000'000;
  if (model.state_units < 1 || model.tape_units < 1 || model.state_units > most ||
      model.tape_units > most)
    throw OutOfRange("a state of " + std::to_string(model.state_units) + " units and a tape of " +
                         std::to_string(model.tape_units),
                     "give whole units from 1 to " + std::to_string(most),
                     {{"state_units", model.state_units}, {"tape_units", model.tape_units}});
  if (model.pinned && !model.tape_has_output)
    throw OutOfRange("pinned bases need tapes that hold their step's output",
                     "leave x_0 unpinned, or say that they do");
  table_ = std::make_shared<const MixedTable>(steps, units, model);
}

namespace {

void require_inside(const PolicyTable& table, Count steps, Count units) {
  if (steps < 0 || units < 0 || steps > table.steps() || units > table.units())
    throw OutOfRange(std::to_string(steps) + " steps in " + std::to_string(units) +
                         " units lie outside a table of " + std::to_string(table.steps()) +
                         " steps and " + std::to_string(table.units()) + " units",
                     "make a larger table", {{"steps", steps}, {"units", units}});
}

}  // namespace

std::optional<Count> PolicyTable::cost(Count steps, Count units) const {
  require_inside(*this, steps, units);
  if (steps == 0) return 0;
  const double value = table_->value(Base::loose, steps, units);
  if (value >= MixedTable::infinite) return std::nullopt;
  return static_cast<Count>(std::floor(value / table_->scale()));
}

std::optional<Count> PolicyTable::stores(Count steps, Count units) const {
  const std::optional<Count> cost = this->cost(steps, units);
  if (!cost || steps == 0) return cost;
  return static_cast<Count>(table_->value(Base::loose, steps, units) -
                            static_cast<double>(*cost) * table_->scale());
}

std::optional<Count> PolicyTable::fewest_units(Count steps, Count most) const {
  const auto enough = [&](Count units) {
    const std::optional<Count> cost = this->cost(steps, units);
    return cost && *cost <= most;
  };
  if (!enough(units_)) return std::nullopt;
  Count low = -1, high = units_;  // the cost falls with every unit
  while (high - low > 1) {
    const Count middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

bool PolicyTable::fits(Base base, Count n, Count units) const {
  if (units < 0) return n <= 1;
  require_inside(*this, n, units);
  return n <= 1 || table_->value(model_.pinned ? Base::loose : base, n, units) < MixedTable::infinite;
}

PolicyTable::Decision PolicyTable::decide(Base base, Count n, Count units) const {
  if (n <= 1) return {0, true};
  require_inside(*this, n, std::max<Count>(0, units));
  const auto value = [&](Base at, Count length, Count free) {
    return table_->value(at, length, free);
  };
  const double scale = table_->scale();
  const auto [state_units, tape_units, output, pinned] = model_;
  Decision best{0, true};
  double least;
  if (pinned) {
    // Run to the last step, or record a step, or store a state; the earliest of the cheapest.
    best.run = n - 1;
    least = static_cast<double>(n) * scale + value(Base::loose, n - 1, units);
    for (Count j = 1; j < n; ++j) {
      const double run = static_cast<double>(j) * scale;
      const double tape = run + value(Base::loose, n - j, units - tape_units) +
                          value(Base::loose, j - 1, units);
      const double store = run + 1 + value(Base::loose, n - j, units - state_units) +
                           value(Base::loose, j, units);
      if (tape < least || (tape == least && j - 1 < best.run)) least = tape, best = {j - 1, true};
      if (store < least || (store == least && j < best.run)) least = store, best = {j, false};
    }
    return best;
  }
  least = scale + value(output ? Base::view : Base::loose, n - 1, units - tape_units);
  const Base below = base == Base::view ? Base::view : Base::stored;
  const Count above = units - (base == Base::view ? 0 : state_units);
  const double store = base == Base::loose ? 1 : 0;
  for (Count j = 1; j < n; ++j) {
    const double split = store + static_cast<double>(j) * scale +
                         value(Base::loose, n - j, above) + value(below, j, units);
    if (split < least) least = split, best = {j, false};
  }
  return best;
}

}  // namespace sweepback
