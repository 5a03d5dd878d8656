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

std::unique_ptr<BlobStore> Open(const std::string& place) {
  auto blobs = OpenBlobStore(place);
  EXPECT_TRUE(blobs.ok()) << blobs.status();
  return *std::move(blobs);
}

TEST(FolderBlobStore, FilesLieAsTheyAre) {
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
  EXPECT_EQ(files, 1);  // nothing unfinished
}

TEST(FolderBlobStore, UnfinishedFilesAreNotThereAndGoByTheirNames) {
  const TemporaryFolder folder;
  const auto blobs = Open(folder.path());
  ASSERT_TRUE(blobs->Put("shards/ours-1", "1").ok());
  const std::string ours = folder / "shards/ours-2.1234567890123456.tmp";
  const std::string theirs = folder / "shards/theirs-2.6543210987654321.tmp";
  const std::string others = folder / "shards/ours-3.tmp";  // no blobs's
  for (const std::string& path : {ours, theirs, others}) std::ofstream(path) << "half";
  EXPECT_THAT(*blobs->List(""), ElementsAre("shards/ours-1"));
  ASSERT_TRUE(blobs->RemoveUnfinished("shards/ours-").ok());
  EXPECT_FALSE(fs::exists(ours)) << "however new it is";
  EXPECT_TRUE(fs::exists(theirs));
  EXPECT_TRUE(fs::exists(others));
  EXPECT_TRUE(fs::exists(folder / "shards/ours-1"));
}

// A name that may not stay is none: what was told to have failed is not there.
TEST(FolderBlobStore, AFileThatCannotBeMadeSureOfIsRemoved) {
  const TemporaryFolder folder;
  bool is_well = true;
  const auto blobs = MakeFolderSink(folder.path(), [&is_well](const std::string&) {
    errno = EIO;
    return is_well;
  });
  ASSERT_TRUE(blobs->Put("old", "1").ok());
  is_well = false;
  const absl::Status status = blobs->Put("new", "1");
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_FALSE(blobs->Put("old", "2").ok());
  EXPECT_THAT(folder.Files(), ElementsAre("old")) << "what was there before stays, old or new";
}

TEST(FolderBlobStore, AFolderInPlaceOfAFile) {
  const TemporaryFolder folder;
  const auto blobs = Open(folder.path());
  ASSERT_TRUE(blobs->Put("a/b", "1").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(blobs->Put("a", "2"))) << blobs->Put("a", "2");
  EXPECT_TRUE(absl::IsInvalidArgument(blobs->Put("a/b/c", "2"))) << blobs->Put("a/b/c", "2");
  EXPECT_TRUE(absl::IsInvalidArgument(blobs->Get("a").status())) << blobs->Get("a").status();
  EXPECT_EQ(*blobs->Get("a/b"), "1");
}

// A limit of the process stands for the disk.
TEST(FolderBlobStore, AFullDiskLeavesNothing) {
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

TEST(FolderBlobStore, WhereNobodyMayWrite) {
  // Also root may not in /proc.
  const auto blobs = Open("/proc/triarch-data");
  const absl::Status status = blobs->Put("x", "1");
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("/proc/triarch-data"));
}

// ---- Places.

using Variables = std::map<std::string, std::string>;

EnvironmentReader Of(Variables variables) {
  return [variables = std::move(variables)](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  };
}

TEST(SinkPlace, S3) {
  absl::StatusOr<S3Location> place = ParseS3Place("s3://my.bucket/data/run-1/", Of({}));
  ASSERT_TRUE(place.ok()) << place.status();
  EXPECT_EQ(place->bucket, "my.bucket");
  EXPECT_EQ(place->prefix, "data/run-1");
  EXPECT_EQ(place->endpoint, "");
  EXPECT_EQ(place->region, "us-east-1");
  const Variables variables = {{"AWS_REGION", "eu-west-1"}, {"AWS_ENDPOINT_URL", "https://a:443/"}};
  place = ParseS3Place("s3://bucket", Of(variables));
  ASSERT_TRUE(place.ok()) << place.status();
  EXPECT_EQ(place->prefix, "");
  EXPECT_EQ(place->endpoint, "https://a");
  EXPECT_EQ(place->region, "eu-west-1");
  place = ParseS3Place("s3://bucket?region=x-1&endpoint=http://127.0.0.1:9000", Of(variables));
  ASSERT_TRUE(place.ok()) << place.status();
  EXPECT_EQ(place->endpoint, "http://127.0.0.1:9000");
  EXPECT_EQ(place->region, "x-1");
}

TEST(SinkPlace, WhatIsNone) {
  for (const char* url :
       {"s3://", "s3://ab", "s3://Bucket/x", "s3:///x", "s3://bucket/a b", "s3://bucket/../x",
        "s3://bucket?what=1", "s3://bucket?region", "s3://bucket?region=", "s3://bucket?region=A",
        "s3://bucket?endpoint=ftp://x", "s3://bucket?endpoint=http://",
        "s3://bucket?endpoint=http://u:p@h", "s3://bucket?endpoint=http://h/path", "http://x/y",
        "file:///x", "", "a\nb"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(CheckSinkPlace(url))) << url;
    EXPECT_TRUE(absl::IsInvalidArgument(OpenBlobStore(url).status())) << url;
  }
  EXPECT_TRUE(CheckSinkPlace("./data").ok());
  EXPECT_TRUE(CheckSinkPlace("/data/run 1").ok());
  EXPECT_TRUE(CheckSinkPlace("s3://bucket/x").ok());
  const std::string wrong(
      ParseS3Place("s3://bucket", Of({{"AWS_ENDPOINT_URL", "here:9000"}})).status().message());
  EXPECT_THAT(wrong, HasSubstr("AWS_ENDPOINT_URL in the environment is not of the form http://"));
  const std::string error(CheckSinkPlace("s3://AKIA123:hunter2@bucket/x").message());
  EXPECT_THAT(error, HasSubstr("keys do not belong here"));
  EXPECT_THAT(error, Not(HasSubstr("hunter2")));
  EXPECT_THAT(std::string(CheckSinkPlace("ftp://user:hunter2@x").message()),
              Not(HasSubstr("hunter2")));
}

TEST(SinkPlace, Keys) {
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
