// Tests the games of an arena in a store.

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "tests/contract/store_contract.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// Game `index` of the sample, as an arena's: its place in a tournament is not known yet.
ArenaGame SampleArenaGame(const std::string& table, int64_t index,
                          const std::string& tournament = "arena triumvirate") {
  ArenaGame game{.table = table, .tournament = tournament, .bots = {}, .record = {}};
  game.record = SampleRecord(index);
  game.record.index = -1;
  for (size_t i = 0; i < kSeatsMax; ++i) {
    game.bots[SeatAt(i)].name = game.record.bots[SeatAt(i)];
    game.bots[SeatAt(i)].bot = "player";
  }
  return game;
}

std::vector<std::string> NamesOf(const StoredTournament& stored) {
  std::vector<std::string> names;
  for (const BotSpec& bot : stored.spec.bots) names.push_back(bot.name);
  return names;
}

}  // namespace

TEST_P(StoreContractTest, RecordsGamesOfArenas) {
  if (!GetParam().holds_many) {
    EXPECT_TRUE(absl::IsUnimplemented(store_->RecordArenaGame(SampleArenaGame("t", 0)).status()));
    return;
  }
  const int64_t sample = OpenSample();
  const absl::StatusOr<GamePlace> first = store_->RecordArenaGame(SampleArenaGame("one", 0));
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_NE(first->tournament, sample);
  EXPECT_EQ(first->index, 0);
  const StoredTournament one = store_->Tournament(first->tournament).value();
  EXPECT_EQ(one.state, TournamentState::kDone);
  EXPECT_EQ(one.spec.name, "arena triumvirate");
  EXPECT_THAT(NamesOf(one), ElementsAre("random", "p3", "quick"));
  ASSERT_TRUE(store_->RecordArenaGame(SampleArenaGame("two", 1)).ok());
  Reopen();
  const StoredTournament two = store_->Tournament(first->tournament).value();
  EXPECT_EQ(two.state, TournamentState::kDone);
  EXPECT_EQ(two.games_recorded, 2);
  EXPECT_THAT(NamesOf(two), ElementsAre("random", "p3", "quick", "greedy"));
  EXPECT_THAT(Recorded(first->tournament), ElementsAre(Range{0, 2}));
  const std::vector<GameSummary> games = Games(first->tournament);
  ASSERT_THAT(games, SizeIs(2));
  EXPECT_THAT(games[1].bots, (PerSeat<int>{{1, 2, 3}}));
  EXPECT_THAT(Recorded(sample), SizeIs(0));
}

TEST_P(StoreContractTest, RecordsAnArenaGameOnce) {
  if (!GetParam().holds_many) return;
  const GamePlace first = store_->RecordArenaGame(SampleArenaGame("one", 0)).value();
  const GamePlace other = store_->RecordArenaGame(SampleArenaGame("two", 1)).value();
  EXPECT_EQ(store_->RecordArenaGame(SampleArenaGame("one", 0)).value(), first);
  Reopen();
  EXPECT_EQ(store_->RecordArenaGame(SampleArenaGame("two", 1)).value(), other);
  EXPECT_THAT(Games(first.tournament), SizeIs(2));
}

TEST_P(StoreContractTest, KeepsTheTournamentsOfAnArenaApart) {
  if (!GetParam().holds_many) return;
  const GamePlace rated = store_->RecordArenaGame(SampleArenaGame("one", 0)).value();
  const GamePlace unrated =
      store_->RecordArenaGame(SampleArenaGame("two", 1, "arena triumvirate unrated")).value();
  EXPECT_NE(rated.tournament, unrated.tournament);
  EXPECT_EQ(unrated.index, 0);
}

TEST_P(StoreContractTest, AnArenaBeginsAnewAfterItsTournamentWasDeleted) {
  if (!GetParam().holds_many) return;
  const GamePlace first = store_->RecordArenaGame(SampleArenaGame("one", 0)).value();
  ASSERT_TRUE(store_->BeginDelete(first.tournament).ok());
  const absl::StatusOr<GamePlace> next = store_->RecordArenaGame(SampleArenaGame("two", 1));
  ASSERT_TRUE(next.ok()) << next.status();
  EXPECT_NE(next->tournament, first.tournament);
  EXPECT_THAT(Games(next->tournament), SizeIs(1));
}

}  // namespace triarch
