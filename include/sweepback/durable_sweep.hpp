// SPDX-License-Identifier: Apache-2.0
// A sweep that survives a kill. It leaves marks in a directory: x_0, and every while the adjoint with the number
// of steps that are still to be reversed. Resumed, it plans those anew from x_0: no step is reversed twice,
// and at most one pass is run again beyond the work since the last mark.
//
//     DurableSweep<Program, Adjoint> sweep(program, plan, {.directory = "run", .program = "waves 3, f = 12 Hz"});
//     Adjoint adjoint;
//     if (!sweep.resume(adjoint)) adjoint = seed(sweep.forward(x0));    // nothing there, or x_l was not reached
//     Report report = sweep.backward(adjoint);                          // the directory is left as it was found
//
// Two generations of marks are kept, each whole or not there (run_directory.hpp): a mark that is damaged costs
// the work since the one before. Needs sweepback::json.
#pragma once

#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "sweepback/codec.hpp"
#include "sweepback/fingerprint.hpp"
#include "sweepback/json.hpp"
#include "sweepback/run_directory.hpp"
#include "sweepback/sweep.hpp"

namespace sweepback {

/// What is said of a run beside its files: `sweepback.manifest/1`.
struct Manifest {
  std::string program;     ///< the user's name for it
  std::string chain;       ///< its fingerprint
  Count steps = 0;         ///< of the chain
  Count end = 0;           ///< steps end … steps-1 are reversed
  Count generation = 0;    ///< of marks, counted from 1
  bool backward = false;   ///< x_l was reached, and an adjoint is there
  bool operator==(const Manifest&) const = default;
};

namespace json {
Json to_json(const Manifest& manifest);
/// Throws BadFile: also for another version, or another order of bytes.
template <> Manifest from_json<Manifest>(const Document&);
}  // namespace json

/// The newest whole one in a directory; empty where there is none. Throws Io where all are damaged, BadFile
/// for what is none.
inline std::optional<Manifest> newest_manifest(const RunDirectory& directory) {
  std::optional<Manifest> newest;
  std::optional<Io> damage;
  for (const char* name : {"manifest.0", "manifest.1"}) {
    if (!directory.has(name)) continue;
    try {
      const std::vector<std::byte> content = directory.read(name);
      const std::string text(reinterpret_cast<const char*>(content.data()), content.size());
      Manifest found = json::from_json<Manifest>(json::parse(text, (directory.path() / ("sweepback." + std::string(name))).string()));
      // Its adjoint must be whole as well: else the one before counts.
      if (found.backward) (void)directory.read(found.generation % 2 == 0 ? "adjoint.0" : "adjoint.1");
      if (!newest || found.generation > newest->generation) newest = std::move(found);
    } catch (const Io& e) {
      damage = e;
    }
  }
  if (!newest && damage) throw *damage;
  return newest;
}

struct DurableOptions {
  std::filesystem::path directory;
  std::string program;        ///< what is computed, parameters included: compared when it is resumed
  double interval = -1;       ///< seconds between marks, 0 for one at every step; negative: sqrt(2 C mtbf), C what a mark takes (Young 1974)
  double mtbf = 24 * 3600;    ///< seconds between failures
};

template <Program P, class Adjoint, class StateCodec = PlainBytes<typename P::State>, class AdjointCodec = PlainBytes<Adjoint>>
class DurableSweep {
 public:
  using State = typename P::State;
  using Further = std::function<FarTiers<State>()>;

  /// `further` makes the tiers after memory. Throws Io where the directory cannot be used, or is in use.
  DurableSweep(P& program, Plan plan, DurableOptions options, Further further = {}, StateCodec state = {}, AdjointCodec adjoint = {})
      : program_(program),
        plan_(std::move(plan)),
        options_(std::move(options)),
        further_(std::move(further)),
        state_codec_(std::move(state)),
        adjoint_codec_(std::move(adjoint)),
        directory_(options_.directory) {
    ours_.program = options_.program;
    ours_.steps = ours_.end = plan_.chain.steps();
    const std::string text = json::dump(json::to_json(plan_.chain));
    const Fingerprint print = fingerprint(std::as_bytes(std::span(text)));
    char digits[33];
    std::snprintf(digits, sizeof digits, "%016llx%016llx", static_cast<unsigned long long>(print.high), static_cast<unsigned long long>(print.low));
    ours_.chain = digits;
  }

  /// Goes on with a run that lies there: true where it had come to x_l; `adjoint` is then that of x_end, and the
  /// first pass to there has been run again. False where there is none, or it had not come so far: call
  /// forward. Throws Error "mismatch" for a run of another program or chain, Io where what it needs is damaged.
  bool resume(Adjoint& adjoint) {
    const std::optional<Manifest> there = newest_manifest(directory_);
    if (!there) return false;
    const auto refuse = [&](const std::string& what, const std::string& its, const std::string& mine) {
      throw Error("mismatch", "the run in " + directory_.path().string() + " is of " + what + " \"" + its + "\", and this is \"" + mine + '"',
                  "go on with what began it, or remove sweepback.* there to begin anew");
    };
    if (there->program != ours_.program) refuse("the program", there->program, ours_.program);
    if (there->chain != ours_.chain || there->steps != ours_.steps) refuse("the chain", there->chain, ours_.chain);
    ours_ = *there;
    if (!ours_.backward) return false;
    adjoint = decoded<Adjoint>(adjoint_codec_, directory_.read(mark("adjoint", ours_.generation)));
    if (ours_.end == 0) return true;
    PlanOptions options;
    options.keep = plan_.keep;
    options.units = plan_.units;
    Chain left = plan_.chain.part(0, ours_.end);
    left.final_state = false;
    plan_ = sweepback::plan(left, plan_.budget, options);
    begin();
    sweep_->advance(decoded<State>(state_codec_, directory_.read("start")));
    return true;
  }

  /// Begins: x_0 is written, then as Sweep's.
  State forward(State x0) {
    directory_.write("start", state_codec_.bytes(x0));
    ours_.end = ours_.steps;
    ours_.backward = false;
    write_manifest();
    begin();
    return sweep_->forward(std::move(x0));
  }

  /// Comes back, with a first mark at once. At the end none of our files is left.
  template <class A>
    requires std::same_as<A, Adjoint> && ReversibleProgram<P, Adjoint>
  Report backward(A& adjoint) {
    if (!ours_.backward) {
      ours_.backward = true;
      write_mark(adjoint);
    }
    Report report;
    if (ours_.end > 0) {
      marks_.reversed = [&](Count end) {
        ours_.end = end;
        if (end > 0 && std::chrono::steady_clock::now() >= next_) write_mark(adjoint);
      };
      report = sweep_->backward(adjoint);
    }
    for (const char* name : {"manifest.0", "manifest.1", "adjoint.0", "adjoint.1", "start"}) directory_.remove(name);
    return report;
  }

  Count marks() const { return ours_.generation; }

 private:
  struct Marks {
    std::function<void(Count)> reversed;
    void action(const ActionEvent& event) const {
      if (event.action.kind == Action::Kind::reverse && reversed) reversed(event.action.first);
    }
  };

  static std::string mark(const char* what, Count generation) { return std::string(what) + (generation % 2 == 0 ? ".0" : ".1"); }

  template <class T, class C>
  static T decoded(C& codec, const std::vector<std::byte>& bytes) {
    return codec.state(bytes.size(), [&](std::span<std::byte> room) { std::copy(bytes.begin(), bytes.end(), room.begin()); });
  }

  void begin() { sweep_.emplace(program_, plan_, MemoryTier<State>{}, marks_, further_ ? further_() : FarTiers<State>{}); }

  void write_manifest() {
    ++ours_.generation;
    const std::string text = json::dump(json::to_json(ours_));
    directory_.write(mark("manifest", ours_.generation), std::as_bytes(std::span(text)));
  }
  void write_mark(const Adjoint& adjoint) {
    const auto begin = std::chrono::steady_clock::now();
    directory_.write(mark("adjoint", ours_.generation + 1), adjoint_codec_.bytes(adjoint));
    write_manifest();
    const auto now = std::chrono::steady_clock::now();
    const double cost = std::chrono::duration<double>(now - begin).count();
    const double interval = options_.interval >= 0 ? options_.interval : std::sqrt(2 * cost * options_.mtbf);
    next_ = now + std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(interval));
  }

  P& program_;
  Plan plan_;
  DurableOptions options_;
  Further further_;
  StateCodec state_codec_;
  AdjointCodec adjoint_codec_;
  RunDirectory directory_;
  Manifest ours_;
  Marks marks_;
  std::optional<Sweep<P, MemoryTier<State>, Marks>> sweep_;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace sweepback
