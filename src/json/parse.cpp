// SPDX-License-Identifier: Apache-2.0
// Text to document, in time proportional to the text. nlohmann's parser keeps its own stack, so depth
// costs no recursion; what it passes over in silence (fields given twice) or takes without bound is
// refused by a first pass that makes nothing. (A callback of its parser would do in one pass, and
// searches the whole array at every element's end.)
#include <algorithm>
#include <istream>
#include <unordered_set>
#include <vector>

#include "sweepback/json.hpp"

namespace sweepback::json {

namespace {

constexpr std::size_t most_levels = 32;
constexpr std::size_t most_bytes = std::size_t{64} << 20;

/// Refuses deep nesting and fields given twice; faults of the text itself are left to the parser.
class Strict : public nlohmann::json_sax<Document> {
 public:
  explicit Strict(const std::string& name) : name_(name) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }

  bool start_object(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override { return close(); }

  bool key(string_t& field) override {
    if (!levels_.back().insert(field).second)
      throw BadFile(name_ + ": the field \"" + field.substr(0, 40) + "\" is given twice",
                    "give it once");
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  bool open() {
    if (levels_.size() >= most_levels)
      throw BadFile(name_ + ": nested deeper than " + std::to_string(most_levels) + " levels",
                    "no document of ours is");
    levels_.emplace_back();
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }

  const std::string& name_;
  std::vector<std::unordered_set<std::string>> levels_;  // the fields of each
};

[[noreturn]] void too_long(const std::string& name) {
  throw BadFile(name + ": more than " + std::to_string(most_bytes >> 20) + " MiB",
                "give runs of equal steps once, with \"repeat\"");
}

/// "line 3, column 14" (of a text of one line "column 14"), of the byte that the parser read last.
std::string place(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte > 0 ? byte - 1 : 0, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t start =
      before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  const std::string column = "column " + std::to_string(before.size() - start + 1);
  if (text.find('\n') == std::string_view::npos) return column;
  return "line " + std::to_string(line) + ", " + column;
}

/// nlohmann's sentence without its number and its place, which are said by us.
std::string reason(const std::string& what) {
  const std::size_t at = what.find(": ");
  std::string text = at == std::string::npos ? what : what.substr(at + 2);
  constexpr std::size_t shown = 200;
  return text.size() <= shown ? text : text.substr(0, shown) + "…";
}

}  // namespace

Document parse(std::string_view text, const std::string& name) {
  if (text.size() > most_bytes) too_long(name);
  try {
    Strict strict(name);
    Document::sax_parse(text.begin(), text.end(), &strict);
    return Document::parse(text.begin(), text.end());
  } catch (const Document::parse_error& e) {
    throw BadFile(name + ": " + place(text, e.byte) + ": " + reason(e.what()),
                  "give one whole JSON document in UTF-8");
  } catch (const Document::exception& e) {
    throw BadFile(name + ": " + reason(e.what()), "give numbers below 2^63");
  }
}

Document parse(std::istream& in, const std::string& name) {
  std::string text;
  while (in && text.size() <= most_bytes) {
    const std::size_t had = text.size();
    text.resize(had + (std::size_t{1} << 16));
    in.read(text.data() + had, 1 << 16);
    text.resize(had + static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) throw BadFile(name + ": cannot be read", "give a file that can");
  return parse(text, name);
}

std::string dump(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace sweepback::json
