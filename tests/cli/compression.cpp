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

/// Skipped in a build without LZ4 or zfp.
class Compression : public testing::Test {
 protected:
  void SetUp() override {
    for (const auto& line : {words("--element-bytes 4"), words("--element float --error-bound 1")}) {
      std::vector<std::string> all{"calibrate", "--compress", smooth_states()};
      all.insert(all.end(), line.begin(), line.end());
      const auto answer = call(all);
      if (answer.err.find("this build") == std::string::npos) continue;
      EXPECT_EQ(answer.code, 2);
      GTEST_SKIP() << answer.err;
    }
  }
};

TEST_F(Compression, IsMeasuredOfAFile) {
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
  const auto planned = call({"plan", "--steps", "100", "--state-bytes", "200000", "--forward-cost", "20ms", "--tier", "memory:1MB", "--tiers", file, "--json"});
  ASSERT_EQ(planned.code, 0) << planned.err;
  EXPECT_EQ(planned.json()["budget"]["tiers"][1]["shared"], true);
  EXPECT_GT(planned.json()["bill"]["tiers"][1]["stores"], 0);
}

TEST_F(Compression, ThatBuysNothingIsSaid) {
  const auto answer = call({"calibrate", "--compress", noise(), "--element-bytes", "8"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_NE(answer.out.find("1 of 1 state of"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("ratio    1.00"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("buys nothing here"), std::string::npos) << answer.out;
}

TEST_F(Compression, WithinABound) {
  const std::string file = smooth_states();
  const std::vector<std::string> line{"calibrate", "--compress", file, "--state-bytes", "200000", "--element", "float"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), line.begin(), line.end());
    return call(more);
  };
  const auto exact = with({"--json"}).json()["tiers"][0], lossy = with({"--json", "--error-bound", "1e-3"}).json()["tiers"][0];
  EXPECT_EQ(lossy["lossy"], true);
  EXPECT_FALSE(exact.contains("lossy"));
  EXPECT_GT(lossy["ratio"], 2);
  const auto text = with({"--error-bound", "1e-3", "--shape", "200x250"});
  EXPECT_NE(text.out.find("within 0.001"), std::string::npos) << text.out << text.err;
  for (const char* bound : {"0", "-1", "inf", "nan", "1e-3x", "1e999"}) EXPECT_EQ(with({"--error-bound", bound}).code, 2) << bound;
  for (const char* shape : {"200x251", "200x", "x200", "0x3", "5x5x5x5", "200,250"}) EXPECT_EQ(with({"--error-bound", "1", "--shape", shape}).code, 2) << shape;
  EXPECT_EQ(with({"--shape", "200x250"}).code, 2);
  EXPECT_EQ(with({"--element-bytes", "4"}).code, 2);
  EXPECT_EQ(call({"calibrate", "--compress", file, "--error-bound", "1e-3"}).code, 2);
  EXPECT_EQ(call({"calibrate", "--compress", file, "--element", "int"}).code, 2);
}

TEST_F(Compression, ErrorsSayWhatWouldDo) {
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
