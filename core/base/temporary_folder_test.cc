#include "core/base/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TemporaryFolder, DeletesItsContents) {
  std::string path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    EXPECT_THAT(folder.Files(), IsEmpty());
    std::ofstream(folder / "a.txt") << "a";
    EXPECT_THAT(folder.Files(), ElementsAre("a.txt"));
    EXPECT_EQ(folder / "a.txt", path + "/a.txt");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TemporaryFolder, IsUnique) {
  const TemporaryFolder one;
  const TemporaryFolder other;
  EXPECT_NE(one.path(), other.path());
}

}  // namespace
}  // namespace triarch
