#include "coordinator/service/live_games.h"

#include <string>
#include <vector>

#include "core/record/played_game.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr LiveGames::Time kStart{std::chrono::hours(1)};

GameSpec Spec(int64_t index) {
  GameSpec spec;
  spec.index = index;
  spec.game = "triumvirate";
  for (size_t i = 0; i < 3; ++i) spec.seats[SeatAt(i)].name = "bot";
  return spec;
}

// Returns a report about a game in which the first legal move was played so often.
GameRecord Claim(int64_t index, int plies) {
  PlayedGame game = *PlayedGame::Begin(Spec(index));
  for (int i = 0; i < plies; ++i) {
    game.Play(game.state().LegalMoves(), 0, std::nullopt);
  }
  GameRecord claim;
  claim.index = index;
  claim.events = game.record().events;
  claim.plies = plies;
  return claim;
}

LiveGames::Origin Origin(int64_t index, const std::string& worker = "anna", uint64_t token = 7) {
  return {.worker = {.name = worker}, .token = token, .tournament = 1, .index = index};
}

bool IsNeverOver(const LiveGames::Origin&) { return false; }

class LiveGamesTest : public ::testing::Test {
 protected:
  absl::Status Take(int64_t index, int plies, milliseconds at = {},
                    const std::string& worker = "anna", uint64_t token = 7) {
    return games_.Take(Origin(index, worker, token), "cup", Spec(index), Claim(index, plies),
                       kStart + at);
  }
  // Returns "0:3 4:12": the indices and plies of the games.
  std::string Listed(milliseconds at = {}) {
    std::string text;
    for (const auto& game : games_.Watch(kStart + at)) {
      if (!text.empty()) text += ' ';
      text += std::to_string(game->record.index) + ":" + std::to_string(game->record.plies);
    }
    return text;
  }

  LiveGames games_;
};

TEST_F(LiveGamesTest, SomeoneWatchesForAWhileAfterARequest) {
  EXPECT_FALSE(games_.IsWatched(kStart));
  EXPECT_FALSE(games_.Wants({.name = "anna"}, kStart));
  Listed();
  EXPECT_TRUE(games_.IsWatched(kStart + seconds(15)));
  EXPECT_TRUE(games_.Wants({.name = "anna"}, kStart + seconds(15)));
  EXPECT_FALSE(games_.IsWatched(kStart + milliseconds(15'001)));
  EXPECT_FALSE(games_.Wants({.name = "anna"}, kStart + milliseconds(15'001)));
}

TEST_F(LiveGamesTest, KeepsTheLatestReportOfEachGame) {
  EXPECT_TRUE(Take(4, 2).ok());
  EXPECT_TRUE(Take(0, 3).ok());
  EXPECT_EQ(Listed(), "0:3 4:2");
  EXPECT_TRUE(Take(4, 12).ok());
  EXPECT_EQ(Listed(), "0:3 4:12");
  const auto game = games_.Watch(kStart)[1];
  EXPECT_EQ(game->tournament, 1);
  EXPECT_EQ(game->name, "cup");
  EXPECT_FALSE(game->record.is_finished);
  AnyState state = game->before;
  ASSERT_TRUE(state.Play(game->record.events.back().move.text()).ok());
  EXPECT_EQ(state.ToString(), game->after.ToString());
}

TEST_F(LiveGamesTest, DropsAGameWithAnIllegalMove) {
  EXPECT_TRUE(Take(0, 3).ok());
  GameRecord claim = Claim(0, 5);
  claim.events[4].move = claim.events[0].move;
  EXPECT_EQ(games_.Take(Origin(0), "cup", Spec(0), claim, kStart).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Listed(), "");
  EXPECT_TRUE(Take(0, 5).ok());
  EXPECT_EQ(Listed(), "0:5") << "a later report is as good as any";
}

TEST_F(LiveGamesTest, DropsAGameThatDeniesItsOpening) {
  GameSpec spec = Spec(0);
  const GameRecord claim = Claim(0, 2);
  const AnyState start = PlayedGame::Begin(spec)->state();
  const AnyState::Moves moves = start.LegalMoves();
  spec.opening = {start.MoveToString(moves, 1)};
  EXPECT_FALSE(games_.Take(Origin(0), "cup", spec, claim, kStart).ok());
  spec.opening = {start.MoveToString(moves, 0)};
  EXPECT_TRUE(games_.Take(Origin(0), "cup", spec, claim, kStart).ok());
  EXPECT_EQ(games_.Watch(kStart)[0]->record.opening_plies, 1);
}

TEST_F(LiveGamesTest, DropsGamesThatAreSilent) {
  EXPECT_TRUE(Take(0, 3).ok());
  EXPECT_TRUE(Take(1, 3).ok());
  EXPECT_TRUE(Take(1, 3, seconds(4)).ok());  // nothing new, but heard
  EXPECT_EQ(Listed(seconds(5)), "0:3 1:3");
  EXPECT_EQ(Listed(milliseconds(5'001)), "1:3") << "before they are dropped, too";
  games_.Drop(kStart + milliseconds(5'001), IsNeverOver);
  EXPECT_EQ(Listed(), "1:3");
}

TEST_F(LiveGamesTest, DropsGamesThatAreOver) {
  for (int64_t i = 0; i < 3; ++i) EXPECT_TRUE(Take(i, 1).ok());
  games_.Drop(kStart, [](const LiveGames::Origin& origin) { return origin.index == 1; });
  EXPECT_EQ(Listed(), "0:1 2:1");
  games_.Clear();
  EXPECT_EQ(Listed(), "");
}

// Two workers may play the same game. Their moves can differ, so only one of them is shown.
TEST_F(LiveGamesTest, ShowsOneOfTwoWorkersWithTheSameGame) {
  EXPECT_TRUE(Take(0, 3).ok());
  EXPECT_TRUE(Take(0, 9, {}, "bert", 8).ok());
  EXPECT_EQ(Listed(), "0:3");
  games_.Drop(kStart, [](const LiveGames::Origin& origin) { return origin.token == 7; });
  EXPECT_TRUE(Take(0, 9, {}, "bert", 8).ok());
  EXPECT_EQ(Listed(), "0:9");
}

TEST_F(LiveGamesTest, IsBounded) {
  Listed();
  for (int64_t i = 0; i < static_cast<int64_t>(LiveGames::kGamesMax); ++i)
    EXPECT_TRUE(Take(i, 1).ok());
  EXPECT_TRUE(Take(1'000, 1, {}, "bert").ok());
  EXPECT_EQ(games_.Watch(kStart).size(), LiveGames::kGamesMax);
  EXPECT_FALSE(games_.Wants({.name = "bert"}, kStart)) << "there is no room for its games";
  EXPECT_TRUE(games_.Wants({.name = "anna"}, kStart));
  EXPECT_TRUE(Take(0, 2).ok());
  EXPECT_EQ(Listed().substr(0, 3), "0:2") << "known games go on";
}

}  // namespace
}  // namespace triarch
