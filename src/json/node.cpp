// SPDX-License-Identifier: Apache-2.0
#include "node.hpp"

#include <algorithm>

namespace sweepback::json {

std::string Node::shortened(const std::string& text) {
  constexpr std::size_t shown = 40;
  return text.size() <= shown ? text : text.substr(0, shown) + "…";
}

std::string Node::path() const {
  if (!parent_) return "the document";
  const std::string above = parent_->parent_ ? parent_->path() : "";
  if (!key_) return above + '[' + std::to_string(index_) + ']';
  return above.empty() ? key_ : above + '.' + key_;
}

std::string Node::type() const {
  if (value_.is_null()) return "null";
  return (value_.is_object() || value_.is_array() ? "an " : "a ") + std::string(value_.type_name());
}

void Node::bad(const std::string& why, const std::string& remedy) const {
  throw BadFile(path() + ' ' + why, remedy);
}

void Node::object(std::initializer_list<const char*> known) const {
  if (!value_.is_object())
    bad("is " + type() + ", not an object", "put its fields in {}");
  if (known.size() == 0) return;
  for (const auto& [key, value] : value_.items()) {
    const auto same = [&key = key](const char* field) { return key == field; };
    if (std::any_of(known.begin(), known.end(), same)) continue;
    std::string list;
    for (const char* field : known) list += (list.empty() ? "" : ", ") + std::string(field);
    bad("has a field \"" + shortened(key) + "\" that this version does not know",
        "known are " + list);
  }
}

void Node::schema(const char* expected) const {
  object();
  const std::string found = has("schema") ? text("schema") : "";
  if (found != expected)
    bad(found.empty() ? "has no \"schema\"" : "is a \"" + shortened(found) + '"',
        std::string("give a document with \"schema\": \"") + expected + '"');
}

bool Node::has(const char* key) const {
  const auto found = value_.find(key);
  return found != value_.end() && !found->is_null();
}

Node Node::at(const char* key) const {
  object();
  const auto found = value_.find(key);
  if (found == value_.end() || found->is_null())
    bad(std::string("has no \"") + key + '"', std::string("give \"") + key + '"');
  return Node(*found, this, key, 0);
}

Node Node::item(std::size_t index) const { return Node(value_.at(index), this, nullptr, index); }

std::size_t Node::size() const {
  if (!value_.is_array())
    bad("is " + type() + ", not an array", "put its items in []");
  return value_.size();
}

Count Node::count() const {
  if (value_.is_number_float()) {
    const double number = value_.get<double>();
    if (number >= 9223372036854775808.0)
      throw Overflow(path() + " is above 2^63-1", "give a smaller number");
    if (number < 0)
      throw OutOfRange(path() + " is negative", "give a whole number that is not negative");
    bad("is " + value_.dump() + ", which is not written as a whole number", "write it as 10000");
  }
  if (!value_.is_number_integer())
    bad("is " + type() + ", not a whole number", "write a whole number, without quotes");
  if (value_.is_number_unsigned() && value_.get<std::uint64_t>() > std::uint64_t{max_count})
    throw Overflow(path() + " is above 2^63-1", "give a smaller number");
  const Count number = value_.get<Count>();
  if (number < 0)
    throw OutOfRange(path() + " is " + std::to_string(number),
                     "give a whole number that is not negative", {{"given", number}});
  return number;
}

bool Node::flag() const {
  if (!value_.is_boolean()) bad("is neither true nor false", "write true or false");
  return value_.get<bool>();
}

double Node::number() const {
  if (!value_.is_number()) bad("is no number", "write one");
  return value_.get<double>();
}

std::string Node::text() const {
  if (!value_.is_string()) bad("is " + type() + ", not a text", "put it in quotes");
  return value_.get<std::string>();
}

std::optional<Count> Node::maybe_count(const char* key) const {
  if (!has(key)) return std::nullopt;
  return count(key);
}

}  // namespace sweepback::json
