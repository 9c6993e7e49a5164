// SPDX-License-Identifier: Apache-2.0
// Unequal steps and a tier beside memory: Disk-Revolve (Aupy, Herrmann, Hovland & Robert 2016) over P-DP.
// A piece (i, k) begins with x_i in hand and all of memory free; the tier keeps m more states; w_i and r_i
// are a store and a restore of x_i there.
//
//     memory(i, k)     what P-DP takes in all of memory
//     filed(i, k, m)   x_i in the tier already
//                      = min{ memory(i, k), min over i < j < k of
//                             run i … j-1 + loose(j, k, m-1) + r_i + filed(i, j, m) }
//     loose(i, k, m)   = min{ memory(i, k), w_i + filed(i, k, m) }
//
// O(steps^3) for each of m. Sizes that differ make it a heuristic: its plans are bounded. States in the
// tier are counted as many as the largest; where the plan without that limit fits, it is taken.
#include <string>

#include "../planners.hpp"
#include "engines.hpp"
#include "question.hpp"
#include "sweepback/detail/steps.hpp"
#include "sweepback/error.hpp"

namespace sweepback::detail::uneven {

namespace {

constexpr int most_steps = 1000, most_kept = 64;

/// A tier after memory as this programme sees it.
struct Far {
  int number;                        // in the budget
  int kept;                          // states that surely fit; 0: any number
  std::vector<Count> store, restore;  // of every state
};

/// Memory: a table of P-DP, and the line and the room it was computed for.
struct Memory {
  const Line& line;
  const Table& table;
  Count room;
};

class Spilled {
 public:
  /// `line` and `room`: in the budget's own unit.
  Spilled(const Line& line, Count room, const Memory& memory, const Far& far)
      : line_(line), room_(room), memory_(memory), far_(far), rows_(far.kept == 0 ? 1 : far.kept), width_(Line::to(line.steps) + 1) {
    alone_.assign(width_ * width_, infinite);
    filed_.assign(Line::to(rows_) * width_ * width_, infinite);
    for (int length = 1; length <= line.steps; ++length)
      for (int i = 0; i + length <= line.steps; ++i) {
        alone_[at(0, i, i + length)] = memory.table.cost(uneven::loose, i, i + length, memory.room);
        for (int m = 0; m < rows_; ++m) filed_[at(m, i, i + length)] = best(m, i, i + length).second;
      }
  }

  Count cost() const { return loose(rows_ - 1, 0, line_.steps); }

  std::vector<Action> actions() const {
    struct Piece {
      int m, i, k;
      bool is_filed, back;  // x_i is there; it is come back to
    };
    std::vector<Action> actions;
    std::vector<Piece> open{{rows_ - 1, 0, line_.steps, false, false}};
    while (!open.empty()) {
      Piece piece = open.back();
      open.pop_back();
      const auto [m, i, k, is_filed, back] = piece;
      if (back) actions.push_back(Action::restore(i, far_.number));
      const Count filed = m < 0 ? infinite : plus(is_filed ? 0 : far_.store[Line::to(i)], filed_[at(m, i, k)]);
      if (alone_[at(0, i, k)] <= filed) {
        if (is_filed) actions.push_back(Action::free(i, far_.number));
        write_piece(memory_.line, memory_.table, i, k, memory_.room, actions);
        continue;
      }
      if (!is_filed) actions.push_back(Action::store(i, far_.number));
      const int j = best(m, i, k).first;
      actions.push_back(Action::forward(i, j));
      open.push_back({m, i, j, true, true});
      open.push_back({above(m), j, k, false, false});
    }
    return actions;
  }

 private:
  std::size_t at(int m, int i, int k) const { return (Line::to(m) * width_ + Line::to(i)) * width_ + Line::to(k); }
  int above(int m) const { return far_.kept == 0 ? m : m - 1; }
  static Count plus(Count a, Count b) { return a == infinite || b == infinite ? infinite : a + b; }
  Count loose(int m, int i, int k) const {
    const Count alone = alone_[at(0, i, k)];
    return m < 0 ? alone : std::min(alone, plus(far_.store[Line::to(i)], filed_[at(m, i, k)]));
  }

  /// The cheapest j (0: none), and what the piece costs with x_i in the tier.
  std::pair<int, Count> best(int m, int i, int k) const {
    std::pair<int, Count> best{0, alone_[at(0, i, k)]};
    const Count beside = line_.adjoint[Line::to(k)];
    for (int j = i + 1; j < k; ++j) {
      if (line_.later_run[Line::to(j - 1)] + beside > room_) break;
      if (line_.state[Line::to(i)] + line_.adjoint[Line::to(j)] > room_) continue;
      const Count parts = plus(loose(above(m), j, k), filed_[at(m, i, j)]);
      const Count cost = plus(parts, line_.forward(i, j) + far_.restore[Line::to(i)]);
      if (cost < best.second) best = {j, cost};
    }
    return best;
  }

  const Line& line_;
  Count room_;
  Memory memory_;
  Far far_;
  int rows_;
  std::size_t width_;
  std::vector<Count> alone_, filed_;
};

/// The least memory in which every step can be run and reversed, if all else lies elsewhere.
Count least_memory(const Line& line) {
  Count least = 0;
  for (int i = 0; i < line.steps; ++i) {
    const auto at = Line::to(i);
    const Count alone = line.taped[at] ? line.record_need(loose, i, i + 1) : line.single_room[0][at];
    const Count run = i + 1 < line.steps ? line.later_run[at] + line.adjoint.back() : 0;
    least = std::max({least, alone, run, line.state[at] + std::max(line.adjoint[at + 1], line.adjoint.back())});
  }
  return least;
}

/// Of memory alone, with the tiers' costs in its bill.
std::optional<Plan> in_memory(const Question& q, Count& smallest) {
  try {
    const Plan plan = plan_uneven(q.chain, Budget{q.budget.unit, q.budget.amount, {}}, q.options);
    std::vector<Action> actions;
    for (const Action& action : plan.schedule) actions.push_back(action);
    return answer(q, plan.engine.c_str(), std::move(actions));
  } catch (const BudgetTooSmall& e) {
    smallest = e.smallest;
    return std::nullopt;
  }
}

bool fits(const Plan& plan, const TierModel& tier, std::size_t number) {
  const TierBill& bill = plan.bill.tiers[number];
  if (tier.unit == TierModel::Unit::slots) return bill.peak_slots <= tier.capacity;
  return tier.unit == TierModel::Unit::unbounded || bill.peak_bytes <= tier.capacity;
}

/// `kept`: no more than so many states; 0: any number.
Far far_of(const Question& q, std::size_t number, int kept) {
  const TierModel& tier = q.budget.tiers[number];
  if ((tier.store.units > 0 || tier.restore.units > 0) && !q.chain.sized())
    throw OutOfRange("the tier \"" + tier.name + "\" moves bytes, and the sizes of states are not known", "give the bytes of states, or costs of a whole state");
  Far far{static_cast<int>(number), kept, {}, {}};
  const Steps steps(q.chain);
  for (Count i = 0; i <= q.chain.steps(); ++i) {
    far.store.push_back(tier.store.of(steps.state(i)));
    far.restore.push_back(tier.restore.of(steps.state(i)));
  }
  return far;
}

/// How many states surely fit in a tier that has a bound.
Count surely_kept(const Question& q, const TierModel& tier) {
  if (tier.unit == TierModel::Unit::slots) return tier.capacity;
  const Steps steps(q.chain);
  Count largest = 0;
  for (Count i = 0; i <= q.chain.steps(); ++i) largest = std::max(largest, steps.state(i));
  return largest == 0 ? most_kept : tier.capacity / largest;
}

/// Pieces of one step, to the byte: what is left where memory in parts has no plan.
class SingleSteps : public Table {
 public:
  explicit SingleSteps(const Line& line) : line_(line) {}
  Count cost(int from, int i, int k, Count room) const override {
    const Count need = line_.taped[Line::to(i)] ? line_.record_need(from, i, k) : line_.single_room[from == view][Line::to(i)];
    return k == i + 1 && need <= room ? 0 : infinite;
  }

 private:
  const Line& line_;
};

/// The cheapest plan that uses one of the tiers after memory, whatever memory alone can do.
std::optional<Plan> with_one_tier(const Question& q, const Line& line) {
  std::optional<Plan> found;
  const Count room = q.budget.amount;
  if (room < least_memory(line)) return found;
  const auto offer = [&](const Memory& memory, std::size_t number, int kept) {
    const Spilled programme(line, room, memory, far_of(q, number, kept));
    if (programme.cost() == infinite) return false;
    Plan plan = answer(q, "spilled", programme.actions());
    const bool fit = fits(plan, q.budget.tiers[number], number);
    if (fit && (!found || plan.bill.cost < found->bill.cost)) found = std::move(plan);
    return fit;
  };
  const auto offer_all = [&](const Memory& memory) {
    for (std::size_t n = 1; n < q.budget.tiers.size(); ++n) {
      if (offer(memory, n, 0)) continue;
      if (const Count kept = std::min<Count>(surely_kept(q, q.budget.tiers[n]), most_kept); kept > 0) offer(memory, n, static_cast<int>(kept));
    }
  };
  // Memory in parts, sizes rounded up: what is planned so fits.
  const Count common = line.common_unit(), parts = line.steps <= 400 ? 500 : 128;
  const Count unit = !q.bytes() ? 1 : room / common <= parts ? common : (room + parts - 1) / parts;
  const Line up = line.in_slots(unit, Line::Rounding::up);
  const Slots table(up, std::min<Count>(room / unit, line.steps + parts), q.options.threads);
  offer_all({up, table, std::min<Count>(room / unit, line.steps + parts)});
  if (!found) offer_all({line, SingleSteps(line), room});
  return found;
}

/// The smallest memory with which there is a plan; memory alone needs `alone`.
Count smallest_memory(const Question& q, const Line& line, Count alone) {
  Question asked = q;
  const auto holds = [&](Count amount) {
    asked.budget.amount = amount;
    return with_one_tier(asked, line).has_value();
  };
  Count low = std::max(q.budget.amount, least_memory(line) - 1), high = alone;
  if (low + 1 < high && holds(low + 1)) return low + 1;
  while (high - low > 1) {
    const Count middle = low + (high - low) / 2;
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

Plan spilled(const Question& q) {
  if (q.options.strategy != Strategy::optimal || q.options.engine != Engine::automatic)
    throw Unsupported("strategies and engines to compare with plan for memory alone", "plan the cheapest");
  for (const TierModel& tier : q.budget.tiers)
    if (tier.lossy)
      throw Unsupported("the tier \"" + tier.name + "\" loses something: planned for equal steps whose states are kept", "leave it out, or keep states of equal steps");
  const Line line = line_of(q);
  if (line.steps > most_steps)
    throw Unsupported("unequal steps in several kinds of storage are planned up to " + std::to_string(most_steps) + ", and these are " +
                          std::to_string(line.steps),
                      "join neighbouring steps, or give memory alone");
  Count alone = max_count;
  std::optional<Plan> found = in_memory(q, alone);
  if (line.steps > 0) {
    std::optional<Plan> other = with_one_tier(q, line);
    if (other && (!found || other->bill.cost < found->bill.cost)) found = std::move(other);
  }
  if (!found) {
    const auto again = [&](Budget larger) {
      larger.tiers = q.budget.tiers;
      larger.tiers.front().capacity = larger.amount;
      return plan_uneven(q.chain, larger, q.options);
    };
    refuse(q.budget, smallest_memory(q, line, alone), again, "nested schedule");
  }
  certify(*found, q, line, std::nullopt);
  found->certificate.class_name.clear();
  return *std::move(found);
}

}  // namespace sweepback::detail::uneven
