#include "coordinator/service/data_publisher.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <latch>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/manifest.h"
#include "tests/contract/store_samples.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Shards = std::vector<ShardEntry>;

ShardEntry Named(const std::string& name, int64_t first = 0) {
  return SampleShard(name, first, first + 5);
}

std::string TextOf(const Shards& shards) {
  std::string text;
  for (const ShardEntry& shard : shards) text += ManifestLine(shard) + "\n";
  return text;
}

class DataPublisherTest : public ::testing::Test {
 protected:
  DataPublisherTest() {
    options_.on_publish = [this](const absl::Status& status) {
      MutexLock lock(&mutex_);
      tries_.push_back(status.code());
      changed_.NotifyAll();
    };
    publisher_.emplace(options_, [this](int64_t tournament) -> absl::StatusOr<Shards> {
      MutexLock lock(&mutex_);
      while (is_held_) changed_.Wait(&mutex_);
      ++questions_;
      if (on_question_) on_question_();
      if (!store_status_.ok()) return store_status_;
      return stored_[tournament];
    });
  }

  void SetStored(int64_t tournament, Shards shards) {
    MutexLock lock(&mutex_);
    stored_[tournament] = std::move(shards);
  }
  void Hold(bool is_held) {
    MutexLock lock(&mutex_);
    is_held_ = is_held;
    changed_.NotifyAll();
  }
  // What became of the tries, once there were so many.
  std::vector<absl::StatusCode> Tries(size_t count) {
    MutexLock lock(&mutex_);
    while (tries_.size() < count) changed_.Wait(&mutex_);
    return tries_;
  }

  // Until there were so many tries: one that is just ending is due at another tick.
  void TickUntil(size_t tries, std::chrono::steady_clock::time_point at) {
    do {
      publisher_->Tick(at);
      std::this_thread::sleep_for(milliseconds(1));
    } while (Tries(0).size() < tries);
  }

  std::string Place(const std::string& name) const { return folder_ / name; }
  static std::string Read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  static void Write(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  const TemporaryFolder folder_;
  DataPublisher::Options options_;
  Mutex mutex_;
  CondVar changed_;
  std::map<int64_t, Shards> stored_ ABSL_GUARDED_BY(mutex_);
  absl::Status store_status_ ABSL_GUARDED_BY(mutex_);
  bool is_held_ ABSL_GUARDED_BY(mutex_) = false;
  int questions_ ABSL_GUARDED_BY(mutex_) = 0;
  std::function<void()> on_question_ ABSL_GUARDED_BY(mutex_);
  std::vector<absl::StatusCode> tries_ ABSL_GUARDED_BY(mutex_);
  std::optional<DataPublisher> publisher_;
};

constexpr absl::StatusCode kOk = absl::StatusCode::kOk;

TEST_F(DataPublisherTest, TheManifestIsWhatTheStoreSays) {
  const Shards shards = {Named("a"), Named("b", 5), Named("c", 10)};
  publisher_->Note(1, Place("x"), false);
  ASSERT_TRUE(publisher_->Finish().ok());
  EXPECT_TRUE(fs::exists(Place("x/manifest.jsonl"))) << "a run that has nothing yet";
  EXPECT_EQ(Read(Place("x/manifest.jsonl")), "");
  for (size_t count = 1; count <= shards.size(); ++count) {
    const Shards now(shards.begin(), shards.begin() + static_cast<ptrdiff_t>(count));
    SetStored(1, now);
    publisher_->Note(1, Place("x"), false);
    ASSERT_TRUE(publisher_->Finish().ok());
    EXPECT_EQ(Read(Place("x/manifest.jsonl")), TextOf(now));
  }
  const size_t tries = Tries(4).size();
  ASSERT_TRUE(publisher_->Finish().ok());
  EXPECT_EQ(Tries(4).size(), tries) << "nothing has changed";
}

TEST_F(DataPublisherTest, EachRunInItsOwnTime) {
  const auto now = std::chrono::steady_clock::now();
  SetStored(1, {Named("a")});
  publisher_->Note(1, Place("x"), false);
  publisher_->Tick(now);
  Tries(1);
  publisher_->Note(1, Place("x"), false);
  publisher_->Note(2, Place("y"), false);
  // The first run's try may not be quite over yet; it is not due anyhow.
  publisher_->Tick(now + options_.every - milliseconds(1));
  Tries(2);
  EXPECT_TRUE(fs::exists(Place("y/manifest.jsonl")));
  SetStored(1, {});
  publisher_->Note(1, Place("x"), true);
  publisher_->Tick(now + milliseconds(1));
  EXPECT_EQ(Tries(3).size(), 3u) << "what is done is published at once";
}

TEST_F(DataPublisherTest, CollectsOnceTheRunIsDone) {
  SetStored(1, {Named("counted")});
  for (const char* name :
       {"shards/counted.npz", "shards/orphan.npz", "shards/000-00ff-2.npz", "shards/notes.txt",
        "shards/Mine.npz", "shards/a.npz.bak", "orphan.npz", "shards/deep/orphan.npz"}) {
    Write(Place("x/") + name, "bytes");
  }
  publisher_->Note(1, Place("x"), false);
  ASSERT_TRUE(publisher_->Finish().ok());
  EXPECT_TRUE(fs::exists(Place("x/shards/orphan.npz"))) << "it may be recorded yet";
  publisher_->Note(1, Place("x"), true);
  ASSERT_TRUE(publisher_->Finish().ok());
  EXPECT_FALSE(fs::exists(Place("x/shards/orphan.npz")));
  EXPECT_FALSE(fs::exists(Place("x/shards/000-00ff-2.npz")));
  for (const char* name : {"shards/counted.npz", "shards/notes.txt", "shards/Mine.npz",
                           "shards/a.npz.bak", "orphan.npz", "shards/deep/orphan.npz"}) {
    EXPECT_TRUE(fs::exists(Place("x/") + name)) << name;
  }
}

TEST_F(DataPublisherTest, CollectsWhatComesTooLate) {
  publisher_->Note(1, Place("done"), true);
  publisher_->Note(2, Place("on"), false);
  ASSERT_TRUE(publisher_->Finish().ok());
  Write(Place("done/shards/late.npz"), "bytes");
  Write(Place("on/shards/late.npz"), "bytes");
  ASSERT_TRUE(publisher_->Finish().ok());
  EXPECT_TRUE(fs::exists(Place("done/shards/late.npz"))) << "nobody knows of it";
  publisher_->NoteStray();
  ASSERT_TRUE(publisher_->Finish().ok());
  EXPECT_FALSE(fs::exists(Place("done/shards/late.npz")));
  EXPECT_TRUE(fs::exists(Place("on/shards/late.npz")));
}

// However many of them a worker reports.
TEST_F(DataPublisherTest, LooksForStraysOnceInAWhile) {
  for (int64_t run = 1; run <= 3; ++run) publisher_->Note(run, Place(std::to_string(run)), true);
  ASSERT_TRUE(publisher_->Finish().ok());
  ASSERT_EQ(Tries(3).size(), 3u);
  const auto now = std::chrono::steady_clock::now();
  auto at = now;
  for (int i = 0; i < 50; ++i) {
    publisher_->NoteStray();
    TickUntil(6, at += options_.every);
  }
  EXPECT_LT(at, now + options_.every_strays);
  EXPECT_EQ(Tries(6).size(), 6u);
  Write(Place("2/shards/late.npz"), "bytes");
  TickUntil(9, now + options_.every + options_.every_strays);
  EXPECT_EQ(Tries(9).size(), 9u) << "those of meanwhile are not forgotten";
  EXPECT_FALSE(fs::exists(Place("2/shards/late.npz")));
}

TEST_F(DataPublisherTest, APlaceThatCannotBeWrittenIsTriedAgain) {
  const auto now = std::chrono::steady_clock::now();
  SetStored(1, {Named("a")});
  Write(Place("x"), "no folder");
  publisher_->Note(1, Place("x"), false);
  publisher_->Note(2, Place("y"), false);
  publisher_->Tick(now);
  Tries(2);
  EXPECT_EQ(publisher_->Finish().code(), publisher_->status(1).code());
  EXPECT_THAT(publisher_->status(1).message(), HasSubstr(Place("x")));
  EXPECT_TRUE(publisher_->status(2).ok());
  EXPECT_TRUE(publisher_->status(3).ok()) << "which it does not know";
  EXPECT_TRUE(fs::exists(Place("y/manifest.jsonl")));
  fs::remove(Place("x"));
  const size_t tries = Tries(0).size();
  publisher_->Tick(std::chrono::steady_clock::now() + options_.every);
  EXPECT_EQ(Tries(tries + 1).back(), kOk);
  EXPECT_TRUE(publisher_->Finish().ok());
  EXPECT_EQ(Read(Place("x/manifest.jsonl")), TextOf({Named("a")}));
}

TEST_F(DataPublisherTest, AStoreThatIsAwayIsAskedAgain) {
  {
    MutexLock lock(&mutex_);
    store_status_ = absl::UnavailableError("away");
    stored_[1] = {Named("a")};
  }
  publisher_->Note(1, Place("x"), true);
  EXPECT_EQ(publisher_->Finish(), absl::UnavailableError("away"));
  EXPECT_FALSE(fs::exists(Place("x/manifest.jsonl")));
  {
    MutexLock lock(&mutex_);
    store_status_ = absl::OkStatus();
  }
  EXPECT_TRUE(publisher_->Finish().ok());
  EXPECT_EQ(Read(Place("x/manifest.jsonl")), TextOf({Named("a")}));
}

TEST_F(DataPublisherTest, NobodyWaitsForIt) {
  Hold(true);
  publisher_->Note(1, Place("x"), false);
  publisher_->Tick(std::chrono::steady_clock::now());
  // All of this while the publisher waits for the store.
  SetStored(1, {Named("a")});
  publisher_->Note(1, Place("x"), true);
  publisher_->Tick(std::chrono::steady_clock::now() + options_.every);
  publisher_->NoteStray();
  EXPECT_TRUE(publisher_->status(1).ok());
  std::thread opener([this] {
    std::this_thread::sleep_for(milliseconds(30));
    Hold(false);
  });
  EXPECT_TRUE(publisher_->Finish().ok());
  opener.join();
  EXPECT_EQ(Read(Place("x/manifest.jsonl")), TextOf({Named("a")})) << "what changed meanwhile too";
}

// As a coordinator that stood still, whose successor has written more.
TEST_F(DataPublisherTest, AnOldManifestDoesNotStay) {
  SetStored(1, {Named("a")});
  {
    MutexLock lock(&mutex_);
    on_question_ = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      if (questions_ == 2) stored_[1] = {Named("a"), Named("b", 5)};
    };
  }
  publisher_->Note(1, Place("x"), false);
  EXPECT_TRUE(publisher_->Finish().ok());
  EXPECT_EQ(Read(Place("x/manifest.jsonl")), TextOf({Named("a"), Named("b", 5)}));
}

TEST_F(DataPublisherTest, LeavesTheDataOfAnotherRunAlone) {
  SetStored(1, {Named("a")});
  const std::string others = TextOf({Named("a"), Named("theirs", 5)});
  Write(Place("x/manifest.jsonl"), others);
  Write(Place("x/shards/theirs.npz"), "bytes");
  publisher_->Note(1, Place("x"), true);
  const absl::Status status = publisher_->Finish();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(status.message(), HasSubstr("shards/theirs.npz is not recorded here"));
  EXPECT_EQ(Read(Place("x/manifest.jsonl")), others);
  EXPECT_TRUE(fs::exists(Place("x/shards/theirs.npz")));
}

TEST_F(DataPublisherTest, WhoseDataItIs) {
  const Shards known = {Named("a"), Named("b", 5)};
  EXPECT_TRUE(CheckDataIsOurs(Place("none"), {}).ok());
  EXPECT_TRUE(CheckDataIsOurs(Place("none"), known).ok());
  EXPECT_FALSE(fs::exists(Place("none"))) << "to ask makes nothing";
  Write(Place("x/manifest.jsonl"), TextOf({Named("a")}));
  EXPECT_TRUE(CheckDataIsOurs(Place("x"), known).ok()) << "the store knows more";
  const absl::Status status = CheckDataIsOurs(Place("x"), {});
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(status.message(), HasSubstr(Place("x") + " has the data of another run"));
  Write(Place("x/manifest.jsonl"), TextOf(known) + "{}\n");
  EXPECT_EQ(CheckDataIsOurs(Place("x"), known).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace triarch
