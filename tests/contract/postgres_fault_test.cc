// Tests the PostgreSQL store when it loses its server, its connection or its leadership.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "coordinator/store/store.h"
#include "core/base/check.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/contract/store_samples.h"
#include "tests/postgres_server.h"

// libpqxx 6 leaks the result of a statement whose connection broke (two kilobytes per loss). The
// leak sanitizer reads this name.
extern "C" const char* __lsan_default_suppressions() { return "leak:libpqxx"; }

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// A connection between the store and its server that can be cut at the worst moment: around a
// commit.
class CuttableWire {
 public:
  enum class Cut : uint8_t {
    kNever,
    kBeforeCommit,  // the server never receives it
    kAfterCommit,   // the server executes it, but its answer is lost
    kStall,         // the server never receives it, nor notices the loss
  };

  explicit CuttableWire(int server_port) : server_port_(server_port) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = Loopback(0);
    socklen_t size = sizeof(address);
    CHECK(bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0);
    CHECK(listen(listener_, 8) == 0);
    CHECK(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~CuttableWire() {
    is_over_ = true;
    thread_.join();
    close(listener_);
    for (const int descriptor : stalled_) close(descriptor);
  }

  std::string Url(const std::string& database) const {
    return absl::StrFormat("postgresql://triarch@127.0.0.1:%d/%s?sslmode=disable", port_, database);
  }
  // Cuts once, at the next commit.
  void CutAtCommit(Cut cut) { cut_ = cut; }
  int cuts() const { return cuts_; }

 private:
  static sockaddr_in Loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<uint16_t>(port));
    return address;
  }

  static bool IsReadable(int descriptor) {
    pollfd wanted = {.fd = descriptor, .events = POLLIN, .revents = 0};
    return poll(&wanted, 1, 5) == 1;
  }

  // Serves one connection after the other, because a store has only one.
  void Serve() {
    while (!is_over_) {
      if (!IsReadable(listener_)) continue;
      const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      const sockaddr_in address = Loopback(server_port_);
      if (connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
        Carry(client, server);
      }
      close(client);
      if (stalled_.empty() || stalled_.back() != server) close(server);
    }
  }

  void Carry(int client, int server) {
    while (!is_over_) {
      std::array<pollfd, 2> ends = {{{.fd = client, .events = POLLIN, .revents = 0},
                                     {.fd = server, .events = POLLIN, .revents = 0}}};
      poll(ends.data(), ends.size(), 20);
      if (ends[0].revents != 0 && !Pass(client, server, /*may_cut=*/true)) return;
      if (ends[1].revents != 0 && !Pass(server, client, /*may_cut=*/false)) return;
    }
  }

  // Returns false at the end of the connection.
  bool Pass(int from, int to, bool may_cut) {
    std::array<char, 65536> buffer{};
    const ssize_t size = read(from, buffer.data(), buffer.size());
    if (size <= 0) return false;
    const std::string_view text(buffer.data(), static_cast<size_t>(size));
    if (may_cut && cut_ != Cut::kNever && text.find("COMMIT") != text.npos) {
      const Cut cut = cut_.exchange(Cut::kNever);
      ++cuts_;
      if (cut == Cut::kStall) stalled_.push_back(to);
      if (cut != Cut::kAfterCommit) return false;
      CHECK(write(to, text.data(), text.size()) == size);
      CHECK(read(to, buffer.data(), buffer.size()) > 0);  // the server has answered
      return false;
    }
    return write(to, text.data(), text.size()) == size;
  }

  const int server_port_;
  int listener_ = -1;
  int port_ = 0;
  std::vector<int> stalled_;  // server ends that are kept open
  std::atomic<Cut> cut_ = Cut::kNever;
  std::atomic<int> cuts_ = 0;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

using Cut = CuttableWire::Cut;

class PostgresFaultTest : public ::testing::Test {
 protected:
  std::unique_ptr<Store> Open(const std::string& url) {
    absl::StatusOr<std::unique_ptr<Store>> store = OpenPostgresStore(url, OpenMode::kCreate);
    EXPECT_TRUE(store.ok()) << store.status();
    CHECK(store.ok());
    return *std::move(store);
  }
  std::unique_ptr<Store> Open() { return Open(server_.Url(database_)); }
  std::string Ask(const std::string& sql) { return server_.Ask(database_, sql); }
  // Simulates an administrator or a broken link.
  void EndConnections() {
    Ask("SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity "
        "WHERE application_name = 'triarch' AND datname = current_database()");
  }
  // Expects each game once, complete and counted.
  void ExpectGames(int64_t games) {
    EXPECT_EQ(Ask("SELECT count(*) FROM games"), std::to_string(games));
    EXPECT_EQ(Ask("SELECT count(*) FROM game_seats"), std::to_string(3 * games));
    EXPECT_EQ(Ask("SELECT count(*) FROM game_texts"), std::to_string(games));
    EXPECT_EQ(Ask("SELECT sum(last - first) FROM ledger"), std::to_string(games));
    EXPECT_EQ(Ask("SELECT games_recorded FROM tournaments"), std::to_string(games));
  }

  PostgresServer& server_ = PostgresServer::Shared();
  const std::string database_ = server_.NewDatabase();
};

// ---- The server.

TEST_F(PostgresFaultTest, NothingIsLostOrDoubledWhenTheServerIsKilled) {
  const std::unique_ptr<Store> store = Open();
  const int64_t id = store->OpenTournament(SampleSpec()).value();
  ASSERT_TRUE(*store->TryLead());
  ASSERT_TRUE(store->Record(id, SampleRecords(0, 10)).ok());
  server_.Kill();
  for (int i = 0; i < 2; ++i) {
    const absl::Status status = store->Record(id, SampleRecords(5, 20));
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
    EXPECT_THAT(status.message(), HasSubstr("the server cannot be reached"));
    EXPECT_EQ(store->Workers().status().code(), absl::StatusCode::kUnavailable);
  }
  server_.Start();
  ASSERT_TRUE(store->Record(id, SampleRecords(5, 20)).ok()) << "it keeps leading";
  ExpectGames(20);
}

// Kills the server at random moments of recording; failed batches are recorded again.
TEST_F(PostgresFaultTest, KilledWhileRecording) {
  const std::unique_ptr<Store> store = Open();
  TournamentSpec spec = SampleSpec();
  spec.games = 1'000'000;
  const int64_t id = store->OpenTournament(spec).value();
  int64_t recorded = 0;
  int failures = 0;
  for (int round = 0; round < 4; ++round) {
    std::thread killer([this, round] {
      absl::SleepFor(absl::Milliseconds(40 + 23 * round));
      server_.Kill();
    });
    while (true) {
      const absl::Status status = store->Record(id, SampleRecords(recorded, recorded + 8));
      if (!status.ok()) {
        EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
        ++failures;
        break;
      }
      recorded += 8;
    }
    killer.join();
    server_.Start();
    // The answer to it may have been lost.
    ASSERT_TRUE(store->Record(id, SampleRecords(recorded, recorded + 8)).ok());
    recorded += 8;
    EXPECT_THAT(*store->Recorded(id), ElementsAre(Range{0, recorded}));
  }
  EXPECT_EQ(failures, 4);
  ExpectGames(recorded);
}

// ---- The connection.

TEST_F(PostgresFaultTest, ReconnectsAfterALostConnection) {
  const std::unique_ptr<Store> store = Open();
  const int64_t id = store->OpenTournament(SampleSpec()).value();
  EndConnections();
  EXPECT_TRUE(store->Record(id, SampleRecords(0, 2)).ok());
  EndConnections();
  EXPECT_EQ(store->Tournaments()->front().games_recorded, 2);
  EndConnections();
  EXPECT_TRUE(store->AddTournament(SampleSpec(), "").ok());
  EXPECT_THAT(*store->Tournaments(), SizeIs(2));
}

TEST_F(PostgresFaultTest, AVisitContinuesAfterALostConnection) {
  const std::unique_ptr<Store> store = Open();
  TournamentSpec spec = SampleSpec();
  spec.games = 1200;
  const int64_t id = store->OpenTournament(spec).value();
  ASSERT_TRUE(store->Record(id, SampleRecords(0, 1200)).ok());
  int64_t games = 0;
  const absl::Status status = store->VisitGames(id, {}, [&](const GameSummary& game) {
    EXPECT_EQ(game.index, games++);
    if (game.index % 400 == 0) EndConnections();
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(games, 1200);
}

// ---- Commits with unknown outcome.

TEST_F(PostgresFaultTest, AsksForTheOutcomeOfAnUnansweredCommit) {
  CuttableWire wire(server_.port());
  const std::unique_ptr<Store> store = Open(wire.Url(database_));
  TournamentSpec spec = SampleSpec();
  const int64_t id = store->OpenTournament(spec).value();
  int64_t games = 0;
  for (const Cut cut : {Cut::kAfterCommit, Cut::kBeforeCommit, Cut::kAfterCommit}) {
    wire.CutAtCommit(cut);
    const absl::Status status = store->Record(id, SampleRecords(games, games + 5));
    EXPECT_TRUE(status.ok()) << status;
    games += 5;
    ExpectGames(games);
  }
  EXPECT_EQ(wire.cuts(), 3);
}

TEST_F(PostgresFaultTest, AShardIsRecordedOnceWhateverTheOutcomeOfTheCommit) {
  CuttableWire wire(server_.port());
  const std::unique_ptr<Store> store = Open(wire.Url(database_));
  const int64_t id = store->OpenTournament(SampleSpec()).value();
  int64_t games = 0;
  for (const Cut cut : {Cut::kAfterCommit, Cut::kBeforeCommit, Cut::kAfterCommit}) {
    const ShardEntry shard = SampleShard(std::to_string(games), games, games + 5);
    wire.CutAtCommit(cut);
    const absl::Status status = store->RecordShard(id, SampleRecords(games, games + 5), shard);
    EXPECT_TRUE(status.ok()) << status;
    games += 5;
    ExpectGames(games);
    EXPECT_EQ(store->Shards(id)->back(), shard);
  }
  EXPECT_EQ(wire.cuts(), 3);
  EXPECT_THAT(*store->Shards(id), SizeIs(3));
}

// Only the server's answer shows whether these were done, because repeating them would change
// nothing visible.
TEST_F(PostgresFaultTest, NonIdempotentChangesAreMadeOnce) {
  CuttableWire wire(server_.port());
  const std::unique_ptr<Store> store = Open(wire.Url(database_));
  int64_t tournaments = 0;
  for (const Cut cut : {Cut::kAfterCommit, Cut::kBeforeCommit}) {
    wire.CutAtCommit(cut);
    EXPECT_EQ(store->AddTournament(SampleSpec(), "").ok(), true);
    EXPECT_THAT(*store->Tournaments(), SizeIs(++tournaments));
    const int64_t id = store->Tournaments()->back().id;
    wire.CutAtCommit(cut);
    EXPECT_TRUE(store->AddRatings(id, std::vector{RatingPoint{.time = "", .bot = "p3"}}).ok());
    EXPECT_THAT(*store->Ratings(id), SizeIs(1));
  }
  EXPECT_EQ(wire.cuts(), 4);
}

// ---- Leading.

TEST_F(PostgresFaultTest, ALeaderKeepsLeadingAfterALostConnection) {
  const std::unique_ptr<Store> leader = Open();
  const int64_t id = leader->OpenTournament(SampleSpec()).value();
  ASSERT_TRUE(*leader->TryLead());
  EndConnections();
  EXPECT_TRUE(leader->Record(id, SampleRecords(0, 1)).ok());
  const std::unique_ptr<Store> other = Open();
  EXPECT_EQ(*other->TryLead(), std::nullopt) << "the lock was taken again";
}

TEST_F(PostgresFaultTest, AReplacedLeaderRecordsNothing) {
  const std::unique_ptr<Store> leader = Open();
  const int64_t id = leader->OpenTournament(SampleSpec()).value();
  const uint64_t epoch = leader->TryLead()->value();
  ASSERT_TRUE(leader->Record(id, SampleRecords(0, 1)).ok());
  EndConnections();
  std::unique_ptr<Store> successor = Open();
  const uint64_t later = successor->TryLead()->value();
  EXPECT_GT(later, epoch);
  for (int i = 0; i < 2; ++i) {
    const absl::Status status = leader->Record(id, SampleRecords(1, 2));
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_THAT(status.message(),
                HasSubstr(absl::StrFormat("another coordinator has taken over (its epoch is %d, "
                                          "ours %d)",
                                          later, epoch)));
    EXPECT_EQ(leader->RecordShard(id, SampleRecords(1, 2), SampleShard("a", 1, 2)).code(),
              absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(leader->Shards(id)->size(), 0u);
    EXPECT_EQ(leader->SetState(id, TournamentState::kPaused).code(),
              absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(leader->SaveWorkers({}).code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_TRUE(leader->Recorded(id).ok()) << "reading continues";
    if (i == 0) successor.reset();  // its end must make no difference
  }
  ExpectGames(1);
  EXPECT_GT(leader->TryLead()->value(), later) << "it may lead again";
  EXPECT_TRUE(leader->Record(id, SampleRecords(1, 2)).ok());
}

// The server still holds the lock for the leader's lost connection.
TEST_F(PostgresFaultTest, ALeaderWaitsForItsOwnLostConnection) {
  CuttableWire wire(server_.port());
  const std::unique_ptr<Store> leader = Open(wire.Url(database_));
  const int64_t id = leader->OpenTournament(SampleSpec()).value();
  ASSERT_TRUE(*leader->TryLead());
  ASSERT_TRUE(leader->Record(id, SampleRecords(0, 1)).ok());
  wire.CutAtCommit(Cut::kStall);
  absl::Status status = leader->Record(id, SampleRecords(1, 2));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
  EXPECT_THAT(status.message(), HasSubstr("whose outcome is not known (in progress)"));
  status = leader->Record(id, SampleRecords(1, 2));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
  EXPECT_THAT(status.message(), HasSubstr("lock is not free yet"));
  EndConnections();  // as the server itself does when the client no longer answers
  EXPECT_TRUE(leader->Record(id, SampleRecords(1, 2)).ok());
  ExpectGames(2);
}

}  // namespace
}  // namespace triarch
