// Tests all stores of an arena with one suite.

#include "arena/store/arena_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "coordinator/store/store.h"
#include "core/base/check.h"
#include "core/base/temporary_folder.h"
#include "core/record/game_record.h"
#include "tests/postgres_server.h"

namespace triarch::arena {
namespace {

using Kind = Event::Kind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

using Opener = std::function<absl::StatusOr<std::unique_ptr<ArenaStore>>()>;

// A kind of store, and how to make a new one, which the result opens again and again.
struct ArenaStoreKind {
  std::string name;
  std::function<Opener(const TemporaryFolder&)> make_new;
  bool is_shared = false;  // whether it may be open more than once at a time
};

Opener NewSqliteArena(const TemporaryFolder& folder) {
  const std::string path = folder / "arena.db";
  return [path] { return OpenSqliteArenaStore(path); };
}

Opener NewPostgresArena(const TemporaryFolder&) {
  PostgresServer& server = PostgresServer::Shared();
  return [url = server.Url(server.NewDatabase())] {
    static std::atomic<int> instances = 0;
    return OpenPostgresArenaStore(url, "instance" + std::to_string(++instances));
  };
}

class ArenaStoreContract : public testing::TestWithParam<ArenaStoreKind> {
 protected:
  void SetUp() override {
    open_ = GetParam().make_new(folder_);
    Reopen();
  }

  void Reopen() {
    store_ = nullptr;
    store_ = Opened();
  }
  std::unique_ptr<ArenaStore> Opened() const {
    absl::StatusOr<std::unique_ptr<ArenaStore>> store = open_();
    CHECK(store.ok());
    return *std::move(store);
  }

  // Appends a batch and returns the code for each part.
  std::vector<absl::StatusCode> AppendAll(const std::vector<Appended>& batch) {
    const absl::StatusOr<std::vector<absl::Status>> statuses = store_->Append(batch);
    EXPECT_TRUE(statuses.ok()) << statuses.status();
    std::vector<absl::StatusCode> codes;
    if (!statuses.ok()) return codes;
    for (const absl::Status& status : *statuses) codes.push_back(status.code());
    return codes;
  }
  absl::StatusCode Append(const std::string& table, int64_t first, std::vector<Event> events) {
    const auto codes = AppendAll({{.table = table, .first = first, .events = std::move(events)}});
    EXPECT_THAT(codes, SizeIs(1));
    return codes.empty() ? absl::StatusCode::kUnknown : codes[0];
  }
  std::vector<Event> Events(const std::string& table, int64_t first = 0) {
    const absl::StatusOr<std::vector<Event>> events = store_->Events(table, first);
    EXPECT_TRUE(events.ok()) << events.status();
    return events.ok() ? *events : std::vector<Event>();
  }
  std::vector<std::string> Tables(int64_t ended_after_ms) {
    const absl::StatusOr<std::vector<TableSize>> tables = store_->Tables(ended_after_ms);
    EXPECT_TRUE(tables.ok()) << tables.status();
    std::vector<std::string> ids;
    if (!tables.ok()) return ids;
    for (const TableSize& table : *tables) {
      ids.push_back(table.table);
      EXPECT_EQ(table.events, std::ssize(Events(table.table)));
    }
    return ids;
  }
  void End(const std::string& table, int64_t ended_ms) {
    const absl::Status status = store_->End({.table = table, .ended_ms = ended_ms});
    EXPECT_TRUE(status.ok()) << status;
  }

  TemporaryFolder folder_;
  Opener open_;
  std::unique_ptr<ArenaStore> store_;
};

constexpr absl::StatusCode kOk = absl::StatusCode::kOk;
constexpr absl::StatusCode kConflict = absl::StatusCode::kAlreadyExists;

Event TableOpened(int64_t time_ms = 1'000) {
  return {.time_ms = time_ms, .settings = {.game = "tri-d", .seed = ~uint64_t{0}}};
}
// An event that differs for each number.
Event Said(int number) {
  return {.kind = Kind::kMoved, .time_ms = number, .message = std::to_string(number)};
}
std::vector<Event> SaidAll(int first, int count) {
  std::vector<Event> events;
  for (int i = first; i < first + count; ++i) events.push_back(Said(i));
  return events;
}

TEST_P(ArenaStoreContract, IsEmptyAtFirst) {
  EXPECT_THAT(Tables(0), IsEmpty());
  EXPECT_THAT(Events("t"), IsEmpty());
  EXPECT_THAT(AppendAll({}), IsEmpty());
}

TEST_P(ArenaStoreContract, ReturnsEventsInOrder) {
  EXPECT_EQ(Append("t", 0, {TableOpened()}), kOk);
  EXPECT_EQ(Append("t", 1, SaidAll(1, 3)), kOk);
  EXPECT_EQ(Append("t", 4, SaidAll(4, 20)), kOk);
  std::vector<Event> all = SaidAll(1, 23);
  EXPECT_EQ(Events("t", 1), all);
  EXPECT_EQ(Events("t", 20), SaidAll(20, 4));
  all.insert(all.begin(), TableOpened());
  EXPECT_EQ(Events("t"), all);
  EXPECT_THAT(Events("t", 24), IsEmpty());
  EXPECT_THAT(Events("t", 1'000), IsEmpty());
}

TEST_P(ArenaStoreContract, ReturnsEventsAsTheyWere) {
  const Occupant occupant{.name = "Zoë \"♞\" 'x' \\",
                          .type = PlayerType::kLlm,
                          .model = "m;--",
                          .token_hash = std::string(64, 'f'),
                          .is_claimed = true,
                          .owner = "owner"};
  const std::vector<Event> events = {
      {.time_ms = 1'764'000'000'000,
       .settings = {.game = "triumvirate",
                    .position = "a b,c",
                    .draws = Draws::kClaimed,
                    .is_rated = true,
                    .is_private = true,
                    .house_bots = {{"a", "", "b:c=1"}},
                    .fill_ms = 1,
                    .move_ms = 2,
                    .seed = ~uint64_t{0},
                    .rematch_of = "r"}},
      {.kind = Kind::kJoined, .time_ms = 1, .seat = Seat::kThird, .occupant = occupant},
      {.kind = Kind::kMoved,
       .time_ms = 2,
       .seat = Seat::kSecond,
       .move = "E2xD3",
       .forced = Forced::kIllegalMoves,
       .message = "'); DROP TABLE arena_events; -- ♞"},
      {.kind = Kind::kForfeited, .time_ms = 3, .why = Termination::kTimeForfeit},
      {.kind = Kind::kClosed, .time_ms = 4}};
  EXPECT_EQ(Append("t", 0, events), kOk);
  EXPECT_EQ(Events("t"), events);
}

TEST_P(ArenaStoreContract, KeepsTablesApart) {
  EXPECT_EQ(Append("t1", 0, {TableOpened(), Said(1)}), kOk);
  EXPECT_EQ(Append("t2", 0, {TableOpened(), Said(2)}), kOk);
  EXPECT_THAT(Events("t1", 1), ElementsAre(Said(1)));
  EXPECT_THAT(Events("t2", 1), ElementsAre(Said(2)));
  EXPECT_THAT(Tables(0), UnorderedElementsAre("t1", "t2"));
}

TEST_P(ArenaStoreContract, AConflictStoresNothing) {
  EXPECT_EQ(Append("t", 0, {TableOpened(), Said(1), Said(2)}), kOk);
  EXPECT_EQ(Append("t", 2, {Said(12), Said(13)}), kConflict);
  EXPECT_EQ(Append("t", 1, {Said(11), Said(12), Said(13), Said(14)}), kConflict);
  EXPECT_EQ(Events("t", 1), SaidAll(1, 2));
  EXPECT_EQ(Append("t", 3, {Said(3)}), kOk);
  EXPECT_EQ(Events("t", 1), SaidAll(1, 3));
}

TEST_P(ArenaStoreContract, ATableIsOpenedOnce) {
  EXPECT_EQ(Append("t", 0, {TableOpened(1)}), kOk);
  EXPECT_EQ(Append("t", 0, {TableOpened(2), Said(1)}), kConflict);
  EXPECT_THAT(Events("t"), ElementsAre(TableOpened(1)));
}

TEST_P(ArenaStoreContract, AConflictConcernsOnePartOfABatch) {
  EXPECT_EQ(Append("t1", 0, {TableOpened(), Said(1)}), kOk);
  EXPECT_EQ(Append("t2", 0, {TableOpened(), Said(1)}), kOk);
  EXPECT_THAT(AppendAll({{"t1", 2, {Said(2)}},
                         {"t2", 1, {Said(11), Said(12)}},
                         {"t3", 0, {TableOpened(), Said(1)}},
                         {"t1", 0, {TableOpened()}},
                         {"t2", 2, {Said(2)}}}),
              ElementsAre(kOk, kConflict, kOk, kConflict, kOk));
  EXPECT_EQ(Events("t1", 1), SaidAll(1, 2));
  EXPECT_EQ(Events("t2", 1), SaidAll(1, 2));
  EXPECT_EQ(Events("t3", 1), SaidAll(1, 1));
}

TEST_P(ArenaStoreContract, PartsOfABatchForATableFollowEachOther) {
  EXPECT_THAT(AppendAll({{"t", 0, {TableOpened()}},
                         {"t", 1, {Said(1)}},
                         {"t", 1, {Said(11)}},
                         {"t", 2, {Said(2)}}}),
              ElementsAre(kOk, kOk, kConflict, kOk));
  EXPECT_EQ(Events("t", 1), SaidAll(1, 2));
}

TEST_P(ArenaStoreContract, TakesLargeBatches) {
  std::vector<Appended> batch;
  for (int i = 0; i < 300; ++i) {
    const std::string table = "t" + std::to_string(i);
    batch.push_back({.table = table, .first = 0, .events = {TableOpened()}});
    batch.push_back({.table = table, .first = 1, .events = SaidAll(1, 10)});
  }
  EXPECT_EQ(AppendAll(batch), std::vector<absl::StatusCode>(600, kOk));
  EXPECT_THAT(Tables(0), SizeIs(300));
  EXPECT_EQ(Events("t299", 1), SaidAll(1, 10));
}

TEST_P(ArenaStoreContract, ListsTablesThatHaveNotEndedOrEndedLater) {
  for (const char* table : {"early", "late", "open"}) Append(table, 0, {TableOpened(1)});
  End("early", 100);
  End("late", 200);
  EXPECT_THAT(Tables(0), UnorderedElementsAre("early", "late", "open"));
  EXPECT_THAT(Tables(99), UnorderedElementsAre("early", "late", "open"));
  EXPECT_THAT(Tables(100), UnorderedElementsAre("late", "open"));
  EXPECT_THAT(Tables(200), UnorderedElementsAre("open"));
}

TEST_P(ArenaStoreContract, AnEndedTableKeepsItsEventsAndMayHaveMore) {
  EXPECT_EQ(Append("t", 0, {TableOpened(), Said(1)}), kOk);
  End("t", 100);
  EXPECT_EQ(Append("t", 2, {{.kind = Kind::kWantsRematch, .time_ms = 101}}), kOk);
  EXPECT_EQ(Append("t", 2, {{.kind = Kind::kWantsRematch, .time_ms = 102}}), kConflict);
  EXPECT_THAT(Events("t"), SizeIs(3));
  End("t", 100);
  EXPECT_THAT(Tables(100), IsEmpty());
}

TEST_P(ArenaStoreContract, EverythingSurvivesReopening) {
  EXPECT_EQ(Append("t1", 0, {TableOpened(), Said(1)}), kOk);
  EXPECT_EQ(Append("t2", 0, {TableOpened()}), kOk);
  End("t2", 100);
  Reopen();
  EXPECT_THAT(Events("t1"), ElementsAre(TableOpened(), Said(1)));
  EXPECT_THAT(Tables(100), ElementsAre("t1"));
  EXPECT_THAT(Tables(99), UnorderedElementsAre("t1", "t2"));
  EXPECT_EQ(Append("t1", 1, {Said(11)}), kConflict);
  EXPECT_EQ(Append("t1", 2, {Said(2)}), kOk);
  Reopen();
  EXPECT_EQ(Events("t1", 1), SaidAll(1, 2));
}

TEST_P(ArenaStoreContract, KeepsBans) {
  const auto bans = [this] {
    const absl::StatusOr<std::vector<Ban>> all = store_->Bans();
    EXPECT_TRUE(all.ok()) << all.status();
    return all.ok() ? *all : std::vector<Ban>();
  };
  const Ban mute{.kind = Ban::Kind::kMute, .what = "spam*", .note = "'); --", .since_ms = 3};
  const Ban name{.kind = Ban::Kind::kName, .what = "spam*", .note = "", .since_ms = 1};
  const Ban range{.kind = Ban::Kind::kAddress, .what = "10.0.0.0/8", .note = "♞", .since_ms = 2};
  EXPECT_THAT(bans(), IsEmpty());
  for (const Ban& ban : {mute, range, name}) EXPECT_TRUE(store_->AddBan(ban).ok());
  Reopen();
  EXPECT_THAT(bans(), ElementsAre(name, range, mute));
  Ban again = name;
  again.note = "again";
  again.since_ms = 9;
  EXPECT_TRUE(store_->AddBan(again).ok());
  EXPECT_THAT(bans(), ElementsAre(again, range, mute));
  EXPECT_TRUE(store_->RemoveBan(Ban::Kind::kName, "spam*").ok());
  EXPECT_TRUE(absl::IsNotFound(store_->RemoveBan(Ban::Kind::kName, "spam*")));
  EXPECT_TRUE(absl::IsNotFound(store_->RemoveBan(Ban::Kind::kAddress, "10.0.0.0/9")));
  EXPECT_THAT(bans(), ElementsAre(range, mute));
}

TEST_P(ArenaStoreContract, OneOfTwoWritersWins) {
  if (!GetParam().is_shared) return;
  const std::unique_ptr<ArenaStore> other = Opened();
  EXPECT_EQ(Append("t", 0, {TableOpened()}), kOk);
  const std::vector<Appended> theirs = {{.table = "t", .first = 1, .events = {Said(11), Said(12)}}};
  EXPECT_TRUE((*other->Append(theirs))[0].ok());
  EXPECT_EQ(Append("t", 1, {Said(1)}), kConflict);
  EXPECT_EQ(Append("t", 2, {Said(2)}), kConflict);
  EXPECT_EQ(Append("t", 3, {Said(3)}), kOk);
  EXPECT_THAT(*other->Events("t", 1), ElementsAre(Said(11), Said(12), Said(3)));
}

// Of the writers of each event, one wins, and every part is stored whole or not at all.
TEST_P(ArenaStoreContract, ManyWritersConflict) {
  if (!GetParam().is_shared) return;
  constexpr int kWriters = 4;
  constexpr int kRounds = 60;
  constexpr int kTables = 3;
  std::array<std::vector<int>, kWriters> wins;  // what each has stored
  for (int t = 0; t < kTables; ++t) Append("t" + std::to_string(t), 0, {TableOpened()});
  std::vector<std::thread> threads;
  for (int writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([this, writer, &mine = wins[static_cast<size_t>(writer)]] {
      const std::unique_ptr<ArenaStore> store = Opened();
      for (int round = 0; round < kRounds; ++round) {
        std::vector<Appended> batch;
        for (int t = 0; t < kTables; ++t) {
          const int table = writer % 2 == 0 ? t : kTables - 1 - t;
          const int number = 1'000'000 * writer + 1'000 * round + 10 * table;
          batch.push_back({.table = "t" + std::to_string(table),
                           .first = 1 + 2 * round,
                           .events = SaidAll(number, 2)});
        }
        const absl::StatusOr<std::vector<absl::Status>> statuses = store->Append(batch);
        ASSERT_TRUE(statuses.ok()) << statuses.status();
        for (size_t i = 0; i < batch.size(); ++i) {
          const absl::Status& status = (*statuses)[i];
          ASSERT_TRUE(status.ok() || absl::IsAlreadyExists(status)) << status;
          if (status.ok()) mine.push_back(static_cast<int>(batch[i].events[0].time_ms));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<int> stored;
  for (int t = 0; t < kTables; ++t) {
    const std::vector<Event> events = Events("t" + std::to_string(t), 1);
    ASSERT_THAT(events, SizeIs(2 * kRounds));
    for (size_t i = 0; i < events.size(); i += 2) {
      EXPECT_EQ(events[i].time_ms + 1, events[i + 1].time_ms);
      stored.push_back(static_cast<int>(events[i].time_ms));
    }
  }
  std::vector<int> won;
  for (const std::vector<int>& mine : wins) won.insert(won.end(), mine.begin(), mine.end());
  EXPECT_THAT(won, testing::UnorderedElementsAreArray(stored));
}

TEST_P(ArenaStoreContract, KeepsPlayers) {
  const StoredPlayer ann{.name = "Ann", .owner = "o", .key_hash = "k1", .created_ms = 5};
  const StoredPlayer ben{.name = "Zoë'\\", .owner = "o", .key_hash = "k2", .created_ms = 6};
  EXPECT_TRUE(store_->AddPlayer(ann).ok());
  EXPECT_TRUE(store_->AddPlayer(ben).ok());
  StoredPlayer other = ann;
  other.name = "aNN";
  other.key_hash = "k3";
  EXPECT_TRUE(absl::IsAlreadyExists(store_->AddPlayer(other)));
  EXPECT_EQ(*store_->FindPlayer("ANN"), ann);
  EXPECT_EQ(*store_->FindKey("k2"), ben);
  EXPECT_EQ(*store_->FindKey("k3"), std::nullopt);
  EXPECT_EQ(*store_->FindPlayer("Cat"), std::nullopt);
  EXPECT_TRUE(store_->SetKey("ann", "k4").ok());
  EXPECT_TRUE(absl::IsNotFound(store_->SetKey("Cat", "k5")));
  EXPECT_EQ(*store_->FindKey("k1"), std::nullopt);
  Reopen();
  EXPECT_EQ((*store_->FindKey("k4"))->name, "Ann");
}

TEST_P(ArenaStoreContract, ListsFinishedGames) {
  for (int i = 0; i < 4; ++i) {
    const std::string table = "t" + std::to_string(i);
    Append(table, 0, {TableOpened()});
    ArenaGame game{.table = table, .tournament = "arena", .bots = {}, .record = {}};
    game.bots[Seat::kFirst].name = "Ann";
    game.bots[Seat::kSecond].name = "Ben " + std::to_string(i);
    game.record.game = "tri-d";
    for (const Seat seat : {Seat::kFirst, Seat::kSecond}) {
      game.bots[seat].bot = "player";
      game.record.bots[seat] = game.bots[seat].name;
    }
    game.record.outcome = {.place = {{1, 2, 0}}, .termination = Termination::kCheckmate};
    game.record.is_finished = true;
    game.record.plies = 7;
    const absl::Status ended =
        store_->End({.table = table, .ended_ms = 100 + i / 2, .record = game});
    ASSERT_TRUE(ended.ok()) << ended;
  }
  const auto list = [this](const GamesQuery& query) {
    std::string text;
    const std::vector<ListedGame> games = store_->Games(query).value();
    for (const ListedGame& game : games) {
      EXPECT_EQ(game.game, "tri-d");
      EXPECT_EQ(game.tournament_name, "arena");
      EXPECT_EQ(game.place.tournament, 1);
      EXPECT_EQ(absl::StrFormat("t%d", game.place.index), game.table);
      EXPECT_EQ(game.players[Seat::kFirst], "Ann");
      EXPECT_EQ(game.players[Seat::kThird], "");
      EXPECT_EQ(game.placement, "1-2");
      EXPECT_EQ(game.termination, "checkmate");
      text += game.table + " " + game.players[Seat::kSecond] + ";";
    }
    return text;
  };
  EXPECT_EQ(list({}), "t3 Ben 3;t2 Ben 2;t1 Ben 1;t0 Ben 0;");
  EXPECT_EQ(list({.limit = 1}), "t3 Ben 3;");
  EXPECT_EQ(list({.before_ms = 101, .before_table = "t2"}), "t1 Ben 1;t0 Ben 0;");
  EXPECT_EQ(list({.game = "triumvirate"}), "");
  EXPECT_EQ(list({.table = "t2"}), "t2 Ben 2;");
  EXPECT_EQ(list({.table = "t9"}), "");
}

INSTANTIATE_TEST_SUITE_P(
    Stores, ArenaStoreContract,
    testing::Values(ArenaStoreKind{.name = "Sqlite", .make_new = NewSqliteArena},
                    ArenaStoreKind{
                        .name = "Postgres", .make_new = NewPostgresArena, .is_shared = true}),
    [](const testing::TestParamInfo<ArenaStoreKind>& kind) { return kind.param.name; });

}  // namespace
}  // namespace triarch::arena
