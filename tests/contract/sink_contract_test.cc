#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/base/temporary_folder.h"
#include "selfplay/run_claim.h"
#include "selfplay/s3_sink.h"
#include "selfplay/sink.h"
#include "tests/s3/s3_server.h"

// What every sink does, of a folder and of a real S3 server, and what only the server can show.
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

// A part of the bucket that no other test has.
std::string NewS3Place() {
  static int count = 0;
  setenv("AWS_ACCESS_KEY_ID", S3Server::kKey, 1);
  setenv("AWS_SECRET_ACCESS_KEY", S3Server::kKey, 1);
  setenv("no_proxy", "*", 1);
  return "s3://games/test/" + std::to_string(++count) + "?endpoint=" + Server().url();
}

S3Place S3PlaceOf(const std::string& url) {
  absl::StatusOr<S3Place> place = ParseS3Place(url, [](const char*) { return ""; });
  EXPECT_TRUE(place.ok()) << place.status();
  place->credentials = {S3Server::kKey, S3Server::kKey, ""};
  return *std::move(place);
}

SinkOptions Impatient() { return {.retry_for = std::chrono::milliseconds(0)}; }

struct SinkKind {
  std::string name;
  std::function<std::string(const TemporaryFolder&)> place;
};

class SinkContract : public ::testing::TestWithParam<SinkKind> {
 protected:
  void SetUp() override {
    auto sink = OpenSink(GetParam().place(folder_), Impatient());
    ASSERT_TRUE(sink.ok()) << sink.status();
    sink_ = *std::move(sink);
  }

  std::vector<std::string> Listed(std::string_view prefix) {
    const auto names = sink_->List(prefix);
    EXPECT_TRUE(names.ok()) << names.status();
    return names.ok() ? *names : std::vector<std::string>{"?"};
  }

  TemporaryFolder folder_;
  std::unique_ptr<Sink> sink_;
};

TEST_P(SinkContract, WhatWasPutIsThere) {
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) bytes += static_cast<char>(i * 31 >> 3);
  for (const std::string& name : {std::string("manifest.jsonl"), std::string("shards/a+b=c-1.npz"),
                                  std::string("shards/deep/er/x_y.Z")}) {
    ASSERT_TRUE(sink_->Put(name, bytes).ok()) << sink_->Put(name, bytes);
    const auto back = sink_->Get(name);
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_TRUE(*back == bytes);
    bytes += name;
  }
  EXPECT_THAT(Listed(""),
              ElementsAre("manifest.jsonl", "shards/a+b=c-1.npz", "shards/deep/er/x_y.Z"));
}

TEST_P(SinkContract, TheLastPutCounts) {
  ASSERT_TRUE(sink_->Put("a", "long enough").ok());
  ASSERT_TRUE(sink_->Put("a", "new").ok());
  EXPECT_EQ(*sink_->Get("a"), "new");
  ASSERT_TRUE(sink_->Put("a", "").ok());
  EXPECT_EQ(*sink_->Get("a"), "");
  EXPECT_THAT(Listed(""), ElementsAre("a"));
}

TEST_P(SinkContract, ListsByPrefixInOrder) {
  for (const char* name : {"b/2", "b/10", "b/1", "a", "bc", "b.x"}) {
    ASSERT_TRUE(sink_->Put(name, name).ok());
  }
  EXPECT_THAT(Listed("b/"), ElementsAre("b/1", "b/10", "b/2"));
  EXPECT_THAT(Listed("b"), ElementsAre("b.x", "b/1", "b/10", "b/2", "bc"));
  EXPECT_THAT(Listed("b/1"), ElementsAre("b/1", "b/10"));
  EXPECT_THAT(Listed("c"), IsEmpty());
}

TEST_P(SinkContract, AnEmptyOneHasNothing) {
  EXPECT_THAT(Listed(""), IsEmpty());
  EXPECT_TRUE(absl::IsNotFound(sink_->Get("a").status())) << sink_->Get("a").status();
  EXPECT_TRUE(sink_->Remove("a").ok());
  EXPECT_TRUE(sink_->RemoveUnfinished("").ok());
}

TEST_P(SinkContract, WhatIsRemovedIsGone) {
  ASSERT_TRUE(sink_->Put("x/a", "1").ok());
  ASSERT_TRUE(sink_->Put("x/b", "2").ok());
  EXPECT_TRUE(sink_->Remove("x/a").ok());
  EXPECT_TRUE(sink_->Remove("x/a").ok());
  EXPECT_TRUE(absl::IsNotFound(sink_->Get("x/a").status()));
  EXPECT_THAT(Listed(""), ElementsAre("x/b"));
}

TEST_P(SinkContract, NamesStayWithin) {
  ASSERT_TRUE(sink_->Put("shards/a", "1").ok());
  for (const char* name : {"", "/etc/passwd", "../a", "shards/../../a", "a//b", "a/", "a b",
                           "a.tmp", ".", "shards/.", "a\\b", "a%2fb", "ü"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(sink_->Put(name, "x"))) << name;
    EXPECT_TRUE(absl::IsInvalidArgument(sink_->Get(name).status())) << name;
    EXPECT_TRUE(absl::IsInvalidArgument(sink_->Remove(name))) << name;
  }
  EXPECT_THAT(Listed(""), ElementsAre("shards/a"));
}

TEST_P(SinkContract, ManyThreads) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([this, i] {
      for (int j = 0; j < 5; ++j) {
        const std::string name = "t/" + std::to_string(i) + "-" + std::to_string(j);
        EXPECT_TRUE(sink_->Put(name, name).ok());
        EXPECT_EQ(*sink_->Get(name), name);
        EXPECT_TRUE(sink_->Put("t/all", std::string(10'000, static_cast<char>('a' + i))).ok());
      }
    });
  }
  threads.clear();
  EXPECT_EQ(Listed("t/").size(), 41u);
  const std::string all = *sink_->Get("t/all");  // of one of them, and whole
  EXPECT_EQ(all, std::string(10'000, all[0]));
}

TEST_P(SinkContract, APlaceIsOneRuns) {
  const std::string first = NewRunName();
  const std::string second = NewRunName();
  ASSERT_TRUE(ClaimPlace(*sink_, first, {}).ok());
  EXPECT_TRUE(ClaimPlace(*sink_, first, {}).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(ClaimPlace(*sink_, second, {})));
  EXPECT_THAT(Listed(""), ElementsAre(ClaimName(first)));
}

INSTANTIATE_TEST_SUITE_P(
    Sinks, SinkContract,
    ::testing::Values(SinkKind{"Folder",
                               [](const TemporaryFolder& folder) { return folder / "new/data"; }},
                      SinkKind{"S3", [](const TemporaryFolder&) { return NewS3Place(); }}),
    [](const auto& kind) { return kind.param.name; });

TEST(S3SinkAtAServer, LargeFilesGoInParts) {
  S3Place place = S3PlaceOf(NewS3Place());
  place.part_bytes = 100'000;
  const auto sink = MakeS3Sink(place, Impatient());
  for (const size_t size : {99'999u, 100'000u, 100'001u, 1'234'567u}) {
    std::string bytes;
    while (bytes.size() < size) bytes += std::to_string(bytes.size()) + ",";
    bytes.resize(size);
    const absl::Status status = sink->Put("large.npz", bytes);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_TRUE(*sink->Get("large.npz") == bytes) << size;
  }
}

TEST(S3SinkAtAServer, ListsOfMoreThanOnePage) {
  S3Place place = S3PlaceOf(NewS3Place());
  place.page_keys = 4;
  const auto sink = MakeS3Sink(place, Impatient());
  std::vector<std::string> files;
  for (int i = 10; i < 23; ++i) {
    files.push_back("f/" + std::to_string(i));
    ASSERT_TRUE(sink->Put(files.back(), "").ok());
  }
  const auto names = sink->List("f/");
  ASSERT_TRUE(names.ok()) << names.status();
  EXPECT_EQ(*names, files);
}

TEST(S3SinkAtAServer, KeysAreChecked) {
  S3Place place = S3PlaceOf(NewS3Place());
  place.credentials.secret = "WrongSecret42";
  absl::Status status = MakeS3Sink(place, {})->Put("a", "1");
  EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("SignatureDoesNotMatch"),
                    HasSubstr("the keys are those in the environment of this process")));
  EXPECT_THAT(std::string(status.message()), Not(HasSubstr("WrongSecret42")));
  place.credentials = {"NoSuchKey77", S3Server::kKey, ""};
  status = MakeS3Sink(place, {})->Get("a").status();
  EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
  EXPECT_THAT(std::string(status.message()), Not(HasSubstr("NoSuchKey77")));
}

TEST(S3SinkAtAServer, ABucketThatIsNotThere) {
  S3Place place = S3PlaceOf(NewS3Place());
  place.bucket = "others";
  const auto sink = MakeS3Sink(place, {});
  const absl::Status status = sink->Put("a", "1");
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("NoSuchBucket"), HasSubstr("make the bucket others first")));
  EXPECT_TRUE(absl::IsNotFound(sink->List("").status()));
  EXPECT_TRUE(absl::IsNotFound(ClaimPlace(*sink, NewRunName(), {})));
}

}  // namespace
}  // namespace triarch
