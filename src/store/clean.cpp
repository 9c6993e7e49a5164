// SPDX-License-Identifier: Apache-2.0
#include <sys/file.h>
#include <sys/stat.h>

#include "files.hpp"
#include "names.hpp"
#include "sweepback/spill_directory.hpp"

namespace sweepback {

namespace {

using detail::Descriptor;

/// Nobody holds it: the owner's file, locked here.
enum class Owner { none, gone, lives, foreign };

Owner owner_of(int directory, Descriptor& locked) {
  Descriptor owner(::openat(directory, detail::owner_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!owner) return errno == ENOENT ? Owner::none : Owner::foreign;
  if (::flock(owner.get(), LOCK_EX | LOCK_NB) != 0) return Owner::lives;
  // A directory killed while its owner was being written has a shorter text, or none.
  std::string text(detail::owner_text.size(), '\0');
  const ssize_t read = ::read(owner.get(), text.data(), text.size());
  if (read < 0 || !detail::owner_text.starts_with(std::string_view(text).substr(0, static_cast<std::size_t>(read))))
    return Owner::foreign;
  new (&locked) Descriptor(std::move(owner));
  return Owner::gone;
}

void clean_one(const std::filesystem::path& path, Cleaned& cleaned) {
  const Descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat now {};
  if (!directory || ::fstat(directory.get(), &now) != 0 || now.st_uid != ::geteuid()) return;
  Descriptor locked;
  switch (owner_of(directory.get(), locked)) {
    case Owner::lives: ++cleaned.live; return;
    case Owner::foreign: return;
    case Owner::none: break;  // in the making, or foreign: gone only while it is empty
    case Owner::gone:
      for (const std::string& name : detail::names_in(directory.get())) {
        if (!detail::is_record_name(name)) continue;
        struct stat record {};
        if (::fstatat(directory.get(), name.c_str(), &record, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(record.st_mode)) continue;
        if (::unlinkat(directory.get(), name.c_str(), 0) == 0) cleaned.bytes += record.st_size;
      }
      // The owner's file stays beside what is foreign: it marks the directory.
      if (detail::names_in(directory.get()).size() > 1) {
        cleaned.kept.push_back(path);
        return;
      }
      ::unlinkat(directory.get(), detail::owner_name, 0);
  }
  if (::rmdir(path.c_str()) == 0)
    cleaned.removed.push_back(path);
  else
    cleaned.kept.push_back(path);
}

}  // namespace

Cleaned clean(const std::filesystem::path& base) {
  const Descriptor directory(::open(base.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory) detail::io_failed("read", base.string(), errno);
  Cleaned cleaned;
  for (const std::string& name : detail::names_in(directory.get()))
    if (detail::is_directory_name(name)) clean_one(base / name, cleaned);
  return cleaned;
}

}  // namespace sweepback
