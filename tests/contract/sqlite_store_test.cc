// Tests the SQLite store: the contract, foreign, damaged, locked and full files, and processes that
// die.

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "coordinator/store/store.h"
#include "core/base/random.h"
#include "core/base/temporary_folder.h"
#include "core/record/tpgn.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/contract/store_contract.h"
#include "tests/contract/store_samples.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::unique_ptr<Store> Open(const std::string& path, OpenMode mode = OpenMode::kCreate) {
  absl::StatusOr<std::unique_ptr<Store>> store = OpenSqliteStore(path, mode);
  EXPECT_TRUE(store.ok()) << store.status();
  return store.ok() ? *std::move(store) : nullptr;
}

absl::Status ErrorOfOpening(const std::string& path, OpenMode mode = OpenMode::kCreate) {
  return OpenSqliteStore(path, mode).status();
}

void WriteFile(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// Runs SQL on a file, as another program would.
void RunSql(const std::string& path, const std::string& sql) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  char* error = nullptr;
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
  sqlite3_close(db);
}

// Returns the number of recorded games. Checks that each has all its seats and its own text.
int64_t CountWholeGames(Store& store) {
  int64_t games = 0;
  const absl::Status status =
      store.VisitTpgn(1, {}, [&](const GameSummary& game, std::string_view tpgn) {
        const GameRecord record = SampleRecord(game.index);
        EXPECT_EQ(game.costs, record.costs);
        EXPECT_EQ(game.fallbacks, (PerSeat<int64_t>{{0, 1, 0}}));
        EXPECT_EQ(game.outcome, record.outcome);
        EXPECT_EQ(tpgn, WriteTpgn(record));
        ++games;
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(store.Tournament(1)->games_recorded, games);
  return games;
}

void MakeSample(const std::string& path, int64_t games) {
  const std::unique_ptr<Store> store = Open(path);
  ASSERT_EQ(store->OpenTournament(SampleSpec()).value(), 1);
  ASSERT_TRUE(store->Record(1, SampleRecords(0, games)).ok());
}

TEST(SqliteStoreTest, OnlyCreateModeCreatesFiles) {
  const TemporaryFolder folder;
  for (const OpenMode mode : {OpenMode::kExisting, OpenMode::kReadOnly}) {
    const absl::Status status = ErrorOfOpening(folder / "a.db", mode);
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
    EXPECT_THAT(status.message(), HasSubstr("there is no database"));
  }
  EXPECT_THAT(folder.Files(), ElementsAre());
}

TEST(SqliteStoreTest, ClosingLeavesOneFile) {
  const TemporaryFolder folder;
  MakeSample(folder / "a.db", 10);
  EXPECT_THAT(folder.Files(), ElementsAre("a.db"));
}

TEST(SqliteStoreTest, ReadingCreatesNoFiles) {
  const TemporaryFolder folder;
  MakeSample(folder / "a.db", 10);
  {
    const std::unique_ptr<Store> store = Open(folder / "a.db", OpenMode::kReadOnly);
    EXPECT_EQ(CountWholeGames(*store), 10);
    EXPECT_THAT(folder.Files(), ElementsAre("a.db"));
  }
  EXPECT_THAT(folder.Files(), ElementsAre("a.db"));
}

// A file in WAL mode without its companion files, as when it was copied alone.
TEST(SqliteStoreTest, ReadingALoneWalFileCreatesNoFiles) {
  const TemporaryFolder folder;
  const std::string path = folder / "odd %20?#name.db";
  MakeSample(path, 10);
  RunSql(path, "PRAGMA journal_mode = WAL");
  ASSERT_EQ(folder.Files().size(), 1u);
  const std::unique_ptr<Store> store = Open(path, OpenMode::kReadOnly);
  EXPECT_EQ(CountWholeGames(*store), 10);
  EXPECT_EQ(folder.Files().size(), 1u);
}

TEST(SqliteStoreTest, ReadersChangeNothing) {
  const TemporaryFolder folder;
  MakeSample(folder / "a.db", 1);
  const std::unique_ptr<Store> store = Open(folder / "a.db", OpenMode::kReadOnly);
  EXPECT_EQ(store->Record(1, SampleRecords(1, 2)).code(), absl::StatusCode::kPermissionDenied);
  TournamentSpec spec = SampleSpec();
  EXPECT_TRUE(store->OpenTournament(spec).ok()) << "it exists unchanged";
  spec.games = 200;
  EXPECT_EQ(store->OpenTournament(spec).status().code(), absl::StatusCode::kPermissionDenied);
}

TEST(SqliteStoreTest, ReadersReadWhileAWriterWrites) {
  const TemporaryFolder folder;
  const std::unique_ptr<Store> writer = Open(folder / "a.db");
  ASSERT_TRUE(writer->OpenTournament(SampleSpec()).ok());
  const std::unique_ptr<Store> reader = Open(folder / "a.db", OpenMode::kReadOnly);
  for (int64_t games = 1; games < 5; ++games) {
    ASSERT_TRUE(writer->Record(1, SampleRecords(0, games)).ok());
    EXPECT_EQ(CountWholeGames(*reader), games);
  }
}

TEST(SqliteStoreTest, WritersMayChangeWhileAReaderStays) {
  const TemporaryFolder folder;
  MakeSample(folder / "a.db", 3);
  std::unique_ptr<Store> writer = Open(folder / "a.db");
  const std::unique_ptr<Store> reader = Open(folder / "a.db", OpenMode::kReadOnly);
  EXPECT_EQ(CountWholeGames(*reader), 3);
  writer.reset();
  writer = Open(folder / "a.db");
  ASSERT_NE(writer, nullptr);
  ASSERT_TRUE(writer->Record(1, SampleRecords(3, 5)).ok());
  EXPECT_EQ(CountWholeGames(*reader), 5);
}

TEST(SqliteStoreTest, AWriterWaitsForAnActiveReader) {
  const TemporaryFolder folder;
  MakeSample(folder / "a.db", 3);
  const std::unique_ptr<Store> reader = Open(folder / "a.db", OpenMode::kReadOnly);
  std::thread writing;
  std::atomic<bool> is_open = false;
  ASSERT_TRUE(reader
                  ->VisitGames(1, {},
                               [&](const GameSummary& game) {
                                 if (game.index > 0) return absl::OkStatus();
                                 writing = std::thread([&] {
                                   const std::unique_ptr<Store> writer = Open(folder / "a.db");
                                   is_open = writer != nullptr;
                                 });
                                 absl::SleepFor(absl::Milliseconds(100));
                                 EXPECT_FALSE(is_open);
                                 return absl::OkStatus();
                               })
                  .ok());
  writing.join();
  EXPECT_TRUE(is_open);
}

TEST(SqliteStoreTest, RefusesASecondWriter) {
  const TemporaryFolder folder;
  std::unique_ptr<Store> first = Open(folder / "a.db");
  for (const OpenMode mode : {OpenMode::kCreate, OpenMode::kExisting}) {
    const absl::Status status = ErrorOfOpening(folder / "a.db", mode);
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
    EXPECT_THAT(status.message(),
                HasSubstr("another run, coordinator or arena is recording there (process " +
                          std::to_string(getpid()) + ")"));
  }
  ASSERT_TRUE(first->OpenTournament(SampleSpec()).ok()) << "the first continues";
  first.reset();
  EXPECT_NE(Open(folder / "a.db"), nullptr);
}

TEST(SqliteStoreTest, RefusesFilesThatAreNotDatabases) {
  const TemporaryFolder folder;
  WriteFile(folder / "notes.txt", std::string(5000, 'x'));
  const absl::Status status = ErrorOfOpening(folder / "notes.txt");
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("notes.txt: it is not a database"));
  EXPECT_EQ(ErrorOfOpening(folder.path()).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(folder.Files(), ElementsAre("notes.txt"));
}

TEST(SqliteStoreTest, AnEmptyFileIsANewDatabase) {
  const TemporaryFolder folder;
  WriteFile(folder / "a.db", "");
  EXPECT_THAT(ErrorOfOpening(folder / "a.db", OpenMode::kReadOnly).message(),
              HasSubstr("is empty"));
  MakeSample(folder / "a.db", 1);
}

TEST(SqliteStoreTest, LeavesOtherApplicationsAlone) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.db";
  RunSql(path, "CREATE TABLE mine (x); INSERT INTO mine VALUES (1); PRAGMA journal_mode = WAL");
  for (const OpenMode mode : {OpenMode::kCreate, OpenMode::kReadOnly}) {
    const absl::Status status = ErrorOfOpening(path, mode);
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(status.message(), HasSubstr("belongs to another application"));
  }
  std::ifstream file(path, std::ios::binary);
  file.seekg(18);
  EXPECT_EQ(file.get(), 2) << "still in WAL mode";
}

TEST(SqliteStoreTest, RefusesANewerSchema) {
  const TemporaryFolder folder;
  MakeSample(folder / "a.db", 1);
  RunSql(folder / "a.db", "PRAGMA user_version = 1000");
  const absl::Status status = ErrorOfOpening(folder / "a.db");
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("has schema 1000, made by a newer triarch"));
}

TEST(SqliteStoreTest, ReportsATruncatedFile) {
  const TemporaryFolder folder;
  MakeSample(folder / "a.db", 50);
  std::filesystem::resize_file(folder / "a.db", 8192);
  absl::Status status = ErrorOfOpening(folder / "a.db");
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  EXPECT_THAT(status.message(), HasSubstr("it is damaged"));
  std::filesystem::resize_file(folder / "a.db", 50);
  status = ErrorOfOpening(folder / "a.db");
  EXPECT_FALSE(status.ok());
}

TEST(SqliteStoreTest, ReportsOverwrittenPages) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.db";
  MakeSample(path, 50);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4096);
  for (uintmax_t i = 4096; i < std::filesystem::file_size(path); ++i) file.put('\x5a');
  file.close();
  absl::StatusOr<std::unique_ptr<Store>> store = OpenSqliteStore(path, OpenMode::kReadOnly);
  const absl::Status status = store.ok() ? (*store)->Recorded(1).status() : store.status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
}

TEST(SqliteStoreTest, ReportsAnUnwritableFolder) {
  const TemporaryFolder folder;
  chmod(folder.path().c_str(), 0555);
  // root may write everywhere, the user nobody may not.
  const bool is_root = geteuid() == 0;
  ASSERT_TRUE(!is_root || seteuid(65534) == 0);
  const absl::Status status = ErrorOfOpening(folder / "a.db");
  ASSERT_TRUE(!is_root || seteuid(0) == 0);
  EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(status.message(), HasSubstr("a.db"));
  EXPECT_EQ(ErrorOfOpening(folder / "no/such/folder/a.db").code(), absl::StatusCode::kNotFound);
}

// The file system refuses to let files grow, like a full disk, at every possible point.
TEST(SqliteStoreTest, AFullDiskLeavesNoPartialGames) {
  const TemporaryFolder folder;
  const std::unique_ptr<Store> store = Open(folder / "a.db");
  ASSERT_TRUE(store->OpenTournament(SampleSpec()).ok());
  rlimit unlimited{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
  signal(SIGXFSZ, SIG_IGN);
  int failures = 0;
  int64_t recorded = 0;
  for (rlim_t room = 20'000; room < 400'000; room += 20'000) {
    const rlimit limited = {.rlim_cur = room, .rlim_max = unlimited.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limited), 0);
    const absl::Status status = store->Record(1, SampleRecords(recorded, recorded + 100));
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
    if (status.ok()) recorded += 100;
    failures += status.ok() ? 0 : 1;
    ASSERT_EQ(CountWholeGames(*store), recorded) << status;
  }
  EXPECT_GE(failures, 2);
  EXPECT_GE(recorded, 100);
  EXPECT_TRUE(store->Record(1, SampleRecords(recorded, recorded + 100)).ok()) << "there is room";
}

// Runs in the child: records games until it is killed. Reports recorded games through the pipe.
[[noreturn]] void RecordForever(const std::string& path, int pipe) {
  TournamentSpec spec = SampleSpec();
  spec.games = 1'000'000;
  absl::StatusOr<std::unique_ptr<Store>> store = OpenSqliteStore(path, OpenMode::kCreate);
  if (!store.ok() || !(*store)->OpenTournament(spec).ok()) _exit(1);
  const absl::StatusOr<std::vector<Range>> ranges = (*store)->Recorded(1);
  if (!ranges.ok() || ranges->size() > 1) _exit(2);
  for (int64_t index = ranges->empty() ? 0 : ranges->back().last;; index += 4) {
    if (!(*store)->Record(1, SampleRecords(index, index + 4)).ok()) _exit(3);
    const int64_t recorded = index + 4;
    if (write(pipe, &recorded, sizeof(recorded)) != sizeof(recorded)) _exit(4);
  }
}

// Kills a recording process after that time; returns how many games it reported as recorded.
int64_t KillRecorder(const std::string& path, absl::Duration after) {
  int ends[2] = {};
  EXPECT_EQ(pipe2(ends, O_NONBLOCK), 0);
  const pid_t child = fork();
  if (child == 0) {
    fcntl(ends[1], F_SETFL, 0);
    RecordForever(path, ends[1]);
  }
  close(ends[1]);
  int64_t recorded = 0;
  int64_t last = 0;
  const absl::Time deadline = absl::Now() + after;
  while (absl::Now() < deadline) {
    while (read(ends[0], &recorded, sizeof(recorded)) == sizeof(recorded)) last = recorded;
    absl::SleepFor(absl::Microseconds(100));
  }
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the recorder failed with " << WEXITSTATUS(status);
  while (read(ends[0], &recorded, sizeof(recorded)) == sizeof(recorded)) last = recorded;
  close(ends[0]);
  return last;
}

TEST(SqliteStoreTest, NothingIsLostWhenTheProcessIsKilled) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.db";
  Random random(2026);
  int64_t said = 0;
  for (int i = 0; i < 25; ++i) {
    said = std::max(said, KillRecorder(path, absl::Microseconds(random.Below(40'000))));
    if (!std::filesystem::exists(path)) continue;  // killed before it began
    const std::unique_ptr<Store> store = Open(path);
    ASSERT_NE(store, nullptr) << "the lock went with the process";
    if (store->Tournaments()->empty()) continue;
    const int64_t games = CountWholeGames(*store);
    EXPECT_GE(games, said);
    EXPECT_EQ(games % 4, 0) << "whole batches only";
    EXPECT_LE(store->Recorded(1)->size(), 1u);
  }
  EXPECT_GT(said, 0);
}

TEST(SqliteStoreTest, ReadersReadTheFileOfAKilledProcess) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.db";
  int64_t said = 0;
  while (said == 0) said = KillRecorder(path, absl::Milliseconds(40));
  const std::vector<std::string> files = folder.Files();
  const std::unique_ptr<Store> store = Open(path, OpenMode::kReadOnly);
  EXPECT_GE(CountWholeGames(*store), said);
  EXPECT_THAT(folder.Files(), ::testing::UnorderedElementsAreArray(files));
}

TEST(SqliteStoreTest, TheDocumentedQueriesWork) {
  const TemporaryFolder folder;
  MakeSample(folder / "a.db", 10);
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "a.db").c_str(), &db), SQLITE_OK);
  const absl::Cleanup close_it = [db] { sqlite3_close(db); };
  const auto ask = [db](const char* sql) {
    std::string text;
    sqlite3_exec(
        db, sql,
        [](void* out, int columns, char** values, char**) {
          for (int i = 0; i < columns; ++i) {
            *static_cast<std::string*>(out) += std::string(values[i] ? values[i] : "NULL") + " ";
          }
          return 0;
        },
        &text, nullptr);
    return text;
  };
  EXPECT_EQ(ask("SELECT * FROM game_list WHERE idx = 2"),
            "1 2 0 quick greedy random 1-0-0 1-3-2 checkmate 3 ");
  EXPECT_EQ(ask("SELECT bots.name, sum(points) FROM game_seats JOIN bots ON bots.id = "
                "game_seats.bot GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1"),
            "p3 4.0 ");
  EXPECT_EQ(ask("SELECT name, game, spec ->> 'games' FROM tournaments"), "Sample triumvirate 100 ");
  EXPECT_EQ(ask("SELECT count(*) FROM games WHERE seed = '18446744073709551615'"), "1 ");
  EXPECT_EQ(ask("PRAGMA integrity_check"), "ok ");
  EXPECT_EQ(ask("PRAGMA foreign_key_check"), "");
}

StoreOpener NewSqlite() {
  const auto folder = std::make_shared<TemporaryFolder>();
  return [folder] { return OpenSqliteStore(*folder / "a.db", OpenMode::kCreate); };
}

StoreOpener NewMemory() {
  return [] { return absl::StatusOr<std::unique_ptr<Store>>(MakeMemoryStore()); };
}

INSTANTIATE_TEST_SUITE_P(
    Stores, StoreContractTest,
    ::testing::Values(StoreKind{.name = "Sqlite", .make_new = NewSqlite, .holds_many = true},
                      StoreKind{.name = "Memory", .make_new = NewMemory, .is_lasting = false}),
    [](const ::testing::TestParamInfo<StoreKind>& kind) { return kind.param.name; });

}  // namespace
}  // namespace triarch
