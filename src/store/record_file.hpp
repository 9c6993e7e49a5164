// SPDX-License-Identifier: Apache-2.0
// A record as a file of a directory: whole, with lengths and checksums, or refused.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace sweepback::detail {

/// Header and content, under a new name; synced where that is asked for. 0, or the error's number: the file is
/// then gone again.
int write_record(int directory, const std::string& name, std::span<const std::byte> content, bool synced);

using Fill = std::function<void(std::span<std::byte>)>;

/// Calls `take(bytes, fill)`; `fill` puts the content into room of just so many bytes. Throws Io naming `whole`
/// where the file cannot be read, is missing, shortened or damaged (`remedy` says what to do then).
void read_record(int directory, const std::string& name, const std::string& whole, const char* remedy,
                 const std::function<void(std::size_t, const Fill&)>& take);

}  // namespace sweepback::detail
