// SPDX-License-Identifier: Apache-2.0
#include "outcome.hpp"
#include "sweepback/json.hpp"

namespace sweepback::train {

namespace {

using json::Json;

template <class T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json side(const Side& side) {
  return {{"forward_steps", side.forward_steps},
          {"record_steps", side.record_steps},
          {"peak_bytes", value_or_null(side.peak_bytes)},
          {"held_bytes", value_or_null(side.held_bytes)},
          {"seconds_per_iteration", value_or_null(side.seconds_per_iteration)}};
}

}  // namespace

std::string to_json(const Outcome& outcome, const Options& options) {
  Json document = {
      {"schema", "sweepback.train/1"},
      {"cell", name(outcome.cell)},
      {"layers", outcome.layers},
      {"hidden", outcome.hidden},
      {"batch", options.batch},
      {"length", options.length},
      {"iterations", options.iterations},
      {"block", outcome.block},
      {"characters", outcome.characters},
      {"symbols", outcome.symbols},
      {"plan", json::to_json(outcome.plan)},
      {"budget_changes", outcome.budget_changes},
      {"measured", side(outcome.measured)},
      {"store_all", side(outcome.store_all)},
      {"ratio",
       {{"time", value_or_null(outcome.time_ratio)},
        {"predicted_time", value_or_null(outcome.predicted_time_ratio)},
        {"memory", value_or_null(outcome.memory_ratio)}}},
      {"step_seconds",
       {{"forward", outcome.forward}, {"record", outcome.record}, {"reverse", outcome.reverse}}},
      {"gradient_equal", value_or_null(outcome.gradient_equal)},
      {"from_single_steps", value_or_null(outcome.from_single_steps)},
      {"compared_length", outcome.compared_length},
      {"resumed_at", value_or_null(outcome.resumed_at)},
      {"marks", outcome.marks ? Json{{"count", *outcome.marks}, {"seconds", outcome.mark_seconds}} : Json()},
      {"verified", outcome.verified ? Json{{"states", *outcome.verified}, {"every", outcome.verified_every}} : Json()},
      {"loss", {{"first", outcome.first_loss}, {"last", outcome.last_loss}}}};
  document["store_all"]["predicted_held_bytes"] = outcome.store_all_bytes;
  if (options.sample > 0) document["sample"] = outcome.sample;
  return json::dump(document);
}

}  // namespace sweepback::train
