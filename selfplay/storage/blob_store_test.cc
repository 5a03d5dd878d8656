#include "selfplay/storage/blob_store.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/storage/folder_blob_store.h"
#include "selfplay/storage/s3_blob_store.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

namespace fs = std::filesystem;

std::unique_ptr<BlobStore> Open(const std::string& location) {
  auto blobs = OpenBlobStore(location);
  EXPECT_TRUE(blobs.ok()) << blobs.status();
  return *std::move(blobs);
}

TEST(FolderBlobStore, WritesPlainFiles) {
  const TemporaryFolder folder;
  const auto blobs = Open(folder / "a/b/");
  ASSERT_TRUE(blobs->Put("shards/x.npz", "bytes").ok());
  std::ifstream file(folder / "a/b/shards/x.npz");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "bytes");
  EXPECT_EQ(blobs->Describe(), folder / "a/b");
  int files = 0;
  for (const auto& entry : fs::directory_iterator(folder / "a/b/shards")) {
    files += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_EQ(files, 1);  // no temporary file remains
}

TEST(FolderBlobStore, HidesAndRemovesUnfinishedFiles) {
  const TemporaryFolder folder;
  const auto blobs = Open(folder.path());
  ASSERT_TRUE(blobs->Put("shards/ours-1", "1").ok());
  const std::string ours = folder / "shards/ours-2.1234567890123456.tmp";
  const std::string theirs = folder / "shards/theirs-2.6543210987654321.tmp";
  const std::string others = folder / "shards/ours-3.tmp";  // not written by a blob store
  for (const std::string& path : {ours, theirs, others}) std::ofstream(path) << "half";
  EXPECT_THAT(*blobs->List(""), ElementsAre("shards/ours-1"));
  ASSERT_TRUE(blobs->RemoveUnfinished("shards/ours-").ok());
  EXPECT_FALSE(fs::exists(ours)) << "whatever its age";
  EXPECT_TRUE(fs::exists(theirs));
  EXPECT_TRUE(fs::exists(others));
  EXPECT_TRUE(fs::exists(folder / "shards/ours-1"));
}

// If a Put fails, its file must not exist.
TEST(FolderBlobStore, RemovesAFileThatCannotBeSynced) {
  const TemporaryFolder folder;
  bool is_well = true;
  const auto blobs = MakeFolderBlobStore(folder.path(), [&is_well](const std::string&) {
    errno = EIO;
    return is_well;
  });
  ASSERT_TRUE(blobs->Put("old", "1").ok());
  is_well = false;
  const absl::Status status = blobs->Put("new", "1");
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_FALSE(blobs->Put("old", "2").ok());
  EXPECT_THAT(folder.Files(), ElementsAre("old")) << "an existing file is not removed";
}

TEST(FolderBlobStore, ReportsAFolderWhereAFileIsExpected) {
  const TemporaryFolder folder;
  const auto blobs = Open(folder.path());
  ASSERT_TRUE(blobs->Put("a/b", "1").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(blobs->Put("a", "2"))) << blobs->Put("a", "2");
  EXPECT_TRUE(absl::IsInvalidArgument(blobs->Put("a/b/c", "2"))) << blobs->Put("a/b/c", "2");
  EXPECT_TRUE(absl::IsInvalidArgument(blobs->Get("a").status())) << blobs->Get("a").status();
  EXPECT_EQ(*blobs->Get("a/b"), "1");
}

// A resource limit simulates a full disk.
TEST(FolderBlobStore, AFullDiskLeavesNoFile) {
  const TemporaryFolder folder;
  const auto blobs = Open(folder.path());
  ASSERT_TRUE(blobs->Put("x", "old").ok());
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{.rlim_cur = 1'000, .rlim_max = before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const absl::Status status = blobs->Put("x", std::string(5'000, 'n'));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_EQ(*blobs->Get("x"), "old");
  EXPECT_THAT(folder.Files(), ElementsAre("x"));
}

TEST(FolderBlobStore, ReportsAFolderThatIsNotWritable) {
  // Not even root may write to /proc.
  const auto blobs = Open("/proc/triarch-data");
  const absl::Status status = blobs->Put("x", "1");
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("/proc/triarch-data"));
}

// ---- Locations.

using Variables = std::map<std::string, std::string>;

EnvironmentReader Of(Variables variables) {
  return [variables = std::move(variables)](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  };
}

TEST(DataLocation, S3) {
  absl::StatusOr<S3Location> location = ParseS3Location("s3://my.bucket/data/run-1/", Of({}));
  ASSERT_TRUE(location.ok()) << location.status();
  EXPECT_EQ(location->bucket, "my.bucket");
  EXPECT_EQ(location->prefix, "data/run-1");
  EXPECT_EQ(location->endpoint, "");
  EXPECT_EQ(location->region, "us-east-1");
  const Variables variables = {{"AWS_REGION", "eu-west-1"}, {"AWS_ENDPOINT_URL", "https://a:443/"}};
  location = ParseS3Location("s3://bucket", Of(variables));
  ASSERT_TRUE(location.ok()) << location.status();
  EXPECT_EQ(location->prefix, "");
  EXPECT_EQ(location->endpoint, "https://a");
  EXPECT_EQ(location->region, "eu-west-1");
  location =
      ParseS3Location("s3://bucket?region=x-1&endpoint=http://127.0.0.1:9000", Of(variables));
  ASSERT_TRUE(location.ok()) << location.status();
  EXPECT_EQ(location->endpoint, "http://127.0.0.1:9000");
  EXPECT_EQ(location->region, "x-1");
}

TEST(DataLocation, RejectsInvalidLocations) {
  for (const char* url :
       {"s3://", "s3://ab", "s3://Bucket/x", "s3:///x", "s3://bucket/a b", "s3://bucket/../x",
        "s3://bucket?what=1", "s3://bucket?region", "s3://bucket?region=", "s3://bucket?region=A",
        "s3://bucket?endpoint=ftp://x", "s3://bucket?endpoint=http://",
        "s3://bucket?endpoint=http://u:p@h", "s3://bucket?endpoint=http://h/path", "http://x/y",
        "file:///x", "", "a\nb"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(CheckDataLocation(url))) << url;
    EXPECT_TRUE(absl::IsInvalidArgument(OpenBlobStore(url).status())) << url;
  }
  EXPECT_TRUE(CheckDataLocation("./data").ok());
  EXPECT_TRUE(CheckDataLocation("/data/run 1").ok());
  EXPECT_TRUE(CheckDataLocation("s3://bucket/x").ok());
  const std::string wrong(
      ParseS3Location("s3://bucket", Of({{"AWS_ENDPOINT_URL", "here:9000"}})).status().message());
  EXPECT_THAT(wrong, HasSubstr("AWS_ENDPOINT_URL in the environment must be http://"));
  const std::string error(CheckDataLocation("s3://AKIA123:hunter2@bucket/x").message());
  EXPECT_THAT(error, HasSubstr("keys belong in the environment"));
  EXPECT_THAT(error, Not(HasSubstr("hunter2")));
  EXPECT_THAT(std::string(CheckDataLocation("ftp://user:hunter2@x").message()),
              Not(HasSubstr("hunter2")));
}

TEST(DataLocation, Keys) {
  const Variables both = {{"AWS_ACCESS_KEY_ID", "id"}, {"AWS_SECRET_ACCESS_KEY", "hunter2"}};
  ASSERT_TRUE(ReadAwsCredentials(Of(both), "here").ok());
  EXPECT_EQ(ReadAwsCredentials(Of(both), "here")->secret, "hunter2");
  Variables variables = both;
  variables["AWS_SESSION_TOKEN"] = "two\nlines";
  EXPECT_TRUE(absl::IsPermissionDenied(ReadAwsCredentials(Of(variables), "here").status()));
  for (const auto& [name, value] : both) {
    variables = both;
    variables.erase(name);
    const absl::Status status = ReadAwsCredentials(Of(variables), "here").status();
    EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(name));
    EXPECT_THAT(std::string(status.message()), HasSubstr(" in here"));
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("hunter2")));
  }
}

}  // namespace
}  // namespace triarch
