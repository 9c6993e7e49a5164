// SPDX-License-Identifier: Apache-2.0
#include "tally.hpp"

#include <algorithm>
#include <vector>

#include "planners.hpp"
#include "sweepback/detail/meter.hpp"

namespace sweepback::detail {

namespace {

class Tally {
 public:
  Tally(const Chain& chain, Keep keep, Units units, const std::vector<TierModel>& tiers)
      : meter_(chain, keep, units, chain.sized(), tiers),
        in_place_(chain.in_place),
        length_(chain.steps()),
        steps_(chain),
        hands_out_(chain.makes_last() ? chain.steps() : Situation::none) {}

  void begin(const Situation& at) {
    if (at == Situation::fresh(length_)) return;
    stored_ = at.states;
    const bool stored = std::binary_search(at.states.begin(), at.states.end(), at.hand);
    hand(at.hand, at.hand == Situation::none ? Holds::nothing
                  : stored && !in_place_     ? Holds::view
                                             : Holds::own);
    meter_.begin(at, own());
  }

  void see(const Action& action) {
    const auto [kind, tier, i, j] = action;
    switch (kind) {
      using enum Action::Kind;
      case forward:
        meter_.forward(i, j, own());
        hand(j, j == hands_out_ ? Holds::nothing : Holds::own);
        break;
      case record:
        meter_.record(i, j, own());
        outputs_.push_back(j);
        hand(j, !in_place_ && output(j) ? Holds::view : Holds::own);
        break;
      case store:
        if (tier == 0 && !in_place_) holds_ = Holds::view;
        meter_.store(i, tier, own());
        if (tier == 0) stored_.push_back(i);
        break;
      case restore:
        hand(i, in_place_ || tier > 0 ? Holds::own : Holds::view);
        meter_.restore(i, tier, own());
        break;
      case begin_store:
        meter_.begin_store(i, tier, beside());
        break;
      case begin_restore:
        meter_.begin_restore(i, tier, beside());
        arriving_.push_back(i);
        break;
      case wait:
        meter_.wait(i, tier);
        if (const auto at = std::find(arriving_.begin(), arriving_.end(), i); at != arriving_.end()) {
          arriving_.erase(at);
          stored_.push_back(i);
        }
        break;
      case Action::Kind::free:
        meter_.free(i, tier);
        if (tier > 0) break;
        stored_.erase(std::find(stored_.begin(), stored_.end(), i));
        if (holds_ == Holds::view && index_ == i && !in_tape(i)) holds_ = Holds::own;
        break;
      case free_tape: {
        const bool copied = holds_ == Holds::view && index_ == j &&
                            std::find(stored_.begin(), stored_.end(), j) == stored_.end();
        meter_.free_tape(i, j, copied);
        drop_tape(j);
        if (copied) holds_ = Holds::own;
        break;
      }
      case reverse:
        if (steps_[i].has_tape() && index_ >= i) hand(Situation::none, Holds::nothing);
        meter_.reverse(i, j, steps_[i].has_tape(), beside());
        if (steps_[i].has_tape())
          drop_tape(j);
        else
          hand(Situation::none, Holds::nothing);
        break;
    }
  }

  Bill bill() const { return meter_.bill(); }

 private:
  enum class Holds : std::uint8_t { nothing, own, view };

  bool own() const { return holds_ == Holds::own; }
  Count beside() const { return own() ? index_ : Situation::none; }
  bool output(Count i) const { return steps_[i - 1].tape_has_output; }
  void hand(Count index, Holds holds) {
    index_ = index;
    holds_ = holds;
  }
  bool in_tape(Count i) const {
    return i > 0 && output(i) && std::find(outputs_.rbegin(), outputs_.rend(), i) != outputs_.rend();
  }
  void drop_tape(Count output) {
    const auto last = std::find(outputs_.rbegin(), outputs_.rend(), output);
    if (last != outputs_.rend()) outputs_.erase(std::next(last).base());
  }

  Meter meter_;
  bool in_place_;
  Count length_;
  Steps steps_;
  Count hands_out_;             // x_l, given away as soon as it is made
  std::vector<Count> outputs_;  // of the kept tapes
  std::vector<Count> stored_;   // states
  std::vector<Count> arriving_;  // states on their way to memory
  Count index_ = 0;
  Holds holds_ = Holds::own;
};

}  // namespace

Bill tally(Schedule schedule, const Chain& chain, Keep keep, Units units,
           const std::vector<TierModel>& tiers) {
  Tally tally(chain, keep, units, tiers);
  if (chain.steps() > 0) tally.begin(schedule.situation());
  for (Action action; schedule.next(action);) tally.see(action);
  return tally.bill();
}

}  // namespace sweepback::detail
