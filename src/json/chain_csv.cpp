// SPDX-License-Identifier: Apache-2.0
// A chain as a table: a header line of the fields of `sweepback.chain/1`, one line a step. A first
// line named "input" is x_0, with "state" and "adjoint" alone. Empty cells are fields left out. It becomes a document and is read as one, so that both forms mean the same.
#include <algorithm>
#include <charconv>
#include <sstream>
#include <vector>

#include "node.hpp"

namespace sweepback::json {

namespace {

constexpr std::size_t most_rows = 1'000'000;

struct Reader {
  std::string_view text;
  const std::string& name;
  Count line = 1;
  std::size_t at = 0;

  [[noreturn]] void bad(const std::string& why, const std::string& remedy) const {
    throw BadFile(name + ": line " + std::to_string(line) + ": " + why, remedy);
  }

  /// The cells of the next line; quoted ones may hold commas and doubled quotes.
  bool row(std::vector<std::string>& cells) {
    cells.assign(1, {});
    if (at >= text.size()) return false;
    for (; at < text.size() && text[at] != '\n'; ++at) {
      const char c = text[at];
      if (c == ',') {
        cells.emplace_back();
      } else if (c == '"') {
        if (!cells.back().empty()) bad("a quote within a cell", "quote the whole cell");
        for (++at;; ++at) {
          if (at >= text.size() || text[at] == '\n') bad("a quoted cell does not end", "close the quote");
          if (text[at] == '"' && at + 1 < text.size() && text[at + 1] == '"')
            ++at;
          else if (text[at] == '"')
            break;
          cells.back() += text[at];
        }
      } else if (c != '\r') {
        cells.back() += c;
      }
    }
    ++at;
    return true;
  }

  Json value(const std::string& field, const std::string& cell) const {
    if (field == "name") return cell;
    if (cell == "true" || cell == "yes") return true;
    if (cell == "false" || cell == "no") return false;
    Count count = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), count);
    if (error == std::errc::result_out_of_range)
      throw Overflow(name + ": line " + std::to_string(line) + ": \"" + field + "\" is above 2^63-1",
                     "give a smaller number");
    if (error != std::errc() || end != cell.data() + cell.size())
      bad("\"" + field + "\" is \"" + Node::shortened(cell) + '"', "give a whole number (bytes without a unit), true or false");
    return count;
  }

  /// Reads it as the document's reader will: what is wrong with it is wrong with this line.
  template <class Read>
  void require(const Document& row, Read&& read) const {
    try {
      read(Node(row));
    } catch (const BadFile& e) {
      bad(e.message(), e.remedy());
    } catch (const Error& e) {
      throw OutOfRange(name + ": line " + std::to_string(line) + ": " + e.message(), e.remedy(), e.numbers());
    }
  }
};

std::string trimmed(const std::string& cell) {
  const auto first = cell.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return cell.substr(first, cell.find_last_not_of(" \t") - first + 1);
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r ") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    out += c == '\n' || c == '\r' ? ' ' : c;  // a cell is of one line
    if (c == '"') out += '"';
  }
  return out + '"';
}

/// A step with these fields and nothing in them: for the names alone.
Document known(const std::vector<std::string>& fields) {
  Document step = Document::object();
  for (const std::string& field : fields) step[field] = nullptr;
  return step;
}

}  // namespace

Document parse_csv(std::string_view text, const std::string& name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Reader reader{text, name};
  std::vector<std::string> fields, cells;
  if (!reader.row(fields)) reader.bad("nothing is there", "begin with a line of field names");
  for (std::string& field : fields) field = trimmed(field);
  if (fields.size() == 1 && fields[0].find_first_of(";\t") != std::string::npos)
    reader.bad("cells are not separated by commas", "write name,forward,reverse,…");
  for (auto field = fields.begin(); field != fields.end(); ++field)
    if (std::find(fields.begin(), field, *field) != field)
      reader.bad("the field \"" + Node::shortened(*field) + "\" is given twice", "give it once");
  reader.require(known(fields), read_step);
  Document document = {{"schema", "sweepback.chain/1"}, {"steps", Document::array()}};
  Document& steps = document["steps"];
  bool first = true;
  for (++reader.line; reader.row(cells); ++reader.line) {
    if (cells.size() == 1 && trimmed(cells[0]).empty()) continue;
    if (cells.size() != fields.size())
      reader.bad("it has " + std::to_string(cells.size()) + " cells, and the first line " + std::to_string(fields.size()) + " names",
                 "give one cell for each name");
    if (steps.size() >= most_rows) reader.bad("more than a million steps", "give runs of equal steps once, with repeat");
    Document step = Document::object();
    for (std::size_t n = 0; n < cells.size(); ++n)
      if (const std::string cell = fields[n] == "name" ? cells[n] : trimmed(cells[n]); !cell.empty())
        step[fields[n]] = reader.value(fields[n], cell);
    if (step.contains("name") && step["name"] == "input") {
      if (!first) reader.bad("\"input\" is x_0, before all steps", "make it the first line of cells, or rename the step");
      step.erase("name");
      reader.require(step, read_input);
      document["input"] = std::move(step);
    } else {
      reader.require(step, [](const Node& row) { return read_step(row), row.count("repeat", 1); });
      steps.push_back(std::move(step));
    }
    first = false;
  }
  return document;
}

std::string to_csv(const Chain& chain) {
  std::vector<std::string> fields{"name"};
  const Json steps = write_runs(chain);
  for (const Json& step : steps)
    for (const auto& [field, value] : step.items())
      if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
  const Input& input = chain.input();
  for (const auto& [field, there] : {std::pair{"state", input.state_bytes.has_value()},
                                     std::pair{"adjoint", input.adjoint.has_value()}})
    if (there && std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
  std::ostringstream out;
  const auto write = [&](const Json& row) {
    for (std::size_t n = 0; n < fields.size(); ++n) {
      if (n > 0) out << ',';
      if (!row.contains(fields[n])) continue;
      const Json& value = row.at(fields[n]);
      out << (value.is_string() ? quoted(value.get<std::string>()) : value.dump());
    }
    out << '\n';
  };
  for (std::size_t n = 0; n < fields.size(); ++n) out << (n > 0 ? "," : "") << fields[n];
  out << '\n';
  if (input != Input{}) {
    Json row = {{"name", "input"}};
    if (input.state_bytes) row["state"] = *input.state_bytes;
    if (input.adjoint) row["adjoint"] = *input.adjoint;
    write(row);
  }
  for (const Json& step : steps) write(step);
  return out.str();
}

}  // namespace sweepback::json
