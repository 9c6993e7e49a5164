// SPDX-License-Identifier: Apache-2.0
// A computation as it is typed: equal steps by options, or a chain from a file. Shared by the
// subcommands that plan.
#pragma once

#include <optional>
#include <string>

#include "sweepback/chain.hpp"

namespace CLI {
class App;
}

namespace sweepback::cli {

class ChainArguments {
 public:
  /// Adds the options to `app`, which this must outlive.
  void add_to(CLI::App& app);

  /// The chain, once `app` has parsed. Throws Error "usage" and what the values throw.
  Chain chain() const;

 private:
  using Text = std::optional<std::string>;
  struct Option {
    const char* name;
    const char* value;
    const char* meaning;
    Text text = {};
  };

  const Text& of(const char* name) const;

  Text steps_, file_, in_place_, input_bytes_, input_adjoint_;
  bool final_state_ = false;
  // What --chain FILE says of each step.
  Option of_steps_[13] = {
      {"--forward-cost", "F", "of a forward step, in cost units, or a time: 1.5ms [1]"},
      {"--record-cost", "R", "of a step that keeps its tape [F]"},
      {"--reverse-cost", "V", "of a reverse step [1]"},
      {"--state-bytes", "SIZE", "of a state [not known]"},
      {"--tape-bytes", "SIZE", "of a tape; steps then have tapes [no tapes]"},
      {"--tape-has-output", "yes|no", "a kept tape gives back its step's output [yes]"},
      {"--adjoint-bytes", "SIZE", "of the adjoint of a state [0]"},
      {"--forward-workspace", "SIZE", "needed while a step runs or records [0]"},
      {"--reverse-workspace", "SIZE", "needed while a step is reversed [0]"},
      {"--forward-call", "F", "of one call of many forward steps [0]"},
      {"--record-call", "R", "of one call that records many [0]"},
      {"--reverse-call", "V", "of one call that reverses many [0]"},
      {"--block-tape-bytes", "SIZE", "a step of the tape of many; steps then run in blocks"}};
};

}  // namespace sweepback::cli
