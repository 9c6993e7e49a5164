// SPDX-License-Identifier: Apache-2.0
#include "sweepback/measured_costs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweepback {

MeasuredCosts::MeasuredCosts(Chain chain, Budget budget)
    : chain_(std::make_shared<const Chain>(std::move(chain))), steps_(*chain_), budget_(std::move(budget)), runs_(chain_->runs().size()), tiers_(budget_.tiers.size()) {}

void MeasuredCosts::Kind::add(Wide units, Time took) {
  planned += static_cast<double>(units);
  taken += static_cast<double>(took.count());
  ++calls;
}

void MeasuredCosts::ran(Count i, Count j, bool recorded, Time took) {
  const std::size_t run = steps_.run_of(i);
  const Step& step = chain_->runs()[run].step;
  total_ += took;
  if (recorded)
    runs_[run].record.add(static_cast<Wide>(j - i) * step.record_cost() + step.record_call, took);
  else
    runs_[run].forward.add(static_cast<Wide>(j - i) * step.forward + step.forward_call, took);
}

void MeasuredCosts::reversed(Count i, Count j, Time took) {
  const std::size_t run = steps_.run_of(i);
  const Step& step = chain_->runs()[run].step;
  total_ += took;
  runs_[run].reverse.add(static_cast<Wide>(j - i) * step.reverse + step.reverse_call, took);
}

void MeasuredCosts::moved(Count i, int tier, bool stored, Time took) {
  const TierModel& model = budget_.tiers[static_cast<std::size_t>(tier)];
  OfTier& of = tiers_[static_cast<std::size_t>(tier)];
  total_ += took;
  (stored ? of.store : of.restore).add((stored ? model.store : model.restore).of(steps_.state(i)), took);
}

template <class See>
void MeasuredCosts::each(See&& see) const {
  for (const OfRun& run : runs_)
    for (const Kind* kind : {&run.forward, &run.record, &run.reverse}) see(*kind);
  for (const OfTier& tier : tiers_)
    for (const Kind* kind : {&tier.store, &tier.restore}) see(*kind);
}

/// Nanoseconds of one unit of cost, over all that was measured.
double MeasuredCosts::unit() const {
  double planned = 0, taken = 0;
  each([&](const Kind& kind) {
    planned += kind.planned;
    taken += kind.taken;
  });
  return planned > 0 ? taken / planned : 1;
}

double MeasuredCosts::furthest() const {
  double furthest = 1;
  const double unit = this->unit(), all = static_cast<double>(total_.count());
  each([&](const Kind& kind) {
    const double expected = kind.planned * unit;
    if (kind.calls < 3 || std::max(kind.taken, expected) < all / 50) return;
    const double apart = std::max(kind.taken, 1.0) / std::max(expected, 1.0);
    furthest = std::max({furthest, apart, 1 / apart});
  });
  return furthest;
}

Count MeasuredCosts::in_nanoseconds(Count planned, const Kind& kind) const {
  const double each = kind.calls == 0 ? unit() : kind.planned > 0 ? kind.taken / kind.planned : 0;
  return static_cast<Count>(std::llround(std::min(9e18, static_cast<double>(planned) * each)));
}

Chain MeasuredCosts::chain() const {
  std::vector<Run> runs = chain_->runs();
  for (std::size_t n = 0; n < runs.size(); ++n) {
    Step& step = runs[n].step;
    const OfRun& of = runs_[n];
    const auto measured = [&](Count& each, Count& call, const Kind& kind) {
      const bool free = kind.calls > 0 && kind.planned == 0;  // it was said to cost nothing
      each = free ? 0 : in_nanoseconds(each, kind);
      call = free ? static_cast<Count>(kind.taken / static_cast<double>(kind.calls)) : in_nanoseconds(call, kind);
    };
    Count record = step.record_cost();
    measured(record, step.record_call, of.record.calls > 0 || step.record ? of.record : of.forward);
    measured(step.forward, step.forward_call, of.forward.calls > 0 ? of.forward : of.record);
    measured(step.reverse, step.reverse_call, of.reverse);
    if (step.has_tape()) step.record = record;
  }
  Chain chain = chain_->equal() && !runs.empty() ? Chain::uniform(chain_->steps(), runs.front().step) : Chain::of(std::move(runs), chain_->input());
  chain.in_place = chain_->in_place;
  chain.final_state = chain_->final_state;
  chain.blocks = chain_->blocks;
  return chain;
}

Budget MeasuredCosts::budget() const {
  Budget budget = budget_;
  for (std::size_t n = 1; n < tiers_.size(); ++n) {
    const auto measured = [&](TransferCost& cost, const Kind& kind) {
      if (kind.calls > 0)
        cost = {static_cast<Count>(kind.taken / static_cast<double>(kind.calls)), 0, 1};
      else
        cost = {in_nanoseconds(cost.fixed, kind), in_nanoseconds(cost.units, kind), cost.bytes};
    };
    measured(budget.tiers[n].store, tiers_[n].store);
    measured(budget.tiers[n].restore, tiers_[n].restore);
  }
  return budget;
}

}  // namespace sweepback
