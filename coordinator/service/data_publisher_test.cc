#include "coordinator/service/data_publisher.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <latch>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/temporary_folder.h"
#include "core/record/tournament_state.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/shard/manifest.h"
#include "tests/contract/store_samples.h"
#include "tests/llm/odd_chat_server.h"

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

  static std::string RunOf(int64_t tournament) {
    return "aaaaaaaaaaaaaaa" + std::to_string(tournament);
  }
  static TournamentSpec SpecOf(int64_t tournament, const std::string& data) {
    TournamentSpec spec;
    spec.selfplay = std::make_shared<SelfplaySpec>();
    spec.data = data;
    spec.run = RunOf(tournament);
    return spec;
  }
  void Note(int64_t tournament, const std::string& data,
            TournamentState state = TournamentState::kActive) {
    publisher_->Note(tournament, SpecOf(tournament, data), state);
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
  // Waits for `count` attempts and returns their results.
  std::vector<absl::StatusCode> Tries(size_t count) {
    MutexLock lock(&mutex_);
    while (tries_.size() < count) changed_.Wait(&mutex_);
    return tries_;
  }

  // Ticks until `tries` attempts have been made. An attempt that is just ending becomes due at a
  // later tick.
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
constexpr TournamentState kDone = TournamentState::kDone;
constexpr TournamentState kCancelled = TournamentState::kCancelled;

TEST_F(DataPublisherTest, TheManifestFollowsTheStore) {
  const Shards shards = {Named("a"), Named("b", 5), Named("c", 10)};
  Note(1, Place("x"));
  ASSERT_TRUE(publisher_->Finish().ok());
  EXPECT_TRUE(fs::exists(Place("x/manifest.jsonl"))) << "even for a run without shards";
  EXPECT_EQ(Read(Place("x/manifest.jsonl")), "");
  for (size_t count = 1; count <= shards.size(); ++count) {
    const Shards now(shards.begin(), shards.begin() + static_cast<ptrdiff_t>(count));
    SetStored(1, now);
    Note(1, Place("x"));
    ASSERT_TRUE(publisher_->Finish().ok());
    EXPECT_EQ(Read(Place("x/manifest.jsonl")), TextOf(now));
  }
  const size_t tries = Tries(4).size();
  ASSERT_TRUE(publisher_->Finish().ok());
  EXPECT_EQ(Tries(4).size(), tries) << "nothing has changed";
}

TEST_F(DataPublisherTest, EachRunHasItsOwnInterval) {
  const auto now = std::chrono::steady_clock::now();
  SetStored(1, {Named("a")});
  Note(1, Place("x"));
  publisher_->Tick(now);
  Tries(1);
  Note(1, Place("x"));
  Note(2, Place("y"));
  // The first run's attempt may still be ending; it is not due in any case.
  publisher_->Tick(now + options_.every - milliseconds(1));
  Tries(2);
  EXPECT_TRUE(fs::exists(Place("y/manifest.jsonl")));
  SetStored(1, {});
  Note(1, Place("x"), kDone);
  publisher_->Tick(now + milliseconds(1));
  EXPECT_EQ(Tries(3).size(), 3u) << "a finished run is published immediately";
}

TEST_F(DataPublisherTest, RemovesStraysOnceTheRunIsOver) {
  for (const TournamentState over : {kDone, kCancelled}) {
    const std::string place = Place(std::string(ToString(over))) + "/";
    const int64_t id = over == kDone ? 1 : 2;
    const std::string ours = "shards/" + RunOf(id) + "-";
    SetStored(id, {Named(RunOf(id) + "-counted")});
    const std::vector<std::string> strays = {ours + "orphan.npz", ours + "0-00ff-2.npz",
                                             ours + "0-00ff-3.npz.1234567890123456.tmp",
                                             "manifest.jsonl.1234567890123456.tmp"};
    const std::vector<std::string> others = {
        ours + "counted.npz",
        ours + "notes.txt",
        ours + "Mine.npz",
        ours + "a.npz.bak",
        "orphan.npz",
        "shards/orphan.npz",
        "shards/deep/" + RunOf(id) + "-orphan.npz",
        "shards/" + RunOf(3) + "-theirs.npz",
        "shards/" + RunOf(3) + "-theirs.npz.1234567890123456.tmp"};
    for (const auto& names : {strays, others}) {
      for (const std::string& name : names) Write(place + name, "bytes");
    }
    Note(id, place);
    ASSERT_TRUE(publisher_->Finish().ok());
    for (const std::string& name : strays) {
      EXPECT_TRUE(fs::exists(place + name)) << name << " may still be recorded or written";
    }
    Note(id, place, over);
    ASSERT_TRUE(publisher_->Finish().ok());
    for (const std::string& name : strays) EXPECT_FALSE(fs::exists(place + name)) << name;
    for (const std::string& name : others) EXPECT_TRUE(fs::exists(place + name)) << name;
  }
}

TEST_F(DataPublisherTest, RemovesLateStrays) {
  const std::string late = "/shards/" + RunOf(1) + "-late.npz";
  const std::string coming = "/shards/" + RunOf(2) + "-late.npz";
  Note(1, Place("done"), kDone);
  Note(2, Place("on"));
  ASSERT_TRUE(publisher_->Finish().ok());
  Write(Place("done") + late, "bytes");
  Write(Place("on") + coming, "bytes");
  ASSERT_TRUE(publisher_->Finish().ok());
  EXPECT_TRUE(fs::exists(Place("done") + late)) << "not reported yet";
  publisher_->NoteStray(late.substr(1));
  publisher_->NoteStray(coming.substr(1));
  ASSERT_TRUE(publisher_->Finish().ok());
  EXPECT_FALSE(fs::exists(Place("done") + late));
  EXPECT_TRUE(fs::exists(Place("on") + coming));
}

TEST_F(DataPublisherTest, SearchesAFinishedRunOnceMore) {
  const std::string late = Place("x/shards/") + RunOf(1) + "-late.npz";
  Note(1, Place("x"), kDone);
  const auto now = std::chrono::steady_clock::now();
  TickUntil(1, now);
  Write(late, "bytes");
  TickUntil(1, now + options_.search_again - milliseconds(1));
  EXPECT_TRUE(fs::exists(late));
  TickUntil(2, now + options_.search_again);
  EXPECT_FALSE(fs::exists(late));
  for (int i = 2; i < 5; ++i) TickUntil(2, now + i * options_.search_again);
  EXPECT_EQ(Tries(2).size(), 2u) << "once is enough";
}

// By now the location may belong to another run.
TEST_F(DataPublisherTest, ACancelledRunLeavesAnEmptiedLocationAlone) {
  Note(1, Place("x"));
  ASSERT_TRUE(publisher_->Finish().ok());
  fs::remove_all(Place("x"));
  Note(1, Place("x"), kCancelled);
  EXPECT_TRUE(publisher_->Finish().ok());
  EXPECT_FALSE(fs::exists(Place("x")));
}

// However many strays a worker reports, their run is searched no more often than any run is
// published, and no other run is searched.
TEST_F(DataPublisherTest, StraysDoNotDetermineTheRate) {
  for (int64_t run = 1; run <= 3; ++run) Note(run, Place(std::to_string(run)), kDone);
  ASSERT_TRUE(publisher_->Finish().ok());
  ASSERT_EQ(Tries(3).size(), 3u);
  const std::string stray = "shards/" + RunOf(2) + "-late.npz";
  auto at = std::chrono::steady_clock::now() + options_.every;
  publisher_->NoteStray(stray);
  TickUntil(4, at);
  for (size_t tries = 5; tries < 8; ++tries) {
    Write(Place("2/") + stray, "bytes");
    for (int i = 0; i < 50; ++i) {
      publisher_->NoteStray(stray);
      publisher_->Tick(at + milliseconds(i));
    }
    EXPECT_EQ(Tries(0).size(), tries - 1);
    TickUntil(tries, at += options_.every);
    EXPECT_EQ(Tries(0).size(), tries);
    EXPECT_FALSE(fs::exists(Place("2/") + stray));
  }
}

TEST_F(DataPublisherTest, RetriesAnUnwritableLocation) {
  const auto now = std::chrono::steady_clock::now();
  SetStored(1, {Named("a")});
  Write(Place("x"), "no folder");
  Note(1, Place("x"));
  Note(2, Place("y"));
  publisher_->Tick(now);
  Tries(2);
  EXPECT_EQ(publisher_->Finish().code(), publisher_->status(1).code());
  EXPECT_THAT(publisher_->status(1).message(), HasSubstr(Place("x")));
  EXPECT_TRUE(publisher_->status(2).ok());
  EXPECT_TRUE(publisher_->status(3).ok()) << "the publisher does not know this run";
  EXPECT_TRUE(fs::exists(Place("y/manifest.jsonl")));
  fs::remove(Place("x"));
  const size_t tries = Tries(0).size();
  publisher_->Tick(std::chrono::steady_clock::now() + options_.every);
  EXPECT_EQ(Tries(tries + 1).back(), kOk);
  EXPECT_TRUE(publisher_->Finish().ok());
  EXPECT_EQ(Read(Place("x/manifest.jsonl")), TextOf({Named("a")}));
}

TEST_F(DataPublisherTest, AsksAnUnavailableStoreAgain) {
  {
    MutexLock lock(&mutex_);
    store_status_ = absl::UnavailableError("away");
    stored_[1] = {Named("a")};
  }
  Note(1, Place("x"), kDone);
  EXPECT_EQ(publisher_->Finish(), absl::UnavailableError("away"));
  EXPECT_FALSE(fs::exists(Place("x/manifest.jsonl")));
  {
    MutexLock lock(&mutex_);
    store_status_ = absl::OkStatus();
  }
  EXPECT_TRUE(publisher_->Finish().ok());
  EXPECT_EQ(Read(Place("x/manifest.jsonl")), TextOf({Named("a")}));
}

TEST_F(DataPublisherTest, BlocksNoCaller) {
  Hold(true);
  Note(1, Place("x"));
  publisher_->Tick(std::chrono::steady_clock::now());
  // All of this happens while the publisher waits for the store.
  SetStored(1, {Named("a")});
  Note(1, Place("x"), kDone);
  publisher_->Tick(std::chrono::steady_clock::now() + options_.every);
  publisher_->NoteStray("shards/" + RunOf(1) + "-late.npz");
  EXPECT_TRUE(publisher_->status(1).ok());
  std::thread opener([this] {
    std::this_thread::sleep_for(milliseconds(30));
    Hold(false);
  });
  EXPECT_TRUE(publisher_->Finish().ok());
  opener.join();
  EXPECT_EQ(Read(Place("x/manifest.jsonl")), TextOf({Named("a")})) << "with later changes";
}

// The old one is from a coordinator that hung while its successor wrote more.
TEST_F(DataPublisherTest, ReplacesAnOldManifest) {
  SetStored(1, {Named("a")});
  {
    MutexLock lock(&mutex_);
    on_question_ = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      if (questions_ == 2) stored_[1] = {Named("a"), Named("b", 5)};
    };
  }
  Note(1, Place("x"));
  EXPECT_TRUE(publisher_->Finish().ok());
  EXPECT_EQ(Read(Place("x/manifest.jsonl")), TextOf({Named("a"), Named("b", 5)}));
}

TEST_F(DataPublisherTest, LeavesTheDataOfAnotherRunAlone) {
  const std::string ours = "shards/" + RunOf(1) + "-stray.npz";
  SetStored(1, {Named("a")});
  const std::string others = TextOf({Named("a"), Named("theirs", 5)});
  Write(Place("x/manifest.jsonl"), others);
  Write(Place("x/") + ours, "bytes");
  Note(1, Place("x"), kDone);
  const absl::Status status = publisher_->Finish();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(status.message(), HasSubstr("shards/theirs.npz is not recorded in this database"));
  EXPECT_EQ(Read(Place("x/manifest.jsonl")), others);
  EXPECT_TRUE(fs::exists(Place("x/") + ours));
}

// The runs have separate databases, neither of which has a manifest yet.
TEST_F(DataPublisherTest, TwoRunsInOneLocationRemoveNothingOfEachOther) {
  ASSERT_TRUE(publisher_->Claim(SpecOf(1, Place("x")), {}).ok());
  absl::Status status = publisher_->Claim(SpecOf(2, Place("x")), {});
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(status.message(), HasSubstr(Place("x") + " holds the data of another run"));
  const std::string shard = "shards/" + RunOf(1) + "-first.npz";
  Write(Place("x/") + shard, "bytes");
  Note(2, Place("x"), kDone);
  status = publisher_->Finish();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_TRUE(fs::exists(Place("x/") + shard));
  EXPECT_FALSE(fs::exists(Place("x/manifest.jsonl")));
  SetStored(1, {Named(RunOf(1) + "-first")});
  Note(1, Place("x"));
  EXPECT_FALSE(publisher_->Finish().ok()) << "the second";
  EXPECT_TRUE(publisher_->status(1).ok()) << publisher_->status(1);
  EXPECT_EQ(Read(Place("x/manifest.jsonl")), TextOf({Named(RunOf(1) + "-first")}));
  // Withdrawing a claim frees the location.
  publisher_->Unclaim(SpecOf(1, Place("x")));
  fs::remove(Place("x/manifest.jsonl"));
  EXPECT_TRUE(publisher_->Claim(SpecOf(2, Place("x")), {}).ok());
}

// A store that accepts connections but never answers.
class HungDataTest : public DataPublisherTest {
 protected:
  HungDataTest() {
    setenv("AWS_ACCESS_KEY_ID", "id", 1);
    setenv("AWS_SECRET_ACCESS_KEY", "secret", 1);
    setenv("no_proxy", "*", 1);
  }
  std::string Hung() const {
    const std::string url = server_.url();
    return "s3://bucket/x?endpoint=" + url.substr(0, url.rfind('/'));
  }
  double SecondsSince(std::chrono::steady_clock::time_point then) const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
  }

  OddChatServer server_{[](const OddChatServer::Request&) {
    return OddChatServer::Reply{.bytes = "HTTP", .is_left_open = true};
  }};
};

TEST_F(HungDataTest, FinishEndsAfterItsPatience) {
  SetStored(1, {Named("a")});
  Note(1, Hung());
  const auto began = std::chrono::steady_clock::now();
  const absl::Status status = publisher_->Finish(milliseconds(300));
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled) << status;
  EXPECT_LT(SecondsSince(began), 3);
  EXPECT_EQ(publisher_->Claim(SpecOf(1, Hung()), {}).code(), absl::StatusCode::kCancelled);
}

TEST_F(HungDataTest, ClaimingGivesUpAfterSomeSeconds) {
  const auto began = std::chrono::steady_clock::now();
  const absl::Status status = publisher_->Claim(SpecOf(1, Hung()), {});
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
  EXPECT_THAT(status.message(), HasSubstr("s3://bucket/x at http://127.0.0.1:"));
  EXPECT_LT(SecondsSince(began), 20);
}

}  // namespace
}  // namespace triarch
