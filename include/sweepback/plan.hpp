// SPDX-License-Identifier: Apache-2.0
// The plan: schedule, bill and certificate, all known before anything runs.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sweepback/binomial.hpp"
#include "sweepback/budget.hpp"
#include "sweepback/chain.hpp"
#include "sweepback/count.hpp"
#include "sweepback/schedule.hpp"

namespace sweepback {

/// What is moved to and from one of several tiers, and the most that is kept there at once.
struct TierBill {
  std::string name;
  Count stores = 0;
  Count restores = 0;
  Count peak_slots = 0;             ///< states
  std::optional<Count> peak_bytes;  ///< of states; empty where sizes are not known

  bool operator==(const TierBill&) const = default;
};

/// What a schedule costs: predicted by the plan, counted again by the referee and by the sweep.
struct Bill {
  Count forward_steps = 0;  ///< steps run without keeping a tape, first pass included
  Count record_steps = 0;   ///< steps run keeping their tape
  Count reverse_steps = 0;
  Count stores = 0;      ///< store actions, that of `x_0` included
  Count restores = 0;    ///< restore actions
  Count repetition = 0;  ///< most runs of any one step, forward and record runs together
  Count cost = 0;        ///< in the chain's cost units
  Count peak_slots = 0;  ///< most states (or tapes, the one in use included) kept at once
  std::optional<Count> peak_bytes;  ///< most bytes alive at once; empty where sizes are not known
  std::vector<TierBill> tiers = {};  ///< of a budget with tiers; `stores` and `restores` are their sums
  /// Where a tier works while steps run: when all is done, in the chain's cost units. `cost` is what all
  /// steps and moves take together.
  std::optional<Count> makespan = {};

  /// What the sweep takes: that of which there is less where less can be had.
  Count time() const { return makespan.value_or(cost); }

  bool operator==(const Bill&) const = default;
};

/// How good a plan is.
struct Certificate {
  enum class Status : std::uint8_t {
    exact,           ///< proved cheapest among all schedules of the stated model
    exact_in_class,  ///< cheapest of the named class
    bounded,         ///< with a lower bound and a gap
    baseline         ///< a strategy to compare with; the lower bound is the cheapest plan's cost
  };

  Status status = Status::exact;
  std::string class_name;            ///< of `exact_in_class`, else empty
  std::optional<Count> lower_bound;  ///< no schedule of the model takes less (`Bill::time`)
  std::optional<Count> class_bound;  ///< no schedule of the class costs less, where that is more
  std::string model;                 ///< one sentence: among what, counted how

  /// By how much the cost can be above the lower bound.
  static double gap_percent(Count cost, Count lower_bound);

  bool operator==(const Certificate&) const = default;
};

/// What the plan may keep between steps.
enum class Keep : std::uint8_t {
  automatic,  ///< the cheapest of the kinds the chain allows (budgets in bytes), else states
  states,
  tapes,
  mixed  ///< states and tapes
};

/// What a state and a tape take of the slots where both are kept.
struct Units {
  Count state = 1, tape = 1;
  bool operator==(const Units&) const = default;
};

enum class Strategy : std::uint8_t {
  optimal,
  store_all,  ///< every step runs once
  one_slot,   ///< start again from x_0 for every step (or, with tapes, keep one tape)
  halving,    ///< store the middle of every piece
  sqrt,       ///< segments of sqrt(l) steps, all of one kept
  chen,       ///< store k borders of every piece (Chen, Xu, Zhang and Guestrin 2016)
  periodic,   ///< store every p-th state
  rotor,      ///< tapes with their inputs kept, memory in 500 parts (Beaumont et al. 2019)
  layers      ///< the programme for layers of Gruslys et al. (2016, Appendix C), in 500 parts
};

/// Which planner of unequal steps answers (also for equal steps, where one is asked for).
enum class Engine : std::uint8_t {
  automatic,   ///< the best that answers within seconds
  window,      ///< states of equal size or in slots, any costs: exact
  staircases,  ///< bytes, to the byte: cheapest of its class
  slots,       ///< bytes in equal parts, rounded up for the plan and down for its bound
  search,      ///< all schedules, up to 12 steps: exact
  coarse       ///< blocks of steps, planned as steps and then each
};

const char* name(Keep keep) noexcept;
const char* name(Strategy strategy) noexcept;
const char* name(Engine engine) noexcept;
const char* name(Certificate::Status status) noexcept;

struct PlanOptions {
  Keep keep = Keep::automatic;
  Strategy strategy = Strategy::optimal;
  Units units = {};  ///< of `Keep::mixed` with a budget in slots; bytes choose their own
  Count parts = 0;   ///< of `Strategy::chen`: borders k of a piece; 0: the cheapest that fits
  Count period = 0;  ///< of `Strategy::periodic`: states between borders; 0: the least that fits
  PolicyTable table = {};  ///< of `Keep::mixed`, used where it is large enough; see `policy_table`
  Count block = 1;   ///< steps recorded and reversed in one call; 0: the cheapest. `Chain::blocks`
  bool pin_input = false;  ///< `Keep::mixed`: `x_0` stays stored throughout, as in the article
  Engine engine = Engine::automatic;
  double time_limit = 0;  ///< seconds after which the best certified plan so far is given; 0: none
  int threads = 1;        ///< that planning may use; they change no answer
};

/// The state stored first after `x_0`, and the interval in which every choice is equally cheap.
struct FirstStore {
  Count chosen = 0;
  binomial::Interval optimal;
  bool operator==(const FirstStore&) const = default;
};

struct Plan {
  Chain chain;  ///< as given; with tapes where the plan records steps
  Budget budget;
  Keep keep = Keep::states;  ///< states, tapes or mixed
  Units units = {};          ///< of a mixed plan
  Strategy strategy = Strategy::optimal;
  std::string engine;  ///< the planner that answered
  Schedule schedule;
  Bill bill;
  Certificate certificate;
  std::optional<FirstStore> first_store;  ///< kept states, where one is stored after `x_0`

  bool operator==(const Plan&) const = default;
};

/// The cheapest plan for `chain` within `budget`. Pure: same arguments, same plan.
///
/// Throws BudgetTooSmall where no schedule fits (naming the smallest budget that works and the cost
/// there), OutOfRange for arguments without meaning, Overflow where the bill exceeds 2^63-1, and
/// Unsupported for what no planner answers. Equal steps: O(log l) time, O(1) memory where states or
/// tapes are kept. Unequal ones: seconds, see Engine; a plan is checked by the referee before it is
/// handed out.
Plan plan(const Chain& chain, Budget budget, PlanOptions options = {});

/// The way to the end from a situation: a run that was killed, a state that is damaged, a length, a budget or
/// costs that changed. More may be stored there than the budget holds, or than is of use: it is given up before all else.
/// The bill counts from there on, action by action.
///
/// Equal steps, states kept in memory: exact by search up to 12 states left; beyond, the cheapest nested
/// schedule whose top state may move first, never above the rest of a plan that led there; at most 20,000,000
/// steps may be left. Any other chain and budget that `plan` answers: in legs between the states that are
/// stored, `bounded`. Throws as `plan`; OutOfRange for a situation without `x_0`, Unsupported for one with
/// tapes, or with states on their way.
Plan plan(const Chain& chain, Budget budget, const Situation& at, PlanOptions options = {});

/// The cheapest plan in which no step runs more than `most` times (forward and record runs
/// together), with the fewest slots that allow it. Throws OutOfRange where no number of slots does.
Plan plan_for_runs(const Chain& chain, Count most, PlanOptions options = {});

/// The table from which plans that keep states and tapes are read, for `chain` and every shorter one
/// of such steps, in `budget` and every smaller one: computed once, passed in `PlanOptions::table`.
/// Throws as PolicyTable does.
PolicyTable policy_table(const Chain& chain, Budget budget, const PlanOptions& options = {});

/// The plan with the least memory whose cost is at most `ratio` times that of storing everything: in
/// bytes where the chain's sizes are known, else in slots. Throws OutOfRange for a ratio that is not a
/// number of at least 1, or that no budget reaches.
Plan plan_for_time(const Chain& chain, double ratio, PlanOptions options = {});

/// How many steps run forward (without a tape) how often in the whole of `plan`: {runs: steps}, the
/// article's count. The work grows with the repetition, not with the steps.
/// Throws OutOfRange where a step runs more than 10^6 times (the answer would not be read).
std::map<Count, Count> forward_runs(const Plan& plan);

/// The smallest budget in bytes that holds a schedule for `chain`. Throws as `plan`.
Count smallest_budget(const Chain& chain, Keep keep = Keep::automatic);

/// What store-everything keeps of `chain` at its peak: bytes of states and tapes alone. Throws
/// OutOfRange where sizes are not known.
Count store_all_bytes(const Chain& chain);

}  // namespace sweepback
