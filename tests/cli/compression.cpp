// SPDX-License-Identifier: Apache-2.0
// calibrate --compress.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "common.hpp"

namespace {

using namespace sweepback::testing;

constexpr std::size_t numbers = 50'000;

std::string bytes_of(const std::vector<float>& x) {
  std::string text(x.size() * sizeof(float), '\0');
  std::memcpy(text.data(), x.data(), text.size());
  return text;
}

/// Three states of 200,000 bytes.
std::string smooth_states() {
  std::vector<float> x(3 * numbers);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(std::sin(1e-3 * static_cast<double>(i)));
  return file_of(bytes_of(x));
}

std::string noise() {
  std::mt19937 random(1);
  std::string text(100'000, '\0');
  for (char& each : text) each = static_cast<char>(random());
  return file_of(text);
}

TEST(Compression, IsMeasuredOfAFile) {
  const std::string file = file_of("");
  const std::vector<std::string> line{"calibrate", "--compress", smooth_states(), "--state-bytes", "200000", "--element-bytes", "4", "--output", file};
  const auto text = call(line);
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("3 of 3 states of 195.3 KiB"), std::string::npos) << text.out;
  for (const char* word : {"ratio", "store", "restore", "ms for 195.3 KiB"}) EXPECT_NE(text.out.find(word), std::string::npos) << word << '\n' << text.out;
  EXPECT_EQ(text.out.find("buys nothing"), std::string::npos) << text.out;
  auto json = line;
  json.push_back("--json");
  const auto document = call(json).json();
  EXPECT_EQ(document["schema"], "sweepback.tiers/1");
  const auto& tier = document["tiers"][0];
  EXPECT_EQ(tier["name"], "compressed");
  EXPECT_EQ(tier["shared"], true);
  EXPECT_GT(tier["ratio"], 2);
  EXPECT_GT(tier["store"]["units"], 0);
  EXPECT_EQ(shell("cat " + file).json()["tiers"][0]["shared"], true);
}

TEST(Compression, ThatBuysNothingIsSaid) {
  const auto answer = call({"calibrate", "--compress", noise(), "--element-bytes", "8"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_NE(answer.out.find("1 of 1 state of"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("ratio    1.00"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("buys nothing here"), std::string::npos) << answer.out;
}

TEST(Compression, ErrorsSayWhatWouldDo) {
  const auto code = [](std::vector<std::string> more) {
    more.insert(more.begin(), "calibrate");
    const auto answer = call(more);
    EXPECT_FALSE(answer.err.empty());
    return answer.code;
  };
  const std::string file = noise();
  EXPECT_EQ(code({"--compress", "/nowhere"}), 5);
  EXPECT_EQ(code({"--compress", file_of("")}), 2);
  EXPECT_EQ(code({"--compress", file, "--state-bytes", "7"}), 2);
  EXPECT_EQ(code({"--compress", file, "--state-bytes", "0"}), 2);
  EXPECT_EQ(code({"--compress", file, "--element-bytes", "0"}), 2);
  EXPECT_EQ(code({"--compress", file, "--total", "1MiB"}), 2);
  EXPECT_EQ(code({"--compress", file, "--spill-dir", "/tmp"}), 2);
  EXPECT_EQ(code({"--element-bytes", "4"}), 2);
  EXPECT_EQ(code({"--compress", file, "--output", "/nowhere/tier.json"}), 5);
}

}  // namespace
