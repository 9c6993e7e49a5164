// SPDX-License-Identifier: Apache-2.0
// What the machine and the container leave free. A process is in one control group of version 2
// ("0::/path") or, for memory, in one of version 1 ("4:memory:/path"); every group above it limits
// it as well. Inside a container the path may not exist below /sys: then the root of the mount is
// the container's own group.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "sizes.hpp"

namespace sweepback::cli {

namespace {

/// The number that the file holds; none for "max" or a file that is not there.
std::optional<Count> number_in(const std::string& path) {
  std::ifstream file(path);
  Count number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

/// The number after `name` in a file of lines "name number".
std::optional<Count> number_after(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name) && line.size() > name.size() && line[name.size()] == ' ') {
      const std::size_t digits = line.find_first_of("0123456789", name.size());
      if (digits == std::string::npos) return std::nullopt;
      return std::atoll(line.c_str() + digits);
    }
  return std::nullopt;
}

struct Files {
  const char *mount, *limit, *used, *cache;
};
constexpr Files version_2{"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};
constexpr Files version_1{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                          "total_inactive_file"};

/// The least that a group and those above it leave.
void look_up(const std::string& root, const Files& files, std::string path,
             std::optional<Count>& least) {
  while (true) {
    const std::string group = root + files.mount + path + '/';
    const auto limit = number_in(group + files.limit), used = number_in(group + files.used);
    if (limit && used) {
      const Count cache = number_after(group + "memory.stat", files.cache).value_or(0);
      const Count left = std::max<Count>(0, *limit - std::max<Count>(0, *used - cache));
      least = std::min(least.value_or(left), left);
    }
    if (path.empty()) return;
    path.erase(path.rfind('/'));
  }
}

}  // namespace

Count free_memory(const std::string& root) {
  std::optional<Count> least;
  if (const auto available = number_after(root + "/proc/meminfo", "MemAvailable:"))
    least = std::min(*available, max_count / 1024) * 1024;
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
    std::string path = line.substr(second + 1);
    if (path == "/") path.clear();
    if (!path.empty() && path.front() != '/') continue;
    if (controllers == ",,")
      look_up(root, version_2, path, least);
    else if (controllers.find(",memory,") != std::string::npos)
      look_up(root, version_1, path, least);
  }
  if (!least)
    throw io_failed("the system does not say how much memory is free",
                    "give the budget in bytes: --budget 4GiB");
  return *least;
}

}  // namespace sweepback::cli
