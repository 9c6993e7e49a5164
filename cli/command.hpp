// SPDX-License-Identifier: Apache-2.0
// The command's subcommands. Each has a request (what was typed, understood), a function that reads
// it from arguments and one that answers it: the tests call the latter without a process.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "sweepback/codec.hpp"
#include "sweepback/lossy.hpp"
#include "sweepback/plan.hpp"

namespace CLI {
class App;
}

namespace sweepback::cli {

using Arguments = std::vector<std::string>;  // those after the subcommand

/// Where answers go. `bold` where a terminal reads them and NO_COLOR is not set.
struct Output {
  std::ostream& out;
  std::ostream& err;
  bool bold = false;
};

/// The whole command: arguments without the program's name. Returns the exit code (usage.hpp);
/// prints errors, as a document on `out` where `--json` was asked for, else as a sentence on `err`.
int run(const Arguments& arguments, const Output& output);

// --- plan ---------------------------------------------------------------------------------------

struct PlanRequest {
  Chain chain;
  std::optional<Budget> budget;  ///< empty: what one of these takes
  Count max_runs = 0;
  std::optional<double> max_time_ratio;
  PlanOptions options;
  bool runs = false, actions = false, json = false;
};

PlanRequest read_plan(const Arguments& arguments);
int run_plan(const PlanRequest& request, const Output& output);

/// The plan as people read it; with `runs`, how many steps run how often.
void print_plan(const Plan& plan, bool runs, const Output& output);

// --- bounds -------------------------------------------------------------------------------------

struct BoundsRequest {
  Count steps = 0, slots = 0;
  bool json = false;
};

BoundsRequest read_bounds(const Arguments& arguments);
int run_bounds(const BoundsRequest& request, const Output& output);

// --- trade --------------------------------------------------------------------------------------

struct TradeRequest {
  Chain chain;
  PlanOptions options;
  int points = 24;
  bool json = false;
};

TradeRequest read_trade(const Arguments& arguments);
int run_trade(const TradeRequest& request, const Output& output);

// --- compare ------------------------------------------------------------------------------------

struct CompareRequest {
  Chain chain;
  std::vector<Budget> budgets;
  PlanOptions options;  ///< units
  bool units = false;   ///< those of a tape were given
  bool json = false;
};

CompareRequest read_compare(const Arguments& arguments);
int run_compare(const CompareRequest& request, const Output& output);

// --- check --------------------------------------------------------------------------------------

struct CheckRequest {
  std::string file;  ///< "-": standard input
  bool json = false;
};

CheckRequest read_check(const Arguments& arguments);
int run_check(const CheckRequest& request, const Output& output);

// --- clean --------------------------------------------------------------------------------------

struct CleanRequest {
  std::string directory;
  bool json = false;
};

CleanRequest read_clean(const Arguments& arguments);
int run_clean(const CleanRequest& request, const Output& output);

// --- status -------------------------------------------------------------------------------------

struct StatusRequest {
  std::string directory;
  bool json = false;
};

StatusRequest read_status(const Arguments& arguments);
int run_status(const StatusRequest& request, const Output& output);

// --- calibrate ----------------------------------------------------------------------------------

struct CalibrateRequest {
  std::string directory, output;
  Count state_bytes = 0, total_bytes = 0;
  std::string compress;         ///< a file of states: these compressed are measured, and no files
  Elements elements;            ///< of them; state_bytes is 0 where the file is one state
  std::optional<Lossy> lossy;   ///< with an error bound
  bool json = false;
};

CalibrateRequest read_calibrate(const Arguments& arguments);
int run_calibrate(const CalibrateRequest& request, const Output& output);
int run_calibrate_compression(const CalibrateRequest& request, const Output& output);

/// What both do with a tier: the document, to the file that was asked for and with `--json` to `out`.
/// True where that was all.
bool write_tier(const TierModel& tier, const CalibrateRequest& request, const Output& output);

/// For people: "  store    1.20 GiB/s…".
void print_transfers(const TierModel& tier, Count state_bytes, const Output& output);

// --- train --------------------------------------------------------------------------------------

/// Becomes sweepback-train, beside this program or in ../libexec/sweepback. Returns only by
/// throwing Unsupported, where there is none.
int run_train(const Arguments& arguments, const Output& output);

/// Where sweepback-train is; empty where this build has none. `program`: the path of this one.
std::string find_train(const std::string& program);

// --- version ------------------------------------------------------------------------------------

struct VersionRequest {
  bool json = false;
};

VersionRequest read_version(const Arguments& arguments);
int run_version(const VersionRequest& request, const Output& output);

// --- shared -------------------------------------------------------------------------------------

/// How long planning may take, and in how many threads: two options of those that plan.
struct Effort {
  std::optional<std::string> time_limit, threads;

  /// Adds the options, in `group`, to `app`, which this must outlive.
  void add_to(CLI::App& app, const char* group, const char* limited);
  void read_into(PlanOptions& options) const;
};

/// Thrown to print a help text and end with exit code 0.
struct HelpWanted {
  std::string text;
};

/// Parses, and turns what CLI11 throws into HelpWanted and Error "usage". Arguments that the
/// subcommand does not know are named, with what it knows.
void parse(CLI::App& app, const Arguments& arguments);

/// The path of this program; empty where the system does not say.
std::string this_program();

}  // namespace sweepback::cli
