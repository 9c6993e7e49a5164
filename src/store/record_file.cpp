// SPDX-License-Identifier: Apache-2.0
#include "record_file.hpp"

#include <sys/stat.h>

#include "files.hpp"
#include "record.hpp"

namespace sweepback::detail {

int write_record(int directory, const std::string& name, std::span<const std::byte> content, bool synced) {
  Descriptor file(::openat(directory, name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return errno;
  const RecordHeader header = RecordHeader::of(content);
  int error = write_all(file.get(), std::as_bytes(std::span(&header, 1)));
  if (error == 0) error = write_all(file.get(), content);
  if (error == 0 && synced) error = sync_all(file.get());
  if (error == 0 && ::close(file.release()) != 0) error = errno;  // some file systems say here that they are full
  if (error != 0) ::unlinkat(directory, name.c_str(), 0);
  return error;
}

void read_record(int directory, const std::string& name, const std::string& whole, const char* remedy,
                 const std::function<void(std::size_t, const Fill&)>& take) {
  const auto damaged = [&](const std::string& how) { throw Io(whole + " " + how, remedy); };
  const Descriptor file(::openat(directory, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file && errno == ENOENT) damaged("is missing");
  if (!file) io_failed("read", whole, errno);
  struct stat now {};
  if (::fstat(file.get(), &now) != 0) io_failed("read", whole, errno);
  const auto check = [&](int error) {
    if (error > 0) io_failed("read", whole, error);
    if (error < 0) damaged("is shortened");
  };
  RecordHeader header;
  check(read_all(file.get(), std::as_writable_bytes(std::span(&header, 1))));
  if (!header.whole()) damaged("has a damaged header");
  if (static_cast<std::uint64_t>(now.st_size) != sizeof header + header.length)
    damaged("is " + std::to_string(now.st_size) + " bytes long instead of " + std::to_string(sizeof header + header.length));
  take(header.length, [&](std::span<std::byte> bytes) {
    if (bytes.size() != header.length)
      throw OutOfRange("room for " + std::to_string(bytes.size()) + " bytes of a record of " + std::to_string(header.length),
                       "make room for all of it");
    check(read_all(file.get(), bytes));
    if (!header.matches(bytes)) damaged("is not what was written: its checksum differs");
  });
}

}  // namespace sweepback::detail
