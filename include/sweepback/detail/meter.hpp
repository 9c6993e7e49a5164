// SPDX-License-Identifier: Apache-2.0
// Counts what a sweep does and keeps, while it does it.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "sweepback/detail/run_counts.hpp"
#include "sweepback/detail/steps.hpp"
#include "sweepback/plan.hpp"

namespace sweepback::detail {

/// The sweep says what it is about to do with what it really holds (`own`: the state in hand is one
/// of its own, and not a view of what is kept); the meter adds up. Bytes are the chain's declared
/// sizes of the objects alive at that moment.
class Meter {
 public:
  /// `chain` must outlive it.
  Meter(const Chain& chain, Keep keep, Units units, bool sized, const std::vector<TierModel>& tiers = {})
      : steps_(chain),
        equal_(chain.equal()),
        in_place_(chain.in_place),
        blocks_(chain.blocks),
        // The tape in use takes room only where tapes are all that is kept; of states, one each.
        counts_tape_in_use_(keep == Keep::tapes),
        units_(keep == Keep::mixed    ? units
               : keep == Keep::states ? Units{1, 0}
                                      : Units{0, 1}),
        sized_(sized),
        tiers_(tiers.begin(), tiers.end()),
        end_(chain.steps()),
        adjoint_(chain.steps() > 0 ? steps_.adjoint(end_) : 0) {}

  explicit Meter(const Plan& plan)
      : Meter(plan.chain, plan.keep, plan.units, plan.bill.peak_bytes.has_value(),
              plan.budget.tiers) {}

  /// States are stored at the start, and one is in hand (or none: `own` is then false). What is given up
  /// before anything else does not count in the peaks.
  void begin(const Situation& at, bool own) {
    end_ = at.end;
    adjoint_ = steps_.adjoint(end_);
    for (const Count i : at.states) {
      kept_ += steps_.state(i);
      taken_ += units_.state;
      if (!tiers_.empty()) of(0).begin_with(steps_.state(i));
    }
    for (std::size_t n = 0; n < at.further.size(); ++n)
      for (const Count i : at.further[n]) {
        MeteredTier& tier = of(static_cast<int>(n) + 1);
        tier.begin_with(steps_.state(i));
        kept_ += tier.in_memory(steps_.state(i));
      }
    start_ = own ? steps_.state(at.hand) : 0;
    viewed_ = own ? none : at.hand;
  }

  /// Steps i … j-1 run without tape.
  void forward(Count i, Count j, bool own) {
    settle(false);
    bill_.forward_steps += j - i;
    runs_.run(i, j);
    const Count first = own ? steps_.state(i) : 0;  // the first input, where it takes room
    if (equal_) {
      const Step& step = steps_[i];
      charge(j - i, step.forward, step.forward_call);
      const Count state = steps_.state(j);
      const bool more = j - i > 1 && !blocks_;
      alive(in_place_ ? state : state + (more ? state : first), step.forward_workspace);
      return;
    }
    charge_runs(i, j, [](const Step& s) { return s.forward; }, &Step::forward_call);
    if (blocks_) return alive(in_place_ ? std::max(first, steps_.state(j)) : first + steps_.state(j),
                              workspace_of(i, j, &Step::forward_workspace));
    steps_.each_run(i, j, [&](const Step& step, Count from, Count to) {
      for (const Count k : {from, from + 1}) {  // the others of the run are as the second
        if (k >= to) break;
        const Count in = k == i ? first : steps_.state(k), out = steps_.state(k + 1);
        alive(in_place_ ? std::max(in, out) : in + out, step.forward_workspace);
      }
    });
  }
  void record(Count i, Count j, bool own) {
    settle(false);
    bill_.record_steps += j - i;
    charge_runs(i, j, [](const Step& s) { return s.record_cost(); }, &Step::record_call);
    runs_.run(i, j);
    kept_ += tape_of(i, j);
    const Count in = own ? steps_.state(i) : 0, out = steps_.state(j);
    const bool output = steps_[j - 1].tape_has_output;
    alive(in_place_ ? std::max(in, out) : in + (output ? 0 : out),
          workspace_of(i, j, &Step::forward_workspace));
    in_use_ = i;
  }
  /// `hand`: the state in hand, where it is no view; else none.
  void reverse(Count i, Count j, bool from_tape, Count hand) {
    settle(i == in_use_);
    bill_.reverse_steps += j - i;
    charge_runs(i, j, [](const Step& s) { return s.reverse; }, &Step::reverse_call);
    runs_.forget(i);
    alive(hand == none ? 0 : steps_.state(hand), workspace_of(i, j, &Step::reverse_workspace));
    if (from_tape) drop_tape(i, j);
    end_ = i;
    if (!equal_) adjoint_ = steps_.adjoint(i);
  }
  /// `own`: the state in hand takes room beside what is kept, once it is stored.
  void store(Count i, int tier, bool own) {
    settle(false);
    ++bill_.stores;
    const Count state = steps_.state(i);
    if (!tiers_.empty()) {
      idle_ += of(tier).until_free(now());
      of(tier).store(state, cost_);
    }
    if (tier == 0) {
      kept_ += state;
      take(units_.state);
    } else {
      kept_ += of(tier).in_memory(state);
    }
    alive(own ? state : 0, 0);
  }
  void restore(Count i, int tier, bool own) {
    settle(false);
    ++bill_.restores;
    if (!tiers_.empty()) {
      idle_ += of(tier).until_free(now());
      of(tier).restore(steps_.state(i), cost_);
    }
    alive(own ? steps_.state(i) : 0, 0);
  }
  /// `hand`: the state in hand, where it is no view; else none.
  void begin_store(Count i, int tier, Count hand) {
    settle(false);
    ++bill_.stores;
    begin(i, tier, of(tier).store(steps_.state(i), cost_));
    alive(hand == none ? 0 : steps_.state(hand), 0);
  }
  void begin_restore(Count i, int tier, Count hand) {
    settle(false);
    ++bill_.restores;
    begin(i, tier, of(tier).restore(steps_.state(i), cost_));
    kept_ += steps_.state(i);
    take(units_.state);
    of(0).keep(steps_.state(i));
    alive(hand == none ? 0 : steps_.state(hand), 0);
  }
  void wait(Count i, int tier) {
    settle(false);
    idle_ += of(tier).wait(i, now());
  }
  void free(Count i, int tier) {
    settle(false, true);
    if (!tiers_.empty()) {
      idle_ += of(tier).until_free(now());
      of(tier).free(steps_.state(i));
    }
    if (tier > 0) {
      kept_ -= of(tier).in_memory(steps_.state(i));
      return;
    }
    kept_ -= steps_.state(i);
    taken_ -= units_.state;
    if (start_ && i == viewed_) start_ = steps_.state(i);  // now the hand's own
  }
  /// `copied`: the state in hand is copied out of it first.
  void free_tape(Count i, Count j, bool copied) {
    settle(false);
    if (copied) alive(steps_.state(j), 0);
    drop_tape(i, j);
  }

  /// The measured bill, its cost in the chain's units.
  Bill bill() const {
    Bill bill = bill_;
    bill.repetition = runs_.most();
    bill.cost = narrow(cost_, "the measured cost");
    if (sized_) bill.peak_bytes = peak_bytes_;
    for (const MeteredTier& tier : tiers_) bill.tiers.push_back(tier.bill(sized_));
    if (std::any_of(tiers_.begin(), tiers_.end(), [](const MeteredTier& tier) { return tier.overlaps(); }))
      bill.makespan = narrow(now(), "the measured makespan");
    return bill;
  }

 private:
  /// The tape recorded last takes room, unless it is reversed at once; what there was at the start takes it,
  /// unless it is `freed` before all else.
  void settle(bool at_once, bool freed = false) {
    if (start_ && !freed) {
      take(0);
      for (MeteredTier& tier : tiers_) tier.peak();
      alive(*std::exchange(start_, std::nullopt), 0);
    }
    if (in_use_ == none) return;
    in_use_ = none;
    if (at_once && !counts_tape_in_use_)
      taken_ += units_.tape;  // which its reverse gives back
    else
      take(units_.tape);
  }
  /// A move that takes no time of the sweep's, until it is waited for.
  void begin(Count i, int tier, Wide time) {
    hidden_ += time;
    of(tier).begin(i, time, now());
  }
  Wide now() const { return cost_ + idle_ - hidden_; }
  void take(Count units) {
    taken_ += units;
    bill_.peak_slots = std::max(bill_.peak_slots, taken_);
  }
  void drop_tape(Count i, Count j) {
    kept_ -= tape_of(i, j);
    taken_ -= units_.tape;
  }
  void charge(Count steps, Count each, Count call) {
    cost_ += static_cast<Wide>(steps) * each + static_cast<Wide>(blocks_ ? 1 : steps) * call;
  }
  template <class Each>
  void charge_runs(Count i, Count j, Each&& each, Count Step::*call) {
    if (j == i + 1 || equal_) return charge(j - i, each(steps_[i]), steps_[i].*call);
    steps_.each_run(i, j, [&](const Step& step, Count from, Count to) {
      cost_ += static_cast<Wide>(to - from) * (each(step) + (blocks_ ? 0 : step.*call));
    });
    if (blocks_) cost_ += steps_[i].*call;
  }
  Count workspace_of(Count i, Count j, Count Step::*workspace) const {
    if (j == i + 1 || equal_) return steps_[i].*workspace;
    Count most = 0;
    steps_.each_run(i, j, [&](const Step& step, Count, Count) { most = std::max(most, step.*workspace); });
    return most;
  }
  /// Bytes of the tape of a block of steps, or of one.
  Count tape_of(Count i, Count j) const {
    const auto each = [&](const Step& step) {
      const Count one = step.tape_bytes.value_or(0);
      return j == i + 1 ? one : step.block_tape.value_or(one);
    };
    if (j == i + 1 || equal_) return (j - i) * each(steps_[i]);
    Count sum = 0;
    steps_.each_run(i, j, [&](const Step& step, Count from, Count to) { sum += (to - from) * each(step); });
    return sum;
  }
  void alive(Count beside, Count workspace) {
    peak_bytes_ = std::max(peak_bytes_, kept_ + beside + adjoint_ + workspace);
  }

  /// What goes to and from one tier. It moves one state at a time, in the order that moves were begun.
  class MeteredTier {
   public:
    explicit MeteredTier(const TierModel& model) : model_(model) { bill_.name = model.name; }
    Wide store(Count state, Wide& cost) {
      ++bill_.stores;
      keep(state);
      const Count each = model_.store.of(state);
      cost += each;
      return each;
    }
    Wide restore(Count state, Wide& cost) {
      ++bill_.restores;
      const Count each = model_.restore.of(state);
      cost += each;
      return each;
    }
    void keep(Count state) {
      begin_with(state);
      peak();
    }
    /// A state that is there at the start.
    void begin_with(Count state) {
      ++slots_;
      bytes_ += model_.kept(state);
    }
    void peak() {
      bill_.peak_slots = std::max(bill_.peak_slots, slots_);
      most_bytes_ = std::max(most_bytes_, bytes_);
    }
    void free(Count state) {
      --slots_;
      bytes_ -= model_.kept(state);
    }
    /// What it takes of memory's bytes.
    Count in_memory(Count state) const { return model_.unit == TierModel::Unit::shared ? model_.kept(state) : 0; }
    /// Of x_i, behind all begun before.
    void begin(Count i, Wide time, Wide now) {
      free_at_ = std::max(free_at_, now) + time;
      moves_.emplace_back(i, free_at_);
    }
    /// How long it takes from `now` on until x_i is where it goes, or until nothing moves.
    Wide wait(Count i, Wide now) {
      const auto move = std::find_if(moves_.begin(), moves_.end(), [&](const auto& m) { return m.first == i; });
      const Wide time = std::max<Wide>(0, move->second - now);
      moves_.erase(move);
      return time;
    }
    Wide until_free(Wide now) const { return std::max<Wide>(0, free_at_ - now); }
    bool overlaps() const { return model_.overlap; }
    TierBill bill(bool sized) const {
      TierBill bill = bill_;
      if (sized) bill.peak_bytes = most_bytes_;
      return bill;
    }

   private:
    TierModel model_;
    TierBill bill_;
    Count slots_ = 0, bytes_ = 0, most_bytes_ = 0;
    Wide free_at_ = 0;
    std::vector<std::pair<Count, Wide>> moves_;  // and when each is done
  };

  MeteredTier& of(int tier) { return tiers_[static_cast<std::size_t>(tier)]; }

  static constexpr Count none = Situation::none;

  Steps steps_;
  bool equal_, in_place_, blocks_, counts_tape_in_use_;
  Units units_;
  bool sized_;
  std::vector<MeteredTier> tiers_;
  Count end_;            // steps from here on are reversed
  Count adjoint_;        // bytes of the adjoint of x_end
  Count kept_ = 0;       // bytes of states and tapes
  Count taken_ = 0;      // units
  Count in_use_ = none;  // the first step of the tape that was recorded last
  std::optional<Count> start_;  // bytes in hand at the start, until anything but freeing is done
  Count viewed_ = none;         // the state in hand then, where it is a view of a stored one
  Count peak_bytes_ = 0;
  Wide cost_ = 0;    // of all steps and moves
  Wide idle_ = 0;    // waiting for moves
  Wide hidden_ = 0;  // moves that began while steps went on
  Bill bill_;
  RunCounts runs_;
};

}  // namespace sweepback::detail
