// SPDX-License-Identifier: Apache-2.0
// A user of sweepback::json: a plan goes out as a document and comes back equal.
#include <cstdio>

#include <sweepback/json.hpp>

int main() {
  const sweepback::Plan plan =
      sweepback::plan(sweepback::Chain::uniform(56), sweepback::Budget::slots(3));
  const std::string text = sweepback::json::dump(sweepback::json::to_json(plan));
  std::puts(text.c_str());
  return sweepback::json::from_json<sweepback::Plan>(sweepback::json::parse(text)) == plan ? 0 : 1;
}
