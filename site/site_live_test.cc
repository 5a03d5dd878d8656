// Tests the answers about games in progress.

#include "site/site_live.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "site/test_games.h"

namespace triarch::site {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Json = nlohmann::ordered_json;

constexpr int64_t kTournament = 5;

// Returns a game of which so many events have been reported.
std::shared_ptr<const LiveGame> Reported(const std::string& game, int64_t index, size_t events) {
  const TournamentSpec spec = SpecOfTest(game, 24);
  GameRecord claim;
  claim.index = index;
  claim.events = PlayTestGame(spec, index).events;
  claim.events.resize(std::min(events, claim.events.size()));
  GameSpec played;
  played.index = index;
  played.game = game;
  for (size_t i = 0; i < (*FindGame(game))->seats; ++i) {
    played.seats[SeatAt(i)] = spec.bots[(static_cast<size_t>(index) + i) % spec.bots.size()];
  }
  auto live = ReplayLive(kTournament, spec.name, played, claim);
  EXPECT_TRUE(live.ok()) << live.status();
  return std::make_shared<const LiveGame>(*std::move(live));
}

LiveSource SourceOf(std::vector<std::shared_ptr<const LiveGame>> games) {
  return [games = std::move(games)] { return games; };
}

TEST(SiteLiveTest, WithoutACoordinatorThereAreNone) {
  EXPECT_THAT(*ListLive(nullptr), IsEmpty());
  EXPECT_EQ(ListLive(nullptr)->dump(), "[]");
  EXPECT_EQ(ShowLive(nullptr, 1, 0).status().code(), absl::StatusCode::kNotFound);
}

TEST(SiteLiveTest, ListsGamesWithTheirPositions) {
  for (const char* game : {"triumvirate", "three-way", "tri-d"}) {
    const auto live = Reported(game, 1, 10);
    const Json list = *ListLive(SourceOf({live}));
    ASSERT_THAT(list, SizeIs(1));
    const Json& one = list[0];
    EXPECT_EQ(one["tournament"]["id"], kTournament);
    EXPECT_EQ(one["tournament"]["name"], std::string("test of ") + game);
    EXPECT_EQ(one["game"], game);
    EXPECT_EQ(one["id"], "1.2");
    EXPECT_EQ(one["index"], 1);
    EXPECT_EQ(one["plies"], 10);
    EXPECT_EQ(one["seats"].size(), live->after.info().seats);
    EXPECT_EQ(one["seats"][0]["bot"], "<b>bob</b>");
    EXPECT_EQ(one["position"]["text"], live->after.ToString());
    EXPECT_GE(one["cells"].size(), 2u);
  }
  EXPECT_THAT((*ListLive(SourceOf({Reported("tri-d", 1, 0)})))[0]["cells"], IsEmpty());
}

TEST(SiteLiveTest, AGameIsThatOfTheListAndUnconfirmed) {
  const LiveSource source = SourceOf({Reported("triumvirate", 1, 10), Reported("tri-d", 2, 7)});
  const Json game = *ShowLive(source, kTournament, 2);
  const Json listed = (*ListLive(source))[1];
  EXPECT_EQ(game["confirmed"], false);
  for (const char* key : {"tournament", "game", "id", "index", "plies"}) {
    EXPECT_EQ(game[key], listed[key]) << key;
  }
  ASSERT_THAT(game["events"], SizeIs(7));
  EXPECT_EQ(game["events"].back()["after"], listed["position"]);
  EXPECT_EQ(game["events"].back()["cells"], listed["cells"]);
  EXPECT_EQ(game["result"], "*");
  for (const char* key : {"termination", "placement", "previous", "next"}) {
    EXPECT_TRUE(game[key].is_null()) << key;
  }
  EXPECT_TRUE(game["seats"][0]["points"].is_null());
  EXPECT_TRUE(game["seats"][0]["moves"].is_null());
  for (const auto& [tournament, index] :
       {std::pair(kTournament, 3), std::pair(kTournament + 1, 2)}) {
    const absl::Status error = ShowLive(source, tournament, index).status();
    EXPECT_EQ(error.code(), absl::StatusCode::kNotFound);
    EXPECT_THAT(std::string(error.message()), HasSubstr("no worker reports"));
  }
}

// A forfeit is an event without a move.
TEST(SiteLiveTest, ShowsWhoHasLeft) {
  const auto live = Reported("triumvirate", 3, 1'000);
  const Json game = *ShowLive(SourceOf({live}), kTournament, 3);
  bool has_forfeit = false;
  for (const Json& event : game["events"]) has_forfeit |= event.contains("event");
  EXPECT_TRUE(has_forfeit);
}

}  // namespace
}  // namespace triarch::site
