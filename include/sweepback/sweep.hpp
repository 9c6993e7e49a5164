// SPDX-License-Identifier: Apache-2.0
// The sweep: drives the user's program through a schedule. It contains no policy.
//
// Two phases, because losses live between them: `forward` runs to `x_l`, `backward` comes back.
//
//     Sweep sweep(program, plan(chain, budget));
//     State last = sweep.forward(x0);
//     Report report = sweep.backward(adjoint);     // report.bill == plan.bill
//
// Re-entrant: no globals, any number of sweeps nested, interleaved or in threads. One sweep can be
// run again and again; each `forward` starts afresh.
//
// Invariants
//  1. the hand is empty, owns its state, or is a view of a stored state or of a kept tape's output;
//  2. a state that no remaining step can use (it lies above the end) is not kept alive while a step
//     is reversed;
//  3. whatever leaves by an exception leaves nothing alive in here;
//  4. a state that cannot be read back is made again from one below: only the loss of all of those is an error;
//  5. a course is changed between two actions, where nothing moves and no tape is in use: tapes are given up.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sweepback/detail/channel.hpp"
#include "sweepback/detail/meter.hpp"
#include "sweepback/error.hpp"
#include "sweepback/far_tier.hpp"
#include "sweepback/memory_tier.hpp"
#include "sweepback/observer.hpp"
#include "sweepback/plan.hpp"
#include "sweepback/program.hpp"
#include "sweepback/report.hpp"

namespace sweepback {

namespace detail {

/// Stands in for the tape of programs that have none.
struct NoTape {};

template <class P>
struct TapeOf {
  using type = NoTape;
};
template <RecordingProgram P>
struct TapeOf<P> {
  using type = typename P::Tape;
};

}  // namespace detail

template <Program P, class T = MemoryTier<typename P::State>, class Observer = NoObserver>
  requires Tier<T, typename P::State>
class Sweep {
 public:
  using State = typename P::State;
  using Tape = typename detail::TapeOf<P>::type;

  /// Keeps references to `program` and `observer`: they must outlive the sweep. Throws Unsupported
  /// where the plan asks for what the program does not offer (tapes, their outputs), or was made
  /// in bytes for the other kind of states (in place or immutable) or of tapes (with their output
  /// or without).
  /// `further`: one for each tier of the plan's budget after memory, in its order.
  Sweep(P& program, Plan plan, T tier, Observer& observer, FarTiers<State> further = {});
  Sweep(P& program, Plan plan, T tier = {})
    requires std::same_as<Observer, NoObserver>
      : Sweep(program, std::move(plan), std::move(tier), nothing_) {}
  Sweep(P& program, Plan plan, FarTiers<State> further)
    requires std::same_as<Observer, NoObserver>
      : Sweep(program, std::move(plan), T{}, nothing_, std::move(further)) {}

  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  /// Runs from `x0` to the end and hands out `x_l`. `x0` is the sweep's own from here on (a deep
  /// copy where the program has `copy`: its states may share memory with the caller's). Throws
  /// Unsupported where the plan gives `x_l` up or where it would have to be copied out of a tape and
  /// cannot be (`advance` then), and whatever the program throws.
  State forward(State x0);

  /// Runs from `x0` to the end of the first pass, handing out nothing.
  void advance(State x0);

  /// The same for a plan that begins with states in further tiers, which lie there already: a run that was
  /// killed is gone on with. `forward` throws Unsupported where the plan begins after `x_l` was made.
  State forward();
  void advance();

  /// Comes back: on entry `adjoint` is that of `x_l`, on return that of `x_0`. Needs a completed
  /// `forward` or `advance`. Throws whatever the program throws.
  template <class Adjoint>
    requires ReversibleProgram<P, Adjoint>
  Report backward(Adjoint& adjoint);

  /// A state handed over by `step_back`.
  struct Handed {
    Count k;
    const State& state;  ///< `x_k`, valid until the next call
  };

  /// The next state on the way back, without any adjoint: `x_{l-1}`, then `x_{l-2}`, … and at last
  /// nothing. Needs a completed `forward` or `advance`. Throws Unsupported for plans that record
  /// steps, and whatever the program throws.
  std::optional<Handed> step_back();

  const Plan& plan() const { return plan_; }

  /// Where the sweep stands.
  Situation situation() const;

  /// What has been done so far.
  Report report() const;

 private:
  static constexpr bool in_place = InPlaceProgram<P>;
  static constexpr bool records = RecordingProgram<P>;
  static constexpr bool output = TapesHoldOutput<P>;
  static constexpr bool copies = std::copy_constructible<State> ||
                                 requires(P& p, const State& x) { p.copy(x); };

  enum class Holds : std::uint8_t { nothing, own, stored, output };

  struct KeptTape {
    Count output;  // one past its last step
    Tape tape;
  };

  void require(const Plan& plan) const;
  void reserve();
  template <class Work>
  auto guarded(Work&& work);
  void start(std::optional<State> x0);
  void require_last() const;
  State last_state();
  void turn(const Action& action);
  void follow(Plan next);
  void clear(bool further = true);

  template <class Reverse>
  void perform(const Action& action, Reverse&& reverse);
  void run(Count i, Count j);
  void record(Count i, Count j);
  void store(Count i);
  void restore(Count i);
  void free(Count i);
  void free_tape(Count i, Count j);
  void store_far(Count i, int tier);
  void load(Count i, int tier);
  void drop(Count i, int tier);
  void begin_store(Count i, int tier);
  void begin_load(Count i, int tier);
  void wait(Count i, int tier);

  /// x_i cannot be read from its tier (`why`): it is made again from the nearest state below that can, into the
  /// hand, and stored there again. Throws Io where there is none.
  void make_again(Count i, int tier, const Io& why);
  bool take_below(Count i);

  /// Of a further tier, when nothing moves there.
  FarTier<State>& far(int tier);
  detail::Channel<State>& channel(int tier) { return *channels_[static_cast<std::size_t>(tier - 1)]; }
  /// Memory's own, or one on its way elsewhere.
  const State& stored(Count i) const;

  /// The state in hand, wherever it is.
  const State& hand() const;
  std::size_t find_tape(Count output_state) const;
  Phase phase(Count i, Count j);
  State copied(const State& x) const;
  template <class Work>
  auto timed_step(Count i, Count j, bool recorded, Phase phase, Work&& work);

  static inline NoObserver nothing_{};

  P& program_;
  Plan plan_;
  T tier_;
  FarTiers<State> far_;
  std::vector<std::unique_ptr<detail::Channel<State>>> channels_;  // of each; null where moves wait
  Observer& observer_;

  detail::Steps steps_;  // of the plan's chain
  bool reuses_;          // in place, the buffer of a state reversed serves the next restore
  Schedule schedule_;
  detail::Meter meter_;
  std::set<std::pair<int, Count>> gone_;  // lost, and not stored again: tier and state
  Count lost_ = 0, extra_steps_ = 0;
  std::vector<Bill> parts_;  // of the plans followed before this one
  std::vector<KeptTape> tapes_;
  std::optional<State> own_;  // the hand where it is its own, or room for the next one
  Count index_ = Situation::none;
  Holds holds_ = Holds::nothing;
  Count frontier_ = 0;  // steps from here on have never run
  Count done_ = 0;      // actions
  std::optional<Action> pending_;
  bool ready_ = false;   // the first pass is done
  bool handed_ = false;  // the pending reverse is that of a state already handed over
};

}  // namespace sweepback

#include "sweepback/detail/sweep_actions.hpp"
#include "sweepback/detail/sweep_course.hpp"
#include "sweepback/detail/sweep_far.hpp"
#include "sweepback/detail/sweep_impl.hpp"
