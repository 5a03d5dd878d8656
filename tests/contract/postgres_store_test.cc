// Tests the PostgreSQL store: the contract, URLs, roles, schemas and concurrent users.
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "coordinator/store/store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/contract/store_contract.h"
#include "tests/contract/store_samples.h"
#include "tests/postgres_server.h"

namespace triarch {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

StoreOpener NewPostgres() {
  PostgresServer& server = PostgresServer::Shared();
  const std::string url = server.Url(server.NewDatabase());
  return [url] { return OpenPostgresStore(url, OpenMode::kCreate); };
}

INSTANTIATE_TEST_SUITE_P(
    Postgres, StoreContractTest,
    ::testing::Values(StoreKind{.name = "Postgres", .make_new = NewPostgres, .holds_many = true}),
    [](const ::testing::TestParamInfo<StoreKind>& kind) { return kind.param.name; });

class PostgresStoreTest : public ::testing::Test {
 protected:
  std::unique_ptr<Store> Open(OpenMode mode = OpenMode::kCreate) {
    absl::StatusOr<std::unique_ptr<Store>> store = OpenPostgresStore(url_, mode);
    EXPECT_TRUE(store.ok()) << store.status();
    return store.ok() ? *std::move(store) : nullptr;
  }
  absl::Status ErrorOfOpening(const std::string& url, OpenMode mode = OpenMode::kCreate) {
    return OpenPostgresStore(url, mode).status();
  }
  std::string Ask(const std::string& sql) { return server_.Ask(database_, sql); }

  PostgresServer& server_ = PostgresServer::Shared();
  const std::string database_ = server_.NewDatabase();
  const std::string url_ = server_.Url(database_);
};

TEST_F(PostgresStoreTest, AcceptsPostgresUrls) {
  EXPECT_TRUE(IsPostgresUrl("postgresql://host/database"));
  EXPECT_TRUE(IsPostgresUrl("postgres://"));
  EXPECT_FALSE(IsPostgresUrl("postgresql.db"));
  EXPECT_FALSE(IsPostgresUrl("host=localhost"));
}

TEST_F(PostgresStoreTest, NamesAStoreWithoutItsPassword) {
  EXPECT_EQ(StoreName("some/file.db"), "some/file.db");
  EXPECT_EQ(StoreName("postgresql://ann:secret@host:5433/games?password=secret"),
            "postgresql://ann@host:5433/games");
  EXPECT_EQ(StoreName("postgresql://ann:secret@host:x/%zz"), "postgresql://");
}

TEST_F(PostgresStoreTest, ReportsInvalidUrls) {
  for (const char* url : {"file.db", "host=localhost", "postgresql://host/db?colour=blue",
                          "postgresql://[::1/db", "postgresql://host/%zz"}) {
    const absl::Status status = ErrorOfOpening(url);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << url << ": " << status;
    EXPECT_THAT(status.message(),
                AllOf(HasSubstr("the store's URL is invalid: "),
                      HasSubstr("expected postgresql://user@host:port/database")));
  }
}

TEST_F(PostgresStoreTest, ReportsAnUnreachableServer) {
  const absl::Status status = ErrorOfOpening("postgresql://me:secret@127.0.0.1:1/games");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("database postgresql://me@127.0.0.1:1/games: the server "
                                          "cannot be reached: "));
  EXPECT_THAT(status.message(), AllOf(HasSubstr("Connection refused"), Not(HasSubstr("secret")),
                                      Not(HasSubstr("\n"))));
}

TEST_F(PostgresStoreTest, ReportsAMissingDatabaseOrRole) {
  absl::Status status = ErrorOfOpening(server_.Url("nosuch"));
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
  EXPECT_THAT(status.message(), HasSubstr("database \"nosuch\" does not exist"));
  status = ErrorOfOpening(url_ + "&user=stranger");
  EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied) << status;
  EXPECT_THAT(status.message(), HasSubstr("role \"stranger\" does not exist"));
}

TEST_F(PostgresStoreTest, ReportsAWrongPassword) {
  Ask("CREATE ROLE careful LOGIN PASSWORD 'right'");
  server_.RequirePassword("careful");
  const absl::Status status = ErrorOfOpening(url_ + "&user=careful&password=wrong");
  EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied) << status;
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("password authentication failed for user"), Not(HasSubstr("wrong"))));
  EXPECT_EQ(ErrorOfOpening(url_ + "&user=careful").code(), absl::StatusCode::kPermissionDenied);
  Ask("GRANT ALL ON SCHEMA public TO careful");
  EXPECT_TRUE(ErrorOfOpening(url_ + "&user=careful&password=right").ok());
}

TEST_F(PostgresStoreTest, ReportsMissingPermissions) {
  Ask("CREATE ROLE guest LOGIN");
  absl::Status status = ErrorOfOpening(url_ + "&user=guest");
  EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied) << status;
  EXPECT_THAT(status.message(), HasSubstr("permission denied for schema public"));
  ASSERT_NE(Open(), nullptr);
  Ask("GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest");
  const auto reader = OpenPostgresStore(url_ + "&user=guest", OpenMode::kExisting);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_TRUE((*reader)->Tournaments().ok());
  EXPECT_EQ((*reader)->AddTournament(SampleSpec(), "").status().code(),
            absl::StatusCode::kPermissionDenied);
}

TEST_F(PostgresStoreTest, ReadersChangeNothing) {
  const std::unique_ptr<Store> writer = Open();
  const int64_t id = writer->OpenTournament(SampleSpec()).value();
  const std::unique_ptr<Store> reader = Open(OpenMode::kReadOnly);
  TournamentSpec spec = SampleSpec();
  EXPECT_EQ(reader->OpenTournament(spec).value(), id) << "it exists unchanged";
  spec.games = 200;
  EXPECT_EQ(reader->OpenTournament(spec).status().code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(reader->Record(id, SampleRecords(0, 1)).code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(reader->TryLead().status().code(), absl::StatusCode::kPermissionDenied);
  EXPECT_TRUE(*writer->TryLead()) << "the reader's attempt is over";
  ASSERT_TRUE(writer->Record(id, SampleRecords(0, 1)).ok());
  EXPECT_EQ(reader->Tournament(id)->games_recorded, 1);
}

TEST_F(PostgresStoreTest, RefusesTextThatPostgresCannotStore) {
  const std::unique_ptr<Store> store = Open();
  using std::string_literals::operator""s;
  for (const std::string& text : {"a\0b"s, "\xff"s}) {
    const absl::Status status =
        store->SaveWorkers(std::vector{StoredWorker{.name = text, .build = "", .quarantine = ""}});
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    TournamentSpec spec = SampleSpec();
    GameRecord record = SampleRecord(0);
    record.events[0].move = text;
    const int64_t id = store->OpenTournament(spec).value();
    EXPECT_EQ(store->Record(id, {&record, 1}).code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(store->Tournament(id)->games_recorded, 0);
    ASSERT_TRUE(store->Record(id, SampleRecords(0, 1)).ok()) << "it continues";
    ASSERT_EQ(Ask("DELETE FROM games; DELETE FROM game_seats; DELETE FROM game_texts; DELETE FROM "
                  "ledger; UPDATE tournaments SET games_recorded = 0"),
              "");
  }
}

// ---- Schemas.

TEST_F(PostgresStoreTest, OnlyCreateMigrates) {
  for (const OpenMode mode : {OpenMode::kExisting, OpenMode::kReadOnly}) {
    const absl::Status status = ErrorOfOpening(url_, mode);
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(status.message(), HasSubstr("has no tables of triarch"));
  }
  ASSERT_NE(Open(OpenMode::kCreate), nullptr);
  EXPECT_NE(Open(OpenMode::kExisting), nullptr);
  EXPECT_NE(Open(OpenMode::kReadOnly), nullptr);
}

TEST_F(PostgresStoreTest, RefusesANewerSchema) {
  ASSERT_NE(Open(), nullptr);
  Ask("INSERT INTO triarch_schema (version) VALUES (1000)");
  for (const OpenMode mode : {OpenMode::kCreate, OpenMode::kExisting, OpenMode::kReadOnly}) {
    const absl::Status status = ErrorOfOpening(url_, mode);
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(status.message(), HasSubstr("has schema 1000, made by a newer triarch"));
  }
}

// An older coordinator that stood by during a newer one's migration must not lead with an unknown
// schema.
TEST_F(PostgresStoreTest, DoesNotLeadAfterAnotherProcessMigrated) {
  const std::unique_ptr<Store> leader = Open();
  const std::unique_ptr<Store> standby = Open();
  ASSERT_TRUE(leader->TryLead().value().has_value());
  Ask("INSERT INTO triarch_schema (version) VALUES (1000)");
  Ask("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'");
  const absl::Status resumed = leader->AddTournament(SampleSpec(), "").status();
  EXPECT_EQ(resumed.code(), absl::StatusCode::kFailedPrecondition) << resumed;
  EXPECT_THAT(resumed.message(), HasSubstr("was migrated to schema 1000 while this coordinator"));
  const absl::Status led = standby->TryLead().status();
  EXPECT_EQ(led.code(), absl::StatusCode::kFailedPrecondition) << led;
  Ask("DELETE FROM triarch_schema WHERE version = 1000");
  EXPECT_TRUE(standby->TryLead().value().has_value()) << "neither kept the lock";
}

TEST_F(PostgresStoreTest, LeavesOtherApplicationsAlone) {
  Ask("CREATE TABLE games (mine TEXT)");
  const absl::Status status = ErrorOfOpening(url_);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(status.message(), HasSubstr("relation \"games\" already exists"));
  EXPECT_EQ(Ask("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "1")
      << "nothing is left of the attempt";
}

TEST_F(PostgresStoreTest, ConcurrentMigrations) {
  std::vector<std::thread> openers;
  for (int i = 0; i < 6; ++i) {
    openers.emplace_back([this] { EXPECT_TRUE(Open()->AddTournament(SampleSpec(), "").ok()); });
  }
  for (std::thread& opener : openers) opener.join();
  EXPECT_EQ(Ask("SELECT count(*) FROM triarch_schema"), "1");
  EXPECT_EQ(Ask("SELECT count(*) FROM tournaments"), "6");
}

// ---- Concurrency.

TEST_F(PostgresStoreTest, ConcurrentOpensFindOneTournament) {
  ASSERT_NE(Open(), nullptr);
  std::vector<std::thread> openers;
  for (int i = 0; i < 6; ++i) {
    openers.emplace_back([this] { EXPECT_EQ(Open()->OpenTournament(SampleSpec()).value(), 1); });
  }
  for (std::thread& opener : openers) opener.join();
}

TEST_F(PostgresStoreTest, WritersOfTheSameGamesRecordThemOnce) {
  const int64_t id = Open()->OpenTournament(SampleSpec()).value();
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([this, id, i] {
      const std::unique_ptr<Store> store = Open();
      for (int64_t first = 0; first < 96; first += 2) {
        const absl::Status status = store->Record(id, SampleRecords(first, first + 2 + i));
        EXPECT_TRUE(status.ok()) << status;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_THAT(*Open()->Recorded(id), ElementsAre(Range{0, 99}));
  EXPECT_EQ(Open()->Tournament(id)->games_recorded, 99);
  EXPECT_EQ(Ask("SELECT count(*) FROM game_seats"), "297");
}

// Overlapping parts of one tournament: each game is recorded once, with a complete shard.
TEST_F(PostgresStoreTest, WritersOfOverlappingShardsRecordWholeOnes) {
  const int64_t id = Open()->OpenTournament(SampleSpec()).value();
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([this, id, i] {
      const std::unique_ptr<Store> store = Open();
      for (int64_t first = i; first + 3 <= 96; first += 3) {
        const ShardEntry shard =
            SampleShard(std::to_string(first) + "-" + std::to_string(i), first, first + 3);
        const absl::Status status = store->RecordShard(id, SampleRecords(first, first + 3), shard);
        EXPECT_TRUE(status.ok() || absl::IsAlreadyExists(status)) << status;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  const std::unique_ptr<Store> store = Open();
  int64_t end = 0;
  int64_t games = 0;
  for (const ShardEntry& shard : *store->Shards(id)) {
    EXPECT_GE(shard.first, end) << "a game in two shards";
    end = shard.last + 1;
    games += shard.games;
  }
  EXPECT_EQ(store->Tournament(id)->games_recorded, games);
  EXPECT_EQ(Ask("SELECT count(*) FROM games"), std::to_string(games));
  EXPECT_GE(games, 48) << "the refused shard overlaps a recorded one";
}

TEST_F(PostgresStoreTest, OnlyOneCoordinatorLeads) {
  std::unique_ptr<Store> first = Open();
  const std::unique_ptr<Store> second = Open();
  const int64_t id = first->OpenTournament(SampleSpec()).value();
  const std::optional<uint64_t> epoch = *first->TryLead();
  ASSERT_TRUE(epoch);
  EXPECT_EQ(*second->TryLead(), std::nullopt);
  EXPECT_TRUE(first->Record(id, SampleRecords(0, 1)).ok());
  first.reset();
  const std::optional<uint64_t> later = *second->TryLead();
  ASSERT_TRUE(later);
  EXPECT_GT(*later, *epoch);
  EXPECT_TRUE(second->Record(id, SampleRecords(1, 2)).ok());
}

// A stopped process keeps its connection open.
TEST_F(PostgresStoreTest, ASilentCoordinatorIsReplacedAndRecordsNothingMore) {
  const std::unique_ptr<Store> first = Open();
  const std::unique_ptr<Store> second = Open();
  const int64_t id = first->OpenTournament(SampleSpec()).value();
  const uint64_t epoch = first->TryLead()->value();
  constexpr std::chrono::milliseconds kStep{500};
  for (int i = 0; i < 24; ++i) {
    ASSERT_TRUE(first->SaveLeases({}).ok());
    ASSERT_EQ(*second->TryLead(), std::nullopt) << "the first is not silent";
    std::this_thread::sleep_for(kStep);
  }
  std::optional<uint64_t> later;
  for (int i = 0; i < 60 && !later; ++i) {
    std::this_thread::sleep_for(kStep);
    later = *second->TryLead();
  }
  ASSERT_TRUE(later);
  EXPECT_GT(*later, epoch);
  EXPECT_EQ(first->Record(id, SampleRecords(0, 1)).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(first->SaveLeases({}).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(Ask("SELECT count(*) FROM games"), "0");
  EXPECT_TRUE(second->Record(id, SampleRecords(0, 1)).ok());
}

// ---- The queries of docs/database.md.

TEST_F(PostgresStoreTest, TheDocumentedQueriesWork) {
  const std::unique_ptr<Store> store = Open();
  const int64_t id = store->OpenTournament(SampleSpec()).value();
  ASSERT_TRUE(store->Record(id, SampleRecords(0, 10)).ok());
  EXPECT_EQ(Ask("SELECT game_list::text FROM game_list WHERE idx = 2"),
            "(1,2,0,quick,greedy,random,1-0-0,1-3-2,checkmate,3)");
  EXPECT_EQ(Ask("SELECT sum(points) FROM game_seats JOIN bots ON bots.id = game_seats.bot WHERE "
                "name = 'p3'"),
            "4");
  EXPECT_EQ(Ask("SELECT spec ->> 'games' FROM tournaments"), "100");
  EXPECT_EQ(Ask("SELECT string_agg(idx::text, ' ') FROM games WHERE pairing = '0-2-3'"), "2 6");
  EXPECT_EQ(Ask("SELECT idx FROM games WHERE seed = 18446744073709551615"), "0");
  EXPECT_EQ(Ask("SELECT opening FROM games WHERE idx = 0"), "E2-E4");
  EXPECT_EQ(Ask("SELECT time_us FROM games WHERE idx = 2"), "9");
  EXPECT_EQ(Ask("SELECT plies_recorded FROM tournaments"), "30");
}

}  // namespace
}  // namespace triarch
