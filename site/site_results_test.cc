// Tests the API's results over tournaments: bots, progress and openings.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/any_state.h"
#include "core/schedule/schedule.h"
#include "site/test_games.h"
#include "site/test_site.h"

namespace triarch::site {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

constexpr int64_t kPlayed = 60;
constexpr char kHostile[] = "<b>bob</b>";

// Returns names, or whatever the key is, in a list.
std::vector<std::string> All(const Json& list, const char* key = "name") {
  std::vector<std::string> all;
  for (const Json& one : list) all.push_back(one.at(key));
  return all;
}

class SiteResultsTest : public testing::Test {
 protected:
  // Adds a tournament and plays its games at random, seated as its schedule says.
  int64_t Play(TournamentSpec spec, int64_t games = kPlayed) {
    const auto store = *OpenSqliteStore(
        site_.db, std::filesystem::exists(site_.db) ? OpenMode::kExisting : OpenMode::kCreate);
    const int64_t id = store->AddTournament(spec, "").value().id;
    const Schedule schedule = *Schedule::Make(spec);
    std::vector<GameRecord> records;
    for (int64_t i = 0; i < games; ++i) {
      records.push_back(PlayTestGame(spec, i));
      const PerSeat<int> bots = schedule.Bots(i);
      records.back().match = schedule.Game(i).match;
      for (size_t seat = 0; seat < (*FindGame(spec.game))->seats; ++seat) {
        records.back().bots[SeatAt(seat)] = spec.bots[static_cast<size_t>(bots[SeatAt(seat)])].name;
      }
    }
    EXPECT_TRUE(store->Record(id, records).ok());
    return id;
  }
  Json Get(const std::string& path, const std::string& query = "") {
    return site_.Get(path, query);
  }

  TestSite site_;
};

TEST_F(SiteResultsTest, ABotIsFoundInAllTournaments) {
  Play(SpecOfTest("triumvirate", kPlayed));
  TournamentSpec spec = SpecOfTest("triumvirate", kPlayed);
  spec.bots[1].options["depth"] = "1";
  spec.seed = 6;
  Play(spec);
  Play(SpecOfTest("tri-d", kPlayed));

  const Json bots = Get("/bots");
  EXPECT_THAT(All(bots), ElementsAre(kHostile, "ann", "cid", "dee"));
  EXPECT_EQ(bots[0]["tournaments"], 3);
  EXPECT_EQ(bots[0]["versions"], 2);
  EXPECT_EQ(bots[0]["games"], Json::parse(R"(["tri-d", "triumvirate"])"));

  const Json bob = Get("/bot", "name=%3Cb%3Ebob%3C%2Fb%3E");
  EXPECT_EQ(bob["name"], kHostile);
  EXPECT_THAT(All(bob["versions"], "bot"), ElementsAre("paranoid:depth=1", "paranoid:depth=2"));
  EXPECT_EQ(bob["versions"][1]["tournaments"], Json::parse("[3, 1]"));
  ASSERT_EQ(bob["tournaments"].size(), 3u);
  int64_t games = 0;
  int64_t forfeits = 0;
  for (const Json& one : bob["tournaments"]) {
    const Json standings = Get("/tournaments/" + one["id"].dump() + "/standings");
    const Json& rows = standings["bots"];
    const Json row = *std::find_if(rows.begin(), rows.end(),
                                   [](const Json& each) { return each["name"] == kHostile; });
    EXPECT_EQ(one["rank"], row["rank"]);
    EXPECT_NEAR(one["rating"]["elo"].get<double>(), row["rating"]["elo"].get<double>(), 1e-6);
    for (const char* key : {"games", "points", "firsts", "draws", "faults", "fallbacks"}) {
      EXPECT_EQ(one["results"][key], row[key]) << key;
    }
    if (one["game"] != "triumvirate") continue;
    games += row["games"].get<int64_t>();
    forfeits += row["faults"]["crash"].get<int64_t>();
  }
  EXPECT_EQ(bob["totals"][1]["game"], "triumvirate");
  EXPECT_EQ(bob["totals"][1]["games"], games);
  EXPECT_GT(forfeits, 0);
  EXPECT_EQ(bob["totals"][1]["faults"]["crash"], forfeits);
  // In each of its games of three, it meets two others.
  int64_t met = 0;
  for (const Json& other : bob["opponents"]) {
    if (other["game"] == "triumvirate") met += other["games"].get<int64_t>();
  }
  EXPECT_EQ(met, 2 * games);
  EXPECT_EQ(site_.Error("/bot", "name=eve"), "404 there is no bot \"eve\"");
  EXPECT_EQ(site_.Error("/bot"), "422 name: expected the name of a bot");
}

TEST_F(SiteResultsTest, TheSameProgramIsKnownUnderOtherNames) {
  Play(SpecOfTest("tri-d", kPlayed));
  EXPECT_THAT(Get("/bot", "name=ann")["versions"][0]["other_names"], ElementsAre())
      << "which program it was is not known";
  {
    const auto store = *OpenSqliteStore(site_.db, OpenMode::kExisting);
    ASSERT_TRUE(store->SetBotDigests(1, {"d1", "d1", "d1", "d1"}).ok());
  }
  const Json ann = Get("/bot", "name=ann");
  EXPECT_EQ(ann["versions"][0]["digest"], "d1");
  EXPECT_THAT(ann["versions"][0]["other_names"], ElementsAre("dee"));
}

TEST_F(SiteResultsTest, IntervalsNarrowUpToTheStandings) {
  Play(SpecOfTest("triumvirate", kPlayed));
  const Json progress = Get("/tournaments/1/progress");
  EXPECT_EQ(progress["kind"], "ratings");
  const std::vector<int64_t> games = progress["games"];
  EXPECT_TRUE(std::is_sorted(games.begin(), games.end()));
  EXPECT_GE(games.front(), 12);
  EXPECT_EQ(games.back(), kPlayed);
  EXPECT_GE(games.size(), 5u);
  const Json standings = Get("/tournaments/1/standings");
  for (const Json& bot : progress["bots"]) {
    EXPECT_EQ(bot["margin"].size(), games.size());
    for (const Json& row : standings["bots"]) {
      if (row["name"] != bot["name"]) continue;
      EXPECT_NEAR(bot["elo"].back().get<double>(), row["rating"]["elo"].get<double>(), 1e-6);
      EXPECT_NEAR(bot["margin"].back().get<double>(),
                  row["rating"]["high"].get<double>() - row["rating"]["elo"].get<double>(), 1e-6);
    }
  }
  // What the first games say is what a tournament of only these games says.
  Play(SpecOfTest("triumvirate", kPlayed), games[2]);
  const Json shorter = Get("/tournaments/2/progress");
  EXPECT_EQ(shorter["games"].back(), games[2]);
  EXPECT_NEAR(shorter["bots"][0]["elo"].back().get<double>(),
              progress["bots"][0]["elo"][2].get<double>(), 1e-6);
}

TEST_F(SiteResultsTest, ATestHasThePathOfItsRatio) {
  TournamentSpec spec = SpecOfTest("tri-d", 1'000);
  spec.bots.resize(2);
  spec.test = std::make_shared<TestSpec>(TestSpec{.elo = {0, 100}});
  spec.openings.random_plies = 4;
  Play(spec, 100);
  const Json progress = Get("/tournaments/1/progress");
  EXPECT_EQ(progress["kind"], "test");
  const Json standings = Get("/tournaments/1/standings");
  ASSERT_GE(progress["games"].size(), 10u);
  EXPECT_EQ(progress["games"].back(), standings["games"]);
  EXPECT_EQ(progress["llr"].back(), standings["llr"]);
  EXPECT_EQ(progress["llr_low"], standings["llr_low"]);
  EXPECT_EQ(progress["llr"].size(), progress["games"].size());
}

TEST_F(SiteResultsTest, GamesAreCountedAndFilteredByOpening) {
  TournamentSpec spec = SpecOfTest("triumvirate", kPlayed);
  spec.bots.resize(3);
  spec.openings.lines = {{.position = "", .moves = {"E2-E4"}},
                         {.position = "", .moves = {"D2-D4"}},
                         {.position = "", .moves = {"A2-A3"}}};
  Play(spec);  // ten rounds of one match
  EXPECT_EQ(Get("/tournaments/1")["openings"]["lines"], 3);
  const Json openings = Get("/tournaments/1/openings");
  EXPECT_THAT(All(openings["openings"], "moves"), ElementsAre("E2-E4", "D2-D4", "A2-A3"));
  EXPECT_EQ(openings["openings"][0]["games"], 24);
  EXPECT_EQ(openings["openings"][1]["games"], 18);
  double points = 0;
  for (const Json& of_seat : openings["openings"][1]["points"]) points += of_seat.get<double>();
  EXPECT_DOUBLE_EQ(points, 18 * 1.5);
  const Json second = Get("/tournaments/1/games", "opening=2&limit=200")["games"];
  EXPECT_EQ(second.size(), 18u);
  for (const Json& game : second) {
    EXPECT_EQ(game["match"].get<int64_t>() % 3, 1);
    EXPECT_EQ(game["opening"], 2);
  }
  EXPECT_EQ(Get("/tournaments/1/games", "opening=9")["games"].size(), 0u);
  EXPECT_EQ(Get("/tournaments/1/games", "match=2")["games"].size(), 6u);
  EXPECT_THAT(site_.Error("/tournaments/1/games", "opening=0"), HasSubstr("422 opening: "));
}

}  // namespace
}  // namespace triarch::site
