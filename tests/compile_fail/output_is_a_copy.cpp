// SPDX-License-Identifier: Apache-2.0
// `output` is a view into the tape: a copy would be memory that no plan counts.
// error: output.* does not satisfy return-type-requirement|TapesHoldOutput
#include "sweepback/sweepback.hpp"

struct Program {
  using State = double;
  struct Tape {
    double out;
  };
  void forward(sweepback::Count, double& x) { x += 1; }
  Tape record(sweepback::Count, double& x) { return {x += 1}; }
#ifdef SWEEPBACK_FIXED
  const double& output(sweepback::Count, const Tape& tape) { return tape.out; }
#else
  double output(sweepback::Count, const Tape& tape) { return tape.out; }
#endif
};
void keeps_tapes(sweepback::TapesHoldOutput auto&) {}
void run(Program& program) { keeps_tapes(program); }
