// SPDX-License-Identifier: Apache-2.0
// The owner holds a lock on the file "owner" for as long as it lives: a directory whose owner is not
// locked is nobody's. One without that file may just be in the making: it is removed only while empty,
// and then made anew.
#include "sweepback/spill_directory.hpp"

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "files.hpp"
#include "names.hpp"
#include "record_file.hpp"
#include "record.hpp"

namespace sweepback {

namespace {

using detail::Descriptor;
using detail::io_failed;

/// The locked owner's file of a fresh directory; none where `clean` was there first.
Descriptor own(int directory, const std::string& path) {
  Descriptor owner(::openat(directory, detail::owner_name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
  if (!owner) {
    if (errno == ENOENT) return Descriptor();
    io_failed("write in", path, errno);
  }
  const std::string text = std::string(detail::owner_text) + "process " + std::to_string(::getpid()) + '\n';
  if (::flock(owner.get(), LOCK_EX | LOCK_NB) != 0) return Descriptor();
  struct stat now {};
  if (::fstat(owner.get(), &now) != 0 || now.st_nlink == 0) return Descriptor();
  if (const int error = detail::write_all(owner.get(), std::as_bytes(std::span(text)))) {
    ::unlinkat(directory, detail::owner_name, 0);
    io_failed("write in", path, error);
  }
  return owner;
}

/// A power cut takes neither a fresh directory nor its owner's file. Throws Io, and neither is left.
void sync_made(int directory, int owner, const std::filesystem::path& base) {
  const Descriptor above(::open(base.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  int error = above ? 0 : errno;
  for (const int fd : {owner, directory, above.get()})
    if (error == 0) error = detail::sync_all(fd);
  if (error == 0) return;
  ::unlinkat(directory, detail::owner_name, 0);
  io_failed("sync", base.string(), error);
}

/// Gives a whole record its name, where nothing has it. 0, or the error's number.
int rename_new(int directory, const std::string& from, const std::string& to) {
#ifdef RENAME_NOREPLACE
  if (::renameat2(directory, from.c_str(), directory, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
#endif
  if (::faccessat(directory, to.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0) return EEXIST;
  return ::renameat(directory, from.c_str(), directory, to.c_str()) == 0 ? 0 : errno;
}

}  // namespace

std::filesystem::path SpillDirectory::default_base() {
  for (const char* name : {"SWEEPBACK_SPILL_DIR", "TMPDIR"})
    if (const char* value = std::getenv(name); value && *value) return value;
  return "/tmp";
}

SpillDirectory::SpillDirectory(const std::filesystem::path& base, Durability durability) : durability_(durability) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string name = (base / (std::string(detail::directory_prefix) + std::string(detail::directory_letters, 'X'))).string();
    if (!::mkdtemp(name.data())) io_failed("make a directory in", base.string(), errno);
    Descriptor directory(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!directory && errno == ENOENT) continue;
    if (!directory) {
      const int error = errno;
      ::rmdir(name.c_str());
      io_failed("open", name, error);
    }
    try {
      if (Descriptor owner = own(directory.get(), name)) {
        if (durability == Durability::synced) sync_made(directory.get(), owner.get(), base);
        path_ = name;
        directory_ = directory.release();
        owner_ = owner.release();
        return;
      }
    } catch (...) {
      ::rmdir(name.c_str());
      throw;
    }
  }
  throw Io("a directory in " + base.string() + " is removed as soon as it is made", "see what cleans there, or name another");
}

SpillDirectory::~SpillDirectory() {
  remove_all();
  ::unlinkat(directory_, detail::owner_name, 0);
  ::rmdir(path_.c_str());
  ::close(directory_);
  ::close(owner_);  // unlocked once it is gone
}

void SpillDirectory::require_free(Count bytes) const {
  const Count free = free_bytes();
  if (free >= bytes) return;
  throw Io("the run will keep " + std::to_string(bytes) + " bytes in " + path_.string() + ", and there is room for " +
               std::to_string(free),
           "free some room there, name another directory (--spill-dir), or plan with less of this tier",
           {{"needed", bytes}, {"free", free}});
}

Count SpillDirectory::record_bytes(Count content) { return content + static_cast<Count>(sizeof(detail::RecordHeader)); }

void SpillDirectory::write(Count number, std::span<const std::byte> content) {
  const std::string name = detail::record_name(number), part = name + std::string(detail::part_suffix);
  const bool synced = durability_ == Durability::synced;
  records_.push_back(number);  // before anything is there that must go again
  int error = detail::write_record(directory_, part, content, synced);
  const bool written = error == 0;
  if (written) error = rename_new(directory_, part, name);
  if (error == 0 && synced && (error = detail::sync_all(directory_)) != 0) ::unlinkat(directory_, name.c_str(), 0);
  if (error == 0) return;
  if (written) ::unlinkat(directory_, part.c_str(), 0);
  records_.pop_back();
  detail::io_failed("write", (path_ / name).string(), error);
}

void SpillDirectory::read(Count number, const std::function<void(std::size_t, const Fill&)>& take) const {
  const std::string name = detail::record_name(number);
  detail::read_record(directory_, name, (path_ / name).string(), "the record is damaged and is not used: check the disk, and start again", take);
}

void SpillDirectory::flush(Count number) const {
  const std::string name = detail::record_name(number), whole = (path_ / name).string();
  const Descriptor file(::openat(directory_, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file) io_failed("read", whole, errno);
  if (::fdatasync(file.get()) != 0) io_failed("write", whole, errno);
  ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
}

Count SpillDirectory::free_bytes() const {
  struct statvfs room {};
  if (::fstatvfs(directory_, &room) != 0) io_failed("look at", path_.string(), errno);
  const Wide free = static_cast<Wide>(room.f_bavail) * static_cast<Wide>(room.f_frsize);
  return static_cast<Count>(std::min<Wide>(free, max_count));
}

void SpillDirectory::remove(Count number) noexcept {
  const auto at = std::find(records_.rbegin(), records_.rend(), number);
  if (at == records_.rend()) return;
  records_.erase(std::next(at).base());
  ::unlinkat(directory_, detail::record_name(number).c_str(), 0);
}

void SpillDirectory::remove_all() noexcept {
  while (!records_.empty()) remove(records_.back());
}

}  // namespace sweepback
