// SPDX-License-Identifier: Apache-2.0
// Records that a power cut leaves whole: what is synced, in which order, and what happens where it cannot
// be. The program has an fsync of its own, which notes each file by its name and fails where it is told to.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "scratch.hpp"
#include "sweepback/file_tier.hpp"

namespace {

namespace fs = std::filesystem;

struct Synced {
  fs::path path;
  bool named;  // x_1 was there already
  bool operator==(const Synced&) const = default;
};
std::vector<Synced> synced;
std::string fails_at;  // the file's name
int fails_with = 0;

}  // namespace

extern "C" int fsync(int fd) {
  std::error_code none;
  const fs::path path = fs::read_symlink("/proc/self/fd/" + std::to_string(fd), none);
  synced.push_back({path, fs::exists((fs::is_directory(path) ? path : path.parent_path()) / "x_1", none)});
  if (path.filename() == fails_at) {
    errno = fails_with;
    if (fails_with == EINTR) fails_at.clear();  // once only
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fsync, fd));
}

namespace {

using sweepback::Durability;
using sweepback::FileTier;
using sweepback::Io;
using Tier = FileTier<std::vector<double>>;

class Durable : public testing::Test {
 protected:
  Durable() {
    synced.clear();
    fails_at.clear();
  }
  /// What the message of the error at the sync of `file` says.
  template <class Work>
  std::string message(const std::string& file, int error, Work&& work) {
    fails_at = file;
    fails_with = error;
    try {
      work();
    } catch (const Io& e) {
      fails_at.clear();
      return e.message();
    }
    fails_at.clear();
    return "fine";
  }
  scratch::Scratch scratch;
  const fs::path base = scratch.path();
  const std::vector<double> state = std::vector<double>(1000, 0.5);
};

TEST_F(Durable, NothingIsSyncedUnlessAsked) {
  Tier tier(base);
  tier.store(1, state);
  EXPECT_TRUE(synced.empty());
}

TEST_F(Durable, TheFileBeforeItsNameAndTheDirectoryAfter) {
  Tier tier(base, Durability::synced);
  const fs::path own = tier.path();
  EXPECT_EQ(synced, (std::vector<Synced>{{own / "owner", false}, {own, false}, {base, false}}));
  synced.clear();
  tier.store(1, state);
  EXPECT_EQ(synced, (std::vector<Synced>{{own / "x_1.part", false}, {own, true}}));
  EXPECT_EQ(tier.load(1), state);
  tier.drop(1);
  EXPECT_FALSE(fs::exists(own / "x_1"));
}

TEST_F(Durable, WhatCannotBeSyncedIsNotStored) {
  {
    Tier tier(base, Durability::synced);
    for (const std::string& file : {std::string("x_1.part"), tier.path().filename().string()})
      for (const int error : {EIO, ENOSPC, EINVAL}) {
        const std::string said = message(file, error, [&] { tier.store(1, state); });
        EXPECT_NE(said.find((tier.path() / "x_1").string()), std::string::npos) << said;
        EXPECT_FALSE(fs::exists(tier.path() / "x_1")) << file;
        EXPECT_FALSE(fs::exists(tier.path() / "x_1.part")) << file;
      }
    EXPECT_EQ(message("x_1.part", EINTR, [&] { tier.store(1, state); }), "fine");
    EXPECT_EQ(tier.load(1), state);
  }
  for (const std::string& file : {std::string("owner"), base.filename().string()})
    EXPECT_NE(message(file, EINVAL, [&] { Tier(base, Durability::synced); }).find(base.string()), std::string::npos);
  EXPECT_TRUE(fs::is_empty(base));
}

}  // namespace
