// SPDX-License-Identifier: Apache-2.0
// Sizes as people write them: `512MiB`, `2GB`, `5%`, `auto`. Shared by all subcommands.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sweepback/count.hpp"
#include "sweepback/error.hpp"

namespace sweepback::cli {

/// What stands after `--budget`: bytes, a share of store-everything, or half of what is free.
struct BudgetText {
  enum class Kind : std::uint8_t { bytes, share, automatic };
  Kind kind = Kind::bytes;
  Count bytes = 0;     ///< of Kind::bytes
  double share = 0.0;  ///< of Kind::share: 0.05 for `5%`
};

/// A wrong word on the command line; exit code 2.
inline Error usage(std::string message, std::string remedy) {
  return Error("usage", std::move(message), std::move(remedy));
}

/// "512MiB", "2GB", "1.5 GiB", "4096": decimal units are powers of 1000, those with an i of 1024.
/// A fraction of a byte is cut off. Throws Error "usage" for anything else, Overflow above 2^63-1.
inline Count parse_bytes(std::string_view text) {
  struct Unit {
    std::string_view name;
    double bytes;
  };
  static constexpr std::array units{
      Unit{"", 1},       Unit{"B", 1},     Unit{"kB", 1e3},
      Unit{"KB", 1e3},   Unit{"MB", 1e6},  Unit{"GB", 1e9},
      Unit{"TB", 1e12},  Unit{"KiB", 1024.0}, Unit{"MiB", 1024.0 * 1024},
      Unit{"GiB", 1024.0 * 1024 * 1024},   Unit{"TiB", 1024.0 * 1024 * 1024 * 1024}};
  const char* end = text.data() + text.size();
  const auto rest_of = [&](const char* at) {
    std::string_view rest(at, static_cast<std::size_t>(end - at));
    if (rest.starts_with(' ')) rest.remove_prefix(1);
    return rest;
  };
  Count whole = 0;
  const auto [whole_end, whole_error] = std::from_chars(text.data(), end, whole);
  double number = 0;
  const auto [number_end, number_error] =
      std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const bool fits = whole_error == std::errc() && whole_end == number_end;
  if (number_error == std::errc() && number >= 0 && std::isfinite(number)) {
    for (const Unit& unit : units) {
      if (rest_of(number_end) != unit.name) continue;
      if (fits) return narrow(static_cast<Wide>(whole) * static_cast<Count>(unit.bytes), "a size");
      if (number * unit.bytes >= 9.2e18) throw Overflow("the size " + std::string(text) + " is too large");
      return static_cast<Count>(number * unit.bytes);
    }
  }
  throw usage("\"" + std::string(text) + "\" is not a size",
              "write bytes like 512MiB, 2GB or 4096 (units B, kB, MB, GB, TB, KiB, MiB, GiB, TiB)");
}

/// "5%" is 0.05. Empty where the text does not end in a per cent sign. Throws Error "usage" where it
/// does and no positive number stands before it.
inline std::optional<double> parse_share(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  const char* end = text.data() + text.size() - 1;
  double percent = 0;
  const auto [at, error] = std::from_chars(text.data(), end, percent, std::chars_format::fixed);
  if (error != std::errc() || at != end || !(percent > 0) || !std::isfinite(percent))
    throw usage("\"" + std::string(text) + "\" is not a share", "write a positive per cent: 5%");
  return percent / 100;
}

/// `512MiB`, `5%` or `auto`. Throws as the two above, and for a size of no bytes.
inline BudgetText parse_budget(std::string_view text) {
  if (text == "auto") return {BudgetText::Kind::automatic, 0, 0};
  if (const auto share = parse_share(text)) return {BudgetText::Kind::share, 0, *share};
  return {BudgetText::Kind::bytes, parse_bytes(text), 0};
}

/// "5.6 MiB": for people, two significant places more than they need.
inline std::string print_bytes(Count bytes) {
  static constexpr std::array names{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < names.size()) {
    value /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : value < 10 ? "%.2f %s" : "%.1f %s", value,
                names[unit]);
  return text;
}

/// Bytes that this process can still take: what the container's limit (cgroup 1 or 2) or else the
/// machine leaves free, whichever is less. Throws Error "io" where the system does not say.
inline Count free_memory() {
  const auto number = [](const char* path) -> std::optional<Count> {
    std::ifstream file(path);
    Count value = 0;
    if (file >> value) return value;
    return std::nullopt;
  };
  std::optional<Count> free;
  std::ifstream machine("/proc/meminfo");
  for (std::string word; machine >> word;) {
    Count kibibytes = 0;
    if (word == "MemAvailable:" && machine >> kibibytes) free = kibibytes * 1024;
  }
  for (const auto& [limit, used] :
       {std::pair{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        std::pair{"/sys/fs/cgroup/memory/memory.limit_in_bytes",
                  "/sys/fs/cgroup/memory/memory.usage_in_bytes"}}) {
    const auto most = number(limit), now = number(used);
    if (most && now && (!free || *most - *now < *free)) free = *most > *now ? *most - *now : 0;
  }
  if (!free)
    throw Error("io", "the system does not say how much memory is free",
                "give the budget in bytes: --budget 512MiB");
  return *free;
}

}  // namespace sweepback::cli
