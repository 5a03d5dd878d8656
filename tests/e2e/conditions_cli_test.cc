// Tests the conditions of play of `triarch run`: time controls, odds, adjudication and openings.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

// Plays a tournament that must succeed, verifies its games, and returns their TPGN.
std::string Played(const std::string& game, Arguments flags) {
  const TemporaryFolder folder;
  const std::string tpgn = folder / "games.tpgn";
  flags.insert(flags.end(), {"--tpgn", tpgn});
  const Ran ran = Triarch(GameCommand(game, "run", flags));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const Ran verified = Triarch({"verify", tpgn});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  return ReadWholeFile(tpgn);
}

TEST(ConditionsCli, PlaysWithAClockInSessions) {
  const std::string tpgn = Played("tri-d", {"--bots", "random,greedy", "--games", "2", "--tc",
                                            "5/1:00.5+2", "--plies-max", "30"});
  EXPECT_THAT(tpgn, HasSubstr("[TimeControl \"5/60.5+2\"]\n"));
  // After five moves the clock has all its time again, and the increments.
  EXPECT_THAT(tpgn, HasSubstr("[%clk 0:02:"));
}

TEST(ConditionsCli, GivesOdds) {
  const std::string tpgn =
      Played("tri-d", {"--bots", "paranoid:nodes=100,paranoid:tc=3+0.03,greedy", "--games", "6",
                       "--nodes", "200", "--plies-max", "20"});
  EXPECT_THAT(tpgn, HasSubstr("[TimeControl \"nodes=200\"]\n[WhiteTimeControl \"nodes=100\"]\n"
                              "[BlackTimeControl \"3+0.03\"]\n"));
  EXPECT_THAT(tpgn, HasSubstr("[TimeControl \"nodes=200\"]\n[BlackTimeControl \"nodes=100\"]\n"));
  EXPECT_THAT(tpgn, HasSubstr("{[%clk 0:00:02.")) << "only the bot with a clock";
}

// The plugin gets its limits from the match, like any other bot.
TEST(ConditionsCli, GivesOddsToAPlugin) {
  const TemporaryFolder folder;
  WriteWholeFile(folder / "t.yaml",
                 "game: tri-d\nbots:\n  - {name: a, library: " TRIARCH_SEARCH_BOT
                 ", nodes: 7}\n  - {name: b, library: " TRIARCH_SEARCH_BOT
                 ", depth: 1}\ngames: 2\nadjudication: {plies_max: 20}\noutput: {tpgn: " +
                     (folder / "g.tpgn") + ", db: " + (folder / "g.db") + "}\n");
  const Ran ran = Triarch({"run", folder / "t.yaml"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ReadWholeFile(folder / "g.tpgn"),
              HasSubstr("[WhiteTimeControl \"nodes=7\"]\n[BlackTimeControl \"depth=1\"]\n"));
  const std::string out = Triarch({"standings", "--db", folder / "g.db", "--json"}).out;
  EXPECT_THAT(out, HasSubstr("\"nodes_per_move\": 7.0")) << out;
}

TEST(ConditionsCli, AdjudicatesByEvaluations) {
  const std::string wins = Played("tri-d", {"--bots", "paranoid:depth=1,mcts:nodes=50", "--games",
                                            "4", "--win-share", "0.6", "--win-plies", "2"});
  EXPECT_THAT(wins, HasSubstr("[Termination \"adjudication\"]\n[Placement \"1-2\"]\n"
                              "[Endings \"winner/adjudication\"]\n"));
  const std::string draws = Played(
      "triumvirate", {"--bots", "paranoid:depth=1,maxn:depth=1,mcts:nodes=50", "--games", "6",
                      "--draw-margin", "0.3", "--draw-plies", "3", "--draw-after", "20"});
  EXPECT_THAT(draws, HasSubstr("[Termination \"adjudication\"]\n[Placement \"1-1-1\"]\n"));
  EXPECT_THAT(draws, HasSubstr("[PlyCount \"20\"]"));
}

TEST(ConditionsCli, AdjudicatesByMaterial) {
  const std::string wins =
      Played("three-way", {"--bots", "random,greedy,paranoid:depth=1", "--games", "6",
                           "--win-material", "1500", "--material-plies", "3"});
  EXPECT_THAT(wins, HasSubstr("[Termination \"material_adjudication\"]\n[Placement \""));
  EXPECT_THAT(wins, HasSubstr("/material_adjudication"));
  const std::string draws = Played("tri-d", {"--bots", "random,random:tc=60", "--games", "4",
                                             "--idle-plies", "4", "--idle-material", "400"});
  EXPECT_THAT(draws, HasSubstr("[Termination \"material_adjudication\"]\n[Placement \"1-1\"]\n"
                               "[Endings \"draw/draw\"]\n"));
}

TEST(ConditionsCli, EndsAtThePlyLimit) {
  EXPECT_THAT(Played("tri-d", {"--bots", "random,greedy", "--games", "2", "--plies-max", "9"}),
              HasSubstr("[Termination \"ply_limit\"]\n[Placement \"1-1\"]\n"));
}

TEST(ConditionsCli, PlaysASetOfOpenings) {
  for (const char* game : {"triumvirate", "three-way", "tri-d"}) {
    const std::string tpgn = Played(game, {"--bots", "random,greedy,random:tc=60", "--games", "6",
                                           "--opening-set", "balanced", "--plies-max", "10"});
    EXPECT_THAT(tpgn, HasSubstr("[OpeningPlies \"6\"]")) << game;
  }
}

TEST(ConditionsCli, MakesOpenings) {
  const TemporaryFolder folder;
  const auto make = [](const std::string& file, const Arguments& more) {
    Arguments arguments = {"openings", "make", "--game", "tri-d", "--plies", "3", "--tpgn", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  const Arguments quick = {"--lines", "5", "--bot", "mcts:nodes=20", "--player", "random"};
  const std::string first = folder / "a.tpgn";
  const Ran ran = Triarch(make(first, quick));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("; 5 openings of 3 plies, chosen from 40 random ones (seed 1): "
                                 "mcts:nodes=20 expected\n; at most 0."));
  EXPECT_THAT(ran.out,
              HasSubstr("; Points per game when random plays each four times against itself:\n"
                        "; White 0."));
  EXPECT_THAT(ReadWholeFile(first), HasSubstr(ran.out));
  ExpectPrints({"verify", first}, "5 games verified\n");
  const std::string again = folder / "b.tpgn";
  EXPECT_EQ(Triarch(make(again, quick)).exit_code, 0);
  EXPECT_EQ(ReadWholeFile(again), ReadWholeFile(first));
  WriteWholeFile(folder / "t.yaml",
                 "game: tri-d\nbots: [random, greedy]\ngames: 4\nopenings: {tpgn: a.tpgn}\n"
                 "adjudication: {plies_max: 8}\n");
  EXPECT_EQ(Triarch({"run", folder / "t.yaml"}).exit_code, 0);
}

TEST(ConditionsCli, RefusesToMakeWrongOpenings) {
  const TemporaryFolder folder;
  const std::string file = folder / "a.tpgn";
  const auto make = [&](const Arguments& more) {
    Arguments arguments = {"openings", "make", "--game", "tri-d", "--tpgn", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  ExpectRefuses(make({"--bot", "random", "--lines", "2"}), 1, "the bot gives no evaluations");
  ExpectRefuses(make({"--bot", "deep"}), 2, "--bot: unknown bot \"deep\"");
  ExpectRefuses(make({"--player", "greedy:tc=60"}), 2, "--player: a time limit would make");
  ExpectRefuses(make({"--plies", "1", "--lines", "900", "--bot", "mcts:nodes=1"}), 1,
                "different openings of 1 ply ");
  EXPECT_EQ(Triarch(make({"--lines", "0"})).exit_code, 2);
}

TEST(ConditionsCli, RefusesAWrongClock) {
  ExpectRefuses({"run", "--bots", "random,greedy,mcts", "--tc", "40/2m"}, 2,
                "--tc is \"40/2m\"; TIME \"2m\" is not from 0.001 to 1000000 seconds; expected "
                "[MOVES/]TIME[+INCREMENT] with seconds or MINUTES:SECONDS, as in 60+0.6");
}

}  // namespace
}  // namespace triarch
