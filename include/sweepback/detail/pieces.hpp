// SPDX-License-Identifier: Apache-2.0
// The pieces of a binomial schedule, walked as a stack.
//
// A frame is a stored base and the room from it on. Splitting the piece of n states above the top
// base means: run j steps, store, finish the n-j states above with one slot less, come back for the
// j states below. Among the cheapest splits (theory in binomial.hpp) we take the earliest of those
// with the fewest stores.
//
// Invariants
//  1. bases ascend; from the i-th base on there are slots - i slots, its own included;
//  2. where more than two states remained above a base, its frame holds the repetition r of some
//     n that many or longer, and the three coefficients that a split looks at. A later (shorter)
//     piece walks r down from there, by subtraction (Pascal); a base stored on top takes the frame
//     over, one slot less. A split is a few additions, whatever l is, and never a search;
//  3. memory is one base and one frame a stored state.
#pragma once

#include <vector>

#include "sweepback/binomial.hpp"
#include "sweepback/detail/binomials.hpp"

namespace sweepback::detail {

class Pieces {
 public:
  explicit Pieces(binomial::Room room) : room_(room) {}

  bool empty() const { return depth_ == 0; }
  Count size() const { return static_cast<Count>(depth_); }
  Count top() const { return bases_[depth_ - 1]; }
  Count base(Count i) const { return bases_[static_cast<std::size_t>(i)]; }
  binomial::Room room() const { return room_; }

  void pop() { --depth_; }

  /// Stores `base`, the split of the top frame (or the first base), above which `n` states remain.
  void push(Count base, Count n) {
    if (depth_ == bases_.size()) [[unlikely]] grow();
    bases_[depth_] = base;
    if (n > 2) frames_[depth_] = depth_ != anew_ ? fewer(frames_[depth_ - 1]) : seek(n);
    ++depth_;
  }

  /// Stores `base` with nothing known of the frame below: for going on from a saved position.
  void push_anew(Count base, Count n) {
    if (depth_ == bases_.size()) grow();
    bases_[depth_] = base;
    if (n > 2) frames_[depth_] = seek(n);
    anew_ = ++depth_;
  }

  /// How far to run from the top base when `n` states remain above it (itself included).
  Count split(Count n) {
    if (n <= 2) return 1;
    Frame& frame = frames_[depth_ - 1];
    return room_.leaf == 1 ? descend<1>(frame, n) : descend<2>(frame, n);
  }

 private:
  struct Frame {
    Count r;        // repetition
    Count a, b, d;  // B(c, r-1), B(c-1, r-1), B(c-2, r-1), with the base's own slot in c
  };

  /// Slots that no base takes.
  Count free_slots() const { return room_.slots - size(); }

  /// B(c-2, r-1) of the frame with these numbers.
  static Count third(Count b, Count c, Count r) {
    return r > 1 ? muldiv(b, c - 1, c + r - 2) : 0;
  }

  /// The frame of a base about to be stored on top of that of `f`.
  Frame fewer(const Frame& f) const { return {f.r, f.b, f.d, third(f.d, free_slots(), f.r)}; }

  /// The frame of a base about to be stored, above which n states remain.
  Frame seek(Count n) const;
  void grow();

  // Walks r down to the least with N_c(r) >= n, then splits. N_c(r) is B(c,r), with leaves of two
  // B(c,r) + B(c,r-1).
  template <int leaf>
  Count descend(Frame& f, Count n) const {
    while ((leaf == 1 ? f.a : f.a + (f.a - f.b)) >= n) {
      f.a -= f.b;
      f.b -= f.d;
      --f.r;
      f.d = third(f.b, free_slots() + 1, f.r);
    }
    const Count r = f.r, a = f.a, b = f.b, d = f.d;
    if (r == 1) return 1;
    const auto one_more = [&] { return muldiv(a, free_slots() + 1, r); };  // B(c-1, r)
    if (leaf == 1) return n - a <= b ? max(a - b, n - b - d) : max(a - d, n - one_more());
    return n - a <= a ? max(2 * (a - b) - (b - d), n - b - b)
                      : max(2 * (a - b), n - one_more() - b);
  }

  static constexpr Count max(Count x, Count y) { return x < y ? y : x; }

  binomial::Room room_;
  std::vector<Count> bases_;
  std::vector<Frame> frames_;
  std::size_t depth_ = 0;
  std::size_t anew_ = 0;  // a base at this depth need not be the split of the frame below
};

}  // namespace sweepback::detail
