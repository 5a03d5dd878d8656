#include "selfplay/storage/data_roots.h"

#include <filesystem>
#include <string>

#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/storage/blob_store.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

class DataRootsTest : public ::testing::Test {
 protected:
  DataRootsTest() {
    fs::create_directories(root_);
    fs::create_directories(folder_ / "elsewhere");
  }

  // Whether data could be written to the folder.
  static bool Allows(const DataRoots& roots, const std::string& folder) {
    const absl::Status status = OpenBlobStore(folder, {.roots = roots}).status();
    EXPECT_TRUE(status.ok() || absl::IsPermissionDenied(status)) << status;
    return status.ok();
  }
  bool Allows(const std::string& folder) const { return Allows({root_}, folder); }

  const TemporaryFolder folder_;
  const std::string root_ = folder_ / "root";
};

TEST_F(DataRootsTest, AllowsARootAndWhatIsBelow) {
  for (const char* below : {"", "/", "/run", "/run/", "/new/run", "/./a//b", "/a/../b"}) {
    EXPECT_TRUE(Allows(root_ + below)) << below;
    EXPECT_TRUE(Allows({folder_ / "elsewhere", root_ + "/"}, root_ + below)) << below;
    EXPECT_TRUE(Allows({"/"}, root_ + below)) << below;
  }
  EXPECT_TRUE(Allows({"no/such"}, "no/such/run")) << "relative to the working directory";
}

TEST_F(DataRootsTest, AllowsNothingElse) {
  for (const char* other : {"/..", "/../elsewhere", "s", "-2/run", "/run/../../elsewhere",
                            "/new/../../elsewhere", "/../root/../elsewhere"}) {
    EXPECT_FALSE(Allows(root_ + other)) << other;
  }
  EXPECT_FALSE(Allows("/etc"));
  EXPECT_FALSE(Allows({}, root_));
  EXPECT_FALSE(Allows({"s3://bucket/x"}, root_));
}

TEST_F(DataRootsTest, FollowsLinks) {
  fs::create_symlink(folder_ / "elsewhere", root_ + "/out");
  fs::create_symlink(folder_ / "later", root_ + "/nowhere");
  fs::create_symlink("self", root_ + "/self");
  fs::create_symlink(root_, folder_ / "elsewhere/in");
  for (const char* out : {"/out", "/out/run", "/out/new/run", "/nowhere", "/nowhere/run", "/self",
                          "/self/run", "/out/../elsewhere"}) {
    EXPECT_FALSE(Allows(root_ + out)) << out;
  }
  EXPECT_TRUE(Allows(folder_ / "elsewhere/in/run"));
  EXPECT_TRUE(Allows({folder_ / "elsewhere/in"}, root_ + "/run")) << "a root may be a link";
  const absl::Status status = AllowedFolder(root_ + "/out", {root_}).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr(folder_ / "elsewhere"));
}

// A link that is made later does not lead the store elsewhere.
TEST_F(DataRootsTest, TheStoreIsBelowTheRoot) {
  fs::create_directories(root_ + "/a/b");
  fs::create_symlink("a/b", root_ + "/run");
  const auto blobs = OpenBlobStore(root_ + "/run/../x/..", {.roots = DataRoots{root_}}).value();
  EXPECT_EQ(blobs->Describe(), fs::canonical(root_ + "/a")) << "`..` of the link's target";
  fs::remove(root_ + "/run");
  fs::create_symlink(folder_ / "elsewhere", root_ + "/run");
  ASSERT_TRUE(blobs->Put("data", "1").ok());
  EXPECT_TRUE(fs::exists(root_ + "/a/data"));
  EXPECT_TRUE(fs::is_empty(folder_ / "elsewhere"));
}

absl::Status CheckS3(const DataRoots& roots, const std::string& url,
                     const std::string& own_endpoint = "") {
  const EnvironmentReader environment = [&](const char* name) {
    return std::string(name) == "AWS_ENDPOINT_URL" ? own_endpoint : std::string();
  };
  return CheckAllowed(url, ParseS3Location(url, environment).value(), roots, environment);
}

TEST(S3Roots, CompareEndpointBucketAndPrefix) {
  const DataRoots roots = {"/data", "s3://lab/runs", "s3://lab/x?endpoint=http://minio:9000"};
  for (const char* url : {"s3://lab/runs", "s3://lab/runs/", "s3://lab/runs/7?region=eu-west-1",
                          "s3://lab/x/7?endpoint=http://minio:9000"}) {
    EXPECT_TRUE(CheckS3(roots, url).ok()) << url;
  }
  for (const char* url :
       {"s3://lab", "s3://lab/runs-2", "s3://lab/run", "s3://lab/other", "s3://lab2/runs/7",
        "s3://lab/runs/7?endpoint=http://evil", "s3://lab/x/7", "s3://lab/x?endpoint=http://minio",
        "s3://lab/x?endpoint=https://minio:9000"}) {
    EXPECT_TRUE(absl::IsPermissionDenied(CheckS3(roots, url))) << url;
  }
  EXPECT_TRUE(CheckS3({"s3://lab"}, "s3://lab/any/where").ok()) << "a whole bucket";
  EXPECT_TRUE(CheckS3({"s3://lab/runs"}, "s3://lab/runs/7", "http://minio:9000").ok());
  EXPECT_FALSE(CheckS3({"s3://lab/runs"}, "s3://lab/runs?endpoint=http://evil", "http://m").ok());
  EXPECT_FALSE(CheckS3({}, "s3://lab/runs").ok());
}

TEST(S3Roots, AreCheckedBeforeTheKeys) {
  const absl::Status status =
      OpenBlobStore("s3://lab/x", {.roots = DataRoots{"/data", "s3://lab/runs"}}).status();
  EXPECT_EQ(status, absl::PermissionDeniedError(
                        "s3://lab/x is not an allowed data location; expected one below /data or "
                        "s3://lab/runs"));
}

}  // namespace
}  // namespace triarch
