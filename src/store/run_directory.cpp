// SPDX-License-Identifier: Apache-2.0
// The lock is one of the file "sweepback.lock", which goes with its owner.
#include "sweepback/run_directory.hpp"

#include <sys/file.h>
#include <sys/stat.h>

#include "files.hpp"
#include "record.hpp"

namespace sweepback {

namespace {

using detail::Descriptor;
using detail::io_failed;

std::string file_name(const std::string& name) { return "sweepback." + name; }

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

void RunDirectory::write(const std::string& name, std::span<const std::byte> content) {
  const std::string whole = (path_ / file_name(name)).string(), part = file_name(name) + ".part";
  ::unlinkat(directory_, part.c_str(), 0);  // of a run that was killed
  Descriptor file(::openat(directory_, part.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) io_failed("write", whole, errno);
  const detail::RecordHeader header = detail::RecordHeader::of(content);
  int error = detail::write_all(file.get(), std::as_bytes(std::span(&header, 1)));
  if (error == 0) error = detail::write_all(file.get(), content);
  if (error == 0) error = detail::sync_all(file.get());
  if (error == 0 && ::close(file.release()) != 0) error = errno;
  if (error == 0 && ::renameat(directory_, part.c_str(), directory_, file_name(name).c_str()) != 0) error = errno;
  if (error == 0) error = detail::sync_all(directory_);
  if (error == 0) return;
  ::unlinkat(directory_, part.c_str(), 0);
  io_failed("write", whole, error);
}

std::vector<std::byte> RunDirectory::read(const std::string& name) const {
  const std::string whole = (path_ / file_name(name)).string();
  const auto damaged = [&](const std::string& how) { throw Io(whole + " " + how, "the file is damaged and is not used: check the disk"); };
  const Descriptor file(::openat(directory_, file_name(name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file && errno == ENOENT) damaged("is missing");
  if (!file) io_failed("read", whole, errno);
  struct stat now {};
  if (::fstat(file.get(), &now) != 0) io_failed("read", whole, errno);
  const auto check = [&](int error) {
    if (error > 0) io_failed("read", whole, error);
    if (error < 0) damaged("is shortened");
  };
  detail::RecordHeader header;
  check(detail::read_all(file.get(), std::as_writable_bytes(std::span(&header, 1))));
  if (!header.whole() || static_cast<std::uint64_t>(now.st_size) != sizeof header + header.length) damaged("is damaged or shortened");
  std::vector<std::byte> content(header.length);
  check(detail::read_all(file.get(), content));
  if (!header.matches(content)) damaged("is not what was written: its checksum differs");
  return content;
}

void RunDirectory::remove(const std::string& name) noexcept {
  ::unlinkat(directory_, file_name(name).c_str(), 0);
  ::unlinkat(directory_, (file_name(name) + ".part").c_str(), 0);
}

}  // namespace sweepback
