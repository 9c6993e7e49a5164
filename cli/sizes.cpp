// SPDX-License-Identifier: Apache-2.0
#include "sizes.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iomanip>

#include "sweepback/error.hpp"

namespace sweepback::cli {

namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string quoted(std::string_view what, std::string_view text) {
  constexpr std::size_t shown = 40;
  std::string words(what);
  words.append(" \"").append(text.substr(0, shown)).append(text.size() > shown ? "…\"" : "\"");
  return words;
}

[[noreturn]] void too_large(std::string_view what, std::string_view text) {
  throw Overflow(quoted(what, text) + " is above 2^63-1", "give a smaller number");
}

/// "-5", "-1.5GiB", "- 3": a number, but below zero.
void refuse_negative(std::string_view text, std::string_view what) {
  if (text.size() > 1 && text.front() == '-' && (is_digit(text[1]) || text[1] == '.'))
    throw OutOfRange(quoted(what, text) + " is negative", "give a number that is not negative");
}

/// digits[.digits], the point taken out: value / 10^decimals. What is too large becomes `large`.
struct Decimal {
  Wide value = 0;
  int decimals = 0;
  bool large = false;
};

/// Takes a decimal number off the front of `text`; false where there is none. More decimals than
/// `most` are refused.
bool take_decimal(std::string_view& text, Decimal& number, int most) {
  std::size_t at = 0;
  const auto digits = [&](bool decimals) {
    const std::size_t from = at;
    for (; at < text.size() && is_digit(text[at]); ++at) {
      number.value = 10 * number.value + (text[at] - '0');
      if (number.value > static_cast<Wide>(max_count) * 1'000'000'000) number.large = true;
      if (number.large) number.value = 0;
      number.decimals += decimals;
    }
    return at > from;
  };
  if (!digits(false)) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (!digits(true) || number.decimals > most) return false;
  }
  text.remove_prefix(at);
  return true;
}

constexpr Count power_of_ten(int n) {
  Count power = 1;
  while (n-- > 0) power *= 10;
  return power;
}

/// The unit's bytes; 0 where it is none.
Count unit_bytes(std::string_view unit) {
  std::string small(unit);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (small.empty() || small == "b") return 1;
  static constexpr std::string_view prefixes = "kmgtpe";
  const std::size_t power = prefixes.find(small.front());
  if (power == std::string_view::npos) return 0;
  const Count base = small.substr(1) == "b" ? 1000 : small.substr(1) == "ib" ? 1024 : 0;
  Count bytes = base;
  for (std::size_t i = 0; i < power; ++i) bytes *= base;
  return bytes;
}

}  // namespace

Count parse_count(std::string_view text, std::string_view what) {
  refuse_negative(text, what);
  Wide value = 0;
  std::size_t at = 0;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    value = 10 * value + (text[at] - '0');
    if (value > max_count) too_large(what, text);
  }
  bool whole = at > 0 && at == text.size();
  if (at > 0 && at + 1 < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    int exponent = 0;
    whole = true;
    for (++at; at < text.size(); ++at) {
      whole = whole && is_digit(text[at]);
      if (whole) exponent = std::min(1000, 10 * exponent + (text[at] - '0'));
    }
    for (; whole && value > 0 && exponent > 0; --exponent) {
      value *= 10;
      if (value > max_count) too_large(what, text);
    }
  }
  if (!whole)
    throw usage(quoted(what, text) + " is not a whole number", "write it as 10000 or 1e4");
  return static_cast<Count>(value);
}

Count at_least_one(std::string_view text, const char* option) {
  const Count count = parse_count(text, option);
  if (count < 1)
    throw OutOfRange(std::string(option) + " 0 means nothing", "give at least 1", {{"smallest", 1}});
  return count;
}

Count parse_bytes(std::string_view text, std::string_view what) {
  refuse_negative(text, what);
  std::string_view rest = text;
  Decimal number;
  const bool decimal = take_decimal(rest, number, 9);
  if (decimal && !rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  const bool spaced = decimal && rest.empty() && !text.empty() && text.back() == ' ';
  const Count unit = decimal && !spaced ? unit_bytes(rest) : 0;
  if (decimal && unit == 0 && rest.size() == 1)
    throw usage(quoted(what, text) + " has a unit that could be of 1000 or of 1024",
                "write MB or MiB, GB or GiB, in full");
  if (unit == 0 || (unit == 1 && number.decimals > 0))
    throw usage(quoted(what, text) + " is not a size", "write it in bytes: 4096, 512MiB or 2GB");
  // value <= 2^63 10^9 < 2^93, and the largest unit is 2^60: divided first where it could wrap.
  const Count scale = power_of_ten(number.decimals);
  if (number.large || number.value / scale > max_count / unit) too_large(what, text);
  const Wide whole = number.value / scale * unit, part = number.value % scale * unit / scale;
  if (whole + part > max_count) too_large(what, text);
  return static_cast<Count>(whole + part);
}

Count parse_cost(std::string_view text, std::string_view what) {
  refuse_negative(text, what);
  std::string_view rest = text;
  Decimal number;
  Count unit = 0;
  if (take_decimal(rest, number, 9))
    for (const auto& [name, nanoseconds] : {std::pair{"ns", Count{1}}, {"us", Count{1'000}}, {"ms", Count{1'000'000}}, {"s", Count{1'000'000'000}}})
      if (rest == name) unit = nanoseconds;
  if (unit == 0) return parse_count(text, what);
  if (number.large || number.value > static_cast<Wide>(max_count)) too_large(what, text);
  const Count scale = power_of_ten(number.decimals);
  const Wide cost = number.value * unit;
  if (cost % scale != 0) throw usage(quoted(what, text) + " is no whole number of nanoseconds", "write it as 1.5ms or 80us");
  if (cost / scale > max_count) too_large(what, text);
  return static_cast<Count>(cost / scale);
}

double parse_ratio(std::string_view text, std::string_view what) {
  refuse_negative(text, what);
  std::string_view rest = text;
  Decimal number;
  if (!take_decimal(rest, number, 9) || !rest.empty())
    throw usage(quoted(what, text) + " is not a ratio", "write it as 1.2");
  if (number.large) too_large(what, text);
  const double ratio =
      static_cast<double>(number.value) / static_cast<double>(power_of_ten(number.decimals));
  if (ratio <= 0) throw OutOfRange(quoted(what, text) + " is nothing", "give a ratio of at least 1");
  return ratio;
}

BudgetText parse_budget(std::string_view text, std::string_view what) {
  using enum BudgetText::Kind;
  if (text == "auto") return {automatic, 0, 0.0, 0};
  if (!text.ends_with('%')) {
    try {
      return {bytes, parse_bytes(text, what), 0.0, 0};
    } catch (const Error& e) {
      if (e.code() != "usage") throw;
      throw usage(e.message(), e.remedy() + ", as a share of store-everything (5%), or auto");
    }
  }
  refuse_negative(text, what);
  std::string_view rest = text;
  Decimal number;
  if (!take_decimal(rest, number, 7) || rest != "%")
    throw usage(quoted(what, text) + " is not a share", "write it as 5% or 0.25%");
  constexpr Count most_percent = 1'000'000'000;
  const Count scale = power_of_ten(number.decimals);
  if (number.large || number.value / scale > most_percent) too_large(what, text);
  const Count billionths = static_cast<Count>(number.value * (10'000'000 / scale));
  if (billionths == 0)
    throw OutOfRange(quoted(what, text) + " of store-everything is nothing",
                     "give a share above 0%");
  return {share, 0, static_cast<double>(billionths) / 1e9, billionths};
}

BudgetText read_budget(const std::string& path) {
  std::string text;
  if (!(std::ifstream(path) >> std::setw(64) >> text))
    throw BadFile("no budget can be read from " + path, "write one into it, like 64MiB or 5%");
  return parse_budget(text, path);
}

Budget budget_for(const BudgetText& text, const Chain& chain) {
  switch (text.kind) {
    case BudgetText::Kind::bytes:
      return Budget::bytes(text.bytes);
    case BudgetText::Kind::automatic:
      return Budget::bytes(free_memory() / 2);
    case BudgetText::Kind::share:
      break;
  }
  const Wide all = store_all_bytes(chain);
  return Budget::bytes(narrow(all * text.billionths / 1'000'000'000, "the budget in bytes"));
}

std::string print_bytes(Count bytes) {
  static constexpr std::array units = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1023.95 && unit + 1 < units.size()) value /= 1024, ++unit;
  char text[32];
  const bool whole = value == static_cast<double>(static_cast<Count>(value));
  std::snprintf(text, sizeof text,
                whole        ? "%.0f %s"
                : value < 10 ? "%.2f %s"
                             : "%.1f %s",
                value, units[unit]);
  return text;
}

std::string print_count(Count count) {
  const std::string digits = std::to_string(count);
  const std::size_t sign = count < 0;
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > sign && (digits.size() - i) % 3 == 0) text.push_back(',');
    text.push_back(digits[i]);
  }
  return text;
}

}  // namespace sweepback::cli
