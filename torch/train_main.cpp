// SPDX-License-Identifier: Apache-2.0
// The program sweepback-train: what `sweepback train` runs, with the same arguments.
#include <c10/util/Exception.h>
#include <malloc.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
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

// A reader that has seen enough (`| head`) is no failure.
int print(const std::string& text, int code) {
  errno = 0;
  if (std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0) return code;
  if (errno == EPIPE) return code;
  std::fprintf(stderr, "sweepback train: writing to standard output failed: %s\n",
               std::strerror(errno));
  return code == 0 ? 5 : code;
}

int report(const Error& error, bool json, int code) {
  if (json) return print(json::dump(json::to_json(error)), code);
  std::fprintf(stderr, "sweepback train: %s", error.message().c_str());
  if (!error.remedy().empty()) std::fprintf(stderr, "; %s", error.remedy().c_str());
  std::fputc('\n', stderr);
  return code;
}

// libtorch's words without its stack trace; of those about memory, only that there is none left.
Error plain(const c10::Error& error) {
  const std::string words = error.what_without_backtrace();
  if (words.find("allocate memory") == std::string::npos) return Error("failure", words, "");
  return Error("failure", "there is not enough memory for this",
               "give a smaller --hidden, --layers or --batch");
}

Error words_for(const train::Interrupted& interrupted) {
  if (interrupted.saved) return Error("interrupted", "interrupted; the model was saved", "");
  if (!interrupted.kept) return Error("interrupted", "interrupted; nothing was saved", "");
  const auto& [directory, iterations] = *interrupted.kept;
  return Error("interrupted", "interrupted; " + std::to_string(iterations) + " iterations are kept in " + directory,
               "go on with the same options and --resume " + directory, {{"iterations", iterations}});
}

int run(int argc, char** argv) {
  const train::Options options = train::parse(argc, argv);
  train::Progress progress(options.iterations, options.quiet || options.json);
  const train::Outcome outcome = train::train(options, progress);
  const std::string text =
      options.json ? train::to_json(outcome, options) : train::to_table(outcome, options);
  return print(text, outcome.gradient_equal.value_or(true) ? 0 : 4);
}

}  // namespace

int main(int argc, char** argv) {
  // Steps take and give back the same megabytes a thousand times: keep them, rather than ask the
  // system for fresh pages each time. Store-everything gains as much.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that glibc takes
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGPIPE, SIG_IGN);
  bool json = false;
  for (int i = 1; i < argc; ++i) json |= std::string_view(argv[i]) == "--json";
  try {
    return run(argc, argv);
  } catch (const train::Help& help) {
    return print(help.text, 0);
  } catch (const train::Interrupted& interrupted) {
    return report(words_for(interrupted), json, 128 + interrupted.signal);
  } catch (const Error& error) {
    return report(error, json, cli::exit_code(error.code()));
  } catch (const c10::Error& error) {
    return report(plain(error), json, 1);
  } catch (const std::bad_alloc&) {
    return report(Error("failure", "there is not enough memory for this",
                        "give a smaller --length, --hidden or --batch"),
                  json, 1);
  } catch (const std::exception& error) {
    return report(Error("failure", error.what(), ""), json, 1);
  }
}
