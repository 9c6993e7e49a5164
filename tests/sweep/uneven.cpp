// SPDX-License-Identifier: Apache-2.0
// Chains of unequal steps, executed: the peak that a counting allocator sees, at every instant and
// during every copy, is the plan's to the byte; what is measured is the bill; the steps are reversed
// with the states that storing everything gives.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "bytes.hpp"
#include "sweepback/sweepback.hpp"

namespace {

using namespace sweepback;

struct Adjoint {
  bytes::Block room;
  std::uint64_t digest = 14695981039346656037u;
  void take(std::uint64_t x) { digest = (digest ^ x) * 1099511628211u; }
};

enum class Taping { none, bare, output };

/// States, tapes, workspaces and adjoints as large as the chain says of each step.
template <bool in_place, Taping taping>
struct Uneven {
  using State = bytes::Block;
  struct Tape {
    std::uint64_t seen = 0;
    bytes::Block out, rest;
  };

  std::vector<Step> steps;

  explicit Uneven(const Chain& chain) {
    for (const Run& run : chain.runs()) steps.insert(steps.end(), static_cast<std::size_t>(run.repeat), run.step);
  }
  const Step& at(Count k) const { return steps[static_cast<std::size_t>(k)]; }

  static std::uint64_t seen(const State& x) {
    std::uint64_t value = x.size();
    for (const std::uint8_t byte : x) value = 257 * value + byte;
    return value;
  }
  void fill(Count k, std::uint64_t from, State& next) const {
    next = bytes::block(*at(k).state_bytes);
    for (std::size_t i = 0; i < next.size(); ++i)
      next[i] = static_cast<std::uint8_t>(31 * from + static_cast<std::uint64_t>(k) + 7 * i);
  }

  void forward(Count k, State& x)
    requires in_place
  {
    const auto workspace = bytes::block(at(k).forward_workspace);
    const std::uint64_t from = seen(x);
    State().swap(x);
    fill(k, from, x);
  }
  State forward(Count k, const State& x)
    requires(!in_place)
  {
    const auto workspace = bytes::block(at(k).forward_workspace);
    State next;
    fill(k, seen(x), next);
    return next;
  }
  Tape record(Count k, State& x)
    requires(in_place && taping != Taping::none)
  {
    Tape made = tape(k, seen(x), x);  // before its input is let go
    forward(k, x);
    return made;
  }
  Tape record(Count k, const State& x)
    requires(!in_place && taping == Taping::output)
  {
    const auto workspace = bytes::block(at(k).forward_workspace);
    Tape made;
    made.seen = seen(x);
    fill(k, made.seen, made.out);
    made.rest = bytes::block(*at(k).tape_bytes - *at(k).state_bytes);
    return made;
  }
  std::pair<State, Tape> record(Count k, const State& x)
    requires(!in_place && taping == Taping::bare)
  {
    const auto workspace = bytes::block(at(k).forward_workspace);
    State next;
    fill(k, seen(x), next);
    Tape made = tape(k, seen(x), next);
    return {std::move(next), std::move(made)};
  }
  const State& output(Count, const Tape& tape)
    requires(taping == Taping::output)
  {
    return tape.out;
  }
  void reverse(Count k, const State& x, Adjoint& a) { step_back(k, seen(x), a); }
  void reverse(Count k, Tape&& tape, Adjoint& a)
    requires(taping != Taping::none)
  {
    step_back(k, tape.seen, a);
  }

 private:
  Tape tape(Count k, std::uint64_t from, const State&) const {
    return {from, {}, bytes::block(*at(k).tape_bytes)};
  }
  void step_back(Count k, std::uint64_t from, Adjoint& a) const {
    const Count after = k > 0 ? at(k - 1).adjoint : 0;
    auto fresh = bytes::block(after);
    const auto workspace = bytes::block(at(k).reverse_workspace - after);
    a.take(static_cast<std::uint64_t>(k));
    a.take(from);
    a.room.swap(fresh);
  }
};

struct Random {
  std::mt19937_64 engine{20261130};
  Count in(Count least, Count most) {
    return least + static_cast<Count>(engine() % static_cast<std::uint64_t>(most - least + 1));
  }
};

Chain random_chain(Random& random, bool in_place, Taping taping) {
  std::vector<Run> runs;
  const Count l = random.in(1, 24);
  Count before = 0;  // the adjoint of the step's input
  const bool some = random.in(0, 1);
  for (Count k = 0; k < l; ++k) {
    Step step{.forward = random.in(1, 9), .reverse = random.in(0, 9), .state_bytes = random.in(1, 40)};
    if (taping != Taping::none && !(some && random.in(0, 2) == 0))
      step.tape_bytes = random.in(1, 60) + (taping == Taping::output ? *step.state_bytes : 0);
    step.tape_has_output = taping == Taping::output;
    step.forward_workspace = in_place ? 0 : random.in(0, 20);
    step.reverse_workspace = before + random.in(0, 20);
    before = step.adjoint = random.in(0, 12);
    runs.push_back({step, 1});
  }
  Chain chain = Chain::of(runs, {random.in(1, 30), 0});
  chain.in_place = in_place;
  chain.final_state = random.in(0, 1);
  return chain;
}

/// Copies of states, outside the memory that is counted.
struct Elsewhere final : FarTier<bytes::Block> {
  std::map<Count, std::vector<std::uint8_t>> kept;
  void store(Count i, const bytes::Block& x) override { kept[i] = {x.begin(), x.end()}; }
  void load(Count i, std::optional<bytes::Block>& hand) override {
    hand.reset();
    hand.emplace(kept.at(i).begin(), kept.at(i).end());
  }
  void drop(Count i) override { EXPECT_EQ(kept.erase(i), 1u); }
  void clear() noexcept override { kept.clear(); }
};

template <class Program>
std::uint64_t executed(const Plan& plan, const Chain& chain) {
  const std::int64_t before = bytes::alive;
  bytes::reset();
  std::uint64_t digest = 0;
  {
    Program program(chain);
    FarTiers<bytes::Block> further;
    for (std::size_t n = 1; n < plan.budget.tiers.size(); ++n) further.push_back(std::make_unique<Elsewhere>());
    Sweep sweep(program, plan, std::move(further));
    Adjoint adjoint{bytes::block(program.steps.back().adjoint)};
    sweep.advance(bytes::block(*chain.input().state_bytes, 1));
    const Report report = sweep.backward(adjoint);
    EXPECT_EQ(report.bill, plan.bill);
    digest = adjoint.digest;
  }
  EXPECT_EQ(bytes::peak - before, *plan.bill.peak_bytes) << plan.engine;
  EXPECT_EQ(bytes::alive, before);
  return digest;
}

template <bool in_place, Taping taping>
void expect_promises() {
  using Program = Uneven<in_place, taping>;
  Random random;
  int spilled = 0;
  for (int n = 0; n < 60; ++n) {
    const Chain chain = random_chain(random, in_place, taping);
    const Count smallest = smallest_budget(chain);
    const Budget budget = Budget::bytes(smallest + random.in(0, 200));
    const std::uint64_t everything =
        executed<Program>(plan(chain, Budget::bytes(max_count), {.strategy = Strategy::store_all}), chain);
    for (const Engine engine : {Engine::automatic, Engine::staircases, Engine::slots, Engine::coarse}) {
      const Plan p = plan(chain, budget, {.engine = engine});
      EXPECT_LE(*p.bill.peak_bytes, budget.amount);
      EXPECT_EQ(executed<Program>(p, chain), everything) << "instance " << n << ' ' << p.engine;
      if (testing::Test::HasFailure()) return;
    }
    if (n % 3 > 0) continue;
    using enum TierModel::Unit;
    const Plan far = plan(chain, Budget::of({{"memory", bytes, budget.amount},
                                             {"near", bytes, random.in(0, 100), {1, 1, 9}, {1, 1, 9}},
                                             {"far", unbounded, 0, {random.in(0, 9)}, {random.in(0, 9)}}}));
    EXPECT_LE(*far.bill.peak_bytes, budget.amount);
    EXPECT_EQ(executed<Program>(far, chain), everything) << "instance " << n << ' ' << far.engine;
    spilled += far.engine == "spilled";
    const Plan one = plan(chain, Budget::bytes(max_count), {.strategy = Strategy::one_slot});
    EXPECT_EQ(executed<Program>(one, chain), everything);
  }
  EXPECT_GT(spilled, 1);
}

TEST(UnevenSweep, ImmutableFromStates) { expect_promises<false, Taping::none>(); }
TEST(UnevenSweep, ImmutableFromTapes) { expect_promises<false, Taping::bare>(); }
TEST(UnevenSweep, ImmutableFromTapesWithOutput) { expect_promises<false, Taping::output>(); }
TEST(UnevenSweep, InPlaceFromStates) { expect_promises<true, Taping::none>(); }
TEST(UnevenSweep, InPlaceFromTapes) { expect_promises<true, Taping::bare>(); }

TEST(UnevenSweep, GoesOnFromASavedPosition) {
  Random random;
  const Chain chain = random_chain(random, false, Taping::output);
  const Plan p = plan(chain, Budget::bytes(smallest_budget(chain) + 50));
  Schedule schedule = p.schedule;
  for (Action action; schedule.next(action);) {
    const Schedule again(p.schedule.recipe(), schedule.situation());
    EXPECT_EQ(again.situation(), schedule.situation());
  }
}

}  // namespace
