// Tests all stores of an arena with one suite.

#include "arena/store/arena_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "coordinator/store/store.h"
#include "core/base/check.h"
#include "core/base/temporary_folder.h"

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
    const absl::StatusOr<std::vector<std::string>> tables = store_->Tables(ended_after_ms);
    EXPECT_TRUE(tables.ok()) << tables.status();
    return tables.ok() ? *tables : std::vector<std::string>();
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

INSTANTIATE_TEST_SUITE_P(
    Stores, ArenaStoreContract,
    testing::Values(ArenaStoreKind{.name = "Sqlite", .make_new = NewSqliteArena}),
    [](const testing::TestParamInfo<ArenaStoreKind>& kind) { return kind.param.name; });

}  // namespace
}  // namespace triarch::arena
