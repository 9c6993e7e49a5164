// SPDX-License-Identifier: Apache-2.0
// States of equal size, steps of any cost: T(i,k,c), the cost of the piece (i, k) with c slots free
// and x_i in hand, is the least over j of the run to x_j, T(j,k,c-1) and T(i,j,c). Exact: no schedule
// at all is cheaper (equal to exhaustive search wherever that ends).
//
// The cheapest split of (i, k) lies between those of (i, k-1) and of (i+1, k) (Knuth 1971; here found
// true of every chain tried, not proved), so a cell takes a few looks: O(c l^2) in all. Two planes of
// costs are alive; splits are kept of as many planes as there is room for, and the others computed
// again when the schedule is read.
#include <algorithm>
#include <unordered_map>

#include "engines.hpp"
#include "sweepback/error.hpp"

namespace sweepback::detail::uneven {

namespace {

constexpr std::size_t most_bytes_of_splits = std::size_t{300} << 20;
constexpr int most_steps = 20'000;

class Planes {
 public:
  Planes(const Line& line, int leaf, bool full, const Deadline& deadline)
      : line_(line), l_(line.steps), leaf_(leaf), full_(full), deadline_(deadline) {}

  std::size_t cells() const { return Line::to(l_) * (Line::to(l_) + 1) / 2; }

  /// Computes planes 0 … last and leaves the splits of those above `kept`.
  void compute(int last, int kept) {
    cost_.assign(cells(), infinite);
    for (int i = 0; i < l_; ++i) {
      at(cost_, i, i + 1) = 0;
      if (leaf_ == 2 && i + 2 <= l_) at(cost_, i, i + 2) = line_.forward(i, i + 1);
    }
    splits_.clear();
    first_kept_ = kept + 1;
    std::vector<Count> below(cells());
    std::vector<std::uint16_t> split(cells());
    for (int c = 1; c <= last; ++c) {
      below.swap(cost_);
      fill(below, split);
      if (c > kept) splits_.push_back(split);
    }
  }

  Count cost(int i, int k) const { return k == i + 1 ? 0 : cost_[index(i, k)] + line_.store; }
  int split(int i, int k, int c) const {
    return splits_[Line::to(c - first_kept_)][index(i, k)];
  }

 private:
  std::size_t index(int i, int k) const {
    return Line::to(i) * (2 * Line::to(l_) - Line::to(i) + 1) / 2 + Line::to(k - i - 1);
  }
  template <class T>
  T& at(std::vector<T>& plane, int i, int k) const {
    return plane[index(i, k)];
  }

  /// One plane; `below` is that of one slot less.
  void fill(std::vector<Count>& below, std::vector<std::uint16_t>& split) {
    for (int i = l_ - 1; i >= 0; --i) {
      if (i % 64 == 0) deadline_.look();
      Count* const row = &cost_[index(i, i + 1)] - (i + 1);  // row[k]
      std::uint16_t* const splits = &split[index(i, i + 1)] - (i + 1);
      const std::uint16_t* const next = i + 1 < l_ ? &split[index(i + 1, i + 2)] - (i + 2) : nullptr;
      row[i + 1] = 0;
      splits[i + 1] = static_cast<std::uint16_t>(i + 1);
      for (int k = i + 2; k <= l_; ++k) {
        int first = i + 1, last = k - 1;
        if (!full_) {
          first = std::max<int>(first, splits[k - 1]);
          if (k > i + 2) last = std::min<int>(last, next[k]);
        }
        scan(below, i, k, first, last, row, splits);
        if (row[k] == infinite && !full_) scan(below, i, k, i + 1, k - 1, row, splits);
      }
    }
  }

  void scan(const std::vector<Count>& below, int i, int k, int first, int last, Count* row,
            std::uint16_t* splits) const {
    Count best = infinite;
    int chosen = k - 1;
    for (int j = first; j <= last; ++j) {
      const Count above = below[index(j, k)];
      if (above == infinite) continue;
      const Count cost = line_.forward(i, j) + above + (k > j + 1 ? line_.store : 0) + row[j];
      if (cost < best) {
        best = cost;
        chosen = j;
      }
    }
    row[k] = best;
    splits[k] = static_cast<std::uint16_t>(chosen);
  }

  const Line& line_;
  int l_, leaf_;
  bool full_;
  const Deadline& deadline_;
  std::vector<Count> cost_;
  std::vector<std::vector<std::uint16_t>> splits_;
  int first_kept_ = 0;
};

}  // namespace

std::pair<Count, std::vector<Action>> split_in_window(const Line& line, Count slots, int leaf, bool full,
                                                      const Deadline& deadline) {
  const int l = line.steps;
  if (l > most_steps)
    throw Unsupported("a window over " + std::to_string(l) + " steps of unequal cost",
                      "give at most " + std::to_string(most_steps) + " steps, or equal ones");
  const int most = static_cast<int>(std::min<Count>(slots, std::max(1, l)));
  const auto next_stays = [&](int, int i, int k, Count) {
    return k > i + 1 ? Choice{Choice::Kind::keep, i + 1, 0} : single(line, i);
  };
  if (l <= 1 || most == 0) {
    if (l > leaf) return {infinite, {}};
    return {l > 1 ? line.forward(0, 1) + line.store : 0, actions_of(line, next_stays, 0)};
  }
  if (slots >= l - 1 && std::adjacent_find(line.sum.begin(), line.sum.end()) == line.sum.end()) {
    // Every state stays, where none is made again for nothing.
    return {line.forward(0, l - 1) + (l - 1) * line.store, actions_of(line, next_stays, 0)};
  }
  Planes planes(line, leaf, full, deadline);
  const int group = static_cast<int>(
      std::clamp<std::size_t>(most_bytes_of_splits / (2 * planes.cells()), 1, Line::to(most)));
  // Pieces whose split is not known yet, with their slots.
  struct Piece {
    int i, k, c;
  };
  std::vector<Piece> open{{0, l, most}};
  std::unordered_map<std::uint64_t, int> splits;
  const auto key = [](int i, int k) { return static_cast<std::uint64_t>(i) << 32 | static_cast<unsigned>(k); };
  Count cost = 0;
  for (int top = most; !open.empty(); top -= group) {
    const int bottom = std::max(0, top - group);
    planes.compute(top, bottom);
    if (top == most) cost = planes.cost(0, l);
    if (cost == infinite) return {infinite, {}};
    std::vector<Piece> later;
    while (!open.empty()) {
      const Piece piece = open.back();
      open.pop_back();
      if (piece.k == piece.i + 1) continue;
      if (piece.c > 0 && piece.c <= bottom) {
        later.push_back(piece);
        continue;
      }
      const int j = piece.c == 0 ? piece.i + 1 : planes.split(piece.i, piece.k, piece.c);
      splits[key(piece.i, piece.k)] = j;
      open.push_back({piece.i, j, piece.c});
      open.push_back({j, piece.k, piece.c - 1});
    }
    open.swap(later);
  }
  const auto choose = [&](int, int i, int k, Count) {
    if (k == i + 1) return single(line, i);
    return Choice{Choice::Kind::keep, splits.at(key(i, k)), 0};
  };
  return {cost, actions_of(line, choose, 0)};
}

}  // namespace sweepback::detail::uneven
