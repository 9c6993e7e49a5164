// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "command.hpp"

namespace {

bool wants_bold() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) && !(no_color && *no_color) && terminal &&
         std::strcmp(terminal, "dumb") != 0;
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that has seen enough (`| head`) is no failure: writing then fails with EPIPE.
  std::signal(SIGPIPE, SIG_IGN);
  std::ios::sync_with_stdio(false);
  const sweepback::cli::Output output{std::cout, std::cerr, wants_bold()};
  errno = 0;
  const int code = sweepback::cli::run({argv + (argc > 0), argv + argc}, output);
  if (std::cout.good()) std::cout.flush();
  if (std::cout.good() || errno == EPIPE) return code;
  std::cerr << "sweepback: writing to standard output failed: " << std::strerror(errno) << '\n';
  return code == 0 ? 5 : code;
}
