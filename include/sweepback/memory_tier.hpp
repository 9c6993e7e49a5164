// SPDX-License-Identifier: Apache-2.0
// Tiers keep states. They store, give back and drop; they never choose.
#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include "sweepback/count.hpp"
#include "sweepback/error.hpp"

namespace sweepback {

/// | expression            | requires        | effect                                            |
/// |-----------------------|-----------------|---------------------------------------------------|
/// | t.store(i, State&&)   | x_i not there   | the tier owns x_i                                 |
/// | t.view(i)             | x_i there       | `const State&`, valid until the next store or drop|
/// | t.take(i)             | x_i there       | x_i moved out, gone from the tier                 |
/// | t.drop(i)             | x_i there       | gone                                              |
/// | t.clear()             |                 | everything gone                                   |
template <class T, class State>
concept Tier = requires(T& t, const T& constant, Count i, State&& x) {
  t.store(i, std::move(x));
  { constant.view(i) } -> std::same_as<const State&>;
  { t.take(i) } -> std::same_as<State>;
  t.drop(i);
  t.clear();
};

/// States in memory, owned. The last ones stored are found first: a nested schedule only ever asks
/// for the last.
template <class State>
class MemoryTier {
 public:
  void reserve(Count states) { kept_.reserve(static_cast<std::size_t>(states)); }

  void store(Count i, State&& x) { kept_.emplace_back(i, std::move(x)); }
  const State& view(Count i) const { return kept_[find(i)].state; }
  State take(Count i) {
    const std::size_t at = find(i);
    State x = std::move(kept_[at].state);
    erase(at);
    return x;
  }
  void drop(Count i) { erase(find(i)); }
  void clear() { kept_.clear(); }

 private:
  struct Kept {
    Kept(Count i, State&& x) : index(i), state(std::move(x)) {}
    Count index;
    State state;
  };

  std::size_t find(Count i) const {
    for (std::size_t at = kept_.size(); at-- > 0;)
      if (kept_[at].index == i) return at;
    throw OutOfRange("x_" + std::to_string(i) + " is not in memory", "store it first");
  }
  void erase(std::size_t at) { kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(at)); }

  std::vector<Kept> kept_;
};

}  // namespace sweepback
