// Tests what an arena shows of its games: points, wins, seats and ratings.

#include "arena/service/read_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "arena/service/finished_game.h"
#include "arena/table/test_table.h"
#include "coordinator/ratings/standings.h"
#include "coordinator/store/store.h"
#include "core/base/temporary_folder.h"

namespace triarch::arena {
namespace {

using ::testing::DoubleEq;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ReadResultsTest : public testing::Test {
 protected:
  // Records a game of these players, in the order of the seats, who resign in the order of
  // `resigning`; empty for a draw by repetition.
  void Play(const std::string& game, const std::vector<std::string>& names,
            const std::vector<std::string>& resigning, bool is_rated = true) {
    TestTable table({.game = game, .is_rated = is_rated});
    for (const std::string& name : names) table.Join(TestPlayer(name, is_rated, "of " + name));
    for (const std::string& name : resigning) table.Resign(name);
    // The first move of all is soon taken back, and then it is a draw.
    for (int i = 0; !table->is_over() && i < 100; ++i) table.PlayAny();
    ASSERT_EQ(table->stage(), Table::Stage::kFinished);
    EndedTable ended = EndedTableOf(table.table());
    ended.record->table = absl::StrFormat("table-%d", ++tables_);
    ASSERT_TRUE(store_->RecordArenaGame(*ended.record).ok());
  }
  GameResults Read(const std::string& game, size_t rated_max = kRatedBotsMax) {
    const absl::StatusOr<Results> results = ReadResults(*store_, rated_max);
    EXPECT_TRUE(results.ok()) << results.status();
    return results.ok() ? results->at(game) : GameResults();
  }
  static const PlayerResults& Of(const std::vector<PlayerResults>& players,
                                 const std::string& name) {
    for (const PlayerResults& player : players) {
      if (player.name == name) return player;
    }
    CHECK(false);
  }

  TemporaryFolder folder_;
  std::unique_ptr<Store> store_ = *OpenSqliteStore(folder_ / "results.db", OpenMode::kCreate);
  int tables_ = 0;
};

TEST_F(ReadResultsTest, NothingIsPlayed) {
  const absl::StatusOr<Results> results = ReadResults(*store_);
  ASSERT_TRUE(results.ok());
  EXPECT_THAT(*results, SizeIs(3));
  EXPECT_THAT(results->at("tri-d").all, IsEmpty());
  EXPECT_EQ(results->at("tri-d").FindRated("Ann"), nullptr);
}

TEST_F(ReadResultsTest, CountsPointsWinsAndSeats) {
  Play("triumvirate", {"Ann", "Ben", "Cat"}, {"Cat", "Ben"});
  Play("triumvirate", {"Ben", "Ann", "Cat"}, {"Cat", "Ben"});
  Play("triumvirate", {"Ben", "Cat", "Ann"}, {"Cat", "Ann"}, /*is_rated=*/false);
  const GameResults results = Read("triumvirate");
  const PlayerResults& ann = Of(results.all, "Ann");
  EXPECT_EQ(ann.games, 3);
  EXPECT_EQ(ann.wins, 2);
  EXPECT_THAT(ann.points, DoubleEq(2.5));
  EXPECT_EQ(results.all[0].name, "Ann");
  EXPECT_EQ(results.all[2].name, "Cat");
  EXPECT_THAT(results.all[2].points, DoubleEq(0));
  EXPECT_EQ(results.seats[Seat::kFirst].games, 3);
  EXPECT_EQ(results.seats[Seat::kFirst].wins, 2);
  EXPECT_THAT(results.seats[Seat::kThird].points, DoubleEq(0.5));
  // The unrated game does not count here.
  const PlayerResults* const rated = results.FindRated("Ann");
  ASSERT_NE(rated, nullptr);
  EXPECT_EQ(rated->games, 2);
  EXPECT_EQ(rated->seats[Seat::kFirst], 1);
  EXPECT_EQ(rated->seats[Seat::kSecond], 1);
  EXPECT_EQ(rated->seats[Seat::kThird], 0);
  EXPECT_THAT(Read("three-way").all, IsEmpty());
}

TEST_F(ReadResultsTest, ADrawIsNobodysWin) {
  Play("tri-d", {"Ann", "Ben"}, {});
  const GameResults results = Read("tri-d");
  for (const char* name : {"Ann", "Ben"}) {
    EXPECT_EQ(Of(results.all, name).wins, 0);
    EXPECT_THAT(Of(results.all, name).points, DoubleEq(0.5));
  }
  EXPECT_NEAR(*results.FindRated("Ann")->rating, *results.FindRated("Ben")->rating, 0.01);
}

TEST_F(ReadResultsTest, WhoWinsMoreIsRatedHigher) {
  for (int i = 0; i < 4; ++i) {
    Play("tri-d", {"Ann", "Ben"}, {i == 0 ? "Ann" : "Ben"});
    Play("tri-d", {"Cat", "Ben"}, {i == 0 ? "Ben" : "Cat"});
  }
  const GameResults results = Read("tri-d");
  ASSERT_THAT(results.rated, SizeIs(3));
  EXPECT_EQ(results.rated[0].name, "Ann");
  EXPECT_EQ(results.rated[1].name, "Ben");
  EXPECT_EQ(results.rated[2].name, "Cat");
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_GT(results.rated[i].error, 0);
    EXPECT_EQ(results.rated_row.at(results.rated[i].name), i);
  }
  EXPECT_GT(*results.rated[0].rating, *results.rated[1].rating);
}

TEST_F(ReadResultsTest, UnratedPlayersHaveNoRating) {
  Play("tri-d", {"Ann", "Ben"}, {"Ben"}, /*is_rated=*/false);
  EXPECT_THAT(Read("tri-d").rated, IsEmpty());
  EXPECT_THAT(Read("tri-d").all, SizeIs(2));
}

TEST_F(ReadResultsTest, OfTooManyPlayersThoseWithTheMostGamesAreRated) {
  constexpr size_t kMax = 5;
  for (size_t i = 0; i <= kMax; ++i) {
    Play("tri-d", {"hub", absl::StrFormat("player %d", i)}, {"hub"});
  }
  Play("tri-d", {"hub", absl::StrFormat("player %d", kMax)}, {"hub"});
  const GameResults results = Read("tri-d", kMax);
  ASSERT_THAT(results.rated, SizeIs(kMax + 2));
  size_t rated = 0;
  for (const PlayerResults& player : results.rated) rated += player.rating ? 1 : 0;
  EXPECT_EQ(rated, kMax);
  EXPECT_TRUE(results.FindRated("hub")->rating.has_value());
  EXPECT_TRUE(results.FindRated(absl::StrFormat("player %d", kMax))->rating.has_value());
  EXPECT_FALSE(results.rated.back().rating.has_value());
}

}  // namespace
}  // namespace triarch::arena
