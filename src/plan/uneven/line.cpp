// SPDX-License-Identifier: Apache-2.0
#include "line.hpp"

#include <algorithm>
#include <numeric>

#include "sweepback/error.hpp"

namespace sweepback::detail::uneven {

namespace {

constexpr int most_steps = 20'000;

/// Of every step alone, as its chain says it.
struct Steps {
  std::vector<const Step*> of;

  explicit Steps(const Chain& chain) {
    if (chain.steps() > most_steps)
      throw Unsupported("unequal steps are planned up to " + std::to_string(most_steps) + " of them, and these are " +
                            std::to_string(chain.steps()),
                        "join neighbouring steps into one until there are so few");
    of.reserve(static_cast<std::size_t>(chain.steps()));
    for (const Run& run : chain.runs()) of.insert(of.end(), static_cast<std::size_t>(run.repeat), &run.step);
  }
};

Line costs_of(const Chain& chain, const Steps& steps, Keep keep) {
  Line line;
  line.real_steps = static_cast<int>(steps.of.size());
  line.keeps_tapes = keep != Keep::states;
  const bool makes_last = line.real_steps > 0 && !steps.of.back()->has_tape() && chain.final_state;
  line.steps = line.real_steps + makes_last;
  Wide sum = 0, fixed = 0, sizes = 0;
  line.sum.push_back(0);
  for (const Step* step : steps.of) {
    sum += static_cast<Wide>(step->forward) + step->forward_call;
    fixed += static_cast<Wide>(step->reverse) + step->reverse_call;
    if (step->has_tape()) fixed += static_cast<Wide>(step->record_cost()) + step->record_call;
    for (const Wide size : {step->state_bytes.value_or(0), step->tape_bytes.value_or(0),
                            step->forward_workspace, step->reverse_workspace, step->adjoint})
      sizes += size;
    line.sum.push_back(narrow(sum, "the cost of all steps"));
  }
  if (makes_last) line.sum.push_back(line.sum.back());
  // No tree of pieces runs from one place to another more often than there are steps.
  narrow(sum * std::max(1, line.steps) + fixed, "the cost of a schedule in little memory");
  narrow(4 * (sizes + chain.input().state_bytes.value_or(0)), "four times the size of everything");
  line.fixed = narrow(fixed, "the cost of recording and reversing");
  return line;
}

}  // namespace

Line Line::in_bytes(const Chain& chain, Keep keep) {
  const Steps steps(chain);
  Line line = costs_of(chain, steps, keep);
  const bool in_place = chain.in_place;
  const auto size_of = [](const std::optional<Count>& size) {
    if (!size)
      throw OutOfRange("a budget in bytes needs the sizes of every state and tape",
                       "give them in the chain, or a budget in slots");
    return *size;
  };
  const Step& first = chain.step();
  if (line.real_steps > 0) {
    line.state.push_back(chain.input().state_bytes ? *chain.input().state_bytes
                                                   : size_of(first.state_bytes));
    line.adjoint.push_back(chain.input().adjoint.value_or(first.adjoint));
  } else {
    line.state.push_back(0);
    line.adjoint.push_back(0);
  }
  for (const Step* step : steps.of) {
    const Count in = line.state.back(), out = size_of(step->state_bytes);
    const bool taped = step->has_tape(), output = taped && step->tape_has_output;
    const Count tape = taped ? size_of(step->tape_bytes) : 0;
    const Count work = step->forward_workspace, back = step->reverse_workspace;
    line.taped.push_back(taped);
    line.output.push_back(output);
    line.tape.push_back(tape);
    for (const int from : {0, 1}) {
      const Count hand = in_place || from == 0 ? in : 0;
      line.record_room[from].push_back(
          (in_place ? std::max(hand, out) : hand + (output ? 0 : out)) + tape + work);
      line.single_room[from].push_back(hand + step->adjoint + back);
    }
    line.reverse_room.push_back(tape + step->adjoint + back);
    line.first_run.push_back((in_place ? std::max(in, out) : out) + work);
    line.later_run.push_back((in_place ? std::max(in, out) : in + out) + work);
    line.again.push_back(in_place ? in : 0);
    line.state.push_back(out);
    line.adjoint.push_back(step->adjoint);
  }
  if (line.steps > line.real_steps) {  // x_l, made to be handed out
    const Count last = line.state.back();
    line.taped.push_back(false);
    line.output.push_back(false);
    line.tape.push_back(0);
    for (const int from : {0, 1}) {
      line.record_room[from].push_back(0);
      line.single_room[from].push_back((from == 0 ? last : 0) + line.adjoint.back());
    }
    line.reverse_room.push_back(0);
    line.first_run.push_back(0);
    line.later_run.push_back(0);
    line.again.push_back(0);
    line.state.push_back(0);
    line.adjoint.push_back(line.adjoint.back());
  }
  return line;
}

Line Line::in_units(const Chain& chain, Keep keep, Units units) {
  const Steps steps(chain);
  Line line = costs_of(chain, steps, keep);
  const auto n = static_cast<std::size_t>(line.steps);
  line.state.assign(n + 1, keep == Keep::states ? 1 : units.state);
  line.tape.assign(n, units.tape);
  for (std::vector<Count>* none :
       {&line.record_room[0], &line.record_room[1], &line.reverse_room, &line.single_room[0],
        &line.single_room[1], &line.first_run, &line.later_run, &line.again})
    none->assign(n, 0);
  line.adjoint.assign(n + 1, 0);
  for (std::size_t k = 0; k < n; ++k) {
    const bool taped = k < steps.of.size() && steps.of[k]->has_tape();
    line.taped.push_back(taped);
    line.output.push_back(taped && steps.of[k]->tape_has_output);
  }
  return line;
}

Line Line::in_slots(Count unit, Rounding rounding) const {
  Line line = *this;
  line.each_size([&](Count& size) {
    size = (size + (rounding == Rounding::up ? unit - 1 : 0)) / unit;
  });
  return line;
}

Count Line::common_unit() const {
  Count common = 0;
  Line(*this).each_size([&](Count& size) { common = std::gcd(common, size); });
  return std::max<Count>(1, common);
}

Line Line::with_stores() const {
  Line line = *this;
  Count scale = 2;
  while (scale <= 2 * Count{steps}) scale *= 2;
  if (static_cast<Wide>(sum.back()) * std::max(1, steps) > max_count / 4 / scale) return line;
  for (Count& each : line.sum) each *= scale;
  line.scale = scale;
  line.store = 1;
  return line;
}

Choice single(const Line& line, int i) {
  return {line.taped[Line::to(i)] ? Choice::Kind::record : Choice::Kind::reverse, i + 1, 0};
}

Choice choose(const Line& line, const Table& table, int from, int i, int k, Count room) {
  const auto at = Line::to(i);
  Choice best;
  if (line.can_record(i, k)) {
    if (room >= line.record_need(from, i, k)) {
      const Count rest =
          i + 1 == k ? 0 : table.cost(line.after_record(i), i + 1, k, room - line.tape[at]);
      if (rest < best.cost) best = {Choice::Kind::record, i + 1, rest};
    }
  } else if (k == i + 1 && !line.taped[at]) {
    if (room >= line.single_room[from == view][at]) return {Choice::Kind::reverse, k, 0};
  }
  Count run = 0;
  for (int j = i + 1; j < k; ++j) {
    run = line.run_from(i, j, run);
    if (room < line.base(from, i) + run + line.adjoint[Line::to(k)]) break;
    if (room < line.keep_need(from, i, j, k, run)) continue;
    const Count above = table.cost(loose, j, k, room - line.base(from, i));
    if (above == infinite) continue;
    const Count below = table.cost(line.after_keep(from), i, j, room);
    if (below == infinite) continue;
    const Count cost = line.keep_cost(from, i, j) + above + below;
    if (cost < best.cost) best = {Choice::Kind::keep, j, cost};
  }
  return best;
}

std::vector<Action> actions_of(const Line& line, const Table& table, Count room) {
  std::vector<Action> actions;
  if (line.steps > 0) write_piece(line, table, 0, line.steps, room, actions);
  return actions;
}

std::vector<Action> actions_of(const Line& line, const Chooser& choose, Count room) {
  std::vector<Action> actions;
  if (line.steps > 0) write_piece(line, choose, 0, line.steps, room, actions);
  return actions;
}

void write_piece(const Line& line, const Table& table, int i, int k, Count room, std::vector<Action>& actions) {
  const auto cheapest = [&](int from, int a, int b, Count in) { return choose(line, table, from, a, b, in); };
  write_piece(line, cheapest, i, k, room, actions);
}

void write_piece(const Line& line, const Chooser& choose, int first, int last, Count room, std::vector<Action>& actions) {
  struct Piece {
    int from, i, k;
    Count room;
    bool restore;  // x_i has to be come back to
    bool reverse;  // nothing but the reverse of step i is left
  };
  std::vector<Piece> open{{loose, first, last, room, false, false}};
  while (!open.empty()) {
    Piece piece = open.back();
    open.pop_back();
    const int i = piece.i, k = piece.k;
    if (piece.reverse) {
      actions.push_back(Action::reverse(i));
      continue;
    }
    if (piece.restore) actions.push_back(Action::restore(i));
    const Choice choice = choose(piece.from, i, k, piece.room);
    if (choice.cost == infinite)
      throw OutOfRange("no schedule of the table fits in " + std::to_string(room),
                       "give the room it was computed for");
    if (choice.kind == Choice::Kind::keep) {
      if (piece.from == loose) actions.push_back(Action::store(i));
      actions.push_back(Action::forward(i, choice.j));
      open.push_back({line.after_keep(piece.from), i, choice.j, piece.room, true, false});
      open.push_back({loose, choice.j, k, piece.room - line.base(piece.from, i), false, false});
      continue;
    }
    if (piece.from == stored) actions.push_back(Action::free(i));
    if (choice.kind == Choice::Kind::reverse) {
      if (i < line.real_steps) actions.push_back(Action::reverse(i));
      continue;
    }
    actions.push_back(Action::record(i));
    open.push_back({piece.from, i, i + 1, 0, false, true});
    if (i + 1 < k)
      open.push_back({line.after_record(i), i + 1, k, piece.room - line.tape[Line::to(i)], false,
                      false});
  }
}

}  // namespace sweepback::detail::uneven
