// SPDX-License-Identifier: Apache-2.0
// Sizes, shares and counts as people type them; free memory from files laid out as the kernel does.
#include "sizes.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "common.hpp"

namespace sweepback::cli {
namespace {

std::string outcome(const std::function<std::string()>& f) {
  try {
    return f();
  } catch (const Error& e) {
    EXPECT_FALSE(e.remedy().empty());
    return e.code();
  }
}
std::string bytes(const char* text) {
  return outcome([=] { return std::to_string(parse_bytes(text)); });
}
std::string count(const char* text) {
  return outcome([=] { return std::to_string(parse_count(text)); });
}

TEST(Sizes, Bytes) {
  EXPECT_EQ(bytes("0"), "0");
  EXPECT_EQ(bytes("4096"), "4096");
  EXPECT_EQ(bytes("1B"), "1");
  EXPECT_EQ(bytes("1kB"), "1000");
  EXPECT_EQ(bytes("1KiB"), "1024");
  EXPECT_EQ(bytes("512MiB"), "536870912");
  EXPECT_EQ(bytes("512 mib"), "536870912");
  EXPECT_EQ(bytes("2GB"), "2000000000");
  EXPECT_EQ(bytes("1.5GiB"), "1610612736");
  EXPECT_EQ(bytes("0.3GiB"), "322122547");
  EXPECT_EQ(bytes("7EiB"), std::to_string(Count{7} << 60));
  EXPECT_EQ(bytes("9223372036854775807"), std::to_string(max_count));
  for (const char* large :
       {"9223372036854775808", "8EiB", "1e5EB", "99999999999999999999999999999999999999999999"})
    EXPECT_NE(bytes(large).find_first_not_of("0123456789"), std::string::npos) << large;
  EXPECT_EQ(bytes("8EiB"), "overflow");
  EXPECT_EQ(bytes("18446744073709551616"), "overflow");
  EXPECT_EQ(bytes("-1"), "out_of_range");
  EXPECT_EQ(bytes("-1.5GiB"), "out_of_range");
  for (const char* none : {"",
                           " ",
                           "5 ",
                           " 5",
                           "5M",
                           "5G",
                           "5mb2",
                           "MiB",
                           "1.MiB",
                           ".5MiB",
                           "0.5",
                           "0.5B",
                           "1e3",
                           "0x10",
                           "nan",
                           "inf",
                           "+5",
                           "5  MiB",
                           "1.0000000000000MiB",
                           "1,000"})
    EXPECT_EQ(bytes(none), "usage") << none;
}

TEST(Sizes, Counts) {
  EXPECT_EQ(count("10000"), "10000");
  EXPECT_EQ(count("1e12"), "1000000000000");
  EXPECT_EQ(count("9E18"), "9000000000000000000");
  EXPECT_EQ(count("0e999999999999"), "0");
  EXPECT_EQ(count("1e19"), "overflow");
  EXPECT_EQ(count("1e99999999999999"), "overflow");
  EXPECT_EQ(count("9223372036854775808"), "overflow");
  EXPECT_EQ(count("-3"), "out_of_range");
  for (const char* none :
       {"", "e5", "1e", "1e-3", "1.5", "1_000", "1,000", "1k", "ten", "0x1", "1e5x"})
    EXPECT_EQ(count(none), "usage") << none;
}

TEST(Sizes, Budgets) {
  const auto billionths = [](const char* text) {
    return outcome([=] { return std::to_string(parse_budget(text).billionths); });
  };
  EXPECT_EQ(billionths("5%"), "50000000");
  EXPECT_EQ(billionths("0.0000001%"), "1");
  EXPECT_EQ(billionths("150%"), "1500000000");
  EXPECT_EQ(billionths("0%"), "out_of_range");
  EXPECT_EQ(billionths("-5%"), "out_of_range");
  EXPECT_EQ(billionths("99999999999%"), "overflow");
  for (const char* none : {"%", "x%", "5 %", "5%%", "nan%", "0.00000001%", "1e3%", "Auto"})
    EXPECT_EQ(billionths(none), "usage") << none;
  EXPECT_EQ(parse_budget("auto").kind, BudgetText::Kind::automatic);
  EXPECT_EQ(parse_budget("2kB").bytes, 2000);
  // 29 % of 100 bytes are 29, whatever 0.29 is in binary.
  Chain chain = Chain::uniform(100, {.state_bytes = 1});
  const Count all = store_all_bytes(chain);
  for (Count percent = 1; percent <= 100; ++percent)
    EXPECT_EQ(budget_for(parse_budget(std::to_string(percent) + '%'), chain).amount,
              all * percent / 100);
}

TEST(Sizes, ForPeople) {
  EXPECT_EQ(print_bytes(0), "0 B");
  EXPECT_EQ(print_bytes(1023), "1023 B");
  EXPECT_EQ(print_bytes(1024), "1 KiB");
  EXPECT_EQ(print_bytes(1536), "1.50 KiB");
  EXPECT_EQ(print_bytes(max_count), "8 EiB");
  EXPECT_EQ(print_count(0), "0");
  EXPECT_EQ(print_count(999), "999");
  EXPECT_EQ(print_count(1000), "1,000");
  EXPECT_EQ(print_count(-1234567), "-1,234,567");
}

struct Machine {
  std::string root = testing::file_of("") + ".root";
  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
};

TEST(FreeMemory, TheLeastOfMachineAndGroups) {
  Machine machine;
  EXPECT_EQ(outcome([&] { return std::to_string(free_memory(machine.root)); }), "io");
  machine.write("/proc/meminfo", "MemTotal: 16 kB\nMemAvailable:   9000 kB\n");
  EXPECT_EQ(free_memory(machine.root), 9000 * 1024);
  machine.write("/proc/self/cgroup", "0::/a/b\n");
  machine.write("/sys/fs/cgroup/a/b/memory.max", "max\n");
  machine.write("/sys/fs/cgroup/a/b/memory.current", "100\n");
  EXPECT_EQ(free_memory(machine.root), 9000 * 1024);
  machine.write("/sys/fs/cgroup/a/memory.max", "5000\n");
  machine.write("/sys/fs/cgroup/a/memory.current", "3000\n");
  machine.write("/sys/fs/cgroup/a/memory.stat", "anon 5\ninactive_file 500\n");
  EXPECT_EQ(free_memory(machine.root), 2500);
  machine.write("/sys/fs/cgroup/memory.max", "700\n");
  machine.write("/sys/fs/cgroup/memory.current", "900\n");
  EXPECT_EQ(free_memory(machine.root), 0);
}

TEST(FreeMemory, VersionOne) {
  Machine machine;
  machine.write("/proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/y\n0::/\n");
  machine.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "4000\n");
  machine.write("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n");
  EXPECT_EQ(free_memory(machine.root), 3000);
  EXPECT_GT(free_memory(), 0);
}

}  // namespace
}  // namespace sweepback::cli
