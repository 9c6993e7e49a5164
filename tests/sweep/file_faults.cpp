// SPDX-License-Identifier: Apache-2.0
// Files that fail while a sweep runs: a file system that is full, a directory that vanishes, one that may
// no longer be entered. Each is one clear Io; what was stored before is still there, and nothing crashes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>

#include "scratch.hpp"
#include "sweepback/file_tier.hpp"
#include "sweepback/sweepback.hpp"

namespace {

namespace fs = std::filesystem;
using namespace sweepback;
using scratch::content;
using scratch::read_back;
using scratch::Scratch;

/// What a child could not set up: the error's number above this is its exit code.
constexpr int not_allowed = 100;

/// Runs checks in a process of their own; `set_up` returns an error's number where they cannot be made.
void in_a_child(const std::function<int()>& set_up, const std::function<void()>& checks, const char* what) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    if (const int error = set_up()) _exit(not_allowed + error);
    checks();
    std::fflush(stdout);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  const int code = WEXITSTATUS(status);
  if (code > not_allowed) GTEST_SKIP() << what << ": " << std::strerror(code - not_allowed);
  EXPECT_EQ(code, 0) << "see the child's failures above";
}

/// A file system of 2 MiB at `path`, seen by this process alone. 0, or the error's number.
int mount_small(const fs::path& path) {
  const std::string user = "0 " + std::to_string(geteuid()) + " 1", group = "0 " + std::to_string(getegid()) + " 1";
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return errno;
  const auto put = [](const char* file, const std::string& text) {
    const int fd = open(file, O_WRONLY | O_CLOEXEC);
    const bool done = fd >= 0 && write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (fd >= 0) close(fd);
    return done;
  };
  if (!put("/proc/self/setgroups", "deny") || !put("/proc/self/uid_map", user) || !put("/proc/self/gid_map", group)) return EPERM;
  return mount("none", path.c_str(), "tmpfs", 0, "size=2m") == 0 ? 0 : errno;
}

void on_a_small_file_system(const fs::path& path, const std::function<void()>& checks) {
  in_a_child([&] { return mount_small(path); }, checks, "no file system of one's own may be mounted");
}

/// The one error that `work` must end with.
Io io_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Io& e) {
    return e;
  }
  ADD_FAILURE() << "no Io";
  return Io("", "");
}

/// A computation in which something happens at one step.
struct Hooked {
  using State = std::vector<double>;
  std::function<void(Count)> before;
  void forward(Count k, State& x) {
    before(k);
    for (double& each : x) each = 0.5 * each + 1;
  }
  void reverse(Count, const State& x, double& a) { a += x[0]; }
};

/// 200 steps of 80 kB, two of them in memory, `disk` on disk.
void sweep_with(const fs::path& base, TierModel disk, std::function<void(Count, const fs::path&)> before) {
  Chain chain = Chain::uniform(200, {.state_bytes = 80'000});
  chain.in_place = true;
  auto tier = std::make_unique<FileTier<Hooked::State>>(base);
  const fs::path own = tier->path();
  Hooked program{[&](Count k) { before(k, own); }};
  FarTiers<Hooked::State> further;
  further.push_back(std::move(tier));
  Sweep sweep(program, plan(chain, Budget::of({{"memory", TierModel::Unit::slots, 2}, std::move(disk)})), std::move(further));
  double adjoint = 0;
  sweep.advance(Hooked::State(10'000, 1.0));
  sweep.backward(adjoint);
}

TierModel disk_of(Count slots, bool overlap) {
  if (slots > 0) return {"disk", TierModel::Unit::slots, slots, {1}, {1}, overlap};
  return {"disk", TierModel::Unit::unbounded, 0, {1}, {1}, overlap};
}

TEST(FullFileSystem, ARecordThatDoesNotFitLeavesNothing) {
  Scratch scratch;
  on_a_small_file_system(scratch.path(), [&] {
    {
      SpillDirectory directory(scratch.path());
      directory.write(1, content(700'000, 1));
      directory.write(2, content(700'000, 2));
      const Count free = directory.free_bytes();
      for (int again = 0; again < 2; ++again) {
        const Io error = io_of([&] { directory.write(3, content(1'000'000, 3)); });
        EXPECT_NE(error.message().find((directory.path() / "x_3").string()), std::string::npos) << error.message();
        EXPECT_NE(error.remedy().find("free some room"), std::string::npos) << error.remedy();
        ASSERT_EQ(error.numbers().size(), 1u);
        EXPECT_EQ(error.numbers()[0].second, ENOSPC);
        EXPECT_EQ(directory.free_bytes(), free);
      }
      EXPECT_FALSE(fs::exists(directory.path() / "x_3"));
      EXPECT_FALSE(fs::exists(directory.path() / "x_3.part"));
      EXPECT_EQ(read_back(directory, 1), content(700'000, 1));
      EXPECT_EQ(read_back(directory, 2), content(700'000, 2));
      directory.write(3, content(400'000, 3));  // one that fits
      EXPECT_EQ(read_back(directory, 3), content(400'000, 3));
    }
    EXPECT_TRUE(scratch.empty());
  });
}

TEST(FullFileSystem, ARunThatWillNotFitDoesNotBegin) {
  Scratch scratch;
  on_a_small_file_system(scratch.path(), [&] {
    bool begun = false;
    const Io error = io_of([&] {
      sweep_with(scratch.path(), disk_of(0, false), [&](Count, const fs::path&) { begun = true; });
    });
    EXPECT_FALSE(begun);
    ASSERT_EQ(error.numbers().size(), 2u) << error.message();
    EXPECT_GT(error.numbers()[0].second, error.numbers()[1].second);
    EXPECT_TRUE(scratch.empty());
  });
}

// Somebody else takes the room that there was.
TEST(FullFileSystem, RoomThatGoesWhileARunGoesOn) {
  Scratch scratch;
  on_a_small_file_system(scratch.path(), [&] {
    for (const bool overlap : {false, true}) {
      const fs::path foreign = scratch.path() / "foreign";
      const Io error = io_of([&] {
        sweep_with(scratch.path(), disk_of(15, overlap), [&](Count k, const fs::path&) {
          if (k == 40 && !fs::exists(foreign)) std::ofstream(foreign) << std::string(2 << 20, 'x');
        });
      });
      EXPECT_NE(error.message().find("No space left"), std::string::npos) << error.message();
      EXPECT_TRUE(fs::remove(foreign));
      EXPECT_TRUE(scratch.empty());
    }
  });
}

TEST(GoneDirectory, ARunEndsWithItsName) {
  for (const bool overlap : {false, true})
    for (const Count at : {1, 50, 199}) {
      Scratch scratch;
      std::string own;
      const Io error = io_of([&] {
        sweep_with(scratch.path(), disk_of(0, overlap), [&](Count k, const fs::path& path) {
          if (k != at || !own.empty()) return;
          own = path.string();
          std::error_code moving;  // a record may get its name or come meanwhile
          while (fs::exists(path)) fs::remove_all(path, moving);
        });
      });
      ASSERT_FALSE(own.empty());
      EXPECT_NE(error.message().find(own), std::string::npos) << error.message();
      EXPECT_FALSE(error.remedy().empty());
      EXPECT_TRUE(scratch.empty());
    }
}

TEST(GoneDirectory, EveryCallSaysSoOrDoesNothing) {
  Scratch scratch;
  const std::vector<double> state(100, 0.5);
  std::string other;
  {
    FileTier<std::vector<double>> tier(scratch.path());
    tier.store(1, state);
    tier.store(2, state);
    fs::remove_all(tier.path());
    for (const auto& work : {std::function<void()>([&] { tier.store(3, state); }), std::function<void()>([&] { (void)tier.load(1); })})
      EXPECT_NE(io_of(work).message().find(tier.path().string()), std::string::npos);
    tier.drop(1);
    tier.clear();
    // Something else has its name by now: that is not touched.
    other = tier.path().string();
    fs::create_directory(other);
    std::ofstream(other + "/owner") << "somebody else's";
  }
  EXPECT_TRUE(fs::exists(other + "/owner"));
}

// Permissions do not bind root: the child gives that up.
TEST(ClosedDirectory, SaysSoAndOpensAgain) {
  Scratch scratch;
  const auto become_somebody = [&] {
    constexpr uid_t nobody = 65534;
    if (geteuid() != 0) return 0;
    if (chown(scratch.path().c_str(), nobody, nobody) != 0) return errno;
    return setgid(nobody) == 0 && setuid(nobody) == 0 ? 0 : errno;
  };
  in_a_child(
      become_somebody,
      [&] {
        {
          SpillDirectory directory(scratch.path());
          directory.write(1, content(1000));
          chmod(directory.path().c_str(), 0);
          for (const auto& work : {std::function<void()>([&] { directory.write(2, content(10)); }),
                                   std::function<void()>([&] { (void)read_back(directory, 1); })}) {
            const Io error = io_of(work);
            EXPECT_NE(error.message().find(directory.path().string()), std::string::npos) << error.message();
            EXPECT_NE(error.message().find("Permission denied"), std::string::npos) << error.message();
          }
          chmod(directory.path().c_str(), 0700);
          EXPECT_EQ(read_back(directory, 1), content(1000));
          directory.write(2, content(10));
        }
        EXPECT_TRUE(scratch.empty());
        auto closed = std::make_unique<SpillDirectory>(scratch.path());
        const fs::path path = closed->path();
        closed->write(1, content(1000));
        chmod(path.c_str(), 0);
        closed.reset();  // cannot remove anything, and says nothing
        chmod(path.c_str(), 0700);
        EXPECT_EQ(sweepback::clean(scratch.path()).removed.size(), 1u);
        EXPECT_TRUE(scratch.empty());
      },
      "root cannot become somebody else");
}

}  // namespace
