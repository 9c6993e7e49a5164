// SPDX-License-Identifier: Apache-2.0
// A place in a document that is being read: knows its path, so that every error names it.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sweepback/json.hpp"

namespace sweepback::json {

/// Nodes live on the reader's stack: a child points at its parent, which must outlive it. The path
/// is put together only for an error.
class Node {
 public:
  explicit Node(const Document& value) : value_(value) {}

  const Document& value() const { return value_; }

  /// "steps[3].forward"; "the document" at the top.
  std::string path() const;

  /// "an object", "a string", "null".
  std::string type() const;

  /// Throws BadFile: "PATH WHY".
  [[noreturn]] void bad(const std::string& why, const std::string& remedy) const;

  /// Throws BadFile unless this is an object with no fields but these (any where the list is
  /// empty).
  void object(std::initializer_list<const char*> known = {}) const;

  /// Throws BadFile unless `"schema"` is this one.
  void schema(const char* expected) const;

  bool has(const char* key) const;        ///< there and not null
  Node at(const char* key) const;         ///< throws BadFile where it is not
  Node item(std::size_t index) const;     ///< of an array
  std::size_t size() const;               ///< throws BadFile unless this is an array

  Count count() const;       ///< throws unless a whole number from 0 to 2^63-1
  bool flag() const;         ///< throws unless true or false
  double number() const;     ///< throws unless a number
  std::string text() const;  ///< throws unless a string

  Count count(const char* key) const { return at(key).count(); }
  bool flag(const char* key) const { return at(key).flag(); }
  std::string text(const char* key) const { return at(key).text(); }

  Count count(const char* key, Count absent) const { return has(key) ? count(key) : absent; }
  bool flag(const char* key, bool absent) const { return has(key) ? flag(key) : absent; }
  std::optional<Count> maybe_count(const char* key) const;

  /// The value of `names` that stands here by its name.
  template <class Enum>
  Enum word(const char* key, std::initializer_list<Enum> values) const {
    const std::string found = text(key);
    std::string list;
    for (const Enum value : values) {
      if (found == name(value)) return value;
      list += (list.empty() ? "" : ", ") + std::string(name(value));
    }
    at(key).bad("is \"" + shortened(found) + '"', "one of " + list + " is known");
  }

  static std::string shortened(const std::string& text);

 private:
  Node(const Document& value, const Node* parent, const char* key, std::size_t index)
      : value_(value), parent_(parent), key_(key), index_(index) {}

  const Document& value_;
  const Node* parent_ = nullptr;
  const char* key_ = nullptr;
  std::size_t index_ = 0;
};

// What the readers of one file ask of another.
Action read_action(const Node& node);
const char* tier_field(Action::Kind kind) noexcept;
Recipe read_recipe(const Node& node);
Situation read_situation(const Node& node);
Step read_step(const Node& node);
Input read_input(const Node& node);
Chain read_chain(const Node& node, bool final_state);
Chain read_runs(const Node& node, const char* runs, bool final_state);
Json write_runs(const Chain& chain);
Budget read_budget(const Node& node);
Budget read_tiered_budget(const Node& node);
Bill read_bill(const Node& node);
std::vector<TierModel> read_tiers(const Node& list);
std::vector<TierBill> read_tier_bills(const Node& list);
Schedule read_schedule(const Node& node);

}  // namespace sweepback::json
