// SPDX-License-Identifier: Apache-2.0
// The pieces of a binomial schedule, walked as a stack.
//
// A frame is a stored base and the room from it on. Splitting the piece of n states above the top
// base means: run j steps, store, finish the n-j states above with one slot less, come back for the
// j states below. Among the cheapest splits (theory in binomial.hpp) we take the earliest of those
// with the fewest stores.
//
// Invariants
//  1. frames are bases in ascending order; frame i has slots - i slots from its base on;
//  2. where n > 2 was split in a frame, `r` is the repetition of that n in the frame's room and
//     `a` is B(c, r-1), so a later (shorter) piece of the frame walks r down from there and a piece
//     pushed on top starts from r with B(c-1, r-1) = a c / (c+r-1): a split costs a few
//     multiplications, whatever l is, and never a search;
//  3. memory is one frame a stored state.
#pragma once

#include <vector>

#include "sweepback/binomial.hpp"
#include "sweepback/detail/binomials.hpp"

namespace sweepback::detail {

class Pieces {
 public:
  explicit Pieces(binomial::Room room) : room_(room) {}

  bool empty() const { return frames_.empty(); }
  Count size() const { return static_cast<Count>(frames_.size()); }
  Count top() const { return frames_.back().base; }
  Count base(Count i) const { return frames_[static_cast<std::size_t>(i)].base; }
  binomial::Room room() const { return room_; }

  void pop() { frames_.pop_back(); }

  /// Stores `base`, the split of the top frame (or the first base), above which `n` states remain.
  void push(Count base, Count n) {
    if (frames_.empty()) return frames_.push_back(seek(base, n, room_.slots));
    const Frame& below = frames_.back();
    const Count c = slots(size() - 1);
    frames_.push_back({base, below.r, n > 2 ? muldiv(below.a, c, c + below.r - 1) : 1});
  }

  /// Stores `base` with nothing known of the frame below: for going on from a saved position.
  void push_anew(Count base, Count n) { frames_.push_back(seek(base, n, slots(size()))); }

  /// How far to run from the top base when `n` >= 2 states remain above it (itself included).
  Count split(Count n) {
    if (n == 2) return 1;
    Frame& frame = frames_.back();
    const Count c = slots(size() - 1);
    return room_.leaf == 1 ? descend<1>(frame, n, c) : descend<2>(frame, n, c);
  }

 private:
  struct Frame {
    Count base;
    Count r;  // repetition
    Count a;  // B(c, r-1)
  };

  Count slots(Count depth) const { return room_.slots - depth; }

  static Frame seek(Count base, Count n, Count c, Count leaf);
  Frame seek(Count base, Count n, Count c) const { return seek(base, n, c, room_.leaf); }

  // Walks r down to the least with N_c(r) >= n, then splits. N_c(r) is B(c,r), with leaves of two
  // B(c,r) + B(c,r-1).
  template <int leaf>
  static Count descend(Frame& f, Count n, Count c) {
    Count r = f.r, a = f.a;
    if (r <= 1) return 1;
    Count b = muldiv(a, c, c + r - 1);  // B(c-1, r-1)
    while ((leaf == 1 ? a : 2 * a - b) >= n) {
      a -= b;  // B(c, r-2)
      if (--r == 1) break;
      b = muldiv(a, c, c + r - 1);
    }
    f.r = r;
    f.a = a;
    if (r == 1) return 1;
    const Count d = muldiv(b, c - 1, c + r - 2);  // B(c-2, r-1)
    if (leaf == 1) {
      if (n - a <= b) return max(a - b, n - b - d);
      return max(a - d, n - muldiv(a, c, r));  // a c / r = B(c-1, r)
    }
    if (n - a <= a) return max(2 * (a - b) - (b - d), n - 2 * b);
    return max(2 * (a - b), n - muldiv(a, c, r) - b);
  }

  static constexpr Count max(Count x, Count y) { return x < y ? y : x; }

  binomial::Room room_;
  std::vector<Frame> frames_;
};

}  // namespace sweepback::detail
