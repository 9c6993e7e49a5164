// SPDX-License-Identifier: Apache-2.0
// Invariants of the replay
//  1. what is stored, kept and in hand is known by its index, and each got there by the action that
//     makes it from what was there: whatever is there is genuine;
//  2. `kept_bytes_` is the sum over stored states and kept tapes; every action adds what is alive
//     only while it runs, so the peak is that of every instant;
//  3. a state in hand that is also stored, or that a kept tape holds, is a view of it where states
//     are immutable, and a copy where steps work in place.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sweepback/check.hpp"
#include "sweepback/error.hpp"

namespace sweepback {

Rules Rules::of(const Plan& plan) {
  Rules rules{plan.chain, plan.budget, plan.keep, plan.units.state, plan.units.tape};
  const Situation from = plan.schedule.situation();
  if (plan.chain.steps() > 0 && from != Situation::fresh(plan.chain.steps())) rules.from = from;
  return rules;
}

Referee::Referee(Rules rules) : rules_(std::move(rules)), end_(rules_.chain.steps()) {
  Count last = -1;
  sized_ = true;
  for (const Run& run : rules_.chain.runs()) {
    last += run.repeat;
    if (run.repeat == 0) continue;
    steps_[last] = run.step;
    sized_ = sized_ && run.step.state_bytes && (!run.step.has_tape() || run.step.tape_bytes);
  }
  const bool bytes = rules_.budget && rules_.budget->unit == Budget::Unit::bytes;
  if (bytes && !sized_)
    throw OutOfRange("a budget in bytes, and a chain whose sizes are not known",
                     "give the bytes of states and tapes, or a budget in slots");
  if (rules_.state_units < 0 || rules_.tape_units < 0)
    throw OutOfRange("negative units of a state or a tape", "give whole positive units");
  if (rules_.budget) {
    for (const TierModel& tier : rules_.budget->tiers) {
      if (tier.unit == TierModel::Unit::bytes && !sized_)
        throw OutOfRange("the tier \"" + tier.name + "\" is in bytes, and the chain's sizes are not known",
                         "give the bytes of states, or the tier's slots");
      tiers_.emplace_back().bill.name = tier.name;
    }
  }
  if (rules_.from) begin(*rules_.from);
}

/// What is said to be there is believed: states stored and in hand, and what is reversed already.
void Referee::begin(const Situation& at) {
  const auto outside = [&](Count i) { return i < 0 || i > rules_.chain.steps(); };
  const auto any_outside = [&](const std::vector<Count>& states) { return std::any_of(states.begin(), states.end(), outside); };
  if (outside(at.end) || !at.tapes.empty() || !at.moving.empty() || any_outside(at.states) ||
      std::any_of(at.further.begin(), at.further.end(), any_outside) || (at.hand != Situation::none && outside(at.hand)))
    throw OutOfRange("a stream that begins outside its chain, with tapes, or with states on their way",
                     "give \"from\" with states and an end of the chain");
  if (!at.further.empty() && at.further.size() >= tiers_.size())
    throw OutOfRange("a stream that begins with states in more tiers than the budget has", "give the budget of all tiers in use");
  end_ = at.end;
  hand_ = at.hand == Situation::none ? std::nullopt : std::optional(at.hand);
  made_final_ = at.reached_end;
  for (const Count i : at.states)
    if (states_.insert(i).second) {
      kept_bytes_ += state_bytes(i);
      units_ += state_units();
      if (!tiers_.empty()) hold(0, i);
    }
  for (std::size_t n = 0; n < at.further.size(); ++n)
    for (const Count i : at.further[n])
      if (tiers_[n + 1].states.insert(i).second) hold(n + 1, i);
  starts_full_ = true;
}

/// More may be stored at the start than there is room for; it is then given up before all else.
bool Referee::start() {
  starts_full_ = false;
  for (std::size_t tier = 0; tier < tiers_.size(); ++tier) {
    peak_of(tier);
    if (tier > 0 && !tiers_[tier].states.empty() && !fits(tier, *tiers_[tier].states.begin())) return false;
  }
  return within(hand_bytes()) && take(0, "what is stored at the start");
}

bool Referee::see(const Action& action) {
  if (violation_) return false;
  const Count i = action.first, j = action.last, l = rules_.chain.steps();
  using enum Action::Kind;
  passing_ = tape_in_use_ && action == Action::reverse(tape_in_use_->first, tape_in_use_->last);
  if (tape_in_use_ && !settle_tape()) return false;
  const bool in_range = action.on_state() ? i >= 0 && i <= l : i >= 0 && i < j && j <= l;
  if (!in_range)
    return broken("range", to_string(action) + " in a chain of " + std::to_string(l) + " steps");
  if (action.tier > 0 && action.tier >= tiers_.size())
    return broken("range", to_string(action) + ", and there are " + std::to_string(std::max<std::size_t>(1, tiers_.size())) +
                               " tiers, counted from 0");
  if (starts_full_ && action.kind != Action::Kind::free && !start()) return false;
  const bool ok = [&] {
    switch (action.kind) {
      case forward: return this->forward(i, j);
      case record: return this->record(i, j);
      case store: return action.tier > 0 ? store_in(action.tier, i) : this->store(i);
      case restore: return action.tier > 0 ? restore_from(action.tier, i) : this->restore(i);
      case Action::Kind::free: return action.tier > 0 ? free_in(action.tier, i) : this->free(i);
      case free_tape: return this->free_tape(i);
      case reverse: return this->reverse(i, j);
      case begin_store: return this->begin_store(action.tier, i);
      case begin_restore: return this->begin_restore(action.tier, i);
      case wait: return this->wait(action.tier, i);
    }
    return false;
  }();
  if (ok) ++actions_;
  return ok;
}

bool Referee::forward(Count i, Count j) {
  if (hand_ != i)
    return broken("hand", "forward from x_" + std::to_string(i) + " with " + in_hand());
  forward_steps_ += j - i;
  count_runs(i, j);
  charge(i, j, [](const Step& s) { return Wide{s.forward}; }, &Step::forward_call);
  const auto alive = [&](Count first, Count last, Count workspace) {
    const Wide in = first == i ? hand_bytes() : state_bytes(first), out = state_bytes(last);
    return within((rules_.chain.in_place ? std::max(in, out) : in + out) + workspace);
  };
  // Runs of equal steps: their first step, whose input is of another kind, and any other. In one
  // call nothing is alive between its ends but workspace.
  for (Count k = i; k < j;) {
    const auto run = steps_.lower_bound(k);
    const Count stop = std::min(j, run->first + 1), workspace = run->second.forward_workspace;
    if (rules_.chain.blocks) {
      if (!alive(i, j, workspace)) return false;
    } else {
      for (const Count q : {k, k + 1})
        if (q < stop && !alive(q, q + 1, workspace)) return false;
    }
    k = stop;
  }
  hand_ = j;
  hand_loaded_ = false;
  made_final_ = made_final_ || j == rules_.chain.steps();
  return true;
}

bool Referee::record(Count i, Count j) {
  const std::string which = to_string(Action::record(i, j));
  for (auto run = steps_.lower_bound(i); run != steps_.end(); ++run) {
    if (!run->second.has_tape()) return broken("tapes", which + ", which have no tape");
    if (run->first >= j - 1) break;
  }
  if (!one_call(i, j, "recorded")) return false;
  if (hand_ != i) return broken("hand", which + " with " + in_hand());
  if (const auto above = tapes_.upper_bound(i); above != tapes_.end() && above->second < j)
    return broken("already_there", "the tape of step " + std::to_string(std::max(i, above->second)) +
                                       " is kept already");
  bill_.record_steps += j - i;
  count_runs(i, j);
  charge(i, j, [](const Step& s) { return Wide{s.record_cost()}; }, &Step::record_call);
  const bool output = step(j - 1).tape_has_output;
  const Wide in = hand_bytes(), out = state_bytes(j), tape = tape_bytes(i, j);
  const Wide states = rules_.chain.in_place ? std::max(in, out) : in + (output ? 0 : out);
  Wide workspace = 0;
  for (auto run = steps_.lower_bound(i); run != steps_.end(); ++run) {
    workspace = std::max(workspace, Wide{run->second.forward_workspace});
    if (run->first >= j - 1) break;
  }
  if (!within(states + tape + workspace)) return false;
  tapes_[j] = i;
  tape_in_use_ = Action::record(i, j);
  kept_bytes_ += tape;
  hand_ = j;
  hand_loaded_ = false;
  made_final_ = made_final_ || j == rules_.chain.steps();
  return true;
}

bool Referee::one_call(Count i, Count j, const char* what) {
  if (j == i + 1 || rules_.chain.blocks) return true;
  return broken("blocks", "steps " + std::to_string(i) + " to " + std::to_string(j) + " are " + what +
                              " at once, and each is a call of its own in this chain");
}

// The last action recorded a step. If its reverse follows at once, its tape is the one in use: it
// counts only where tapes are what is kept.
bool Referee::settle_tape() {
  const Count k = std::exchange(tape_in_use_, std::nullopt)->first;
  if (!passing_ && rules_.keep == Keep::states)
    return broken("keep", "the tape of step " + std::to_string(k) +
                              " is kept, and this plan keeps states only");
  const bool counts = !passing_ || rules_.keep == Keep::tapes;
  if (counts && !take(tape_units(), "the tape of step " + std::to_string(k))) return false;
  if (counts && passing_) units_ -= tape_units();
  return true;
}

bool Referee::take(Count units, const std::string& what) {
  units_ += units;
  bill_.peak_slots = std::max(bill_.peak_slots, units_);
  if (!rules_.budget || rules_.budget->unit != Budget::Unit::slots) return true;
  if (units_ <= rules_.budget->amount) return true;
  return broken("budget", std::to_string(units_) + " slots are taken with " + what + ", of " +
                              std::to_string(rules_.budget->amount));
}

Count Referee::state_units() const {
  return rules_.keep == Keep::states ? 1 : rules_.keep == Keep::tapes ? 0 : rules_.state_units;
}

Count Referee::tape_units() const {
  return rules_.keep == Keep::mixed ? rules_.tape_units : 1;
}

bool Referee::store(Count i) {
  if (hand_ != i) return broken("hand", "storing x_" + std::to_string(i) + " with " + in_hand());
  if (states_.contains(i) || arriving(i))
    return broken("already_there", "x_" + std::to_string(i) + " is stored already, or on its way");
  if (rules_.keep == Keep::tapes && i != 0)
    return broken("keep", "x_" + std::to_string(i) + " is stored, and this plan keeps tapes only");
  const bool copies = rules_.chain.in_place || held_by_tape(i);
  if (!within(state_bytes(i) + (copies ? hand_bytes() : 0))) return false;
  states_.insert(i);
  hand_loaded_ = false;
  ++bill_.stores;
  if (!tiers_.empty()) moved(0, i, true);
  kept_bytes_ += state_bytes(i);
  return take(state_units(), "x_" + std::to_string(i));
}

bool Referee::restore(Count i) {
  if (!states_.contains(i) && !held_by_tape(i))
    return broken("not_there", "x_" + std::to_string(i) + " is restored, and nothing kept holds it");
  ++bill_.restores;
  if (!tiers_.empty()) moved(0, i, false);
  hand_ = i;
  hand_loaded_ = false;
  return within(hand_bytes());
}

bool Referee::store_in(std::size_t tier, Count i) {
  const TierModel& model = rules_.budget->tiers[tier];
  Kept& kept = tiers_[tier];
  if (hand_ != i) return broken("hand", "storing x_" + std::to_string(i) + " with " + in_hand());
  if (rules_.keep == Keep::tapes)
    return broken("keep", "x_" + std::to_string(i) + " is stored, and this plan keeps tapes only");
  if (kept.moves.contains(i) || !kept.states.insert(i).second)
    return broken("already_there", "x_" + std::to_string(i) + " is stored in " + model.name + " already");
  ++bill_.stores;
  until(kept.free_at);
  moved(tier, i, true);
  return fits(tier, i) && within(hand_bytes());
}

bool Referee::fits(std::size_t tier, Count i) {
  const TierModel& model = rules_.budget->tiers[tier];
  const Kept& kept = tiers_[tier];
  const bool full = (model.unit == TierModel::Unit::slots && kept.slots > model.capacity) ||
                    (model.unit == TierModel::Unit::bytes && kept.bytes > model.capacity);
  return !full || broken("budget", "x_" + std::to_string(i) + " does not fit in " + to_string(model));
}

/// The sweep stands still until then.
void Referee::until(Wide instant) { idle_ += std::max<Wide>(0, instant - now()); }

bool Referee::arriving(Count i) const {
  return std::any_of(tiers_.begin(), tiers_.end(), [&](const Kept& kept) {
    const auto move = kept.moves.find(i);
    return move != kept.moves.end() && move->second.to_memory;
  });
}

bool Referee::can_begin(std::size_t tier, Count i) {
  if (tier == 0 || !rules_.budget->tiers[tier].overlap)
    return broken("transfer", "x_" + std::to_string(i) + " begins to move, and its tier does not work while steps run");
  if (rules_.keep == Keep::tapes)
    return broken("keep", "x_" + std::to_string(i) + " is moved, and this plan keeps tapes only");
  return !tiers_[tier].moves.contains(i) ||
         broken("transfer", "x_" + std::to_string(i) + " begins to move, and is on its way");
}

/// Cost counts it; the sweep goes on beside it.
void Referee::under_way(std::size_t tier, Count i, Wide time, bool to_memory) {
  Kept& kept = tiers_[tier];
  hidden_ += time;
  kept.free_at = std::max(kept.free_at, now()) + time;
  kept.moves[i] = {kept.free_at, to_memory};
}

bool Referee::begin_store(std::size_t tier, Count i) {
  if (!can_begin(tier, i)) return false;
  if (!states_.contains(i))
    return broken("not_there", "x_" + std::to_string(i) + " begins to be stored, and memory does not hold it");
  if (tiers_[tier].states.contains(i))
    return broken("already_there", "x_" + std::to_string(i) + " is stored in " + tiers_[tier].bill.name + " already");
  ++bill_.stores;
  under_way(tier, i, moved(tier, i, true), false);
  return fits(tier, i) && within(hand_bytes());
}

bool Referee::begin_restore(std::size_t tier, Count i) {
  if (!can_begin(tier, i)) return false;
  if (!tiers_[tier].states.contains(i))
    return broken("not_there", "x_" + std::to_string(i) + " begins to be restored from " + tiers_[tier].bill.name +
                                   ", and is not there");
  if (states_.contains(i) || arriving(i))
    return broken("already_there", "x_" + std::to_string(i) + " begins to be restored, and memory has it");
  const Wide hand = hand_bytes();
  ++bill_.restores;
  under_way(tier, i, moved(tier, i, false), true);
  kept_bytes_ += state_bytes(i);
  Kept& memory = tiers_[0];
  ++memory.slots;
  memory.bytes += state_bytes(i);
  peak_of(0);
  return within(hand) && take(state_units(), "x_" + std::to_string(i));
}

bool Referee::wait(std::size_t tier, Count i) {
  if (tier >= tiers_.size() || !tiers_[tier].moves.contains(i))
    return broken("not_there", "x_" + std::to_string(i) + " is waited for, and is not on its way");
  const Kept::Move move = tiers_[tier].moves.extract(i).mapped();
  until(move.done);
  (move.to_memory ? states_ : tiers_[tier].states).insert(i);
  if (move.to_memory && hand_ == i) hand_loaded_ = true;
  return true;
}

bool Referee::restore_from(std::size_t tier, Count i) {
  if (!tiers_[tier].states.contains(i))
    return broken("not_there", "x_" + std::to_string(i) + " is restored from " + tiers_[tier].bill.name +
                                   ", and is not there");
  ++bill_.restores;
  until(tiers_[tier].free_at);
  moved(tier, i, false);
  hand_ = i;
  hand_loaded_ = true;
  return within(hand_bytes());
}

bool Referee::free_in(std::size_t tier, Count i) {
  Kept& kept = tiers_[tier];
  if (kept.moves.contains(i))
    return broken("transfer", "x_" + std::to_string(i) + " is freed in " + kept.bill.name + ", and is on its way");
  if (kept.states.erase(i) == 0)
    return broken("not_there", "x_" + std::to_string(i) + " is freed in " + kept.bill.name + ", and is not there");
  until(kept.free_at);
  --kept.slots;
  kept.bytes -= kept_bytes(tier, i);
  if (rules_.budget->tiers[tier].unit == TierModel::Unit::shared) kept_bytes_ -= kept_bytes(tier, i);
  return true;
}

/// A state goes to a tier, or comes from there: what that takes.
Wide Referee::moved(std::size_t tier, Count i, bool stored) {
  const TierModel& model = rules_.budget->tiers[tier];
  const TransferCost& cost = stored ? model.store : model.restore;
  const Wide time = cost.fixed + (state_bytes(i) * cost.units + cost.bytes - 1) / cost.bytes;
  cost_ += time;
  Kept& kept = tiers_[tier];
  ++(stored ? kept.bill.stores : kept.bill.restores);
  if (!stored) return time;
  hold(tier, i);
  peak_of(tier);
  return time;
}

void Referee::hold(std::size_t tier, Count i) {
  const Wide bytes = kept_bytes(tier, i);
  ++tiers_[tier].slots;
  tiers_[tier].bytes += bytes;
  if (rules_.budget->tiers[tier].unit == TierModel::Unit::shared) kept_bytes_ += bytes;
}

void Referee::peak_of(std::size_t tier) {
  Kept& kept = tiers_[tier];
  kept.bill.peak_slots = std::max(kept.bill.peak_slots, kept.slots);
  kept.most_bytes = std::max(kept.most_bytes, kept.bytes);
}

/// What a tier keeps of a state.
Wide Referee::kept_bytes(std::size_t tier, Count i) const {
  const double ratio = rules_.budget->tiers[tier].ratio;
  const Wide size = state_bytes(i);
  return ratio == 1 ? size : std::min(size, static_cast<Wide>(std::ceil(static_cast<double>(size) / ratio)));
}

bool Referee::free(Count i) {
  for (const Kept& kept : tiers_)
    if (kept.moves.contains(i) && !kept.moves.at(i).to_memory)
      return broken("transfer", "x_" + std::to_string(i) + " is freed, and is on its way to " + kept.bill.name);
  if (states_.erase(i) == 0)
    return broken("not_there", "x_" + std::to_string(i) + " is freed and not stored");
  kept_bytes_ -= state_bytes(i);
  units_ -= state_units();
  if (!tiers_.empty()) {
    --tiers_[0].slots;
    tiers_[0].bytes -= state_bytes(i);
  }
  return true;
}

bool Referee::free_tape(Count k) {
  const auto tape = tapes_.upper_bound(k);
  if (tape == tapes_.end() || tape->second != k)
    return broken("not_there", "the tape of step " + std::to_string(k) + " is freed and not kept");
  const Count output = tape->first;
  const bool copied = !rules_.chain.in_place && hand_ == output && !states_.contains(output);
  if (copied && held_by_tape(output) && !within(state_bytes(output))) return false;
  kept_bytes_ -= tape_bytes(k, tape->first);
  units_ -= tape_units();
  tapes_.erase(tape);
  return true;
}

bool Referee::reverse(Count i, Count j) {
  const std::string which = to_string(Action::reverse(i, j));
  if (!one_call(i, j, "reversed")) return false;
  if (j != end_)
    return broken("order", which + ", and step " + std::to_string(end_ - 1) + " is next");
  if (rules_.chain.final_state && !made_final_ && !step(rules_.chain.steps() - 1).has_tape())
    return broken("final_state",
                  which + " before x_" + std::to_string(rules_.chain.steps()) + " was made");
  const bool from_tape = step(i).has_tape();
  const auto tape = tapes_.find(j);
  if (from_tape && (tape == tapes_.end() || tape->second != i))
    return broken("not_there", which + " without their tape");
  if (!from_tape && hand_ != i) return broken("hand", which + " with " + in_hand());
  if (from_tape && hand_ && *hand_ >= i) hand_.reset();  // nothing that remains can use it
  bill_.reverse_steps += j - i;
  charge(i, j, [](const Step& s) { return Wide{s.reverse}; }, &Step::reverse_call);
  for (auto run = steps_.lower_bound(i); run != steps_.end(); ++run) {
    if (!within(hand_bytes() + run->second.reverse_workspace)) return false;
    if (run->first >= j - 1) break;
  }
  end_ = i;
  forget_runs(end_);
  if (from_tape) {
    tapes_.erase(tape);
    kept_bytes_ -= tape_bytes(i, j);
    if (!passing_) units_ -= tape_units();
  } else {
    hand_.reset();
  }
  return true;
}

Verdict Referee::finish() {
  passing_ = false;
  if (!violation_ && tape_in_use_) settle_tape();
  if (!violation_ && end_ > 0)
    broken("unfinished", "the stream ends with steps 0 to " + std::to_string(end_ - 1) +
                             " not reversed");
  if (!violation_ && !states_.empty())
    broken("left_over", "x_" + std::to_string(*states_.begin()) + " is still stored at the end");
  if (!violation_ && !tapes_.empty())
    broken("left_over",
           "the tape of step " + std::to_string(tapes_.begin()->second) + " is still kept at the end");
  for (Kept& kept : tiers_) {
    if (!violation_ && !kept.moves.empty())
      broken("left_over", "x_" + std::to_string(kept.moves.begin()->first) + " is still on its way at the end");
    if (!violation_ && !kept.states.empty())
      broken("left_over", "x_" + std::to_string(*kept.states.begin()) + " is still stored in " + kept.bill.name +
                              " at the end");
    if (sized_) kept.bill.peak_bytes = narrow(kept.most_bytes, "the peak of a tier");
    bill_.tiers.push_back(kept.bill);
  }
  bill_.forward_steps = narrow(forward_steps_, "the number of forward steps");
  bill_.cost = narrow(cost_, "the cost");
  if (sized_) bill_.peak_bytes = narrow(peak_bytes_, "the peak of memory");
  if (rules_.budget && std::any_of(rules_.budget->tiers.begin(), rules_.budget->tiers.end(),
                                   [](const TierModel& tier) { return tier.overlap; }))
    bill_.makespan = narrow(now(), "the makespan");
  return {!violation_, bill_, violation_};
}

bool Referee::broken(const char* rule, std::string message) {
  violation_ = Violation{actions_, rule, std::move(message)};
  return false;
}

/// What is kept, the adjoint and `transient` are alive at once.
bool Referee::within(Wide transient) {
  if (!sized_) return true;
  const Count l = rules_.chain.steps();
  const Wide adjoint =
      l == 0 ? 0 : end_ > 0 ? step(end_ - 1).adjoint : rules_.chain.input().adjoint.value_or(step(0).adjoint);
  const Wide alive = kept_bytes_ + transient + adjoint;
  peak_bytes_ = std::max(peak_bytes_, alive);
  if (!rules_.budget || rules_.budget->unit != Budget::Unit::bytes) return true;
  if (alive <= rules_.budget->amount) return true;
  return broken("budget", std::to_string(narrow(alive, "the memory alive")) +
                              " bytes are alive, of " + std::to_string(rules_.budget->amount));
}

/// Steps i … j-1 run once more; `runs_` maps the first step of every piece to its runs.
void Referee::count_runs(Count i, Count j) {
  const auto border = [&](Count k) {
    const auto after = runs_.upper_bound(k);
    const Count before = after == runs_.begin() ? 0 : std::prev(after)->second;
    return runs_.try_emplace(k, before).first;
  };
  const auto from = border(i), to = border(j);
  for (auto piece = from; piece != to; ++piece)
    bill_.repetition = std::max(bill_.repetition, ++piece->second);
}

/// Steps from here on are reversed. (A stream that runs one again wastes a step; its runs from then
/// on are counted afresh.)
void Referee::forget_runs(Count from) { runs_.erase(runs_.lower_bound(from), runs_.end()); }

const Step& Referee::step(Count k) const { return steps_.lower_bound(k)->second; }

Wide Referee::state_bytes(Count i) const {
  if (i == 0)
    return rules_.chain.input().state_bytes.value_or(
        steps_.empty() ? 0 : step(0).state_bytes.value_or(0));
  return step(i - 1).state_bytes.value_or(0);
}

/// The sum of `of(step)` over steps i … j-1.
template <class Of>
Wide Referee::sum(Count i, Count j, Of&& of) const {
  Wide sum = 0;
  for (Count k = i; k < j;) {
    const auto run = steps_.lower_bound(k);
    const Count stop = std::min(j, run->first + 1);
    sum += (stop - k) * of(run->second);
    k = stop;
  }
  return sum;
}

/// One call for all of them, or one each.
template <class Of>
void Referee::charge(Count i, Count j, Of&& of, Count Step::*call) {
  cost_ += sum(i, j, of);
  cost_ += rules_.chain.blocks ? Wide{step(i).*call}
                               : sum(i, j, [&](const Step& s) { return Wide{s.*call}; });
}

Wide Referee::tape_bytes(Count i, Count j) const {
  return sum(i, j, [&](const Step& s) {
    const Count one = s.tape_bytes.value_or(0);
    return Wide{j - i > 1 ? s.block_tape.value_or(one) : one};
  });
}

bool Referee::held_by_tape(Count i) const {
  return i > 0 && tapes_.contains(i) && step(i - 1).tape_has_output;
}

/// What the state in hand takes beside what is kept.
Wide Referee::hand_bytes() const {
  if (!hand_) return 0;
  const bool view = !rules_.chain.in_place && !hand_loaded_ && (states_.contains(*hand_) || held_by_tape(*hand_));
  return view ? 0 : state_bytes(*hand_);
}

std::string Referee::in_hand() const {
  return hand_ ? "x_" + std::to_string(*hand_) + " in hand" : std::string("nothing in hand");
}

Verdict check(Schedule schedule, Rules rules) {
  Referee referee(std::move(rules));
  for (Action action; schedule.next(action);)
    if (!referee.see(action)) break;
  return referee.finish();
}

Verdict check(const Plan& plan) {
  Verdict verdict = check(plan.schedule, Rules::of(plan));
  if (verdict.ok && verdict.bill != plan.bill) {
    verdict.ok = false;
    verdict.violation = Violation{0, "bill", "the plan's bill is not what its actions cost"};
  }
  return verdict;
}

}  // namespace sweepback
