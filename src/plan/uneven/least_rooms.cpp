// SPDX-License-Identifier: Apache-2.0
// The least room: what fits in some room fits in any larger one, so the recurrence of line.hpp holds
// with the room itself in place of the cost.
#include "engines.hpp"

namespace sweepback::detail::uneven {

LeastRooms::LeastRooms(const Line& line, const Deadline& deadline) : steps_(line.steps), whole_(0) {
  const int l = steps_;
  if (l == 0) return;
  for (auto& least : least_) least.assign(cell(l, l) + 1, infinite);
  for (int i = l - 1; i >= 0; --i)
    for (int k = i + 1; k <= l; ++k) {
      if (k % 64 == 1) deadline.look();
      for (const int from : {loose, view}) {
        Count best = infinite;
        if (line.can_record(i, k)) {
          const Count need = line.record_need(from, i, k);
          const Count rest = i + 1 == k ? 0 : least_[line.after_record(i) == view][cell(i + 1, k)];
          if (rest != infinite) best = i + 1 == k ? need : std::max(need, rest + line.tape[Line::to(i)]);
        } else if (k == i + 1 && !line.taped[Line::to(i)]) {
          best = line.single_room[from == view][Line::to(i)];
        }
        Count run = 0;
        for (int j = i + 1; j < k; ++j) {
          run = line.run_from(i, j, run);
          const Count above = least_[0][cell(j, k)], below = least_[from == view][cell(i, j)];
          if (above == infinite || below == infinite) continue;
          const Count need = line.keep_need(from, i, j, k, run);
          best = std::min(best, std::max({need, line.base(from, i) + above, below}));
        }
        least_[from == view][cell(i, k)] = best;
      }
    }
  whole_ = least_[0][cell(0, l)];
  if (whole_ != infinite) whole_ = std::max(whole_, line.state[0] + line.adjoint[Line::to(l)]);
}

Count LeastRooms::cost(int from, int i, int k, Count room) const {
  return room >= least_[from == view][cell(i, k)] ? 0 : infinite;
}

}  // namespace sweepback::detail::uneven
