// SPDX-License-Identifier: Apache-2.0
// A sweep that survives a kill. It leaves marks in a directory: x_0, the states of the plan's tiers after memory,
// and every while the adjoint with the number of steps that are still to be reversed. Gone on with, it plans
// from what survived (plan from a situation): no step is reversed twice, and at most one pass is run again
// beyond the work since the last mark.
//
//     DurableSweep<Program, Adjoint> sweep(program, plan, {.directory = "run", .program = "waves 3, f = 12 Hz"});
//     Adjoint adjoint;
//     if (!sweep.resume(adjoint)) adjoint = seed(sweep.forward(x0));    // x_l was not reached yet
//     Report report = sweep.backward(adjoint);                          // the directory is left as it was found
//
// Two generations of marks are kept, each whole or not there (run_directory.hpp): a mark that is damaged costs
// the work since the one before. A state that is damaged is made again from one below. Needs sweepback::json.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "sweepback/codec.hpp"
#include "sweepback/fingerprint.hpp"
#include "sweepback/generations.hpp"
#include "sweepback/json.hpp"
#include "sweepback/manifest.hpp"
#include "sweepback/mark_clock.hpp"
#include "sweepback/run_directory.hpp"
#include "sweepback/run_tier.hpp"
#include "sweepback/sweep.hpp"

namespace sweepback {

struct DurableOptions {
  std::filesystem::path directory;
  std::string program;        ///< what is computed, parameters included: compared when it is gone on with
  double interval = -1;       ///< seconds between marks, 0 for one at every step; negative: sqrt(2 C mtbf), C what a mark takes (Young 1974)
  double mtbf = 24 * 3600;    ///< seconds between failures
  std::optional<PlanOptions> plan = {};  ///< of the plans made when it is gone on with; empty: what the first one keeps
};

template <Program P, class Adjoint, class StateCodec = PlainBytes<typename P::State>, class AdjointCodec = PlainBytes<Adjoint>,
          class Observer = NoObserver>
class DurableSweep {
 public:
  using State = typename P::State;
  using Further = std::function<FarTiers<State>()>;

  /// The tiers after memory are files of the directory, unless `further` makes others: the states of those do
  /// not survive. Refuses what lies there and is not this run: throws Error "mismatch" for another program or
  /// chain, BadFile for another version or byte order, Io where the directory cannot be used, is in use, or all
  /// its marks are damaged. Nothing is changed then.
  DurableSweep(P& program, Plan plan, DurableOptions options, Further further = {}, StateCodec state = {}, AdjointCodec adjoint = {})
    requires std::same_as<Observer, NoObserver>
      : DurableSweep(program, std::move(plan), std::move(options), nothing_, std::move(further), std::move(state), std::move(adjoint)) {}
  DurableSweep(P& program, Plan plan, DurableOptions options, Observer& observer, Further further = {}, StateCodec state = {}, AdjointCodec adjoint = {})
      : program_(program),
        plan_(std::move(plan)),
        options_(std::move(options)),
        observers_(marks_, observer),
        further_(std::move(further)),
        state_codec_(std::move(state)),
        adjoint_codec_(std::move(adjoint)),
        directory_(options_.directory),
        there_(newest_manifest(directory_)) {
    ours_.program = options_.program;
    ours_.steps = ours_.end = plan_.chain.steps();
    const std::string chain = json::dump(json::to_json(plan_.chain));
    ours_.chain = to_string(fingerprint(std::as_bytes(std::span(chain))));
    if (!there_) return;
    refuse_other("the program", there_->program, ours_.program);
    refuse_other("the chain", there_->chain, ours_.chain);
    ours_ = *there_;
  }

  /// Goes on with a run that had come to x_l: `adjoint` is then that of x_end, and `backward` is next. False where
  /// none lies there, or one that had not come so far: call `forward`. Throws Io where what it needs is damaged.
  bool resume(Adjoint& adjoint) {
    if (!ours_.backward) return false;
    adjoint = decoded<Adjoint>(adjoint_codec_, directory_.read(generation_name("adjoint", ours_.generation)));
    if (ours_.end == 0) return true;
    if (survives()) {
      go_on();
      sweep_->advance();
    } else {
      plan_ = sweepback::plan(left(), plan_.budget, options());
      begin();
      sweep_->advance(decoded<State>(state_codec_, directory_.read("start")));
    }
    return true;
  }

  /// As Sweep's; goes on with a first pass that was killed. Throws Error "mismatch" where a run lies there that began
  /// with another x_0, or has come to x_l.
  State forward(State x0) {
    return begun(x0) ? sweep_->forward() : sweep_->forward(std::move(x0));
  }
  void advance(State x0) {
    if (begun(x0))
      sweep_->advance();
    else
      sweep_->advance(std::move(x0));
  }

  /// Comes back, with a first mark at once. At the end none of our files is left.
  template <class A>
    requires std::same_as<A, Adjoint> && ReversibleProgram<P, Adjoint>
  Report backward(A& adjoint) {
    if (!ours_.backward) {
      ours_.backward = true;
      write_mark(adjoint);
    }
    Report report;
    if (ours_.end > 0) {
      marks_.reversed = [&](Count end) {
        ours_.end = end;
        if (end > 0 && clock_.due()) write_mark(adjoint);
      };
      report = sweep_->backward(adjoint);
    }
    for (const char* name : {"manifest.0", "manifest.1", "adjoint.0", "adjoint.1", "start"}) directory_.remove(name);
    remove_states();
    return report;
  }

  /// Made so far, those of killed processes among them.
  Count marks() const { return ours_.generation; }

  /// What is followed: after a kill, from where the run stood.
  const Plan& plan() const { return plan_; }

 private:
  struct Marks {
    std::function<void(Count)> reversed;
    void action(const ActionEvent& event) const {
      if (event.action.kind == Action::Kind::reverse && reversed) reversed(event.action.first);
    }
  };
  using All = Observers<State, Marks, Observer>;
  using Files = RunTier<State, StateCodec>;

  template <class T, class C>
  static T decoded(C& codec, const std::vector<std::byte>& bytes) {
    return codec.state(bytes.size(), [&](std::span<std::byte> room) { std::copy(bytes.begin(), bytes.end(), room.begin()); });
  }

  void refuse_other(const std::string& what, const std::string& its, const std::string& mine) const {
    if (its == mine) return;
    throw Error("mismatch", "the run in " + directory_.path().string() + " is of " + what + " \"" + its + "\", and this is \"" + mine + '"',
                "go on with what began it, or remove sweepback.* there to begin anew");
  }

  PlanOptions options() const {
    PlanOptions options;
    options.keep = plan_.keep;
    options.units = plan_.units;
    return options_.plan.value_or(options);
  }
  Chain left() const {
    Chain left = plan_.chain.part(0, ours_.end);
    left.final_state = false;
    return left;
  }

  /// Whether states of tiers outlive the process. x_0 then lies in the first of them, beside what is planned.
  bool survives() const { return !further_ && plan_.budget.tiers.size() > 1; }
  std::unique_ptr<Files> files(std::size_t tier) {
    std::optional<typename Files::Pinned> x0;
    if (tier == 1) x0 = typename Files::Pinned{0, "start"};
    return std::make_unique<Files>(directory_, static_cast<int>(tier), state_codec_, std::move(x0));
  }
  /// Of each tier, below the end, without x_0; what lies above is removed.
  std::vector<std::vector<Count>> survivors() {
    std::vector<std::vector<Count>> all;
    for (std::size_t tier = 1; tier < plan_.budget.tiers.size(); ++tier) {
      const auto there = files(tier);
      std::vector<Count>& below = all.emplace_back();
      for (const Count i : there->states())
        if (i > 0 && i < ours_.end)
          below.push_back(i);
        else
          there->drop(i);
    }
    return all;
  }
  /// Whether a first pass from this x_0 is gone on with from states that lie there; else it begins.
  bool begun(const State& x0) {
    if (ours_.backward)
      throw Error("mismatch", "the run in " + directory_.path().string() + " has come to x_l already", "call resume(adjoint), which then says so");
    const std::span<const std::byte> bytes = state_codec_.bytes(x0);
    bool same = false;
    if (there_) try {
        const std::vector<std::byte> start = directory_.read("start");
        same = std::ranges::equal(start, bytes);
        if (!same) refuse_other("x_0", to_string(fingerprint(start)), to_string(fingerprint(bytes)));
      } catch (const Io&) {  // damaged, and x_0 is given
      }
    if (!same) {
      remove_states();
      directory_.write("start", bytes);
      if (!there_) write_manifest();
    }
    const bool goes_on = same && survives() && std::ranges::any_of(survivors(), [](const auto& states) { return !states.empty(); });
    goes_on ? go_on() : begin();
    return goes_on;
  }
  /// By a plan from what survived.
  void go_on() {
    Situation at{{}, {}, Situation::none, ours_.end, ours_.backward, survivors(), {}};
    at.further[0].insert(at.further[0].begin(), 0);
    Budget budget = plan_.budget;
    TierModel& first = budget.tiers[1];
    if (first.unit == TierModel::Unit::slots) ++first.capacity;
    if (first.unit == TierModel::Unit::bytes) first.capacity += detail::Steps(plan_.chain).state(0);
    plan_ = sweepback::plan(plan_.chain, std::move(budget), at, options());
    begin();
  }
  void begin() {
    FarTiers<State> tiers = further_ ? further_() : FarTiers<State>();
    if (survives())
      for (std::size_t tier = 1; tier < plan_.budget.tiers.size(); ++tier) tiers.push_back(files(tier));
    sweep_.emplace(program_, plan_, MemoryTier<State>{}, observers_, std::move(tiers));
  }
  void remove_states() {
    for (const std::string& name : directory_.names())
      if (name.starts_with("state.")) directory_.remove(name);
  }

  void write_manifest() {
    ++ours_.generation;
    const std::string text = json::dump(json::to_json(ours_));
    directory_.write(generation_name("manifest", ours_.generation), std::as_bytes(std::span(text)));
  }
  void write_mark(const Adjoint& adjoint) {
    clock_.time([&] {
      const std::span<const std::byte> bytes = adjoint_codec_.bytes(adjoint);
      directory_.write(generation_name("adjoint", ours_.generation + 1), bytes);
      ours_.adjoint = to_string(fingerprint(bytes));
      write_manifest();
    });
  }

  static inline NoObserver nothing_{};

  P& program_;
  Plan plan_;
  DurableOptions options_;
  Marks marks_;
  All observers_;
  Further further_;
  StateCodec state_codec_;
  AdjointCodec adjoint_codec_;
  RunDirectory directory_;
  std::optional<Manifest> there_;  // what was found
  Manifest ours_;
  std::optional<Sweep<P, MemoryTier<State>, All>> sweep_;
  MarkClock clock_{options_.interval, options_.mtbf};
};

}  // namespace sweepback
