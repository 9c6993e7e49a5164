// SPDX-License-Identifier: Apache-2.0
// Any text is a number, a size or a budget that is not negative, or one typed error with a remedy.
#include <cstdlib>

#include "sizes.hpp"

using namespace sweepback;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto require = [](bool good) {
    if (!good) std::abort();
  };
  try {
    require(cli::parse_count(text) >= 0);
  } catch (const Error& e) {
    require(!e.remedy().empty());
  }
  try {
    const Count bytes = cli::parse_bytes(text);
    require(bytes >= 0 && !cli::print_bytes(bytes).empty());
    require(cli::parse_bytes(std::to_string(bytes)) == bytes);
  } catch (const Error& e) {
    require(!e.remedy().empty());
  }
  try {
    const cli::BudgetText budget = cli::parse_budget(text);
    require(budget.bytes >= 0 && budget.billionths >= 0);
  } catch (const Error& e) {
    require(!e.remedy().empty());
  }
  return 0;
}
