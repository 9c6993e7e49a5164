// SPDX-License-Identifier: Apache-2.0
// Sizes and counts as people type and read them: "512MiB", "2GB", "5%", "auto", "1e12". Shared by
// all subcommands and the trainer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sweepback/budget.hpp"
#include "sweepback/chain.hpp"
#include "sweepback/count.hpp"
#include "sweepback/plan.hpp"
#include "usage.hpp"

namespace sweepback::cli {

/// | text               | count                                                         |
/// |--------------------|---------------------------------------------------------------|
/// | `0`, `10000`       | itself                                                        |
/// | `1e12`, `25e3`     | exactly 10^12, 25 000: digits, `e`, digits                    |
///
/// Nothing else: no sign, point, separator or unit. `what` names the number in errors ("--steps").
/// Throws Error "usage" where the text is no number, OutOfRange where it is negative, Overflow
/// where it is above 2^63-1.
Count parse_count(std::string_view text, std::string_view what = "the number");

/// The same, from 1 on.
Count at_least_one(std::string_view text, const char* option);

/// Bytes: a plain number, or one with a unit. kB, MB, GB, TB, PB, EB are powers of 1000; KiB, MiB,
/// GiB, TiB, PiB, EiB of 1024; B is one byte. Case and one space before the unit do not matter;
/// "M" alone could be either and is refused. "1.5GiB" is fine: what is left of a byte is dropped.
/// Throws as parse_count.
Count parse_bytes(std::string_view text, std::string_view what = "the size");

/// A cost: a plain number of units, or a time, in nanoseconds: `5`, `1.5ms`, `80us`, `2s`. Throws as
/// parse_count; also for less than a nanosecond.
Count parse_cost(std::string_view text, std::string_view what = "the cost");

/// A ratio such as `1.2`: a positive decimal number, nothing else. Throws as parse_count.
double parse_ratio(std::string_view text, std::string_view what = "the ratio");

/// What stands after `--budget`: bytes, a share of store-everything, or half of what is free.
struct BudgetText {
  enum class Kind : std::uint8_t { bytes, share, automatic };
  Kind kind = Kind::bytes;
  Count bytes = 0;       ///< of Kind::bytes
  double share = 0.0;    ///< of Kind::share: 0.05 for `5%`
  Count billionths = 0;  ///< the same share exactly: 50 000 000

  bool operator==(const BudgetText&) const = default;
};

/// "512MiB", "5%" (above 0, at most seven decimals) or "auto". Throws as parse_bytes.
BudgetText parse_budget(std::string_view text, std::string_view what = "--budget");

/// That which stands first in a file. Throws BadFile for one that cannot be read, and as parse_budget.
BudgetText read_budget(const std::string& path);

/// The budget in bytes for `chain`. A share is exact, rounded down to a byte. Throws OutOfRange
/// where a share meets a chain whose sizes are not known, Overflow above 2^63-1 bytes.
Budget budget_for(const BudgetText& text, const Chain& chain);

/// Bytes that can still be taken: of the machine (MemAvailable) and of every control group that the
/// process is in (limit less what is used, file cache that can be dropped left out), the least.
/// `root` is where /proc and /sys are, for tests. Throws Error "io" where nothing says.
Count free_memory(const std::string& root = "");

/// For people: "512 B", "1.50 KiB", "78.1 GiB", rounded to three or four digits.
std::string print_bytes(Count bytes);

/// For people: "10,000".
std::string print_count(Count count);

}  // namespace sweepback::cli
