// SPDX-License-Identifier: Apache-2.0
// An observer that compares every state that is computed again with its first pass.
#pragma once

#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>

#include "sweepback/sweepback.hpp"

namespace toy {

struct Differs : std::runtime_error {
  explicit Differs(sweepback::Count k)
      : std::runtime_error("the state after step " + std::to_string(k) +
                           " differs from the first pass"),
        step(k) {}
  sweepback::Count step;
};

/// Bit for bit; `Value` is what of a state is compared.
template <class Value>
class Verify {
 public:
  template <class State>
  void step(const sweepback::StepEvent& event, const State& x) {
    const Value value(x);
    if (event.phase == sweepback::Phase::first_pass) {
      if (!first_.emplace(event.step, value).second) throw std::logic_error("two first passes");
    } else {
      ++recomputed;
      if (std::memcmp(&first_.at(event.step), &value, sizeof value) != 0) throw Differs(event.step);
    }
  }

  sweepback::Count recomputed = 0;

 private:
  std::map<sweepback::Count, Value> first_;
};

}  // namespace toy
