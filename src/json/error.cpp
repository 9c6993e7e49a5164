// SPDX-License-Identifier: Apache-2.0
// `sweepback.error/1`: code, message, remedy and the message's numbers.
#include "node.hpp"

namespace sweepback::json {

// A cost that is itself too large to count is -1 in the error and null in the document.
Json to_json(const Error& error) {
  Json json = {{"schema", "sweepback.error/1"},
               {"error", error.code()},
               {"message", error.message()},
               {"remedy", error.remedy()}};
  for (const auto& [name, number] : error.numbers())
    json[name] = name == "cost_there" && number < 0 ? Json() : Json(number);
  if (const auto* small = dynamic_cast<const BudgetTooSmall*>(&error))
    json["unit"] = small->bytes ? "bytes" : "slots";
  return json;
}

template <>
Error from_json<Error>(const Document& document) {
  const Node node(document);
  node.schema("sweepback.error/1");
  Error::Numbers numbers;
  for (const auto& [key, value] : document.items()) {
    if (value.is_number_integer()) numbers.emplace_back(key, value.get<Count>());
    if (key == "cost_there" && value.is_null()) numbers.emplace_back(key, -1);
  }
  return Error(node.text("error"), node.text("message"), node.text("remedy"), std::move(numbers));
}

}  // namespace sweepback::json
