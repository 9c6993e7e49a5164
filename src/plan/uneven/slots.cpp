// SPDX-License-Identifier: Apache-2.0
// P-DP as a dense table: the cost of every piece in every room of 0 … `slots` units. Sizes rounded up
// give a plan that fits, sizes rounded down a bound on the whole class.
//
// The rooms are walked in tiles of thirty-two; inside a tile the pieces are a triangle in blocks of
// 16 x 16, and the minimum over splits is a product of blocks: first all splits outside the block's own
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
constexpr int block = 16;
constexpr Wide most_bytes = Wide{6} << 30;

std::size_t row_cells(Count slots) {
  constexpr std::size_t line = 16;
  const std::size_t tiles = (static_cast<std::size_t>(slots) + lanes) / lanes;
  return (tiles * lanes / line | 1) * line;  // an odd number of cache lines: rows spread over the cache
}

/// Cells that are not set to anything, in large pages where there are any.
class Cells {
 public:
  explicit Cells(std::size_t count) {
    constexpr std::size_t page = std::size_t{2} << 20;
    const std::size_t bytes = (count * sizeof(Cell) + page - 1) / page * page;
    data_ = static_cast<Cell*>(std::aligned_alloc(page, bytes));
    if (!data_) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    madvise(data_, bytes, MADV_HUGEPAGE);
#endif
  }
  ~Cells() { std::free(data_); }
  Cells(const Cells&) = delete;
  Cells& operator=(const Cells&) = delete;
  Cell* data() const { return data_; }

 private:
  Cell* data_;
};

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
  std::vector<std::int32_t> runs;  // the most that running from i to j needs, by piece
  std::vector<std::int32_t> least_adjoint, most_adjoint;  // of x_k by block of k
  const Leaves* leaves;

  Data(const Line& given, Count count, const Leaves* of_leaves)
      : line(given),
        l(given.steps),
        blocks((l + 1 + block - 1) / block),
        slots(count),
        grain(std::max<Count>(1, (given.sum.back() * std::max({1, given.steps, given.real_steps}) + most_cost - 1) / most_cost)),
        row(static_cast<std::ptrdiff_t>(row_cells(count))),
        views(std::any_of(given.output.begin(), given.output.end(), [](char o) { return o; })),
        cells((1 + views) * pieces() * row_cells(count) + lanes),
        leaves(of_leaves) {
    tables[0] = cells.data() + lanes;  // a row may be read from up to a tile before it
    tables[1] = views ? tables[0] + pieces() * row_cells(count) : nullptr;
    for (const Count s : line.sum) sum.push_back(static_cast<Cell>(s / grain));
    const auto small = [](Count room) { return static_cast<std::int32_t>(std::min<Count>(room, none)); };
    runs.resize(pieces());
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
  void fill_block(Count room, int of_i, int of_k);
  void outer(Count room, int from, int i, int of_j, int of_k, Cell (*best)[lanes]) const;
  void inner(Count room, int from, int i, int k, int of_i, int of_k, Cell* best) const;
  void settle(Count room, int from, int i, int k, const Cell* best);
};

/// Splits of the pieces from i to the ends of a block of k, at the places of a block of j.
void Slots::Data::outer(Count room, int from, int i, int of_j, int of_k, Cell (*best)[lanes]) const {
  const int j0 = of_j * block, j1 = j0 + block, k0 = of_k * block, k1 = std::min(k0 + block, l + 1);
  const Count base = line.base(from, i), again = line.again[Line::to(i)];
  const Count least = base + runs[piece(i, j0)] + least_adjoint[Line::to(of_k)];
  if (least >= room + lanes || base >= room + lanes) return;
  const Count most = base + std::max(runs[piece(i, j1 - 1)] + Count{most_adjoint[Line::to(of_k)]},
                                     again + Count{most_adjoint[Line::to(of_j)]});
  if (most > room) {
    for (int k = k0; k < k1; ++k)
      for (int j = j0; j < j1; ++j) {
        const Count need = line.keep_need(from, i, j, k, runs[piece(i, j)]);
        if (need >= room + lanes) continue;
        const Cell* above = cell(loose, j, k) + (room - base);
        const Cell* below = cell(from, i, j) + room;
        for (auto n = std::max<Count>(0, need - room); n < lanes; ++n)
          best[k - k0][n] = std::min(best[k - k0][n], above[n] + below[n]);
      }
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
  int k = k0;
  for (; k + columns <= k1; k += columns) {
    min_plus_four(below.data(), above.data(), row, block, best + (k - k0));
    for (const Cell*& each : above) each += columns * row;
  }
  for (; k < k1; ++k) {
    min_plus_one(below.data(), above.data(), block, best[k - k0]);
    for (const Cell*& each : above) each += row;
  }
}

/// Splits at the places that lie in the blocks of i and of k themselves.
void Slots::Data::inner(Count room, int from, int i, int k, int of_i, int of_k, Cell* best) const {
  std::array<const Cell*, 2 * block> below, above;
  int count = 0;
  const Count base = line.base(from, i);
  const auto offer = [&](int first, int last) {
    for (int j = first; j < last; ++j) {
      const Count need = line.keep_need(from, i, j, k, runs[piece(i, j)]);
      if (need >= room + lanes) continue;
      const Cell* left = cell(from, i, j) + room;
      const Cell* right = cell(loose, j, k) + (room - base);
      if (need <= room) {
        below[Line::to(count)] = left;
        above[Line::to(count++)] = right;
        continue;
      }
      for (auto n = need - room; n < lanes; ++n) best[n] = std::min(best[n], left[n] + right[n]);
    }
  };
  if (of_i == of_k) {
    offer(i + 1, k);
  } else {
    offer(i + 1, (of_i + 1) * block);
    offer(of_k * block, k);
  }
  if (count > 0) min_plus_one(below.data(), above.data(), count, best);
}

/// The cells of a piece, once the best split is known.
void Slots::Data::settle(Count room, int from, int i, int k, const Cell* best) {
  const auto at = Line::to(i);
  Cell* out = cell(from, i, k) + room;
  if (leaves && k == i + 1) {
    const std::vector<Count>& costs = (*leaves)[at][from == view];
    for (Count n = 0; n < lanes; ++n) {
      const auto in = static_cast<std::size_t>(std::min(room + n, slots));
      out[n] = costs[in] == infinite ? none : sum[at] + static_cast<Cell>(costs[in] / grain);
    }
    return;
  }
  Cell found[lanes];
  const Cell below = sum[at];
  for (int n = 0; n < lanes; ++n) found[n] = best[n] >= none ? none : best[n] - below;
  const auto write = [&] { std::copy(found, found + lanes, out); };
  Count need = none;
  if (line.can_record(i, k))
    need = line.record_need(from, i, k);
  else if (k == i + 1 && !line.taped[at])
    need = line.single_room[from == view][at];
  if (need >= room + lanes) return write();
  auto first = static_cast<int>(std::max<Count>(0, need - room));
  if (k == i + 1) {
    std::fill(found + first, found + lanes, below);
    return write();
  }
  const Count tape = line.tape[at];
  if (tape >= room + lanes) return write();
  first = std::max(first, static_cast<int>(std::max<Count>(0, tape - room)));
  const Cell* rest = cell(line.after_record(i), i + 1, k) + (room - tape);
  const Cell step = sum[at + 1] - sum[at];
  for (int n = first; n < lanes; ++n)
    found[n] = std::min(found[n], rest[n] >= none ? none : rest[n] - step);
  write();
}

void Slots::Data::fill_block(Count room, int of_i, int of_k) {
  const int i0 = of_i * block, i1 = std::min(i0 + block, l);
  const int k0 = of_k * block, k1 = std::min(k0 + block, l + 1);
  Cell best[block][2][block][lanes];
  std::fill(&best[0][0][0][0], &best[0][0][0][0] + (i1 - i0) * 2 * block * lanes, none);
  for (int of_j = of_i + 1; of_j < of_k; ++of_j)
    for (int i = i0; i < i1; ++i)
      for (int from = 0; from <= views; ++from)
        outer(room, from ? view : stored, i, of_j, of_k, best[i - i0][from]);
  for (int i = i1 - 1; i >= i0; --i)
    for (int k = std::max(i + 1, k0); k < k1; ++k)
      for (int from = 0; from <= views; ++from) {
        Cell* of_cell = best[i - i0][from][k - k0];
        const Base base = from ? view : stored;
        inner(room, base, i, k, of_i, of_k, of_cell);
        settle(room, base, i, k, of_cell);
      }
}

void Slots::Data::fill(int threads, const Deadline& deadline) {
  const int workers = std::clamp(threads, 1, blocks);
  std::barrier together(workers);
  std::atomic<bool> late = false;
  const auto work = [&](int me) {
    for (Count room = 0; room <= slots; room += lanes)
      for (int apart = 0; apart < blocks; ++apart) {
        for (int of_i = me; of_i + apart < blocks && !late; of_i += workers) fill_block(room, of_i, of_i + apart);
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
  return pieces * ((1 + views) * static_cast<Wide>(row_cells(slots)) + 1) * 4;
}

Slots::Slots(const Line& line, Count slots, int threads, const Deadline& deadline, const Leaves* leaves) {
  if (bytes(line, slots) > most_bytes)
    throw Unsupported("a table of " + std::to_string(line.steps) + " steps in " + std::to_string(slots) + " slots",
                      "leave the engine open: long chains are planned in blocks");
  data_ = std::make_unique<Data>(line, slots, leaves);
  data_->fill(threads, deadline);
}

Slots::~Slots() = default;

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
