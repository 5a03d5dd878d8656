#include "coordinator/pool/pooled_ratings.h"

#include <string>
#include <utility>
#include <vector>

#include "coordinator/ratings/simulated_games.h"
#include "core/any_state.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace triarch {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Each bot is a plugin, with a digest of 64 equal digits.
TournamentSpec SpecWith(const std::vector<std::string>& names, const std::string& digits) {
  TournamentSpec spec;
  spec.name = "Sample";
  spec.game = "triumvirate";
  for (size_t i = 0; i < names.size(); ++i) {
    spec.bots.push_back(
        {.name = names[i], .bot = std::string(kPluginBot), .digest = std::string(64, digits[i])});
  }
  spec.games = 10'000;
  return spec;
}

std::vector<GameSummary> Simulated(size_t bots, int rounds) {
  ratings::SimulatedWorld world{
      .strength = {}, .seat = {0.2, 0, -0.2}, .tie = {0, 0, -1.2, -2}, .opening_deviation = 0.3};
  for (size_t i = 0; i < bots; ++i) world.strength.push_back(-0.2 * static_cast<double>(i));
  return ratings::SimulateRoundRobin(world, rounds, 1);
}

// Records games, six to a match; `number_of` maps their bots to the spec's.
PoolSource SourceOf(const std::string& name, const TournamentSpec& spec,
                    const std::vector<GameSummary>& games, const std::vector<size_t>& number_of) {
  PoolSource source{name, MakeMemoryStore()};
  const int64_t id = source.store->AddTournament(spec, "").value().id;
  std::vector<GameRecord> records;
  for (const GameSummary& game : games) {
    GameRecord record;
    record.index = static_cast<int64_t>(records.size());
    record.match = record.index / 6;
    record.game = spec.game;
    for (size_t i = 0; i < 3; ++i) {
      const auto bot = static_cast<size_t>(game.bots[SeatAt(i)]);
      record.bots[SeatAt(i)] = spec.bots[number_of[bot]].name;
    }
    record.is_finished = true;
    record.outcome = game.outcome;
    record.plies = game.plies;
    records.push_back(std::move(record));
  }
  EXPECT_TRUE(source.store->Record(id, records).ok());
  return source;
}

PooledRatings MustRate(const std::vector<PoolSource>& sources, const PooledOptions& options = {}) {
  absl::StatusOr<PooledRatings> ratings = RatePool(sources, options);
  EXPECT_TRUE(ratings.ok()) << ratings.status();
  return *std::move(ratings);
}

// Splits the games of a, b, c, d into two databases, in the second of which the bots have other
// numbers and one has another name.
std::vector<PoolSource> TwoSources(const std::vector<GameSummary>& games) {
  const auto middle = games.begin() + static_cast<std::ptrdiff_t>(games.size() / 12 * 6);
  std::vector<PoolSource> sources;
  sources.push_back(SourceOf("one.db", SpecWith({"a", "b", "c", "d"}, "abcd"),
                             {games.begin(), middle}, {0, 1, 2, 3}));
  sources.push_back(SourceOf("two.db", SpecWith({"d", "new", "b", "a"}, "dcba"),
                             {middle, games.end()}, {3, 2, 1, 0}));
  return sources;
}

TEST(PooledRatingsTest, RatesAsIfOneTournamentHadAllGames) {
  const std::vector<GameSummary> games = Simulated(4, 6);
  const Standings whole =
      *ComputeStandings(SpecWith({"a", "b", "new", "d"}, "abcd"), games, **FindGame("triumvirate"));
  const PooledRatings pooled = MustRate(TwoSources(games));
  EXPECT_EQ(pooled.standings.games_recorded, static_cast<int64_t>(games.size()));
  ASSERT_EQ(pooled.standings.bots.size(), whole.bots.size());
  for (size_t i = 0; i < whole.bots.size(); ++i) {
    const BotStanding& row = pooled.standings.bots[i];
    EXPECT_EQ(row.name, whole.bots[i].name);
    EXPECT_EQ(row.games, whole.bots[i].games);
    EXPECT_NEAR(row.rating->value, whole.bots[i].rating->value, 1e-6);
    EXPECT_NEAR(row.rating->error, whole.bots[i].rating->error, 1e-6) << "blocks";
  }
  EXPECT_EQ(pooled.standings.fit->blocks(), whole.fit->blocks());
  EXPECT_TRUE(pooled.histories.empty());
}

TEST(PooledRatingsTest, TextSaysWhatWasPooled) {
  std::vector<PoolSource> sources = TwoSources(Simulated(4, 6));
  const std::string text = RenderPooled(MustRate(sources));
  EXPECT_THAT(text, AllOf(HasSubstr("Pool of 2 tournaments in 2 databases\n"),
                          HasSubstr("two.db     1  Sample"), HasSubstr("Names   new was also c\n"),
                          HasSubstr("Triumvirate ratings: 144 games\n"), Not(HasSubstr("Limits")),
                          Not(HasSubstr("Version"))));
  EXPECT_THAT(RenderPooled(MustRate(sources, {.anchor = "new"})), HasSubstr("new is 0"));
  EXPECT_EQ(RatePool(sources, {.anchor = "c"}).status().message(),
            "the anchor \"c\" is not one of the bots");
  EXPECT_EQ(RatePool(sources, {.pool = {.game = "tri-d"}}).status().message(),
            "one.db, two.db: there are no rated games of tri-d");
  EXPECT_EQ(RatePool(sources, {.tournament = 7}).status().code(), absl::StatusCode::kNotFound);
}

// In the second database, d has changed.
std::vector<PoolSource> TwoVersions() {
  std::vector<PoolSource> sources;
  const std::vector<GameSummary> games = Simulated(4, 6);
  sources.push_back(
      SourceOf("one.db", SpecWith({"a", "b", "c", "d"}, "abcd"), games, {0, 1, 2, 3}));
  sources.push_back(
      SourceOf("two.db", SpecWith({"a", "b", "c", "d"}, "abce"), games, {3, 2, 1, 0}));
  return sources;
}

TEST(PooledRatingsTest, AHistoryComparesEachVersionWithTheOneBefore) {
  const PooledRatings pooled = MustRate(TwoVersions());
  ASSERT_EQ(pooled.histories.size(), 1u);
  const BotHistory& history = pooled.histories.front();
  EXPECT_EQ(history.name, "d");
  ASSERT_EQ(history.versions.size(), 2u);
  const size_t before = history.versions[0].bot;
  const size_t after = history.versions[1].bot;
  EXPECT_EQ(pooled.pool.bots[before].name, "d@dddddddd");
  EXPECT_EQ(pooled.pool.bots[after].name, "d@eeeeeeee");
  EXPECT_EQ(history.versions[0].change, std::nullopt);
  const ratings::Estimate expected =
      pooled.standings.fit->Difference(static_cast<int>(after), static_cast<int>(before));
  EXPECT_EQ(history.versions[1].change->value, expected.value);
  EXPECT_EQ(history.versions[1].change->error, expected.error);
  EXPECT_GT(expected.value, 0) << "the new version took the place of the best bot";
  EXPECT_THAT(RenderPooled(pooled),
              AllOf(HasSubstr("Version     Since "), HasSubstr("\nd@eeeeeeee  20")));
}

TEST(PooledRatingsTest, VersionsThatNoGamesConnectAreNotCompared) {
  std::vector<PoolSource> sources;
  const std::vector<GameSummary> games = Simulated(3, 6);
  sources.push_back(SourceOf("one.db", SpecWith({"a", "b", "c"}, "abc"), games, {0, 1, 2}));
  sources.push_back(SourceOf("two.db", SpecWith({"x", "y", "c"}, "xyz"), games, {0, 1, 2}));
  const PooledRatings pooled = MustRate(sources);
  ASSERT_EQ(pooled.histories.size(), 1u);
  EXPECT_EQ(pooled.histories.front().versions.at(1).change, std::nullopt);
}

TEST(PooledRatingsTest, JsonHasTheSameContent) {
  using Json = nlohmann::json;
  const PooledRatings pooled = MustRate(TwoVersions());
  const Json json = Json::parse(PooledJson(pooled));
  EXPECT_EQ(json["mixed_limits"], false);
  ASSERT_EQ(json["tournaments"].size(), 2u);
  EXPECT_EQ(json["tournaments"][1]["database"], "two.db");
  EXPECT_EQ(json["tournaments"][1]["bots"]["d"], "d@eeeeeeee");
  EXPECT_EQ(json["tournaments"][1]["repeats"], nullptr);
  ASSERT_EQ(json["bots"].size(), 5u);
  EXPECT_EQ(json["bots"][3]["name"], "d@dddddddd");
  EXPECT_EQ(json["bots"][3]["version"], "dddddddd");
  EXPECT_EQ(json["bots"][0]["version"], nullptr);
  EXPECT_EQ(json["standings"]["games"]["recorded"], 288);
  const Json& versions = json["histories"][0]["versions"];
  EXPECT_EQ(json["histories"][0]["name"], "d");
  EXPECT_EQ(versions[0]["change"], nullptr);
  EXPECT_EQ(versions[1]["bot"], "d@eeeeeeee");
  EXPECT_EQ(versions[1]["change"]["elo"], pooled.histories[0].versions[1].change->value);
}

}  // namespace
}  // namespace triarch
