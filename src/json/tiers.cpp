// SPDX-License-Identifier: Apache-2.0
// Tiers: alone (`sweepback.tiers/1`), within a budget, and what a bill says of each.
#include "node.hpp"

namespace sweepback::json {

namespace {

Json to_json(const TransferCost& cost) {
  if (cost == TransferCost{cost.fixed}) return cost.fixed;
  return {{"fixed", cost.fixed}, {"units", cost.units}, {"bytes", cost.bytes}};
}

TransferCost read_transfer(const Node& tier, const char* key) {
  if (!tier.has(key)) return {};
  const Node cost = tier.at(key);
  if (!cost.value().is_object()) return {cost.count()};
  cost.object({"fixed", "units", "bytes"});
  return {cost.count("fixed", 0), cost.count("units", 0), cost.count("bytes", 1)};
}

TierModel read_tier(const Node& node) {
  using enum TierModel::Unit;
  node.object({"name", "slots", "bytes", "shared", "store", "restore", "overlap", "ratio", "lossy"});
  TierModel tier;
  tier.name = node.text("name");
  if (node.has("slots") && node.has("bytes")) node.bad("has a capacity in slots and one in bytes", "give one of them, or neither");
  tier.unit = node.has("slots") ? slots : node.has("bytes") ? bytes : unbounded;
  if (node.has("shared") && node.flag("shared")) {
    if (tier.unit != unbounded) node.bad("shares memory's bytes and has a capacity", "give one of them");
    tier.unit = shared;
  }
  if (tier.unit == slots || tier.unit == bytes) tier.capacity = node.count(tier.unit == slots ? "slots" : "bytes");
  tier.store = read_transfer(node, "store");
  tier.restore = read_transfer(node, "restore");
  if (node.has("overlap")) tier.overlap = node.flag("overlap");
  if (node.has("ratio")) tier.ratio = node.at("ratio").number();
  if (node.has("lossy")) tier.lossy = node.flag("lossy");
  return tier;
}

}  // namespace

Json to_json(const std::vector<TierModel>& tiers) {
  Json list = Json::array();
  for (const TierModel& tier : tiers) {
    Json json = {{"name", tier.name}};
    using enum TierModel::Unit;
    if (tier.unit == shared) json["shared"] = true;
    if (tier.unit == slots || tier.unit == bytes) json[tier.unit == slots ? "slots" : "bytes"] = tier.capacity;
    json["store"] = to_json(tier.store);
    json["restore"] = to_json(tier.restore);
    if (tier.overlap) json["overlap"] = true;
    if (tier.ratio != 1) json["ratio"] = tier.ratio;
    if (tier.lossy) json["lossy"] = true;
    list.push_back(std::move(json));
  }
  return list;
}

std::vector<TierModel> read_tiers(const Node& list) {
  std::vector<TierModel> tiers;
  for (std::size_t n = 0; n < list.size(); ++n) tiers.push_back(read_tier(list.item(n)));
  return tiers;
}

Json to_json(const std::vector<TierBill>& bills) {
  Json list = Json::array();
  for (const TierBill& bill : bills)
    list.push_back({{"name", bill.name},
                    {"stores", bill.stores},
                    {"restores", bill.restores},
                    {"peak_slots", bill.peak_slots},
                    {"peak_bytes", bill.peak_bytes ? Json(*bill.peak_bytes) : Json()}});
  return list;
}

std::vector<TierBill> read_tier_bills(const Node& list) {
  std::vector<TierBill> bills;
  for (std::size_t n = 0; n < list.size(); ++n) {
    const Node bill = list.item(n);
    bills.push_back({bill.text("name"), bill.count("stores"), bill.count("restores"), bill.count("peak_slots"),
                     bill.maybe_count("peak_bytes")});
  }
  return bills;
}

template <>
std::vector<TierModel> from_json<std::vector<TierModel>>(const Document& document) {
  const Node node(document);
  node.schema("sweepback.tiers/1");
  return read_tiers(node.at("tiers"));
}

}  // namespace sweepback::json
