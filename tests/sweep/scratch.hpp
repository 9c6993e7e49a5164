// SPDX-License-Identifier: Apache-2.0
// What tests of files share: a directory of their own, and contents to write and read.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "sweepback/spill_directory.hpp"

namespace scratch {

/// An empty directory of the test's own.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "file_tier_XXXXXX").string();
    if (!mkdtemp(name.data())) std::abort();
    path_ = std::filesystem::canonical(name);
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }
  bool empty() const { return std::filesystem::is_empty(path_); }

 private:
  std::filesystem::path path_;
};

inline std::vector<std::byte> content(std::size_t size, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

inline std::vector<std::byte> read_back(const sweepback::SpillDirectory& directory, sweepback::Count number) {
  std::vector<std::byte> bytes;
  directory.read(number, [&](std::size_t n, const sweepback::SpillDirectory::Fill& fill) {
    bytes.resize(n);
    fill(bytes);
  });
  return bytes;
}

}  // namespace scratch
