// SPDX-License-Identifier: Apache-2.0
// Action streams (`sweepback.actions/1`), one JSON document a line: first a header with everything
// the referee needs, then one action a line. No more than a line is ever held.
//
//     {"schema":"sweepback.actions/1","steps":10,"slots":2,"keep":"states","final_state":false}
//     {"store":0}
//     {"forward":[0,6]}
//
// | field of the header     | meaning                              | absent               |
// |-------------------------|--------------------------------------|----------------------|
// | steps                   | of the chain                         | needed without chain |
// | slots, bytes            | the budget, in one of them           | no limit, counting   |
// | keep                    | states, tapes, mixed (both)          | states               |
// | state_units, tape_units | of the slots, for mixed              | 1                    |
// | tapes                   | steps are reversed from tapes        | unless keep = states |
// | in_place, final_state   | as of a chain                        | false                |
// | from                    | a situation: where the stream begins | `x_0` in hand        |
// | chain                   | a `sweepback.chain/1`: costs, sizes; in place of the three above |
//
// `comment`, `source`, `strategy` and `engine` say where a stream comes from and are not read.
#pragma once

#include <iosfwd>
#include <string>

#include "sweepback/action.hpp"
#include "sweepback/check.hpp"
#include "sweepback/json.hpp"

namespace sweepback::json {

/// The header of a stream judged by `rules`, with its newline.
std::string header_line(const Rules& rules);

/// Appends the action and a newline to `lines`. `tiers`: those of the header's budget, which actions on
/// states then name: `{"store":6,"to":"disk"}`, `{"restore":6,"from":"disk"}`, `{"free":6,"from":"disk"}`,
/// `{"begin_store":6,"to":"disk"}`, `{"begin_restore":6,"from":"disk"}`, `{"wait":6,"at":"disk"}`.
void append_line(std::string& lines, const Action& action, const std::vector<TierModel>& tiers = {});

/// Reads a stream. Lines of blanks are passed over; a line is at most 4 KiB, the header 64 MiB.
class ActionReader {
 public:
  /// Reads the header. `name` is the stream's in errors. Throws BadFile (or what its numbers
  /// throw), naming the line, where it is none. `in` must outlive the reader.
  ActionReader(std::istream& in, std::string name = "the stream");

  const Rules& rules() const { return rules_; }

  /// Reads the next action; false at the end. Throws as above, Unsupported for blocks of steps.
  bool next(Action& action);

  /// The line read last, counted from 1; after the end, one past the last.
  Count line() const { return line_; }

 private:
  bool read_line(std::size_t most);
  template <class Value>
  Value value_of_line() const;
  void number_tier(Document& action) const;

  std::istream& in_;
  std::string name_;
  Rules rules_;
  std::string text_;        // the line
  std::string buffer_;      // read and not yet given out: from at_ on
  std::size_t at_ = 0;
  Count line_ = 0;
};

/// Judges what the reader has left. A violation's `action` is its number; `line`, where given, gets
/// the line of the violation.
Verdict check(ActionReader& reader, Count* line = nullptr);

}  // namespace sweepback::json
