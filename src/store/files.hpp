// SPDX-License-Identifier: Apache-2.0
// Files, by descriptor: whole reads and writes, and errors that name the file.
//
// One call moves all that the system takes. Pieces of 1 MiB through io_uring, and O_DIRECT, were measured
// with records of 8 MiB and 64 MiB (ext4 on a virtual disk): neither is faster by more than the spread, and
// cold reads lose the system's reading ahead.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sweepback/error.hpp"

namespace sweepback::detail {

/// Closed when it goes.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

[[noreturn]] inline void io_failed(const std::string& what, const std::string& file, int error) {
  const char* remedy = error == ENOSPC || error == EDQUOT ? "free some room there, or name another directory (--spill-dir)"
                       : error == EIO                      ? "the device fails: name another directory (--spill-dir)"
                                                           : "see that the directory can be read and written, or name another";
  throw Io("cannot " + what + " " + file + ": " + std::strerror(error), remedy, {{"errno", error}});
}

/// Waits until the device has a file, or a directory's names; 0, or the error's number.
inline int sync_all(int fd) {
  while (::fsync(fd) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

/// All of it; 0, or the error's number.
inline int write_all(int fd, std::span<const std::byte> bytes) {
  constexpr std::size_t most = std::size_t{1} << 30;
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd, bytes.data(), std::min(bytes.size(), most));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
  return 0;
}

/// All of it; 0, the error's number, or -1 where the file ends before.
inline int read_all(int fd, std::span<std::byte> bytes) {
  constexpr std::size_t most = std::size_t{1} << 30;
  while (!bytes.empty()) {
    const ssize_t done = ::read(fd, bytes.data(), std::min(bytes.size(), most));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    if (done == 0) return -1;
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
  return 0;
}

/// Names in a directory, without "." and ".."; none where it cannot be read.
inline std::vector<std::string> names_in(int directory) {
  std::vector<std::string> names;
  const int again = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const auto close = [](DIR* open) { ::closedir(open); };
  const std::unique_ptr<DIR, decltype(close)> listing(again < 0 ? nullptr : ::fdopendir(again), close);
  if (!listing) {
    if (again >= 0) ::close(again);
    return names;
  }
  while (const dirent* entry = ::readdir(listing.get()))
    if (const std::string name = entry->d_name; name != "." && name != "..") names.push_back(name);
  return names;
}

}  // namespace sweepback::detail
