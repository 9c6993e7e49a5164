// SPDX-License-Identifier: Apache-2.0
// The strategies to compare with (segments_stream.hpp). Each is counted action by action, and none
// looks at the budget but to see whether it fits: what it needs is what its schedule keeps.
//
//     halving    stores the middle of every piece
//     chen       cuts every piece into k + 1 parts; the cheapest k that fits where none is given
//     sqrt       segments of ceil(sqrt(l)) states. Borders and a buffer for one whole segment are
//                reserved. Inside, states are stored, or, where both kinds are kept, tapes
//     periodic   borders every p states, and from each the states of its segment are run to again;
//                the shortest period that fits where none is given
#include <algorithm>
#include <cmath>
#include <compare>
#include <vector>

#include "planners.hpp"
#include "tally.hpp"

namespace sweepback::detail {

namespace {

constexpr Count most_steps = 10'000'000;

using Cut = SegmentsRecipe::Cut;
using Inside = SegmentsRecipe::Inside;

class Baseline {
 public:
  Baseline(const Chain& chain, Budget budget, const PlanOptions& options)
      : chain_(chain),
        budget_(budget),
        options_(options),
        bytes_(budget.unit == Budget::Unit::bytes),
        tapes_(chain.steps() > 0 && chain.has_tapes()),
        length_(chain.steps() + (!tapes_ && chain.final_state && chain.steps() > 0)) {
    if (chain.steps() > most_steps)
      throw Unsupported("the strategy " + std::string(name(options.strategy)) +
                            " is counted action by action, up to " + std::to_string(most_steps) +
                            " steps",
                        "give fewer steps");
    if (bytes_) require_sizes(chain);
  }

  /// The plan, or BudgetTooSmall with what it needs.
  Plan plan() const {
    switch (options_.strategy) {
      case Strategy::halving: return fitting(with_parts(1));
      case Strategy::sqrt: return fitting(with_period(root(), inside_of_sqrt()));
      case Strategy::chen: return options_.parts > 0 ? fitting(with_parts(options_.parts)) : chen();
      default: break;
    }
    return options_.period > 0 ? fitting(with_period(options_.period, Inside::rerun)) : periodic();
  }

 private:
  Count root() const {
    auto root = static_cast<Count>(std::sqrt(static_cast<double>(length_)));
    while (root * root < length_) ++root;
    return std::max<Count>(1, root);
  }

  Inside inside_of_sqrt() const {
    const bool both = options_.keep == Keep::mixed || (options_.keep == Keep::automatic && bytes_);
    return tapes_ && both ? Inside::tapes : Inside::states;
  }

  SegmentsRecipe recipe(Cut cut, Count size, Inside inside) const {
    return {chain_.steps(), cut, size, inside, tapes_,
            !tapes_ && chain_.final_state ? Ending::state : Ending::given_up};
  }

  Plan with_parts(Count borders) const {
    return counted(recipe(Cut::parts, borders + 1, Inside::rerun));
  }
  Plan with_period(Count period, Inside inside) const {
    return counted(recipe(Cut::periods, period, inside));
  }

  Plan counted(const SegmentsRecipe& recipe) const {
    const bool both = recipe.inside == Inside::tapes;
    const Kind kind{both ? Keep::mixed : Keep::states, "", "equal steps, cut into segments",
                    "the slot of x_0 included and the state in hand not"};
    const Units units = both ? options_.units : Units{};
    Plan plan = assemble(kind, chain_, budget_, options_.strategy, recipe,
                         tally(Schedule(recipe), chain_, kind.keep, units));
    plan.units = units;
    return plan;
  }

  Count need(const Plan& plan) const {
    if (bytes_) return plan.bill.peak_bytes.value_or(0);
    if (length_ == 0) return 0;
    if (options_.strategy != Strategy::sqrt) return std::max<Count>(1, plan.bill.peak_slots);
    const Count borders = (length_ - 1) / root() + 1;
    return narrow(static_cast<Wide>(plan.units.state) * borders +
                      static_cast<Wide>(root()) *
                          (plan.keep == Keep::mixed ? plan.units.tape : plan.units.state),
                  "the slots");
  }

  Plan fitting(Plan plan) const {
    if (const Count need = this->need(plan); need > budget_.amount)
      throw BudgetTooSmall(budget_.amount, need, plan.bill.cost, bytes_);
    return plan;
  }

  /// The cheapest number of borders that fits.
  Plan chen() const {
    struct Candidate {
      Count forward_steps, slots, borders;
      auto operator<=>(const Candidate&) const = default;
    };
    std::vector<Candidate> candidates;
    for (Count borders = 1; borders < std::max<Count>(2, length_); ++borders) {
      const Parts parts = cut(length_, borders + 1);
      candidates.push_back({parts.forward_steps, parts.slots, borders});
    }
    std::sort(candidates.begin(), candidates.end());
    // A last state that is handed out at once takes no slot.
    const Count room = bytes_ ? budget_.amount / std::max<Count>(1, chain_.step().state_bytes.value_or(0))
                              : budget_.amount;
    for (const Candidate& candidate : candidates) {
      if (candidate.slots > room + 1) continue;
      Plan plan = with_parts(candidate.borders);
      if (need(plan) <= budget_.amount) return plan;
    }
    const auto least = std::min_element(
        candidates.begin(), candidates.end(),
        [](const Candidate& a, const Candidate& b) { return a.slots < b.slots; });
    return fitting(with_parts(least->borders));
  }

  /// Of n states cut into `parts` again and again: forward steps, and the borders kept at once.
  struct Parts {
    Count forward_steps, slots;
  };
  static Parts cut(Count n, Count parts) {
    if (n <= 1) return {0, 1};
    parts = std::min(parts, n);
    const Count shorter = n / parts, longer_ones = n % parts, shorter_ones = parts - longer_ones;
    const Parts small = cut(shorter, parts);
    Parts all{n - shorter + shorter_ones * small.forward_steps, shorter_ones - 1 + small.slots};
    if (longer_ones == 0) return all;
    const Parts large = cut(shorter + 1, parts);
    all.forward_steps += longer_ones * large.forward_steps - 1;
    all.slots = std::max(all.slots, parts - 1 + large.slots);
    return all;
  }

  /// The shortest period that fits: more borders cost less.
  Plan periodic() const {
    Count low = 0, high = std::max<Count>(1, length_);
    Plan best = fitting(with_period(high, Inside::rerun));
    while (high - low > 1) {
      const Count middle = low + (high - low) / 2;
      Plan plan = with_period(middle, Inside::rerun);
      if (need(plan) <= budget_.amount) {
        high = middle;
        best = std::move(plan);
      } else {
        low = middle;
      }
    }
    return best;
  }

  const Chain& chain_;
  Budget budget_;
  const PlanOptions& options_;
  bool bytes_, tapes_;
  Count length_;  // states to hand over
};

}  // namespace

Plan plan_baseline(const Chain& chain, Budget budget, const PlanOptions& options) {
  return Baseline(chain, budget, options).plan();
}

}  // namespace sweepback::detail
