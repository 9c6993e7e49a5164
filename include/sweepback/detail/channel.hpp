// SPDX-License-Identifier: Apache-2.0
// Moves states to and from one further tier while steps run: one at a time, in the order they were begun.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "sweepback/far_tier.hpp"

namespace sweepback::detail {

/// One thread, started by the first move. It alone touches the tier while something is under way; after
/// `idle` the caller may. A state that goes to the tier lies here meanwhile, and is only read.
template <class State>
class Channel {
 public:
  using Duration = std::chrono::steady_clock::duration;

  explicit Channel(FarTier<State>& tier) : tier_(tier) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel() { clear(); }

  void begin_store(Count i, State&& x) { begin({i, true, std::move(x)}); }
  void begin_load(Count i) { begin({i, false, std::nullopt}); }

  /// x_i on its way to the tier; null where it is not.
  const State* find(Count i) const {
    for (const Move& move : moves_)
      if (move.index == i && move.stores) return &*move.state;
    return nullptr;
  }

  /// x_i, when it has arrived. Throws what the tier threw; the move is over then as well.
  State wait(Count i) {
    const auto at = std::find_if(moves_.begin(), moves_.end(), [&](const Move& m) { return m.index == i; });
    std::unique_lock lock(mutex_);
    stand_still(lock, [&] { return at->done; });
    Move move = std::move(*at);
    moves_.erase(at);
    if (move.error) std::rethrow_exception(move.error);
    return *std::move(move.state);
  }

  /// Returns when nothing moves.
  void idle() {
    std::unique_lock lock(mutex_);
    stand_still(lock, [&] { return next() == moves_.end(); });
  }

  /// The move under way is finished, all others are given up.
  void clear() noexcept {
    if (thread_.joinable()) {
      {
        const std::lock_guard lock(mutex_);
        stop_ = true;
      }
      changed_.notify_all();
      thread_.join();
    }
    stop_ = false;
    moves_.clear();
    stalled_ = {};
  }

  /// How long `wait` and `idle` have stood still.
  Duration stalled() const { return stalled_; }

 private:
  struct Move {
    Count index;
    bool stores;
    std::optional<State> state;
    bool done = false;
    std::exception_ptr error = {};
  };

  void begin(Move&& move) {
    {
      const std::lock_guard lock(mutex_);
      moves_.push_back(std::move(move));
    }
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    changed_.notify_all();
  }

  typename std::list<Move>::iterator next() {
    return std::find_if(moves_.begin(), moves_.end(), [](const Move& m) { return !m.done; });
  }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return stop_ || next() != moves_.end(); });
      if (stop_) return;
      Move& move = *next();
      lock.unlock();
      try {
        if (move.stores)
          tier_.store(move.index, *move.state);
        else
          tier_.load(move.index, move.state);
      } catch (...) {
        move.error = std::current_exception();
      }
      lock.lock();
      move.done = true;
      changed_.notify_all();
    }
  }

  template <class Until>
  void stand_still(std::unique_lock<std::mutex>& lock, Until&& until) {
    const auto begin = std::chrono::steady_clock::now();
    changed_.wait(lock, until);
    stalled_ += std::chrono::steady_clock::now() - begin;
  }

  FarTier<State>& tier_;
  std::list<Move> moves_;  // in the order they were begun; one stays until it is waited for
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
  bool stop_ = false;
  Duration stalled_ = {};
};

}  // namespace sweepback::detail
