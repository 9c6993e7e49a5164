// SPDX-License-Identifier: Apache-2.0
#include "tier_arguments.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <numeric>
#include <set>

#include "sizes.hpp"
#include "sweepback/json.hpp"

namespace sweepback::cli {

namespace {

constexpr Count second = 1'000'000'000;  // in cost units, where costs are times

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t from = 0;;) {
    const std::size_t to = text.find(separator, from);
    parts.push_back(text.substr(from, to - from));
    if (to == std::string::npos) return parts;
    from = to + 1;
  }
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw usage("--tier \"" + text.substr(0, 80) + "\": " + why,
              "write it as memory:64GiB or disk:1TiB:store=2GB/s,restore=3GB/s+80us");
}

TransferCost parse_transfer(const std::string& text, const std::string& what) {
  TransferCost cost;
  for (const std::string& part : parts_of(text, '+')) {
    if (!part.ends_with("/s")) {
      const Count fixed = parse_cost(part, what);
      if (fixed > max_count - cost.fixed) throw Overflow("the cost of " + what + " is above 2^63-1", "give a smaller number");
      cost.fixed += fixed;
      continue;
    }
    if (cost.units > 0) throw usage(what + " has two rates", "give one, and a fixed time beside it: 2GB/s+80us");
    const Count bytes = parse_bytes(part.substr(0, part.size() - 2), what);
    if (bytes == 0) throw OutOfRange(what + " moves nothing in a second", "give a rate above 0");
    const Count common = std::gcd(bytes, second);
    cost.units = second / common;
    cost.bytes = bytes / common;
  }
  return cost;
}

}  // namespace

TierModel parse_tier(const std::string& text) {
  using enum TierModel::Unit;
  const std::vector<std::string> parts = parts_of(text, ':');
  if (parts.size() < 2 || parts.size() > 3 || parts[0].empty()) refuse(text, "is not NAME:CAPACITY[:COSTS]");
  TierModel tier;
  tier.name = parts[0];
  std::string capacity = parts[1];
  const std::string what = "the capacity of " + tier.name;
  if (capacity == "unbounded" || capacity == "shared") {
    tier.unit = capacity == "shared" ? shared : unbounded;
  } else if (capacity.ends_with("slots") || capacity.ends_with("slot")) {
    tier.unit = slots;
    capacity.erase(capacity.rfind("slot"));
    while (capacity.ends_with(' ')) capacity.pop_back();
    tier.capacity = parse_count(capacity, what);
  } else {
    tier.unit = bytes;
    tier.capacity = parse_bytes(capacity, what);
  }
  if (parts.size() < 3) return tier;
  std::set<std::string> given;
  for (const std::string& option : parts_of(parts[2], ',')) {
    const std::size_t sign = option.find('=');
    const std::string key = option.substr(0, sign), value = sign == std::string::npos ? "" : option.substr(sign + 1);
    if (!given.insert(key).second) refuse(text, key + " is given twice");
    if (key == "store" && !value.empty())
      tier.store = parse_transfer(value, "store of " + tier.name);
    else if (key == "restore" && !value.empty())
      tier.restore = parse_transfer(value, "restore of " + tier.name);
    else if (key == "ratio" && !value.empty())
      tier.ratio = parse_ratio(value, "ratio of " + tier.name);
    else if (option == "overlap")
      tier.overlap = true;
    else if (option == "lossy")
      tier.lossy = true;
    else
      refuse(text, '"' + option + "\" is none of store=COST, restore=COST, overlap, ratio=NUMBER and lossy");
  }
  if (given.contains("store") != given.contains("restore"))
    refuse(text, std::string("only the cost of a ") + (given.contains("store") ? "store" : "restore") + " is given: give both, or neither for a tier that costs nothing");
  return tier;
}

std::vector<TierModel> list_tiers(const std::vector<std::string>& typed, const std::string& file) {
  std::vector<TierModel> tiers;
  for (const std::string& text : typed) tiers.push_back(parse_tier(text));
  if (!file.empty()) {
    std::ifstream in(file);
    if (!in) throw BadFile("--tiers " + file + ": " + std::strerror(errno), "give a file that can be read");
    try {
      for (TierModel& tier : json::from_json<std::vector<TierModel>>(json::parse(in, file))) tiers.push_back(std::move(tier));
    } catch (const BadFile& e) {
      const bool named = e.message().starts_with(file);
      throw BadFile(named ? e.message() : file + ": " + e.message(), e.remedy(), e.numbers());
    }
  }
  return tiers;
}

Budget read_tiers(const std::vector<std::string>& typed, const std::string& file) { return Budget::of(list_tiers(typed, file)); }

}  // namespace sweepback::cli
