// SPDX-License-Identifier: Apache-2.0
// The program sweepback-train: what `sweepback train` runs, with the same arguments.
#include <malloc.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "sweepback/json.hpp"
#include "train/options.hpp"
#include "train/outcome.hpp"
#include "train/trainer.hpp"
#include "train/watch.hpp"
#include "usage.hpp"

namespace {

using namespace sweepback;

void on_signal(int signal) {
  if (train::interrupted_by) _exit(128 + signal);  // asked twice: at once
  train::interrupted_by = signal;
}

int report(const Error& error, bool json, int code) {
  if (json) {
    std::fputs(json::dump(json::to_json(error)).c_str(), stdout);
  } else {
    std::fprintf(stderr, "sweepback train: %s", error.message().c_str());
    if (!error.remedy().empty()) std::fprintf(stderr, "; %s", error.remedy().c_str());
    std::fputc('\n', stderr);
  }
  return code;
}

int run(int argc, char** argv) {
  const train::Options options = train::parse(argc, argv);
  train::Progress progress(options.iterations, options.quiet || options.json);
  const train::Outcome outcome = train::train(options, progress);
  const std::string text =
      options.json ? train::to_json(outcome, options) : train::to_table(outcome, options);
  std::fputs(text.c_str(), stdout);
  if (std::fflush(stdout) != 0) return 5;
  return outcome.gradient_equal.value_or(true) ? 0 : 4;
}

}  // namespace

int main(int argc, char** argv) {
  // Steps take and give back the same megabytes a thousand times: keep them, rather than ask the
  // system for fresh pages each time. Store-everything gains as much.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that glibc takes
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  bool json = false;
  for (int i = 1; i < argc; ++i) json |= std::string_view(argv[i]) == "--json";
  try {
    return run(argc, argv);
  } catch (const train::Help& help) {
    std::fputs(help.text.c_str(), stdout);
    return 0;
  } catch (const train::Interrupted& interrupted) {
    return report(Error("interrupted", "interrupted; nothing was saved", ""), json,
                  128 + interrupted.signal);
  } catch (const Error& error) {
    return report(error, json, cli::exit_code(error.code()));
  } catch (const std::exception& error) {
    return report(Error("failed", error.what(), ""), json, 1);
  }
}
