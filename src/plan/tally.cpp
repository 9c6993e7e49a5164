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
  Tally(const Chain& chain, Keep keep, Units units)
      : meter_(chain, keep, units, Sizes(chain).known),
        in_place_(chain.in_place),
        from_tapes_(chain.steps() > 0 && chain.has_tapes()),
        output_(chain.step().tape_has_output),
        hands_out_(!from_tapes_ && chain.final_state ? chain.steps() : Situation::none) {}

  void begin(const Situation& at) {
    if (at.states.empty() && at.hand == 0) return;
    const bool stored = std::binary_search(at.states.begin(), at.states.end(), at.hand);
    hand(at.hand, at.hand == Situation::none ? Holds::nothing
                  : stored && !in_place_     ? Holds::view
                                             : Holds::own);
    meter_.begin(static_cast<Count>(at.states.size()), own());
  }

  void see(const Action& action) {
    const auto [kind, i, j] = action;
    switch (kind) {
      using enum Action::Kind;
      case forward:
        meter_.forward(i, j, in_place_ ? 1 : own() + 1, in_place_ ? 1 : 2);
        hand(j, j == hands_out_ ? Holds::nothing : Holds::own);
        break;
      case record:
        meter_.record(i, j, in_place_ ? 1 : own() + !output_);
        outputs_.push_back(j);
        hand(j, !in_place_ && output_ ? Holds::view : Holds::own);
        break;
      case store:
        meter_.store(in_place_);
        if (!in_place_) holds_ = Holds::view;
        break;
      case restore:
        meter_.restore(in_place_);
        hand(i, in_place_ ? Holds::own : Holds::view);
        break;
      case Action::Kind::free:
        meter_.free();
        if (holds_ == Holds::view && index_ == i && !in_tape(i)) holds_ = Holds::own;
        break;
      case free_tape:
        meter_.free_tape(i, j);
        drop_tape(j);
        break;
      case reverse:
        if (from_tapes_ || index_ != i) holds_ = Holds::nothing;
        meter_.reverse(i, j, from_tapes_, own());
        if (from_tapes_) drop_tape(j);
        hand(Situation::none, Holds::nothing);
        break;
    }
  }

  Bill bill() const { return meter_.bill(); }

 private:
  enum class Holds : std::uint8_t { nothing, own, view };

  Count own() const { return holds_ == Holds::own; }
  void hand(Count index, Holds holds) {
    index_ = index;
    holds_ = holds;
  }
  bool in_tape(Count i) const {
    return output_ && std::find(outputs_.rbegin(), outputs_.rend(), i) != outputs_.rend();
  }
  void drop_tape(Count output) {
    const auto last = std::find(outputs_.rbegin(), outputs_.rend(), output);
    if (last != outputs_.rend()) outputs_.erase(std::next(last).base());
  }

  Meter meter_;
  bool in_place_, from_tapes_, output_;
  Count hands_out_;             // x_l, given away as soon as it is made
  std::vector<Count> outputs_;  // of the kept tapes
  Count index_ = 0;
  Holds holds_ = Holds::own;
};

}  // namespace

Bill tally(Schedule schedule, const Chain& chain, Keep keep, Units units) {
  Tally tally(chain, keep, units);
  if (chain.steps() > 0) tally.begin(schedule.situation());
  for (Action action; schedule.next(action);) tally.see(action);
  return tally.bill();
}

}  // namespace sweepback::detail
