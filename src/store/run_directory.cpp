// SPDX-License-Identifier: Apache-2.0
// The lock is one of the file "sweepback.lock", which goes with its owner.
#include "sweepback/run_directory.hpp"

#include <sys/file.h>
#include <sys/stat.h>

#include "files.hpp"
#include "record_file.hpp"

namespace sweepback {

namespace {

using detail::Descriptor;
using detail::io_failed;

constexpr std::string_view prefix = "sweepback.";

std::string file_name(const std::string& name) { return std::string(prefix) + name; }

/// Locked; none where another process has it.
Descriptor locked(int directory, const std::string& path) {
  for (;;) {
    Descriptor lock(::openat(directory, "sweepback.lock", O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock) io_failed("write in", path, errno);
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return Descriptor();
    struct stat ours {}, there {};
    const bool same = ::fstat(lock.get(), &ours) == 0 && ::fstatat(directory, "sweepback.lock", &there, AT_SYMLINK_NOFOLLOW) == 0 && ours.st_ino == there.st_ino;
    if (same) return lock;  // else its owner has just removed it
  }
}

}  // namespace

RunDirectory::RunDirectory(std::filesystem::path path, Access access) : path_(std::move(path)) {
  Descriptor directory(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory) io_failed("open", path_.string(), errno);
  if (access == Access::look) {
    directory_ = directory.release();
    return;
  }
  Descriptor lock = locked(directory.get(), path_.string());
  if (!lock) throw Io("the run in " + path_.string() + " is under way in another process", "wait for it, or give another directory");
  directory_ = directory.release();
  lock_ = lock.release();
}

RunDirectory::~RunDirectory() {
  if (lock_ >= 0) {
    ::unlinkat(directory_, "sweepback.lock", 0);
    ::close(lock_);
  }
  ::close(directory_);
}

bool RunDirectory::owned() const {
  if (lock_ >= 0) return true;
  const Descriptor lock(::openat(directory_, "sweepback.lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  return lock && ::flock(lock.get(), LOCK_SH | LOCK_NB) != 0;
}

bool RunDirectory::has(const std::string& name) const { return ::faccessat(directory_, file_name(name).c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0; }

std::vector<std::string> RunDirectory::names() const {
  std::vector<std::string> names;
  for (std::string& name : detail::names_in(directory_))
    if (name.starts_with(prefix)) names.push_back(name.substr(prefix.size()));
  return names;
}

void RunDirectory::write(const std::string& name, std::span<const std::byte> content, Durability durability) {
  const std::string whole = file_name(name), part = whole + ".part";
  const bool synced = durability == Durability::synced;
  ::unlinkat(directory_, part.c_str(), 0);  // of a run that was killed
  int error = detail::write_record(directory_, part, content, synced);
  const bool written = error == 0;
  if (written && ::renameat(directory_, part.c_str(), directory_, whole.c_str()) != 0) error = errno;
  if (error == 0 && synced) error = detail::sync_all(directory_);
  if (error == 0) return;
  if (written) ::unlinkat(directory_, part.c_str(), 0);
  io_failed("write", (path_ / whole).string(), error);
}

void RunDirectory::read(const std::string& name, const Take& take) const {
  detail::read_record(directory_, file_name(name), (path_ / file_name(name)).string(), "the file is damaged and is not used: check the disk", take);
}

std::vector<std::byte> RunDirectory::read(const std::string& name) const {
  std::vector<std::byte> content;
  read(name, [&](std::size_t bytes, const Fill& fill) {
    content.resize(bytes);
    fill(content);
  });
  return content;
}

void RunDirectory::remove(const std::string& name) noexcept {
  ::unlinkat(directory_, file_name(name).c_str(), 0);
  ::unlinkat(directory_, (file_name(name) + ".part").c_str(), 0);
}

}  // namespace sweepback
