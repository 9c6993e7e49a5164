// SPDX-License-Identifier: Apache-2.0
// The referee: replays any stream of actions by the rules alone and counts everything itself. It
// shares no code with the planners, and every plan of every test passes through it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sweepback/action.hpp"
#include "sweepback/plan.hpp"

namespace sweepback {

/// By what a stream is judged.
struct Rules {
  Chain chain;
  std::optional<Budget> budget;  ///< empty: no limit, only counting

  /// What may be kept beside the tape in use: states; `x_0` and tapes; or both.
  Keep keep = Keep::states;

  /// What a state and a tape take of a budget in slots where both may be kept.
  Count state_units = 1, tape_units = 1;

  /// Where the stream begins; empty: with `x_0` in hand and nothing else.
  std::optional<Situation> from = {};

  /// The rules a plan was made under.
  static Rules of(const Plan& plan);
};

/// The first rule that a stream breaks.
struct Violation {
  Count action = 0;  ///< its number, counted from 0; the number of actions for a rule of the end
  std::string rule;  ///< a word of the table below
  std::string message;
};

/// | rule          | broken by                                                                |
/// |---------------|--------------------------------------------------------------------------|
/// | range         | a step, state or tier that there is not, or an empty range               |
/// | hand          | running, recording, storing or reversing from what is not in hand        |
/// | not_there     | restoring, freeing or reversing from what is not kept                    |
/// | already_there | storing a stored state, recording a kept tape                            |
/// | order         | reversing another step than the last one not yet reversed                |
/// | tapes         | recording in a chain whose steps have no tapes                           |
/// | blocks        | recording or reversing several steps at once where each is a call        |
/// | keep          | keeping what the kind of plan does not keep                              |
/// | transfer      | moving with a tier that does not work while steps run; freeing what moves |
/// | budget        | more slots or bytes than the budget, or one of its tiers, at any instant |
/// | final_state   | reversing before `x_l` was made where it is wanted                       |
/// | unfinished    | steps not reversed at the end                                            |
/// | left_over     | states or tapes still kept, or on their way, at the end                  |
/// | bill          | a plan's bill that is not what its actions cost (`check` of a plan)      |

struct Verdict {
  bool ok = false;
  Bill bill;  ///< of the actions up to the violation
  std::optional<Violation> violation;
};

/// Judges a stream action by action, in memory proportional to what the stream keeps.
class Referee {
 public:
  /// Throws OutOfRange where a budget in bytes meets a chain whose sizes are not known.
  explicit Referee(Rules rules);

  /// Replays one action; false from the first broken rule on.
  bool see(const Action& action);

  /// Ends the stream.
  Verdict finish();

 private:
  void begin(const Situation& at);
  bool forward(Count i, Count j);
  bool record(Count i, Count j);
  bool store(Count i);
  bool restore(Count i);
  bool free(Count i);
  bool store_in(std::size_t tier, Count i);
  bool restore_from(std::size_t tier, Count i);
  bool free_in(std::size_t tier, Count i);
  Wide moved(std::size_t tier, Count i, bool stored);
  void hold(std::size_t tier, Count i);
  void peak_of(std::size_t tier);
  bool begin_store(std::size_t tier, Count i);
  bool begin_restore(std::size_t tier, Count i);
  bool wait(std::size_t tier, Count i);
  bool arriving(Count i) const;
  bool fits(std::size_t tier, Count i);
  Wide kept_bytes(std::size_t tier, Count i) const;
  bool can_begin(std::size_t tier, Count i);
  void under_way(std::size_t tier, Count i, Wide time, bool to_memory);
  void until(Wide instant);
  Wide now() const { return cost_ + idle_ - hidden_; }
  bool free_tape(Count k);
  bool reverse(Count i, Count j);

  bool broken(const char* rule, std::string message);
  bool within(Wide transient);
  bool settle_tape();
  bool start();
  bool take(Count units, const std::string& what);
  void count_runs(Count i, Count j);
  void forget_runs(Count from);

  const Step& step(Count k) const;
  Count state_units() const;
  Count tape_units() const;
  Wide state_bytes(Count i) const;
  Wide tape_bytes(Count i, Count j) const;
  template <class Of>
  Wide sum(Count i, Count j, Of&& of) const;
  template <class Of>
  void charge(Count i, Count j, Of&& of, Count Step::*call);
  bool one_call(Count i, Count j, const char* what);
  Wide hand_bytes() const;
  bool held_by_tape(Count i) const;
  std::string in_hand() const;

  /// What is kept in one tier of several. Of memory, the first, `states` is not used.
  struct Kept {
    struct Move {
      Wide done;  // when
      bool to_memory;
    };
    std::set<Count> states;
    std::map<Count, Move> moves;  // under way
    Wide free_at = 0;             // when the last of them is done
    Count slots = 0;
    Wide bytes = 0, most_bytes = 0;
    TierBill bill;
  };

  Rules rules_;
  std::vector<Kept> tiers_;  // none where the budget has none
  std::map<Count, Step> steps_;  // by the last step of each run
  bool sized_ = false;

  std::set<Count> states_;
  std::map<Count, Count> tapes_;  // of steps i … j-1: j to i
  std::optional<Count> hand_ = 0;
  bool hand_loaded_ = false;  // from another tier than memory: no view of what memory keeps
  Count end_ = 0;
  bool made_final_ = false;
  bool starts_full_ = false;  // with states stored, and none but `free` seen
  std::optional<Action> tape_in_use_;  // the last action recorded it; not yet counted in slots
  bool passing_ = false;              // its reverse is the action being judged

  Count actions_ = 0;
  Count units_ = 0;
  Wide kept_bytes_ = 0, peak_bytes_ = 0, cost_ = 0;
  Wide idle_ = 0, hidden_ = 0;  // waiting for moves; moves that were begun while steps go on
  Wide forward_steps_ = 0;
  std::map<Count, Count> runs_;  // from this step on
  Bill bill_;
  std::optional<Violation> violation_;
};

/// Judges all that is left of `schedule`, which is passed by value and stays where it is.
Verdict check(Schedule schedule, Rules rules);

/// Judges a plan by the rules it was made under; `ok` also needs its bill to be right.
Verdict check(const Plan& plan);

}  // namespace sweepback
