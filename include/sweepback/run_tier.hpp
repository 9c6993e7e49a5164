// SPDX-License-Identifier: Apache-2.0
// States in files that outlive the process: a tier of a run that may be killed and gone on with.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sweepback/codec.hpp"
#include "sweepback/far_tier.hpp"
#include "sweepback/run_directory.hpp"

namespace sweepback {

/// x_i lies in the file "state.T.I" of a run directory, T the tier's number. Nothing is removed but by `drop`:
/// not at the end of the object's life, nor by `clear`. Files are not synced: one that a power cut spoils is found
/// to be damaged, and its state is made again. `pinned`: a state that lies in another file of the
/// directory, by that name, and is never written nor removed.
template <class State, class C = PlainBytes<State>>
  requires Codec<C, State>
class RunTier final : public FarTier<State> {
 public:
  struct Pinned {
    Count state;
    std::string name;
  };

  RunTier(RunDirectory& directory, int tier, C codec = {}, std::optional<Pinned> pinned = {})
      : directory_(directory), prefix_("state." + std::to_string(tier) + '.'), codec_(std::move(codec)), pinned_(std::move(pinned)) {}

  void store(Count i, const State& x) override {
    if (!is_pinned(i)) directory_.write(name(i), codec_.bytes(x), Durability::none);
  }
  void load(Count i, std::optional<State>& hand) override {
    directory_.read(is_pinned(i) ? pinned_->name : name(i), [&](std::size_t n, const RunDirectory::Fill& fill) {
      if constexpr (requires { codec_.refill(*hand, n, fill); }) {
        if (hand) return codec_.refill(*hand, n, fill);
      }
      hand.reset();
      hand.emplace(codec_.state(n, fill));
    });
  }
  void drop(Count i) override {
    if (!is_pinned(i)) directory_.remove(name(i));
  }
  void clear() noexcept override {}

  /// Those that lie there, whole or not, ascending; the pinned one is not counted.
  std::vector<Count> states() const {
    std::vector<Count> found;
    for (const std::string& each : directory_.names())
      if (const std::optional<Count> i = index(each)) found.push_back(*i);
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::string name(Count i) const { return prefix_ + std::to_string(i); }
  bool is_pinned(Count i) const { return pinned_ && pinned_->state == i; }
  std::optional<Count> index(const std::string& file) const {
    if (!file.starts_with(prefix_) || file.size() > prefix_.size() + 18) return std::nullopt;
    const std::string digits = file.substr(prefix_.size());
    if (digits.empty() || !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
    const Count i = std::stoll(digits);
    return name(i) == file ? std::optional(i) : std::nullopt;
  }

  RunDirectory& directory_;
  std::string prefix_;
  C codec_;
  std::optional<Pinned> pinned_;
};

}  // namespace sweepback
