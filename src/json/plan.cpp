// SPDX-License-Identifier: Apache-2.0
// `sweepback.plan/1` and its parts. Beside the fields that every reader may rely on, a plan carries
// what makes it whole again: the chain's steps (`chain.runs`) and the schedule with its position.
#include <cmath>

#include "node.hpp"

namespace sweepback::json {

namespace {

Certificate read_certificate(const Node& node) {
  using enum Certificate::Status;
  Certificate certificate;
  certificate.status = node.word("status", {exact, exact_in_class, bounded, baseline});
  if (node.has("class")) certificate.class_name = node.text("class");
  certificate.lower_bound = node.maybe_count("lower_bound");
  certificate.class_bound = node.maybe_count("class_lower_bound");
  certificate.model = node.text("model");
  return certificate;
}

FirstStore read_first_store(const Node& node) {
  return {node.count("chosen"), {node.count("optimal_min"), node.count("optimal_max")}};
}

Json chain_of(const Plan& plan) {
  const Chain& chain = plan.chain;
  Json json = {{"steps", chain.steps()},
               {"equal", chain.equal()},
               {"tapes", chain.steps() > 0 && chain.has_tapes()},
               {"final_state", chain.final_state},
               {"in_place", chain.in_place},
               {"blocks", chain.blocks}};
  const Json whole = to_json(chain);
  if (whole.contains("input")) json["input"] = whole.at("input");
  json["runs"] = whole.at("steps");
  return json;
}

}  // namespace

Json to_json(const Budget& budget) {
  Json json = {{budget.unit == Budget::Unit::bytes ? "bytes" : "slots", budget.amount}};
  if (!budget.tiers.empty()) json["tiers"] = to_json(budget.tiers);
  return json;
}

/// What stands beside the tiers is memory's capacity, said twice.
Budget read_tiered_budget(const Node& node) {
  const Budget budget = Budget::of(read_tiers(node.at("tiers")));
  const bool bytes = budget.unit == Budget::Unit::bytes;
  if (node.has(bytes ? "slots" : "bytes") || (node.has(bytes ? "bytes" : "slots") && node.count(bytes ? "bytes" : "slots") != budget.amount))
    node.bad("is not what its first tier has", "give the tiers alone");
  return budget;
}

Budget read_budget(const Node& node) {
  node.object({"slots", "bytes", "tiers"});
  if (node.has("tiers")) return read_tiered_budget(node);
  if (node.has("slots") == node.has("bytes"))
    node.bad("holds neither or both of slots and bytes", "give one of them");
  return node.has("slots") ? Budget::slots(node.count("slots"))
                           : Budget::bytes(node.count("bytes"));
}

template <>
Budget from_json<Budget>(const Document& document) {
  return read_budget(Node(document));
}

Json to_json(const Bill& bill) {
  Json json = {{"forward_steps", bill.forward_steps},
               {"record_steps", bill.record_steps},
               {"reverse_steps", bill.reverse_steps},
               {"stores", bill.stores},
               {"restores", bill.restores},
               {"repetition", bill.repetition},
               {"cost", bill.cost},
               {"peak_slots", bill.peak_slots},
               {"peak_bytes", bill.peak_bytes ? Json(*bill.peak_bytes) : Json()}};
  if (!bill.tiers.empty()) json["tiers"] = to_json(bill.tiers);
  if (bill.makespan) json["makespan"] = *bill.makespan;
  return json;
}

Bill read_bill(const Node& node) {
  return {node.count("forward_steps"), node.count("record_steps"), node.count("reverse_steps"),
          node.count("stores"),        node.count("restores"),     node.count("repetition"),
          node.count("cost"),          node.count("peak_slots"),   node.maybe_count("peak_bytes"),
          node.has("tiers") ? read_tier_bills(node.at("tiers")) : std::vector<TierBill>{},
          node.has("makespan") ? std::optional(node.count("makespan")) : std::nullopt};
}

template <>
Bill from_json<Bill>(const Document& document) {
  return read_bill(Node(document));
}

Json to_json(const Certificate& certificate, Count cost) {
  const auto& bound = certificate.lower_bound;
  const double gap = bound ? Certificate::gap_percent(cost, *bound) : 0;
  const auto& of_class = certificate.class_bound;
  const double class_gap = of_class ? Certificate::gap_percent(cost, *of_class) : 0;
  return {{"status", name(certificate.status)},
          {"class", certificate.class_name.empty() ? Json() : Json(certificate.class_name)},
          {"lower_bound", bound ? Json(*bound) : Json()},
          {"gap_percent", bound && std::isfinite(gap) ? Json(gap) : Json()},
          {"class_lower_bound", of_class ? Json(*of_class) : Json()},
          {"class_gap_percent", of_class && std::isfinite(class_gap) ? Json(class_gap) : Json()},
          {"model", certificate.model}};
}

template <>
Certificate from_json<Certificate>(const Document& document) {
  return read_certificate(Node(document));
}

Json to_json(const FirstStore& first) {
  return {{"chosen", first.chosen},
          {"optimal_min", first.optimal.min},
          {"optimal_max", first.optimal.max}};
}

template <>
FirstStore from_json<FirstStore>(const Document& document) {
  return read_first_store(Node(document));
}

Json to_json(const std::map<Count, Count>& runs) {
  // Fields are pushed at the back: looking for each among those before would be quadratic.
  Json json = Json::object();
  auto& fields = json.get_ref<Json::object_t&>();
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    static_cast<Json::object_t::Container&>(fields).emplace_back(std::to_string(run->first),
                                                                 run->second);
  return json;
}

Json to_json(const Plan& plan) {
  return {{"schema", "sweepback.plan/1"},
          {"chain", chain_of(plan)},
          {"budget", to_json(plan.budget)},
          {"keep", name(plan.keep)},
          {"state_units", plan.units.state},
          {"tape_units", plan.units.tape},
          {"strategy", name(plan.strategy)},
          {"engine", plan.engine},
          {"bill", to_json(plan.bill)},
          {"certificate", to_json(plan.certificate, plan.bill.time())},
          {"first_store", plan.first_store ? to_json(*plan.first_store) : Json()},
          {"schedule", to_json(plan.schedule)}};
}

template <>
Plan from_json<Plan>(const Document& document) {
  const Node node(document);
  node.schema("sweepback.plan/1");
  const Node chain = node.at("chain"), schedule = node.at("schedule");
  Plan plan;
  plan.chain = read_runs(chain, "runs", Chain{}.final_state);
  if (chain.count("steps") != plan.chain.steps())
    chain.at("steps").bad("is not the number of steps of \"runs\"", "give one of them right");
  plan.budget = read_budget(node.at("budget"));
  plan.keep = node.word("keep", {Keep::states, Keep::tapes, Keep::mixed});
  plan.units = {node.count("state_units", 1), node.count("tape_units", 1)};
  plan.strategy =
      node.word("strategy", {Strategy::optimal, Strategy::store_all, Strategy::one_slot,
                             Strategy::halving, Strategy::sqrt, Strategy::chen, Strategy::periodic,
                             Strategy::rotor, Strategy::layers});
  plan.engine = node.text("engine");
  plan.schedule = read_schedule(schedule);
  const Recipe recipe = plan.schedule.recipe();
  const auto steps = [](const auto& r) {
    if constexpr (requires { r.steps; }) {
      return r.steps;
    } else {
      return r.rest.steps;
    }
  };
  if (std::visit(steps, recipe) != plan.chain.steps())
    schedule.bad("is of another number of steps than the chain", "give one of them right");
  plan.bill = read_bill(node.at("bill"));
  plan.certificate = read_certificate(node.at("certificate"));
  if (node.has("first_store")) plan.first_store = read_first_store(node.at("first_store"));
  return plan;
}

}  // namespace sweepback::json
