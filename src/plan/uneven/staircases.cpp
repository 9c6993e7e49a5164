// SPDX-License-Identifier: Apache-2.0
// P-DP with exact rooms: what a piece costs is a staircase in the room it is given. Keeping a base
// shifts the staircase of the piece above it, adds that of the piece below and clips; a piece's own
// is the lower envelope of all its choices. Cheapest in the class of line.hpp, to the byte.
//
// Thinned to `stairs` entries a list, costs are bounds: from above where entries are left out (those
// that stay can be done), from below where a group of entries becomes its least room and its least
// cost. The entries that stay are spread evenly in the ratio of costs.
#include <algorithm>
#include <cmath>

#include "engines.hpp"

namespace sweepback::detail::uneven {

namespace {

using List = std::vector<Stair>;

void push(List& list, Stair stair) {
  if (!list.empty() && stair.cost >= list.back().cost) return;
  if (!list.empty() && list.back().room == stair.room)
    list.back().cost = stair.cost;
  else
    list.push_back(stair);
}

/// The lesser of two staircases, the second dearer by `more`.
void envelope(const List& a, const List& b, Count more, List& least) {
  least.clear();
  std::size_t p = 0, q = 0;
  while (p < a.size() || q < b.size()) {
    const bool first = q == b.size() || (p < a.size() && a[p].room <= b[q].room);
    push(least, first ? a[p] : Stair{b[q].room, b[q].cost + more});
    ++(first ? p : q);
  }
}

/// The sum of `below` and of `above` shifted by `base`, in rooms from `need` to `most`.
void add(const List& below, const List& above, Count base, Count need, Count most, Count cost,
         List& sum) {
  sum.clear();
  if (below.empty() || above.empty()) return;
  Count room = std::max({need, below.front().room, above.front().room + base});
  std::size_t p = 0, q = 0;
  while (room <= most) {
    while (p + 1 < below.size() && below[p + 1].room <= room) ++p;
    while (q + 1 < above.size() && above[q + 1].room + base <= room) ++q;
    sum.push_back({room, cost + below[p].cost + above[q].cost});
    const Count next_below = p + 1 < below.size() ? below[p + 1].room : infinite;
    const Count next_above = q + 1 < above.size() ? above[q + 1].room + base : infinite;
    room = std::min(next_below, next_above);
    if (room == infinite) break;
  }
}

/// The last entry of each of at most `stairs` groups, or its least room and least cost.
void thin(List& list, Bound bound, int stairs) {
  const auto most = static_cast<std::size_t>(stairs);
  if (list.size() <= most) return;
  const double low = std::log1p(static_cast<double>(list.back().cost));
  const double high = std::log1p(static_cast<double>(list.front().cost));
  const double each = (high - low) / static_cast<double>(most - 1);
  List few;
  for (std::size_t at = 0; at < list.size();) {
    const double until = std::log1p(static_cast<double>(list[at].cost)) - each;
    std::size_t last = at;
    while (last + 1 < list.size() &&
           (at == 0 || last + 2 < list.size() || bound == Bound::lower) &&
           std::log1p(static_cast<double>(list[last + 1].cost)) >= until)
      ++last;
    if (bound == Bound::lower)
      few.push_back({list[at].room, list[last].cost});
    else
      few.push_back(list[at]);  // dearer than the others of its group, and possible
    at = last + 1;
  }
  if (bound == Bound::upper && few.back().cost != list.back().cost) few.push_back(list.back());
  list = std::move(few);
}

}  // namespace

Staircases::Staircases(const Line& line, Count most, Bound bound, int stairs, const Deadline& deadline)
    : steps_(line.steps) {
  const auto cells = Line::to(steps_) * (Line::to(steps_) + 1) / 2;
  for (auto& lists : lists_) lists.resize(cells);
  List record, keep, sum, least;
  const auto cell = [&](int from, int i, int k) -> List& {
    return const_cast<List&>(list(from, i, k));
  };
  for (int k = 1; k <= steps_; ++k)
    for (int i = k - 1; i >= 0; --i) {
      deadline.look();
      const auto at = Line::to(i);
      for (const int from : {stored, view}) {
        record.clear();
        if (line.can_record(i, k)) {
          const Count need = line.record_need(from, i, k), tape = line.tape[at];
          if (i + 1 == k) {
            if (need <= most) record.push_back({need, 0});
          } else {
            for (const Stair& stair : cell(line.after_record(i), i + 1, k))
              if (const Count room = std::max(need, stair.room + tape); room <= most)
                push(record, {room, stair.cost});
          }
        } else if (k == i + 1 && !line.taped[at]) {
          if (const Count need = line.single_room[from == view][at]; need <= most)
            record.push_back({need, 0});
        }
        keep.clear();
        Count run = 0;
        for (int j = i + 1; j < k; ++j) {
          run = line.run_from(i, j, run);
          const Count need = line.keep_need(from, i, j, k, run);
          if (need > most) continue;
          add(cell(from, i, j), cell(loose, j, k), line.base(from, i), need, most, line.forward(i, j), sum);
          if (sum.empty()) continue;
          envelope(keep, sum, 0, least);
          keep.swap(least);
        }
        for (int kind = from == view ? view : loose; kind <= from; ++kind) {
          envelope(record, keep, kind == loose ? line.store : 0, least);
          if (bound != Bound::exact) thin(least, bound, stairs);
          cell(kind, i, k).assign(least.begin(), least.end());
        }
      }
    }
}

const std::vector<Stair>& Staircases::list(int from, int i, int k) const {
  return lists_[from][Line::to(k) * (Line::to(k) - 1) / 2 + Line::to(i)];
}

Count Staircases::cost(int from, int i, int k, Count room) const {
  const List& stairs = list(from, i, k);
  const auto above = std::upper_bound(stairs.begin(), stairs.end(), room,
                                      [](Count r, const Stair& stair) { return r < stair.room; });
  return above == stairs.begin() ? infinite : std::prev(above)->cost;
}

}  // namespace sweepback::detail::uneven
