// SPDX-License-Identifier: Apache-2.0
// The documents that other programs read and write: chains, plans, verdicts, errors as JSON, and
// action streams as JSON lines. A target of its own (sweepback::json, on nlohmann-json): the core
// knows nothing of it.
//
//     std::cout << json::dump(json::to_json(plan));
//     Plan same = json::from_json<Plan>(json::parse(text, "plan.json"));
//
// What is written is read back equal, whole numbers up to 2^63-1 exactly. Reading is strict, since
// a field that is misspelt and passed over changes a plan and says nothing: a number that is
// negative, above 2^63-1, fractional or a string, a field twice, a field that this version does not
// know in a chain, an action or a header (plans, bills and verdicts may carry more fields), a text
// cut short, deeper than 32 levels or larger than 64 MiB: each is one error that names the place.
#pragma once

#include <iosfwd>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "sweepback/check.hpp"
#include "sweepback/error.hpp"
#include "sweepback/plan.hpp"

namespace sweepback::json {

/// What is written: fields stay in their order.
using Json = nlohmann::ordered_json;

/// What was read: fields are found in logarithmic time, whoever wrote them.
using Document = nlohmann::json;

/// One document. Throws BadFile, naming `name`, line and column, for what is no JSON, a field
/// given twice, more than 32 levels or more than 64 MiB.
Document parse(std::string_view text, const std::string& name = "the document");

/// The same from a stream, read to its end (no more than 64 MiB are taken).
Document parse(std::istream& in, const std::string& name = "the document");

/// The chain that a table of comma-separated values stands for, as a document: a header line of the
/// fields of `sweepback.chain/1`, one line a step, x_0 on a first line named "input". Throws BadFile
/// with the line.
Document parse_csv(std::string_view text, const std::string& name = "the table");

/// That table. What is said of the whole chain (in_place, final_state, blocks) has no place in it.
std::string to_csv(const Chain& chain);

/// For people and programs: two spaces a level, one newline at the end. Bytes that are no UTF-8
/// (in a step's name, in an error) are replaced.
std::string dump(const Json& document);

/// | type        | document                                                                     |
/// |-------------|------------------------------------------------------------------------------|
/// | Action      | `{"forward":[0,6]}`, `{"store":6}`, `{"record":9}`, …; of other tiers than   |
/// |             | memory `{"store":6,"to":1}`, `{"restore":6,"from":1}`, `{"free":6,"from":1}` |
/// | Chain       | `sweepback.chain/1`; runs of equal steps carry `"repeat"`                    |
/// | Budget      | `{"slots": 15}` or `{"bytes": 268435456}`; with `"tiers"` where it has some   |
/// | tiers       | a list of `{"name", "slots" or "bytes" (neither: unbounded), "store",        |
/// |             | "restore"}`, a cost being a number or `{"fixed", "units", "bytes"}`          |
/// | Situation   | `{"states", "tapes", "hand" (null: none), "end", "reached_end"}`             |
/// | Recipe      | `{"kind": "states"|"tapes", "steps", "slots", "leaf", …}`                    |
/// | Schedule    | `{"recipe", "position"}`                                                     |
/// | Bill        | the fields of a plan's bill; `peak_bytes` null where sizes are not known     |
/// | FirstStore  | `{"chosen", "optimal_min", "optimal_max"}`                                   |
/// | Plan        | `sweepback.plan/1`, and its schedule                                         |
/// | Rules       | the header of `sweepback.actions/1`                                          |
/// | Verdict     | `sweepback.check/1`; a violation's `line` is that of the action in a stream  |
///                 whose header is line 1                                                       |
/// | Error       | `sweepback.error/1`; the error read back has its code, not its class         |
Json to_json(const Action& action);
Json to_json(const Chain& chain);
Json to_json(const Budget& budget);
Json to_json(const std::vector<TierModel>& tiers);
Json to_json(const std::vector<TierBill>& bills);
Json to_json(const Situation& situation);
Json to_json(const Recipe& recipe);
Json to_json(const Schedule& schedule);
Json to_json(const Bill& bill);
Json to_json(const FirstStore& first_store);
Json to_json(const Plan& plan);
Json to_json(const Rules& rules);
Json to_json(const Verdict& verdict);
Json to_json(const Error& error);

/// A certificate's `gap_percent` is that of `cost`, the plan's; reading leaves it out.
Json to_json(const Certificate& certificate, Count cost);

/// `{"5": 21, "4": 15, …}`: how many steps run how often, the most often first.
Json to_json(const std::map<Count, Count>& runs);

/// Any type of the table, or Certificate. Throws BadFile, OutOfRange or Overflow, naming the field
/// ("steps[3].forward"); for a schedule OutOfRange where the position is none of the recipe's.
template <class T>
T from_json(const Document& document) = delete;

template <> Action from_json<Action>(const Document&);
template <> Chain from_json<Chain>(const Document&);
template <> Budget from_json<Budget>(const Document&);
template <> std::vector<TierModel> from_json<std::vector<TierModel>>(const Document&);  // `sweepback.tiers/1`
template <> Situation from_json<Situation>(const Document&);
template <> Recipe from_json<Recipe>(const Document&);
template <> Schedule from_json<Schedule>(const Document&);
template <> Bill from_json<Bill>(const Document&);
template <> Certificate from_json<Certificate>(const Document&);
template <> FirstStore from_json<FirstStore>(const Document&);
template <> Plan from_json<Plan>(const Document&);
template <> Rules from_json<Rules>(const Document&);
template <> Verdict from_json<Verdict>(const Document&);
template <> Error from_json<Error>(const Document&);

/// A chain whose document may leave `final_state` open; the library's default is true, that of
/// `sweepback plan` and of action streams false.
Chain chain_from(const Document& document, bool final_state);

}  // namespace sweepback::json
