// SPDX-License-Identifier: Apache-2.0
// Files of a run that may be killed and gone on with: each is whole or not there, and survives a power cut.
// Ours are called sweepback.NAME; nothing else in the directory is touched.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sweepback/durability.hpp"

namespace sweepback {

class RunDirectory {
 public:
  using Fill = std::function<void(std::span<std::byte>)>;
  using Take = std::function<void(std::size_t, const Fill&)>;

  enum class Access {
    own,  ///< one owner at a time
    look  ///< beside any owner, changing nothing
  };

  /// The directory must be there. Throws Io where another process owns it, or where it cannot be used.
  explicit RunDirectory(std::filesystem::path path, Access access = Access::own);
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  bool has(const std::string& name) const;

  /// Whether some process owns it.
  bool owned() const;

  /// Of ours, in no order; files that are not yet whole end in ".part".
  std::vector<std::string> names() const;

  /// Takes the place of what is there, once it is whole and on the device (or, without Durability::synced, whole
  /// unless the power is cut: it is then found to be damaged). Throws Io; what was there stays.
  void write(const std::string& name, std::span<const std::byte> content, Durability durability = Durability::synced);

  /// Calls `take(bytes, fill)`; `fill` puts the content into room of just so many bytes. Throws Io where the
  /// file is missing, shortened or damaged, naming it.
  void read(const std::string& name, const Take& take) const;
  std::vector<std::byte> read(const std::string& name) const;

  void remove(const std::string& name) noexcept;

 private:
  std::filesystem::path path_;
  int directory_ = -1, lock_ = -1;
};

}  // namespace sweepback
