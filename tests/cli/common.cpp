// SPDX-License-Identifier: Apache-2.0
#include "common.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "command.hpp"

namespace sweepback::testing {

namespace {

/// A folder of our own, removed with all in it at the end.
struct Folder {
  std::string path;
  int files = 0;

  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "sweepback-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

Folder& folder() {
  static Folder ours;
  return ours;
}

std::string quoted(const std::string& text) {
  std::string safe = "'";
  for (const char c : text) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return safe + '\'';
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

nlohmann::json Result::json() const {
  if (!out.ends_with('\n') || out.ends_with("\n\n"))
    throw std::runtime_error("not one newline at the end of: " + out);
  return nlohmann::json::parse(out);
}

Result call(const std::vector<std::string>& arguments) {
  std::ostringstream out, err;
  const int code = cli::run(arguments, {out, err});
  return {code, out.str(), err.str()};
}

std::string file_of(const std::string& text) {
  const std::string path = folder().path + "/file-" + std::to_string(++folder().files);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

Result shell(const std::string& command) {
  const std::string out = file_of(""), err = file_of(""), script = file_of(command);
  const std::string line =
      "bash " + quoted(script) + " >" + quoted(out) + " 2>" + quoted(err) + " </dev/null";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(out), contents(err)};
}

Result run(const std::vector<std::string>& arguments, const std::string& input) {
  std::string command = "\"$SWEEPBACK\"";
  for (const std::string& argument : arguments) command += ' ' + quoted(argument);
  return shell(command + " <" + quoted(file_of(input)));
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

}  // namespace sweepback::testing
