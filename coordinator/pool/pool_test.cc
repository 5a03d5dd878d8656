#include "coordinator/pool/pool.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;

BotSpec Plugin(std::string name, char digit) {
  return {
      .name = std::move(name), .bot = std::string(kPluginBot), .digest = std::string(64, digit)};
}

// Each tournament is created a day after the one before, with its own seed.
PoolTournament Tournament(int64_t id, std::vector<BotSpec> bots) {
  PoolTournament tournament{.db = "x.db"};
  tournament.stored.id = id;
  tournament.stored.created = "2026-11-0" + std::to_string(id) + "T10:00:00Z";
  tournament.stored.games_recorded = 6;
  tournament.stored.bot_digests.resize(bots.size());
  tournament.stored.spec.game = "triumvirate";
  tournament.stored.spec.seed = static_cast<uint64_t>(id);
  tournament.stored.spec.bots = std::move(bots);
  return tournament;
}

Pool MustMake(std::vector<PoolTournament> tournaments, const PoolOptions& options = {}) {
  absl::StatusOr<Pool> pool = MakePool(std::move(tournaments), options);
  EXPECT_TRUE(pool.ok()) << pool.status();
  return *std::move(pool);
}

std::string ErrorOf(std::vector<PoolTournament> tournaments, const PoolOptions& options = {}) {
  return MakePool(std::move(tournaments), options).status().ToString();
}

std::vector<std::string> NamesOf(const Pool& pool) {
  std::vector<std::string> names;
  for (const PoolBot& bot : pool.bots) names.push_back(bot.name);
  return names;
}

TEST(PoolTest, OneIdentityIsOneBotUnderItsLastName) {
  const Pool pool = MustMake({Tournament(2, {Plugin("new", 'a'), Plugin("other", 'b')}),
                              Tournament(1, {Plugin("other", 'b'), Plugin("old", 'a')})});
  EXPECT_THAT(NamesOf(pool), ElementsAre("other", "new"));
  EXPECT_THAT(pool.bots[1].other_names, ElementsAre("old"));
  EXPECT_EQ(pool.bots[1].version, "");
  EXPECT_EQ(pool.bots[1].first_played, "2026-11-01T10:00:00Z");
  EXPECT_THAT(pool.tournaments[0].bots, ElementsAre(1, 0));
  EXPECT_THAT(pool.tournaments[1].bots, ElementsAre(0, 1));
}

TEST(PoolTest, OneNameOfSeveralBotsGetsTheirVersions) {
  const Pool pool = MustMake({Tournament(1, {Plugin("mine", 'a'), Plugin("x", 'c')}),
                              Tournament(2, {Plugin("mine", 'b'), Plugin("x", 'c')})});
  EXPECT_THAT(NamesOf(pool), ElementsAre("mine@aaaaaaaa", "x", "mine@bbbbbbbb"));
  EXPECT_EQ(pool.bots[0].last_name, "mine");
  EXPECT_EQ(pool.bots[2].version, "bbbbbbbb");
}

TEST(PoolTest, BundlesAreNamedByTheirVersions) {
  const auto bundle = [](const std::string& version, char digit) {
    BotSpec bot = Plugin("mine " + version + " (12345678)", digit);
    bot.bundle = "mine@" + version;
    return bot;
  };
  EXPECT_THAT(
      NamesOf(MustMake({Tournament(1, {bundle("1.0", 'a')}), Tournament(2, {bundle("1.1", 'b')})})),
      ElementsAre("mine@1.0", "mine@1.1"));
  EXPECT_THAT(NamesOf(MustMake({Tournament(1, {bundle("1.0", 'a')})})), ElementsAre("mine"));
}

// Otherwise a game would have one bot in two seats.
TEST(PoolTest, CopiesInOneTournamentStayApart) {
  const Pool pool = MustMake({Tournament(1, {Plugin("a", 'a'), Plugin("b", 'a')}),
                              Tournament(2, {Plugin("b", 'a'), Plugin("c", 'c')})});
  EXPECT_THAT(NamesOf(pool), ElementsAre("a", "b", "c"));
  EXPECT_THAT(pool.tournaments[1].bots, ElementsAre(1, 2));
}

TEST(PoolTest, LeavesOutWhatIsNotRated) {
  PoolTournament selfplay = Tournament(1, {Plugin("a", 'a')});
  selfplay.stored.spec.selfplay = std::make_shared<const SelfplaySpec>();
  PoolTournament empty = Tournament(2, {Plugin("b", 'b')});
  empty.stored.games_recorded = 0;
  PoolTournament tuning = Tournament(4, {Plugin("d", 'd')});
  tuning.stored.spec.tune = std::make_shared<const TuneSpec>();
  const Pool pool = MustMake({selfplay, empty, tuning, Tournament(3, {Plugin("c", 'c')})});
  EXPECT_THAT(NamesOf(pool), ElementsAre("c"));
  EXPECT_THAT(ErrorOf({selfplay, empty}), HasSubstr("NOT_FOUND: there are no rated games"));
}

TEST(PoolTest, RefusesDifferentGamesUnlessOneIsChosen) {
  PoolTournament other = Tournament(2, {Plugin("b", 'b')});
  other.stored.spec.game = "tri-d";
  const std::vector<PoolTournament> both = {Tournament(1, {Plugin("a", 'a')}), other};
  EXPECT_THAT(ErrorOf(both),
              AllOf(HasSubstr("FAILED_PRECONDITION"), HasSubstr("tri-d in tournament 2 of x.db"),
                    HasSubstr("triumvirate in tournament 1 of x.db")));
  EXPECT_THAT(NamesOf(MustMake(both, {.game = "tri-d"})), ElementsAre("b"));
  EXPECT_THAT(ErrorOf(both, {.game = "three-way"}), HasSubstr("no rated games of three-way"));
}

TEST(PoolTest, RefusesDifferentLimitsUnlessMixed) {
  const std::vector<BotSpec> bots = {{.name = "mcts", .bot = "mcts"}, Plugin("a", 'a')};
  PoolTournament other = Tournament(2, bots);
  other.stored.spec.time_control.nodes = 500;
  const std::vector<PoolTournament> both = {Tournament(1, bots), other};
  EXPECT_THAT(ErrorOf(both),
              AllOf(HasSubstr("FAILED_PRECONDITION: tournament 2 of x.db"),
                    HasSubstr("time_control.nodes is 500"), HasSubstr("--mix-limits")));
  const Pool pool = MustMake(both, {.mixes_limits = true});
  EXPECT_TRUE(pool.has_mixed_limits);
  EXPECT_THAT(NamesOf(pool),
              ElementsAre("mcts@unlimited", "a@unlimited", "mcts@nodes=500", "a@nodes=500"));
  other.stored.spec.time_control = {};
  other.stored.spec.openings.random_plies = 4;
  other.stored.spec.format = Format::kGauntlet;
  EXPECT_FALSE(MustMake({Tournament(1, bots), other}).has_mixed_limits);
  for (const auto& change : std::vector<void (*)(TournamentSpec&)>{
           [](TournamentSpec& spec) { spec.start = "server"; },
           [](TournamentSpec& spec) { spec.adjudication.plies_max = 99; },
           [](TournamentSpec& spec) { spec.draw_rules.draws = Draws::kClaimed; }}) {
    PoolTournament changed = Tournament(2, bots);
    change(changed.stored.spec);
    EXPECT_THAT(ErrorOf({Tournament(1, bots), changed}), HasSubstr("--mix-limits"));
  }
}

TEST(PoolTest, GamesThatAreRecordedTwiceCountOnce) {
  const PoolTournament first = Tournament(1, {Plugin("a", 'a')});
  PoolTournament same = first;
  same.stored.created = "2026-11-09T10:00:00Z";
  same.stored.games_recorded = 12;
  Pool pool = MustMake({first, same});
  EXPECT_THAT(pool.tournaments[0].repeats, Optional(1));
  EXPECT_EQ(pool.tournaments[1].repeats, std::nullopt);
  EXPECT_THAT(pool.tournaments[0].bots, IsEmpty());

  // With a clock, no two runs have the same games, but a copied file does.
  PoolTournament timed = first;
  timed.stored.spec.time_control.movetime_ms = 10;
  PoolTournament rerun = timed;
  rerun.stored.created = same.stored.created;
  PoolTournament copy = timed;
  copy.source = 1;
  pool = MustMake({timed, timed, rerun, copy});
  EXPECT_EQ(pool.tournaments[1].repeats, std::nullopt) << "two in one second";
  EXPECT_EQ(pool.tournaments[2].repeats, std::nullopt);
  EXPECT_THAT(pool.tournaments[3].repeats, Optional(0));

  PoolTournament other_build = first;
  other_build.stored.bot_digests = {"build2"};
  EXPECT_EQ(MustMake({first, other_build}).tournaments[1].repeats, std::nullopt);
}

}  // namespace
}  // namespace triarch
