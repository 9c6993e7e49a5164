// SPDX-License-Identifier: Apache-2.0
// P-DP as a dense table: the cost of every piece in every room of 0 … `slots` units. Sizes rounded up
// give a plan that fits, sizes rounded down a bound on the whole class.
//
// The rooms are walked in tiles of `lanes`; inside a tile the pieces are a triangle in blocks of
// 32 x 32, and the minimum over splits is a product of blocks: first all splits outside the block's own
// rows and columns, four columns at a time, then what is left in order. A piece in a smaller room lies
// in an earlier tile or an earlier place of this one. Blocks of a diagonal are independent of each
// other: threads share them out.
//
// A cell holds the piece's cost plus that of all forward steps below it, so that a split adds no third
// number: cost(i,k) + sum(i) = min over j of [cost(j,k) + sum(j)] + [cost(i,j) + sum(i)] - sum(i).
// Costs are 32-bit: forward sums are divided by `grain` and rounded down, so a schedule of n runs is
// at most n grains dearer than its cell says.
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <atomic>
#include <barrier>
#include <cstdlib>
#include <thread>

#include "engines.hpp"
#include "min_plus.hpp"
#include "sweepback/error.hpp"

namespace sweepback::detail::uneven {

namespace {

constexpr Cell none = Cell{1} << 29;
constexpr Count most_cost = Count{1} << 28;
constexpr int block = 32;
constexpr Wide most_bytes = Wide{6} << 30;

std::size_t row_cells(Count slots) {
  constexpr std::size_t line = 16;
  const std::size_t tiles = (static_cast<std::size_t>(slots) + lanes) / lanes;
  return (tiles * lanes / line | 1) * line;  // an odd number of cache lines: rows spread over the cache
}

struct Free {
  void operator()(Cell* cells) const { std::free(cells); }
};
using Cells = std::unique_ptr<Cell[], Free>;

/// Cells that are not set to anything, in large pages where there are any.
Cells unset(std::size_t count) {
  constexpr std::size_t page = std::size_t{2} << 20;
  const std::size_t bytes = (count * sizeof(Cell) + page - 1) / page * page;
  Cells cells(static_cast<Cell*>(std::aligned_alloc(page, bytes)));
  if (!cells) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  madvise(cells.get(), bytes, MADV_HUGEPAGE);
#endif
  return cells;
}

/// Of the pieces of a block, by i, base and k, while their splits are looked at.
using Best = Cell[block][2][block][lanes];

/// Sums for all rooms of the tile but the first `without`, which keep what they have: there a base does
/// not fit, and what stands before a row is read.
void offer(const Cell* const* left, const Cell* const* right, int count, Count without, Cell* best) {
  Cell too_small[lanes];
  const auto kept = static_cast<std::ptrdiff_t>(std::clamp<Count>(without, 0, lanes));
  std::copy(best, best + kept, too_small);
  min_plus_one(left, right, count, best);
  std::copy(too_small, too_small + kept, best);
}

}  // namespace

struct Slots::Data {
  Line line;
  int l, blocks;
  Count slots, grain;
  std::ptrdiff_t row;
  bool views;
  Cells cells;
  Cell* tables[2];
  std::vector<Cell> sum;           // forward sums in grains
  // By piece: the most that running from i to j needs; the least room that holds it, where it is known.
  std::vector<std::int32_t> runs, least[2];
  std::vector<std::int32_t> least_adjoint, most_adjoint;  // of x_k by block of k
  const Leaves* leaves;

  /// `spent`: cells of a table of the same size.
  Data(const Line& given, Count count, const Leaves* of_leaves, Cells spent = nullptr)
      : line(given),
        l(given.steps),
        blocks((l + 1 + block - 1) / block),
        slots(count),
        grain(std::max<Count>(1, (given.sum.back() * std::max({1, given.steps, given.real_steps}) + most_cost - 1) / most_cost)),
        row(static_cast<std::ptrdiff_t>(row_cells(count))),
        views(std::any_of(given.output.begin(), given.output.end(), [](char o) { return o; })),
        cells(spent ? std::move(spent) : unset((1 + views) * pieces() * row_cells(count) + lanes)),
        leaves(of_leaves) {
    tables[0] = cells.get() + lanes;  // a row may be read from up to a tile before it
    tables[1] = views ? tables[0] + pieces() * row_cells(count) : nullptr;
    for (const Count s : line.sum) sum.push_back(static_cast<Cell>(s / grain));
    const auto small = [](Count room) { return static_cast<std::int32_t>(std::min<Count>(room, none)); };
    runs.resize(pieces());
    for (int from = 0; from <= views; ++from) least[from].assign(pieces(), none);
    for (int i = 0; i < l; ++i) {
      Count run = 0;
      for (int j = i + 1; j <= l; ++j) runs[piece(i, j)] = small(run = line.run_from(i, j, run));
    }
    least_adjoint.assign(Line::to(blocks), none);
    most_adjoint.assign(Line::to(blocks), 0);
    for (int k = 0; k <= l; ++k) {
      const auto at = Line::to(k / block);
      least_adjoint[at] = std::min(least_adjoint[at], small(line.adjoint[Line::to(k)]));
      most_adjoint[at] = std::max(most_adjoint[at], small(line.adjoint[Line::to(k)]));
    }
  }

  std::size_t pieces() const { return Line::to(l) * (Line::to(l) + 1) / 2; }
  std::size_t piece(int i, int k) const {
    return Line::to(i) * (2 * Line::to(l) - Line::to(i) + 1) / 2 + Line::to(k - i - 1);
  }
  Cell* cell(int from, int i, int k) const {
    return tables[from == view] + static_cast<std::ptrdiff_t>(piece(i, k)) * row;
  }

  void fill(int threads, const Deadline& deadline);
  void fill_block(Count room, int of_i, int of_k, Best& best);
  void splits(Count room, int from, int i, int j0, int j1, int k0, int k1, Cell (*best)[lanes]) const;
  void splits_of(Count room, int from, int i, int j0, int j1, int k, Cell* best) const;
  void settle(Count room, int from, int i, int k, const Cell* best);
  void leaf(Count room, int from, int i, Cell* out) const;
  void first_action(Count room, int from, int i, int k, const Cell* best, Cell* out) const;
};

/// Splits of the pieces from i to the ends of a block of k, at the places j0 … j1-1 of a block before.
void Slots::Data::splits(Count room, int from, int i, int j0, int j1, int k0, int k1, Cell (*best)[lanes]) const {
  const Count base = line.base(from, i);
  if (base >= room + lanes) return;
  const auto of_j = Line::to(j0 / block), of_k = Line::to(k0 / block);
  if (base + runs[piece(i, j0)] + least_adjoint[of_k] >= room + lanes) return;
  const Count most = base + std::max(runs[piece(i, j1 - 1)] + Count{most_adjoint[of_k]},
                                     line.again[Line::to(i)] + Count{most_adjoint[of_j]});
  if (most > room) {
    for (int k = k0; k < k1; ++k) splits_of(room, from, i, j0, j1, k, best[k - k0]);
    return;
  }
  std::array<const Cell*, block> below, above;
  const Cell* left = cell(from, i, j0) + room;
  const Cell* right = cell(loose, j0, k0) + (room - base);
  for (int j = j0; j < j1; ++j, left += row) {
    below[Line::to(j - j0)] = left;
    above[Line::to(j - j0)] = right;
    right += (l - j - 1) * row;  // piece (j+1, k0)
  }
  if (k1 - k0 == columns) return min_plus_four(below.data(), above.data(), row, j1 - j0, best);
  for (int k = k0; k < k1; ++k) {
    min_plus_one(below.data(), above.data(), j1 - j0, best[k - k0]);
    for (int j = j0; j < j1; ++j) above[Line::to(j - j0)] += row;
  }
}

/// Splits of one piece at the places j0 … j1-1, each in the rooms that it needs.
void Slots::Data::splits_of(Count room, int from, int i, int j0, int j1, int k, Cell* best) const {
  std::array<const Cell*, block> below, above;
  int count = 0;
  const Count base = line.base(from, i);
  const Cell* left = cell(from, i, j0) + room;
  for (int j = j0; j < j1; ++j, left += row) {
    const Count need = line.keep_need(from, i, j, k, runs[piece(i, j)]);
    const Count holds = std::max<Count>(least[from == view][piece(i, j)], base + least[0][piece(j, k)]);
    if (std::max(need, holds) >= room + lanes) continue;
    const Cell* right = cell(loose, j, k) + (room - base);
    if (need <= std::max({room, base, holds})) {
      below[Line::to(count)] = left;
      above[Line::to(count++)] = right;
      continue;
    }
    offer(&left, &right, 1, need - room, best);
  }
  if (count > 0) offer(below.data(), above.data(), count, base - room, best);
}

/// The cells of a piece, once the best split is known.
void Slots::Data::settle(Count room, int from, int i, int k, const Cell* best) {
  Cell* out = cell(from, i, k) + room;
  if (leaves && k == i + 1)
    leaf(room, from, i, out);
  else
    first_action(room, from, i, k, best, out);
  if (std::int32_t& holds = least[from == view][piece(i, k)]; holds == none) {
    const auto first = std::find_if(out, out + lanes, [](Cell cost) { return cost < none; }) - out;
    if (first < lanes) holds = static_cast<std::int32_t>(room + first);
  }
}

/// The cells of a piece that was planned elsewhere.
void Slots::Data::leaf(Count room, int from, int i, Cell* out) const {
  const std::vector<Count>& costs = (*leaves)[Line::to(i)][from == view];
  for (Count n = 0; n < lanes; ++n) {
    const Count cost = costs[static_cast<std::size_t>(std::min(room + n, slots))];
    out[n] = cost == infinite ? none : sum[Line::to(i)] + static_cast<Cell>(cost / grain);
  }
}

/// The best split, or recording the first step, or reversing the only one.
void Slots::Data::first_action(Count room, int from, int i, int k, const Cell* best, Cell* out) const {
  const auto at = Line::to(i);
  const Cell below = sum[at];
  Cell found[lanes];
  for (int n = 0; n < lanes; ++n) found[n] = best[n] >= none ? none : best[n] - below;
  const auto write = [&] { std::copy(found, found + lanes, out); };
  Count need = none;
  if (line.can_record(i, k))
    need = line.record_need(from, i, k);
  else if (k == i + 1 && !line.taped[at])
    need = line.single_room[from == view][at];
  if (need >= room + lanes) return write();
  const auto from_room = [&](Count least_room) { return static_cast<int>(std::max<Count>(0, least_room - room)); };
  if (k == i + 1) {
    std::fill(found + from_room(need), found + lanes, below);
    return write();
  }
  const Count tape = line.tape[at];
  if (tape >= room + lanes) return write();
  const Cell* rest = cell(line.after_record(i), i + 1, k) + (room - tape);
  const Cell step = sum[at + 1] - sum[at];
  for (int n = from_room(std::max(need, tape)); n < lanes; ++n)
    found[n] = std::min(found[n], rest[n] >= none ? none : rest[n] - step);
  write();
}

void Slots::Data::fill_block(Count room, int of_i, int of_k, Best& best) {
  const int i0 = of_i * block, i1 = std::min(i0 + block, l);
  const int k0 = of_k * block, k1 = std::min(k0 + block, l + 1);
  std::fill(&best[0][0][0][0], &best[0][0][0][0] + (i1 - i0) * 2 * block * lanes, none);
  const auto all_bases = [&](int i, int j0, int j1, int k) {
    for (int from = 0; from <= views; ++from)
      splits(room, from ? view : stored, i, j0, j1, k, std::min(k + columns, k1), best[i - i0][from] + (k - k0));
  };
  constexpr int deep = 16;  // times `columns` pieces stay in the nearest cache for all i
  for (int j = (of_i + 1) * block; j < of_k * block; j += deep)
    for (int k = k0; k < k1; k += columns)
      for (int i = i0; i < i1; ++i) all_bases(i, j, j + deep, k);
  for (int i = i1 - 1; i >= i0; --i) {
    const int after = std::max(i + 1, k0);
    for (int k = k0; k < k1; k += columns) {
      if (of_i < of_k && i + 1 < i1) all_bases(i, i + 1, i1, k);
      if (after < k) all_bases(i, after, k, k);
      for (int each = std::max(k, i + 1); each < std::min(k + columns, k1); ++each)
        for (const Base from : {stored, view}) {
          if (from == view && !views) break;
          Cell* of_cell = best[i - i0][from == view][each - k0];
          if (const int first = std::max(k, after); first < each) splits_of(room, from, i, first, each, each, of_cell);
          settle(room, from, i, each, of_cell);
        }
    }
  }
}

void Slots::Data::fill(int threads, const Deadline& deadline) {
  const int workers = std::clamp(threads, 1, blocks);
  std::barrier together(workers);
  std::atomic<bool> late = false;
  const auto work = [&](int me) {
    const auto best = std::make_unique<Best[]>(1);
    for (Count room = 0; room <= slots; room += lanes)
      for (int apart = 0; apart < blocks; ++apart) {
        for (int of_i = me; of_i + apart < blocks && !late; of_i += workers) fill_block(room, of_i, of_i + apart, best[0]);
        if (me == 0) {
          try {
            deadline.look();
          } catch (const TimeUp&) {
            late = true;
          }
        }
        if (workers > 1) together.arrive_and_wait();
        if (late) return;
        if (workers > 1) together.arrive_and_wait();
      }
  };
  std::vector<std::jthread> others;
  for (int me = 1; me < workers; ++me) others.emplace_back(work, me);
  work(0);
  others.clear();
  if (late) throw TimeUp{};
}

Wide Slots::bytes(const Line& line, Count slots) {
  const bool views = std::any_of(line.output.begin(), line.output.end(), [](char o) { return o; });
  const Wide pieces = Wide{line.steps} * (line.steps + 1) / 2;
  return pieces * ((1 + views) * static_cast<Wide>(row_cells(slots) + 1) + 1) * 4;
}

Slots::Slots(const Line& line, Count slots, int threads, const Deadline& deadline, const Leaves* leaves) {
  if (bytes(line, slots) > most_bytes)
    throw Unsupported("a table of " + std::to_string(line.steps) + " steps in " + std::to_string(slots) + " slots",
                      "leave the engine open: long chains are planned in blocks");
  data_ = std::make_unique<Data>(line, slots, leaves);
  data_->fill(threads, deadline);
}

Slots::~Slots() = default;

void Slots::refill(const Line& line, int threads, const Deadline& deadline) {
  data_ = std::make_unique<Data>(line, data_->slots, data_->leaves, std::move(data_->cells));
  data_->fill(threads, deadline);
}

Count Slots::grain() const { return data_->grain; }
bool Slots::has_views() const { return data_->views; }

Count Slots::cost(int from, int i, int k, Count room) const {
  if (room < 0) return infinite;
  const Cell found = data_->cell(from, i, k)[std::min(room, data_->slots)];
  return found >= none ? infinite : Count{found - data_->sum[Line::to(i)]} * data_->grain;
}

Count Slots::at_least(Count room) const {
  if (data_->l == 0) return 0;
  const Count whole = cost(loose, 0, data_->l, room);
  const Count rounded = data_->grain == 1 ? 0 : data_->grain * (data_->l - 1);
  return whole == infinite ? infinite : std::max<Count>(0, whole - rounded);
}

}  // namespace sweepback::detail::uneven
