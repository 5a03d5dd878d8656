// Tests how arenas on one PostgreSQL hear of each other and take over tables.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "arena/store/arena_peers.h"
#include "arena/store/arena_store.h"
#include "core/base/mutex.h"
#include "tests/postgres_server.h"

namespace triarch::arena {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Not;

// An arena's store and connection to its peers, and what it has heard.
class TestArena {
 public:
  TestArena(const std::string& url, const std::string& instance)
      : store_(OpenPostgresArenaStore(url, instance).value()),
        peers_(JoinPostgresPeers(url, instance, MakeNews()).value()) {
    EXPECT_TRUE(Hears("connected"));
  }

  // Waits until it has heard this.
  bool Hears(const std::string& what) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < until) {
      const std::vector<std::string> heard = Heard();
      if (std::find(heard.begin(), heard.end(), what) != heard.end()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }
  std::vector<std::string> Heard() {
    MutexLock lock(&mutex_);
    return heard_;
  }
  void Open(const std::string& table) {
    const Event opened{.time_ms = 1, .settings = {.game = "tri-d"}};
    Append({.table = table, .first = 0, .events = {opened, Event{.kind = Event::Kind::kJoined}}});
  }
  void Append(const Appended& appended) {
    const auto statuses = store_->Append(std::vector<Appended>{appended});
    ASSERT_TRUE(statuses.ok()) << statuses.status();
    EXPECT_TRUE((*statuses)[0].ok());
  }
  ArenaStore& store() { return *store_; }

 private:
  ArenaPeers::News MakeNews() {
    return {.appended = [this](const std::string& table,
                               int64_t events) { Note(table + " " + std::to_string(events)); },
            .recorded = [this] { Note("recorded"); },
            .leased =
                [this](const Lease& lease) {
                  for (const std::string& table : lease.taken) Note("taken " + table);
                  for (const std::string& table : lease.lost) Note("lost " + table);
                },
            .connected = [this] { Note("connected"); },
            .lost = [this](const absl::Status&) { Note("interrupted"); }};
  }
  void Note(std::string what) {
    MutexLock lock(&mutex_);
    heard_.push_back(std::move(what));
  }

  Mutex mutex_;
  std::vector<std::string> heard_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<ArenaStore> store_;
  std::unique_ptr<ArenaPeers> peers_;
};

class PostgresPeersTest : public testing::Test {
 protected:
  std::unique_ptr<TestArena> New(const std::string& instance) {
    return std::make_unique<TestArena>(server_.Url(database_), instance);
  }
  std::string Ask(const std::string& sql) { return server_.Ask(database_, sql); }

  PostgresServer& server_ = PostgresServer::Shared();
  const std::string database_ = server_.NewDatabase();
};

TEST_F(PostgresPeersTest, OthersHearOfAppendsAndGames) {
  const auto one = New("one");
  const auto two = New("two");
  one->Open("t");
  EXPECT_TRUE(two->Hears("t 2"));
  two->Append({.table = "t", .first = 2, .events = {Event{.kind = Event::Kind::kClosed}}});
  EXPECT_TRUE(one->Hears("t 3"));
  EXPECT_TRUE(two->store().End({.table = "t", .ended_ms = 5}).ok());
  EXPECT_TRUE(one->Hears("recorded"));
  EXPECT_THAT(one->Heard(), Not(Contains("t 2"))) << "it hears itself";
  EXPECT_THAT(two->Heard(), AllOf(Not(Contains("t 3")), Not(Contains("recorded"))));
}

TEST_F(PostgresPeersTest, TablesOfAnArenaThatEndsAreTakenOver) {
  auto one = New("one");
  const auto two = New("two");
  one->Open("t");
  one->Open("over");
  EXPECT_TRUE(one->store().End({.table = "over", .ended_ms = 5}).ok());
  two->Open("theirs");
  one = nullptr;
  EXPECT_TRUE(two->Hears("taken t"));
  EXPECT_THAT(two->Heard(), AllOf(Not(Contains("taken over")), Not(Contains("taken theirs"))));
  EXPECT_EQ(Ask("SELECT string_agg(id || runner, ' ' ORDER BY id) FROM arena_tables"),
            "overone ttwo theirstwo");
}

// As after kill -9: the row stays, and nobody renews it.
TEST_F(PostgresPeersTest, TablesOfAnArenaThatDiedAreTakenOver) {
  const auto two = New("two");
  Ask("INSERT INTO arena_instances VALUES ('one', clock_timestamp() + interval '2 s')");
  OpenPostgresArenaStore(server_.Url(database_), "one")
      .value()
      ->Append(
          std::vector<Appended>{{.table = "t",
                                 .first = 0,
                                 .events = {Event{.time_ms = 1, .settings = {.game = "tri-d"}}}}})
      .IgnoreError();
  EXPECT_TRUE(two->Hears("t 1"));
  std::this_thread::sleep_for(std::chrono::milliseconds(1'200));
  EXPECT_THAT(two->Heard(), Not(Contains("taken t"))) << "it is alive";
  EXPECT_TRUE(two->Hears("taken t"));
  EXPECT_EQ(Ask("SELECT string_agg(id, ' ') FROM arena_instances"), "two");
}

TEST_F(PostgresPeersTest, AnArenaThatWasSilentLearnsWhatItHasLost) {
  const auto one = New("one");
  one->Open("t");
  const auto two = New("two");
  two->Open("theirs");
  Ask("UPDATE arena_tables SET runner = 'two' WHERE id = 't'");
  Ask("DELETE FROM arena_instances WHERE id = 'one'");
  EXPECT_TRUE(one->Hears("lost t"));
  EXPECT_TRUE(one->Hears("lost theirs"));
  EXPECT_THAT(one->Heard(), Not(Contains("taken t")));
  EXPECT_THAT(two->Heard(), Not(Contains("taken t")));
}

TEST_F(PostgresPeersTest, ReconnectsToARestartedServer) {
  const auto one = New("one");
  const auto two = New("two");
  one->Open("t");
  EXPECT_TRUE(two->Hears("t 2"));
  server_.Kill();
  EXPECT_TRUE(two->Hears("interrupted"));
  server_.Start();
  const auto connections = [&two] {
    const std::vector<std::string> heard = two->Heard();
    return std::count(heard.begin(), heard.end(), "connected");
  };
  for (int i = 0; i < 2'000 && connections() < 2; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_GE(connections(), 2);
  // The store's own connection is renewed as well.
  one->Append({.table = "t", .first = 2, .events = {Event{.kind = Event::Kind::kClosed}}});
  EXPECT_TRUE(two->Hears("t 3"));
}

TEST_F(PostgresPeersTest, ReportsAnInvalidUrl) {
  EXPECT_TRUE(absl::IsInvalidArgument(JoinPostgresPeers("nowhere", "one", {}).status()));
}

}  // namespace
}  // namespace triarch::arena
