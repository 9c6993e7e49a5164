// SPDX-License-Identifier: Apache-2.0
// What a spill directory holds, by name: nothing else is ever removed.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "sweepback/count.hpp"

namespace sweepback::detail {

inline constexpr std::string_view directory_prefix = "sweepback-";
inline constexpr std::size_t directory_letters = 6;  // after the prefix, from mkdtemp
inline constexpr const char* owner_name = "owner";
inline constexpr std::string_view owner_text = "sweepback spill directory\n";
inline constexpr std::string_view part_suffix = ".part";

inline std::string record_name(Count number) { return "x_" + std::to_string(number); }

inline bool is_directory_name(std::string_view name) {
  return name.size() == directory_prefix.size() + directory_letters && name.starts_with(directory_prefix);
}

/// A record, or one not yet whole.
inline bool is_record_name(std::string_view name) {
  if (name.ends_with(part_suffix)) name.remove_suffix(part_suffix.size());
  return name.size() > 2 && name.starts_with("x_") &&
         std::all_of(name.begin() + 2, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace sweepback::detail
