// SPDX-License-Identifier: Apache-2.0
// Text to document. nlohmann's parser keeps its own stack, so depth costs no recursion; what it
// passes over in silence (fields given twice) or takes without bound is refused in its callback.
#include <algorithm>
#include <istream>
#include <unordered_set>
#include <vector>

#include "sweepback/json.hpp"

namespace sweepback::json {

namespace {

constexpr int most_levels = 32;
constexpr std::size_t most_bytes = std::size_t{64} << 20;

class Strict {
 public:
  explicit Strict(const std::string& name) : name_(name) {}

  bool operator()(int depth, Document::parse_event_t event, Document& parsed) {
    using Event = Document::parse_event_t;
    if (depth >= most_levels && (event == Event::object_start || event == Event::array_start))
      throw BadFile(name_ + ": nested deeper than " + std::to_string(most_levels) + " levels",
                    "no document of ours is");
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key) {
      const std::string& field = parsed.get_ref<const std::string&>();
      if (!keys_.back().insert(field).second)
        throw BadFile(name_ + ": the field \"" + field.substr(0, 40) + "\" is given twice",
                      "give it once");
    }
    return true;
  }

 private:
  const std::string& name_;
  std::vector<std::unordered_set<std::string>> keys_;
};

[[noreturn]] void too_long(const std::string& name) {
  throw BadFile(name + ": more than " + std::to_string(most_bytes >> 20) + " MiB",
                "give runs of equal steps once, with \"repeat\"");
}

/// "line 3, column 14", of the byte that the parser had read last.
std::string place(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte > 0 ? byte - 1 : 0, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t start =
      before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - start + 1);
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
    return Document::parse(text.begin(), text.end(), Strict(name));
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
