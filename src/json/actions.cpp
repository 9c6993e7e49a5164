// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <istream>

#include "sweepback/json.hpp"
#include "sweepback/json_actions.hpp"

#include "node.hpp"

namespace sweepback::json {

namespace {

constexpr std::size_t most_header = std::size_t{64} << 20;
constexpr std::size_t most_line = 4096;

void append(std::string& text, Count number) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

/// Takes `expected` off the front; false where it is not there.
bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

bool take(std::string_view& text, Count& number) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return false;
  if (text.front() == '0' && text.size() > 1 && text[1] >= '0' && text[1] <= '9') return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number == max_count) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// The quick way through the lines that we write ourselves; false for any other, which is then read
/// as JSON, and refused there if it must be.
bool read_own(std::string_view text, Action& action) {
  using enum Action::Kind;
  if (!take(text, "{\"")) return false;
  for (const Action::Kind kind : {forward, record, store, restore, Action::Kind::free, reverse}) {
    std::string_view rest = text;
    if (!take(rest, name(kind)) || !take(rest, "\":")) continue;
    action.kind = kind;
    action.tier = 0;
    if (kind == forward)
      return take(rest, "[") && take(rest, action.first) && take(rest, ",") &&
             take(rest, action.last) && rest == "]}";
    if (!take(rest, action.first) || rest != "}") return false;
    action.last = action.first + (kind == record || kind == reverse);
    return true;
  }
  return false;
}

}  // namespace

std::string header_line(const Rules& rules) {
  return to_json(rules).dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

void append_line(std::string& lines, const Action& action, const std::vector<TierModel>& tiers) {
  using enum Action::Kind;
  lines += "{\"";
  lines += name(action.kind);
  lines += "\":";
  const bool range = action.kind == forward || action.last > action.first + 1;
  if (range) lines += '[';
  append(lines, action.first);
  if (range) {
    lines += ',';
    append(lines, action.last);
    lines += ']';
  }
  if (action.on_state() && action.tier < tiers.size()) {
    lines += std::string(",\"") + tier_field(action.kind) + "\":";
    lines += Json(tiers[action.tier].name).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  lines += "}\n";
}

ActionReader::ActionReader(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {
  if (!read_line(most_header))
    throw BadFile(name_ + " is empty", "begin it with a header of schema sweepback.actions/1");
  rules_ = value_of_line<Rules>();
}

bool ActionReader::next(Action& action) {
  if (!read_line(most_line)) return false;
  if (!read_own(text_, action)) action = value_of_line<Action>();
  return true;
}

/// The next line that is not blank, into `text_`.
bool ActionReader::read_line(std::size_t most) {
  do {
    text_.clear();
    ++line_;
    for (bool whole = false; !whole;) {
      if (at_ == buffer_.size()) {
        buffer_.resize(std::size_t{1} << 16);
        in_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
        buffer_.resize(static_cast<std::size_t>(in_.gcount()));
        at_ = 0;
        if (in_.bad()) throw BadFile(name_ + ": cannot be read", "give a file that can");
        if (buffer_.empty()) {
          if (text_.empty()) return false;
          break;
        }
      }
      const std::size_t end = buffer_.find('\n', at_);
      whole = end != std::string::npos;
      text_.append(buffer_, at_, (whole ? end : buffer_.size()) - at_);
      at_ = whole ? end + 1 : buffer_.size();
      if (text_.size() > most)
        throw BadFile(name_ + ": line " + std::to_string(line_) + ": longer than " +
                          std::to_string(most) + " bytes",
                      "write one action a line");
    }
    if (text_.ends_with('\r')) text_.pop_back();
  } while (text_.find_first_not_of(" \t\r") == std::string::npos);
  return true;
}

/// A tier that is named becomes its number; a name that is not known is left, and refused as no number.
void ActionReader::number_tier(Document& action) const {
  if (!action.is_object() || !rules_.budget) return;
  for (const char* where : {"to", "from", "at"}) {
    const auto found = action.find(where);
    if (found == action.end() || !found->is_string()) continue;
    const auto& tiers = rules_.budget->tiers;
    for (std::size_t n = 0; n < tiers.size(); ++n)
      if (found->get_ref<const std::string&>() == tiers[n].name) {
        *found = n;
        break;
      }
  }
}

/// Errors of a line say which.
template <class Value>
Value ActionReader::value_of_line() const {
  const std::string place = name_ + ": line " + std::to_string(line_);
  Document document;
  document = parse(text_, place);
  if constexpr (std::same_as<Value, Action>) number_tier(document);
  try {
    return from_json<Value>(document);
  } catch (const BadFile& e) {
    throw BadFile(place + ": " + e.message(), e.remedy(), e.numbers());
  } catch (const OutOfRange& e) {
    throw OutOfRange(place + ": " + e.message(), e.remedy(), e.numbers());
  } catch (const Overflow& e) {
    throw Overflow(place + ": " + e.message(), e.remedy());
  } catch (const Unsupported& e) {
    throw Unsupported(place + ": " + e.message(), e.remedy());
  }
}

Verdict check(ActionReader& reader, Count* line) {
  Referee referee(reader.rules());
  for (Action action; reader.next(action);)
    if (!referee.see(action)) break;
  if (line) *line = reader.line();
  return referee.finish();
}

}  // namespace sweepback::json
