#include "worker/sandbox/cgroup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <filesystem>

namespace triarch {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::Pair;

constexpr CgroupLimits kLimits = {.memory_bytes = 64 << 20, .processes = 10};

TEST(Cgroup, RootsOfVersion2) {
  const CgroupRoots roots =
      CgroupRoots::Parse("0::/system.slice/triarch.service\n",
                         "22 1 0:20 / /proc rw shared:1 - proc proc rw\n"
                         "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
  EXPECT_EQ(roots.v2, "/sys/fs/cgroup/system.slice/triarch.service");
  EXPECT_EQ(roots.v2_top, "/sys/fs/cgroup");
  EXPECT_TRUE(roots.v1.empty());
}

TEST(Cgroup, RootsOfVersion1) {
  const CgroupRoots roots = CgroupRoots::Parse(
      "4:memory:/docker/abc/worker\n3:cpu,cpuacct:/\n1:name=systemd:/\n0::/\n",
      "30 23 0:26 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
      "31 23 0:27 / /sys/fs/cgroup/cpu,cpuacct rw master:2 - cgroup cgroup rw,cpu,cpuacct\n"
      "32 23 0:28 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n");
  EXPECT_EQ(roots.v2, "");
  // This process has no pids group, so it cannot create groups there.
  EXPECT_THAT(roots.v1, ElementsAre(Pair("cpuacct", "/sys/fs/cgroup/cpu,cpuacct"),
                                    Pair("memory", "/sys/fs/cgroup/memory/worker")));
}

TEST(Cgroup, IgnoresMalformedFiles) {
  const CgroupRoots roots = CgroupRoots::Parse("x\n::\n\n", "a b - cgroup2\n- \n - cgroup x y\n");
  EXPECT_TRUE(roots.v1.empty());
  EXPECT_EQ(roots.v2, "");
  EXPECT_EQ(Cgroup::Make(roots, kLimits), nullptr);
}

// Burns CPU time in a child in the group, and waits until the group is empty.
void BurnIn(const Cgroup& group, double seconds) {
  const pid_t child = fork();
  if (child == 0) {
    for (const int join : group.joins()) {
      if (write(join, "0", 1) != 1) _exit(1);
    }
    const clock_t end = clock() + static_cast<clock_t>(seconds * CLOCKS_PER_SEC);
    while (clock() < end) {
    }
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

std::vector<std::string> GroupsIn(const CgroupRoots& roots) {
  std::vector<std::string> names;
  std::vector<std::string> dirs = {roots.v2};
  for (const auto& [controller, dir] : roots.v1) dirs.push_back(dir);
  for (const std::string& dir : dirs) {
    if (dir.empty()) continue;
    for (const auto& entry : std::filesystem::directory_iterator(dir)) {
      const std::string name = entry.path().filename();
      if (name.starts_with("triarch-bot-" + std::to_string(getpid()) + "-")) names.push_back(name);
    }
  }
  return names;
}

// Covers every version that is available. Does nothing if this user may not create groups.
TEST(Cgroup, MeasuresItsProcessesAndCleansUp) {
  const CgroupRoots all = CgroupRoots::Find();
  bool has_measured = false;
  for (const CgroupRoots& roots : {CgroupRoots{.v1 = all.v1, .v2 = {}, .v2_top = {}},
                                   CgroupRoots{.v1 = {}, .v2 = all.v2, .v2_top = {}}}) {
    std::unique_ptr<Cgroup> group = Cgroup::Make(roots, kLimits);
    ASSERT_EQ(group != nullptr, roots.v1.contains("cpuacct") || !roots.v2.empty());
    if (group == nullptr) continue;
    has_measured = true;
    EXPECT_FALSE(GroupsIn(roots).empty());
    BurnIn(*group, 0.1);
    EXPECT_GE(*group->CpuTime(), milliseconds(90));
    EXPECT_LE(*group->CpuTime(), milliseconds(200));
    EXPECT_FALSE(group->RanOutOfMemory());
    EXPECT_EQ(group->MemoryUsed().has_value(), group->limits_memory());
    group.reset();
    EXPECT_THAT(GroupsIn(roots), ElementsAre());
  }
  if (!has_measured) GTEST_SKIP() << "this user may make no control groups here";
}

// Simulates a group left behind by a killed worker.
TEST(Cgroup, RemovesGroupsOfKilledWorkers) {
  const pid_t gone = fork();
  if (gone == 0) _exit(0);
  waitpid(gone, nullptr, 0);
  const CgroupRoots roots = CgroupRoots::Find();
  std::vector<std::string> dirs;
  if (!roots.v2.empty()) dirs.push_back(roots.v2);
  for (const auto& [controller, dir] : roots.v1) dirs.push_back(dir);
  if (dirs.empty()) GTEST_SKIP() << "this user may make no control groups here";
  for (std::string& dir : dirs) {
    dir += "/triarch-bot-" + std::to_string(gone) + "-0";
    ASSERT_TRUE(std::filesystem::create_directory(dir));
  }
  CgroupRoots::Find();
  for (const std::string& dir : dirs) EXPECT_FALSE(std::filesystem::exists(dir)) << dir;
}

}  // namespace
}  // namespace triarch
