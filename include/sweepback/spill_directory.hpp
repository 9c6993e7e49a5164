// SPDX-License-Identifier: Apache-2.0
// A directory of one's own for records that memory has no room for. It is made under a base that others
// may share, and goes with everything in it when its owner does: by a return, by an exception, and after
// a kill by `clean`. Nothing that it did not make is ever touched.
//
// A record is a file: 32 bytes of header (length and XXH3 checksums of header and content), then the
// content. It is written beside its name and renamed, so that a name is always a whole record. What is
// read back is what was written, to the bit, or an error. After a power cut that holds where records are
// synced.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sweepback/count.hpp"
#include "sweepback/durability.hpp"
#include "sweepback/tier_model.hpp"

namespace sweepback {

class SpillDirectory {
 public:
  /// SWEEPBACK_SPILL_DIR, else TMPDIR, else /tmp.
  static std::filesystem::path default_base();

  /// Makes `BASE/sweepback-XXXXXX`. Throws Io where it cannot.
  explicit SpillDirectory(const std::filesystem::path& base = default_base(), Durability durability = Durability::none);

  /// Removes the records and the directory.
  ~SpillDirectory();
  SpillDirectory(const SpillDirectory&) = delete;
  SpillDirectory& operator=(const SpillDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// What the file system has room for.
  Count free_bytes() const;

  /// Throws Io, with both numbers, where the file system has less room than `bytes` in all.
  void require_free(Count bytes) const;

  /// Record `number`, which is not there yet. Throws Io (a full disk, say); no part of it is then left.
  void write(Count number, std::span<const std::byte> content);

  /// Puts a record's content into so many bytes. Throws Io where it is shortened or damaged.
  using Fill = std::function<void(std::span<std::byte>)>;

  /// Reads a record: `take` is told its length, makes room and calls `fill` with it. Throws Io where the
  /// record is missing, shortened or damaged, naming the file.
  void read(Count number, const std::function<void(std::size_t, const Fill&)>& take) const;

  /// Waits until a record is on the device and no longer in the system's cache. Throws Io.
  void flush(Count number) const;

  void remove(Count number) noexcept;
  void remove_all() noexcept;

  /// Bytes that a record of so many takes.
  static Count record_bytes(Count content);

 private:
  std::filesystem::path path_;
  Durability durability_;
  int directory_ = -1, owner_ = -1;
  std::vector<Count> records_;
};

/// What storing and restoring cost in files under `base`, in nanoseconds, measured with records of
/// `state_bytes` and a few small ones, about `total_bytes` in all, written through to the device; capacity
/// is what is free there. Throws Io, and OutOfRange for no bytes.
TierModel calibrate(const std::filesystem::path& base, Count state_bytes, Count total_bytes);

/// What `clean` did.
struct Cleaned {
  std::vector<std::filesystem::path> removed;  ///< directories whose owner is gone
  Count bytes = 0;                             ///< of the records in them
  Count live = 0;                              ///< directories whose owner runs: left alone
  std::vector<std::filesystem::path> kept;     ///< not removed whole: something foreign lies in them
};

/// Removes what killed runs left under `base`: directories that SpillDirectory made, of this user, whose
/// owner no longer runs. Throws Io where `base` cannot be read.
Cleaned clean(const std::filesystem::path& base);

}  // namespace sweepback
