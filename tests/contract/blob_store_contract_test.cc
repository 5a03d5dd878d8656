// Tests all blob stores with one suite, including a real S3 server.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/base/temporary_folder.h"
#include "selfplay/dataset/run_claim.h"
#include "selfplay/storage/blob_store.h"
#include "selfplay/storage/s3_blob_store.h"
#include "tests/s3/s3_server.h"

namespace triarch {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

S3Server& Server() {
  static S3Server server;
  return server;
}

// Returns a part of the bucket that no other test uses.
std::string NewS3Location() {
  static int count = 0;
  setenv("AWS_ACCESS_KEY_ID", S3Server::kKey, 1);
  setenv("AWS_SECRET_ACCESS_KEY", S3Server::kKey, 1);
  setenv("no_proxy", "*", 1);
  return "s3://games/test/" + std::to_string(++count) + "?endpoint=" + Server().url();
}

S3Location S3LocationOf(const std::string& url) {
  absl::StatusOr<S3Location> location = ParseS3Location(url, [](const char*) { return ""; });
  EXPECT_TRUE(location.ok()) << location.status();
  location->credentials = {S3Server::kKey, S3Server::kKey, ""};
  return *std::move(location);
}

BlobStoreOptions Impatient() { return {.retry_for = std::chrono::milliseconds(0)}; }

struct BlobStoreKind {
  std::string name;
  std::function<std::string(const TemporaryFolder&)> location;
};

class BlobStoreContract : public ::testing::TestWithParam<BlobStoreKind> {
 protected:
  void SetUp() override {
    auto blobs = OpenBlobStore(GetParam().location(folder_), Impatient());
    ASSERT_TRUE(blobs.ok()) << blobs.status();
    blobs_ = *std::move(blobs);
  }

  std::vector<std::string> Listed(std::string_view prefix) {
    const auto names = blobs_->List(prefix);
    EXPECT_TRUE(names.ok()) << names.status();
    return names.ok() ? *names : std::vector<std::string>{"?"};
  }

  TemporaryFolder folder_;
  std::unique_ptr<BlobStore> blobs_;
};

TEST_P(BlobStoreContract, GetReturnsWhatWasPut) {
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) bytes += static_cast<char>(i * 31 >> 3);
  for (const std::string& name : {std::string("manifest.jsonl"), std::string("shards/a+b=c-1.npz"),
                                  std::string("shards/deep/er/x_y.Z")}) {
    ASSERT_TRUE(blobs_->Put(name, bytes).ok()) << blobs_->Put(name, bytes);
    const auto back = blobs_->Get(name);
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_TRUE(*back == bytes);
    bytes += name;
  }
  EXPECT_THAT(Listed(""),
              ElementsAre("manifest.jsonl", "shards/a+b=c-1.npz", "shards/deep/er/x_y.Z"));
}

TEST_P(BlobStoreContract, TheLastPutWins) {
  ASSERT_TRUE(blobs_->Put("a", "long enough").ok());
  ASSERT_TRUE(blobs_->Put("a", "new").ok());
  EXPECT_EQ(*blobs_->Get("a"), "new");
  ASSERT_TRUE(blobs_->Put("a", "").ok());
  EXPECT_EQ(*blobs_->Get("a"), "");
  EXPECT_THAT(Listed(""), ElementsAre("a"));
}

TEST_P(BlobStoreContract, ListsByPrefixInOrder) {
  for (const char* name : {"b/2", "b/10", "b/1", "a", "bc", "b.x"}) {
    ASSERT_TRUE(blobs_->Put(name, name).ok());
  }
  EXPECT_THAT(Listed("b/"), ElementsAre("b/1", "b/10", "b/2"));
  EXPECT_THAT(Listed("b"), ElementsAre("b.x", "b/1", "b/10", "b/2", "bc"));
  EXPECT_THAT(Listed("b/1"), ElementsAre("b/1", "b/10"));
  EXPECT_THAT(Listed("c"), IsEmpty());
}

TEST_P(BlobStoreContract, AnEmptyStoreIsEmpty) {
  EXPECT_THAT(Listed(""), IsEmpty());
  EXPECT_TRUE(absl::IsNotFound(blobs_->Get("a").status())) << blobs_->Get("a").status();
  EXPECT_TRUE(blobs_->Remove("a").ok());
  EXPECT_TRUE(blobs_->RemoveUnfinished("").ok());
}

TEST_P(BlobStoreContract, RemoveDeletesAFile) {
  ASSERT_TRUE(blobs_->Put("x/a", "1").ok());
  ASSERT_TRUE(blobs_->Put("x/b", "2").ok());
  EXPECT_TRUE(blobs_->Remove("x/a").ok());
  EXPECT_TRUE(blobs_->Remove("x/a").ok());
  EXPECT_TRUE(absl::IsNotFound(blobs_->Get("x/a").status()));
  EXPECT_THAT(Listed(""), ElementsAre("x/b"));
}

TEST_P(BlobStoreContract, RejectsNamesOutsideTheLocation) {
  ASSERT_TRUE(blobs_->Put("shards/a", "1").ok());
  for (const char* name : {"", "/etc/passwd", "../a", "shards/../../a", "a//b", "a/", "a b",
                           "a.tmp", ".", "shards/.", "a\\b", "a%2fb", "ü"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(blobs_->Put(name, "x"))) << name;
    EXPECT_TRUE(absl::IsInvalidArgument(blobs_->Get(name).status())) << name;
    EXPECT_TRUE(absl::IsInvalidArgument(blobs_->Remove(name))) << name;
  }
  EXPECT_THAT(Listed(""), ElementsAre("shards/a"));
}

TEST_P(BlobStoreContract, ManyThreads) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([this, i] {
      for (int j = 0; j < 5; ++j) {
        const std::string name = "t/" + std::to_string(i) + "-" + std::to_string(j);
        EXPECT_TRUE(blobs_->Put(name, name).ok());
        EXPECT_EQ(*blobs_->Get(name), name);
        EXPECT_TRUE(blobs_->Put("t/all", std::string(10'000, static_cast<char>('a' + i))).ok());
      }
    });
  }
  threads.clear();
  EXPECT_EQ(Listed("t/").size(), 41u);
  const std::string all = *blobs_->Get("t/all");  // complete, and from a single thread
  EXPECT_EQ(all, std::string(10'000, all[0]));
}

TEST_P(BlobStoreContract, ALocationBelongsToOneRun) {
  const std::string first = NewRunName();
  const std::string second = NewRunName();
  ASSERT_TRUE(ClaimLocation(*blobs_, first, {}).ok());
  EXPECT_TRUE(ClaimLocation(*blobs_, first, {}).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(ClaimLocation(*blobs_, second, {})));
  EXPECT_THAT(Listed(""), ElementsAre(ClaimName(first)));
}

INSTANTIATE_TEST_SUITE_P(
    Sinks, BlobStoreContract,
    ::testing::Values(
        BlobStoreKind{"Folder", [](const TemporaryFolder& folder) { return folder / "new/data"; }},
        BlobStoreKind{"S3", [](const TemporaryFolder&) { return NewS3Location(); }}),
    [](const auto& kind) { return kind.param.name; });

TEST(S3BlobStoreAtAServer, UploadsLargeFilesInParts) {
  S3Location location = S3LocationOf(NewS3Location());
  location.part_bytes = 100'000;
  const auto blobs = MakeS3BlobStore(location, Impatient());
  for (const size_t size : {99'999u, 100'000u, 100'001u, 1'234'567u}) {
    std::string bytes;
    while (bytes.size() < size) bytes += std::to_string(bytes.size()) + ",";
    bytes.resize(size);
    const absl::Status status = blobs->Put("large.npz", bytes);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_TRUE(*blobs->Get("large.npz") == bytes) << size;
  }
}

TEST(S3BlobStoreAtAServer, ListsSeveralPages) {
  S3Location location = S3LocationOf(NewS3Location());
  location.page_keys = 4;
  const auto blobs = MakeS3BlobStore(location, Impatient());
  std::vector<std::string> files;
  for (int i = 10; i < 23; ++i) {
    files.push_back("f/" + std::to_string(i));
    ASSERT_TRUE(blobs->Put(files.back(), "").ok());
  }
  const auto names = blobs->List("f/");
  ASSERT_TRUE(names.ok()) << names.status();
  EXPECT_EQ(*names, files);
}

TEST(S3BlobStoreAtAServer, ReportsWrongKeys) {
  S3Location location = S3LocationOf(NewS3Location());
  location.credentials.secret = "WrongSecret42";
  absl::Status status = MakeS3BlobStore(location, {})->Put("a", "1");
  EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("SignatureDoesNotMatch"),
                    HasSubstr("using the keys from the environment of this process")));
  EXPECT_THAT(std::string(status.message()), Not(HasSubstr("WrongSecret42")));
  location.credentials = {"NoSuchKey77", S3Server::kKey, ""};
  status = MakeS3BlobStore(location, {})->Get("a").status();
  EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
  EXPECT_THAT(std::string(status.message()), Not(HasSubstr("NoSuchKey77")));
}

TEST(S3BlobStoreAtAServer, ReportsAMissingBucket) {
  S3Location location = S3LocationOf(NewS3Location());
  location.bucket = "others";
  const auto blobs = MakeS3BlobStore(location, {});
  const absl::Status status = blobs->Put("a", "1");
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("NoSuchBucket"), HasSubstr("create the bucket others first")));
  EXPECT_TRUE(absl::IsNotFound(blobs->List("").status()));
  EXPECT_TRUE(absl::IsNotFound(ClaimLocation(*blobs, NewRunName(), {})));
}

}  // namespace
}  // namespace triarch
