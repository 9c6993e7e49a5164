// SPDX-License-Identifier: Apache-2.0
// Long chains: a few hundred blocks of steps, cut where states are small, as the steps of a shorter
// line. A piece of several blocks keeps bases at borders only, or records a whole block; a piece of
// one block is planned step by step in the room that it has. Every schedule fits; how far it is from
// the cheapest is not known beyond the bound that ships with it.
#include "engines.hpp"

namespace sweepback::detail::uneven {

namespace {

std::vector<int> cuts(const Line& line, int blocks) {
  const int l = line.steps;
  std::vector<int> borders{0};
  for (int b = 1; b < blocks; ++b) {
    const int middle = static_cast<int>(Count{l} * b / blocks), reach = l / blocks / 3;
    int best = middle;
    for (int at = std::max(borders.back() + 1, middle - reach); at <= std::min(l - 1, middle + reach); ++at)
      if (line.state[Line::to(at)] < line.state[Line::to(best)]) best = at;
    if (best > borders.back()) borders.push_back(best);
  }
  borders.push_back(l);
  return borders;
}

/// Steps first … last - 1 as a line of their own.
Line slice(const Line& line, int first, int last) {
  Line part = line;
  const auto cut = [&](auto& of, int extra) {
    if (of.empty()) return;
    of = {of.begin() + first, of.begin() + last + extra};
  };
  cut(part.state, 1);
  cut(part.adjoint, 1);
  cut(part.sum, 1);
  for (Count& each : part.sum) each -= line.forward(0, first);
  cut(part.taped, 0);
  cut(part.output, 0);
  cut(part.tape, 0);
  for (const int from : {0, 1}) {
    cut(part.record_room[from], 0);
    cut(part.single_room[from], 0);
  }
  cut(part.reverse_room, 0);
  cut(part.first_run, 0);
  cut(part.later_run, 0);
  cut(part.again, 0);
  part.steps = part.real_steps = last - first;
  return part;
}

/// Blocks as steps. What a block needs while it is recorded, reversed or run through.
Line of_blocks(const Line& line, const std::vector<int>& borders) {
  Line coarse;
  coarse.keeps_tapes = line.keeps_tapes;
  coarse.fixed = line.fixed;
  coarse.steps = static_cast<int>(borders.size()) - 1;
  coarse.real_steps = line.steps;
  for (const int at : borders) {
    coarse.state.push_back(line.state[Line::to(at)]);
    coarse.adjoint.push_back(line.adjoint[Line::to(at)]);
    coarse.sum.push_back(line.sum[Line::to(at)]);
  }
  for (std::size_t b = 0; b + 1 < borders.size(); ++b) {
    const int first = borders[b], last = borders[b + 1];
    bool taped = line.keeps_tapes;
    Count tapes = 0, reverse = 0, run = 0, record[2] = {0, 0};
    for (int q = first; q < last; ++q) {
      const auto at = Line::to(q);
      taped = taped && line.taped[at];
      for (const int from : {0, 1}) {
        const bool of_view = q == first ? from == 1 : line.output[at - 1] != 0;
        record[from] = std::max(record[from], tapes + line.record_room[of_view][at]);
      }
      reverse = std::max(reverse, tapes + line.reverse_room[at]);
      tapes += line.tape[at];
      run = line.run_from(first, q + 1, run);
    }
    coarse.taped.push_back(taped);
    coarse.output.push_back(line.output[Line::to(last - 1)]);
    coarse.tape.push_back(tapes);
    for (const int from : {0, 1}) {
      coarse.record_room[from].push_back(record[from]);
      coarse.single_room[from].push_back(0);
    }
    coarse.reverse_room.push_back(reverse);
    coarse.first_run.push_back(run);
    coarse.later_run.push_back(std::max(run, line.later_run[Line::to(first)]));
    coarse.again.push_back(line.again[Line::to(first)]);
  }
  return coarse;
}

}  // namespace

std::optional<std::vector<Action>> coarsened(const Line& line, Count room, int blocks, int threads,
                                             const Deadline& deadline) {
  const std::vector<int> borders = cuts(line, std::min(blocks, line.steps));
  const Line coarse = of_blocks(line, borders);
  Leaves leaves(Line::to(coarse.steps));
  const auto table_of = [&](int b) {
    return std::make_unique<Slots>(slice(line, borders[Line::to(b)], borders[Line::to(b) + 1]), room, 1, deadline);
  };
  for (int b = 0; b < coarse.steps; ++b) {
    const auto table = table_of(b);
    const int n = borders[Line::to(b) + 1] - borders[Line::to(b)];
    for (const int from : {0, 1})
      for (Count m = 0; m <= room; ++m)
        leaves[Line::to(b)][Line::to(from)].push_back(
            from == 1 && !table->has_views() ? infinite : table->cost(from == 1 ? view : loose, 0, n, m));
  }
  const Slots table(coarse, room, threads, deadline, &leaves);
  if (table.cost(loose, 0, coarse.steps, room) == infinite) return std::nullopt;

  int inside = -1;  // the block whose table is at hand
  std::unique_ptr<Slots> fine;
  Line part;
  const auto choose_fine = [&](int from, int i, int k, Count in) {
    const auto after = std::upper_bound(borders.begin(), borders.end(), i);
    const int b = static_cast<int>(after - borders.begin()) - 1, first = borders[Line::to(b)];
    if (k <= *after) {
      if (inside != b) {
        fine = table_of(b);
        part = slice(line, first, *after);
        inside = b;
      }
      Choice choice = choose(part, *fine, from, i - first, k - first, in);
      choice.j += first;
      return choice;
    }
    if (i != first) return Choice{Choice::Kind::record, i + 1, 0};  // the rest of a recorded block
    const int to = static_cast<int>(std::lower_bound(borders.begin(), borders.end(), k) - borders.begin());
    Choice choice = choose(coarse, table, from, b, to, in);
    choice.j = choice.kind == Choice::Kind::keep ? borders[Line::to(choice.j)] : i + 1;
    return choice;
  };
  return actions_of(line, choose_fine, room);
}

}  // namespace sweepback::detail::uneven
