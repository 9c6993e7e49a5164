// SPDX-License-Identifier: Apache-2.0
// `sweepback train` becomes sweepback-train: loading libtorch costs most of a second, and only that
// program needs it.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ostream>

#include "command.hpp"
#include "usage.hpp"

namespace sweepback::cli {

std::string find_train(const std::string& program) {
  const std::size_t slash = program.rfind('/');
  if (slash == std::string::npos) return {};
  const std::string folder = program.substr(0, slash);
  for (const char* place : {"/sweepback-train", "/../libexec/sweepback/sweepback-train"})
    if (const std::string path = folder + place; access(path.c_str(), X_OK) == 0) return path;
  return {};
}

int run_train(const Arguments& arguments, const Output& output) {
  const std::string program = find_train(this_program());
  if (program.empty())
    throw Unsupported(
        "this build has no trainer: sweepback-train is neither beside sweepback nor in "
        "../libexec/sweepback",
        "build with libtorch (cmake -DSWEEPBACK_TORCH=ON) and install both programs");
  output.out.flush();
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  throw Error("failure", program + " does not start: " + std::strerror(errno), "install it again");
}

}  // namespace sweepback::cli
