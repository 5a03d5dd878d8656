#include "http/memory_use.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/temporary_folder.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

class MemoryUseTest : public ::testing::Test {
 protected:
  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path whole = folder_ / path;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << text;
  }
  // 1000 kB, of which 400 are in use.
  void WriteMachine() {
    Write("proc/meminfo", "MemTotal:  1000 kB\nMemFree:  100 kB\nMemAvailable:  600 kB\n");
  }
  void WriteGroup(const std::string& group, const std::string& max, int current, int cache) {
    Write("cgroups" + group + "/memory.max", max + "\n");
    Write("cgroups" + group + "/memory.current", std::to_string(current) + "\n");
    Write("cgroups" + group + "/memory.stat",
          "anon 5\nfile 9\ninactive_file " + std::to_string(cache) + "\nactive_file 1\n");
  }
  // "USED/LIMIT".
  std::string Read() const {
    const auto use = ReadMemoryUse(folder_ / "proc", folder_ / "cgroups");
    if (!use) return "none";
    return std::to_string(static_cast<int64_t>(use->used)) + "/" +
           std::to_string(static_cast<int64_t>(use->limit));
  }

  const TemporaryFolder folder_;
};

TEST_F(MemoryUseTest, OfAMachine) {
  EXPECT_EQ(Read(), "none");
  WriteMachine();
  EXPECT_EQ(Read(), "409600/1024000");
}

TEST_F(MemoryUseTest, OfTheTightestControlGroup) {
  WriteMachine();
  Write("proc/self/cgroup", "0::/a.slice/b.service\n");
  WriteGroup("/a.slice/b.service", "max", 900, 0);
  EXPECT_EQ(Read(), "409600/1024000") << "the group has no limit";
  WriteGroup("/a.slice/b.service", "1000", 900, 600);
  EXPECT_EQ(Read(), "409600/1024000") << "most of it is cache";
  WriteGroup("/a.slice/b.service", "1000", 900, 100);
  EXPECT_EQ(Read(), "800/1000");
  WriteGroup("/a.slice", "1000", 950, 0);
  EXPECT_EQ(Read(), "950/1000");
}

TEST_F(MemoryUseTest, OfAContainersControlGroup) {
  WriteMachine();
  Write("proc/self/cgroup", "1:name=systemd:/x\n0::/\n");
  WriteGroup("", "1000", 700, 0);
  EXPECT_EQ(Read(), "700/1000");
}

TEST_F(MemoryUseTest, OfThisMachine) {
  const auto use = ReadMemoryUse();
  ASSERT_TRUE(use.has_value());
  EXPECT_GT(use->used, 1e6);
  EXPECT_GT(use->limit, use->used);
}

}  // namespace
}  // namespace triarch
