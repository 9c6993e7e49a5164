// SPDX-License-Identifier: Apache-2.0
// How GoogleTest shows the library's values.
#pragma once

#include <ostream>

#include "sweepback/sweepback.hpp"

namespace sweepback {

inline void PrintTo(const Bill& b, std::ostream* out) {
  *out << "forward " << b.forward_steps << " record " << b.record_steps << " reverse "
       << b.reverse_steps << " stores " << b.stores << " restores " << b.restores << " repetition "
       << b.repetition << " cost " << b.cost << " slots " << b.peak_slots << " bytes ";
  b.peak_bytes ? *out << *b.peak_bytes : *out << "unknown";
}

inline void PrintTo(const Action& action, std::ostream* out) { *out << to_string(action); }

inline void PrintTo(const Plan& p, std::ostream* out) {
  *out << p.chain.steps() << " steps, " << to_string(p.budget) << ", " << name(p.keep) << ", "
       << name(p.strategy) << (p.chain.final_state ? ", final state" : "")
       << (p.chain.in_place ? ", in place" : "");
}

}  // namespace sweepback
