// Tests that a folder appears complete or not at all.

#include "site/site_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/temporary_folder.h"

namespace triarch::site {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

TEST(SiteFolder, AppearsOnCommit) {
  const TemporaryFolder place;
  const std::string path = place / "site";
  auto folder = SiteFolder::Create(path + "/");
  ASSERT_TRUE(folder.ok()) << folder.status();
  ASSERT_TRUE(folder->Write("data/a/b.js", "one").ok());
  ASSERT_TRUE(folder->Write("index.html", "three").ok());
  EXPECT_FALSE(fs::exists(path));
  ASSERT_TRUE(folder->Commit().ok());
  EXPECT_THAT(place.Files(), ElementsAre("site"));
  EXPECT_EQ(fs::file_size(path + "/data/a/b.js"), 3u);
  EXPECT_EQ(folder->files(), 2);
  EXPECT_EQ(folder->bytes(), 8);
}

TEST(SiteFolder, LeavesNothingBehindWithoutCommit) {
  const TemporaryFolder place;
  {
    auto folder = SiteFolder::Create(place / "site");
    ASSERT_TRUE(folder.ok() && folder->Write("a", "b").ok());
    EXPECT_THAT(place.Files(), ElementsAre("site.tmp"));
  }
  EXPECT_THAT(place.Files(), IsEmpty());
}

TEST(SiteFolder, TakesOnlyANewOrAnEmptyFolder) {
  const TemporaryFolder place;
  fs::create_directory(place / "empty");
  auto empty = SiteFolder::Create(place / "empty");
  ASSERT_TRUE(empty.ok() && empty->Write("a", "b").ok() && empty->Commit().ok());
  for (const char* name : {"empty", "file"}) {
    std::ofstream(place / "file") << "text";
    const auto refused = SiteFolder::Create(place / name);
    EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition) << name;
    EXPECT_THAT(std::string(refused.status().message()),
                HasSubstr("exists; expected a new or an empty folder"));
  }
  EXPECT_TRUE(fs::exists(place / "empty/a"));
}

TEST(SiteFolder, LeavesAnotherExportAlone) {
  const TemporaryFolder place;
  auto first = SiteFolder::Create(place / "site");
  ASSERT_TRUE(first.ok());
  EXPECT_THAT(std::string(SiteFolder::Create(place / "site").status().message()),
              HasSubstr("site.tmp exists"));
  EXPECT_THAT(place.Files(), ElementsAre("site.tmp"));
}

TEST(SiteFolder, ReportsWhatCannotBeWritten) {
  const TemporaryFolder place;
  EXPECT_THAT(std::string(SiteFolder::Create(place / "none/site").status().message()),
              HasSubstr("there is no folder " + place / "none"));
  auto folder = SiteFolder::Create(place / "site");
  ASSERT_TRUE(folder.ok() && folder->Write("a", "b").ok());
  EXPECT_FALSE(folder->Write("a/b", "c").ok()) << "a is a file";
}

}  // namespace
}  // namespace triarch::site
