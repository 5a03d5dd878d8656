#include "spec/tournament_draft.h"

#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "spec/spec_json.h"
#include "spec/test_tournaments.h"
#include "spec/tournament_file.h"
#include "spec/tournament_options.h"

namespace triarch {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

// Resolves a file, or only a game, with flags.
absl::StatusOr<TournamentSpec> WithFlags(const std::string& file, const std::string& bots,
                                         const std::map<std::string_view, std::string>& flags) {
  TournamentDraft draft;
  if (file.empty()) {
    draft.values["game"] = std::string("triumvirate");
  } else {
    OptionValues values;
    for (const auto& [key, text] : flags) {
      if (const auto value = ParseOption(*FindOption(key), text)) values[key] = *value;
    }
    absl::StatusOr<TournamentDraft> read =
        ReadTournamentFile(file, "dir/t.yaml", TestHooks(), values);
    if (!read.ok()) return read.status();
    draft = *std::move(read);
  }
  for (const auto& [key, text] : flags) {
    const absl::Status status = SetFlag(*FindOption(key), text, &draft);
    if (!status.ok()) return status;
  }
  if (!bots.empty()) {
    const absl::Status status = SetBotFlags(bots, TestHooks(), &draft);
    if (!status.ok()) return status;
  }
  return ResolveDraft(draft, TestHooks());
}

std::string FlagError(const std::string& file, const std::string& bots,
                      const std::map<std::string_view, std::string>& flags) {
  return std::string(WithFlags(file, bots, flags).status().message());
}

TEST(TournamentFlagsTest, AreEquivalentToAFile) {
  const absl::StatusOr<TournamentSpec> spec =
      WithFlags("", "random,paranoid:depth=2,mcts", {{"time_control.nodes", "50"}});
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(SpecToJson(*spec), SpecToJson(MustParse("game: triumvirate\n"
                                                    "bots: [random, paranoid:depth=2, mcts]\n"
                                                    "time_control: {nodes: 50}\n")));
}

TEST(TournamentFlagsTest, OverrideTheFile) {
  const std::string file = std::string(kHead) +
                           "games: 60\nseed: 3\nopenings: {tpgn: book.tpgn, plies: 1}\n"
                           "time_control: {tc: 1}\n";
  const absl::StatusOr<TournamentSpec> spec =
      WithFlags(file, "random,mcts,paranoid,paranoid:depth=2",
                {{"cycles", "2"},
                 {"openings.random_plies", "6"},
                 {"seed", "18446744073709551615"},
                 {"time_control.tc", "40/2+0.01"}});
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->bots.size(), 4u);
  EXPECT_EQ(spec->games, 2 * 4 * 6);
  EXPECT_EQ(spec->openings, (Openings{.random_plies = 6, .lines = {}}));
  EXPECT_EQ(spec->seed, 18446744073709551615u);
  EXPECT_EQ(spec->time_control.clock,
            (ClockSpec{.base_ms = 2000, .increment_ms = 10, .moves = 40}));
}

TEST(TournamentFlagsTest, AnOpeningSetReplacesTheOpeningsOfTheFile) {
  const absl::StatusOr<TournamentSpec> spec =
      WithFlags(std::string(kHead) + "openings: {tpgn: book.tpgn, plies: 1}\n", "",
                {{"openings.set", "balanced"}});
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->openings.random_plies, 0);
  EXPECT_GE(spec->openings.lines.size(), 200u);
  EXPECT_EQ(FlagError(kHead, "", {{"openings.set", "even"}}),
            "--opening-set is \"even\"; expected one of balanced");
  EXPECT_EQ(FlagError(kHead, "", {{"openings.set", "balanced"}, {"openings.random_plies", "2"}}),
            "--opening-set: give either openings.random_plies or openings.set");
  EXPECT_EQ(FlagError(kHead, "", {{"openings.set", "balanced"}, {"start", "server"}}),
            "--opening-set: the openings of a set begin at the usual start; expected no start");
}

TEST(TournamentFlagsTest, CanRequestSelfplay) {
  const absl::StatusOr<TournamentSpec> spec =
      WithFlags("", "mcts", {{"mode", "selfplay"}, {"output.data", "d"}});
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_NE(spec->selfplay, nullptr);
  EXPECT_EQ(spec->games, 1);
}

TEST(TournamentFlagsTest, SuggestOtherNamesThatWork) {
  const TemporaryFolder folder;
  const std::string path = folder / "bot.py";
  std::ofstream(path).flush();
  EXPECT_THAT(FlagError("", path + "," + path + ",mcts", {}), EndsWith("as in other=" + path));
  EXPECT_THAT(FlagError("", "m=" + path + ",m=" + path + ",mcts", {}),
              EndsWith("as in other=./mine/bot.py"));
  const std::string plugin = "{name: m, library: ./m.so}";
  EXPECT_THAT(FlagError("game: tri-d\nbots: [" + plugin + ", " + plugin + "]\n", "", {}),
              EndsWith("as in name: other"));
  EXPECT_THAT(FlagError("game: tri-d\nbots: [random, random]\n", "", {}),
              EndsWith("as in {name: other, bot: random}"));
}

// The bots of a file are read for the game and the mode that apply in the end.
TEST(TournamentFlagsTest, CompleteTheFile) {
  const absl::StatusOr<TournamentSpec> spec =
      WithFlags("bots: [{bot: mcts, weight: 2}]\n", "",
                {{"game", "tri-d"}, {"mode", "selfplay"}, {"output.data", "d"}});
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->game, "tri-d");
  ASSERT_EQ(spec->bots.size(), 1u);
  EXPECT_EQ(spec->bots[0].weight, 2);
  EXPECT_THAT(FlagError("bots: [random, mcts]\n", "", {}), HasSubstr("1:1: game is missing"));
}

TEST(TournamentFlagsTest, ErrorsNameTheFlag) {
  EXPECT_THAT(FlagError("", "random,random,mcts", {}), HasSubstr("--bots: two bots are named"));
  EXPECT_THAT(FlagError("", "random,random,mcts", {}), EndsWith("as in other=random"));
  EXPECT_THAT(FlagError("", "random,mcts", {}), HasSubstr("--bots: 2 bots are too few"));
  EXPECT_THAT(FlagError("", "random,,mcts", {}), HasSubstr("--bots: \"\" is not a bot"));
  EXPECT_THAT(FlagError("", "random,deep,mcts", {}), HasSubstr("--bots: unknown bot deep"));
  const std::string bots = "random,paranoid,mcts";
  EXPECT_EQ(FlagError("", bots, {{"games", "0"}}),
            "--games is \"0\"; expected a whole number from 1 to 1000000000000000");
  EXPECT_EQ(FlagError("", bots, {{"format", "adaptive"}, {"games", "5"}}),
            "--games is 5; expected at least 6, the games of one match");
  EXPECT_EQ(FlagError("", bots,
                      {{"format", "adaptive"}, {"adaptive.goal", "best"}, {"adaptive.error", "9"}}),
            "--error: adaptive.error applies only to adaptive.goal: ratings");
  EXPECT_EQ(FlagError("", bots, {{"format", "ladder"}}),
            "--format is \"ladder\"; expected one of round_robin, gauntlet, adaptive, swiss, "
            "knockout, league");
  EXPECT_EQ(FlagError("", bots, {{"games", "6"}, {"cycles", "1"}}),
            "--cycles: give either games or cycles");
  EXPECT_EQ(FlagError("", bots, {{"adjudication.win_plies", "5"}}),
            "--win-plies: adjudication.win_plies needs adjudication.win_share (--win-share); "
            "give both");
  EXPECT_THAT(FlagError("", bots, {{"time_control.tc", "60+x"}}),
              HasSubstr("--tc is \"60+x\"; INCREMENT \"x\" is not from 0 to 1000000 seconds; "
                        "expected [MOVES/]TIME[+INCREMENT]"));
  EXPECT_EQ(FlagError("", bots, {{"adjudication.plies_max", "4"}}),
            "--plies-max: adjudication.plies_max is 4, but an opening has 4 plies; expected more");
  EXPECT_EQ(FlagError("", bots, {{"cycles", "900000000"}, {"openings.random_plies", "x"}}),
            "--random-plies is \"x\"; expected a whole number from 0 to 200");
  EXPECT_EQ(FlagError(kHead, "", {{"game", "tri-d"}}),
            "--game: dir/t.yaml is for triumvirate, not for \"tri-d\"");
  EXPECT_THAT(FlagError(std::string(kHead) + "anchor: mcts\n", "random,random:x=1,paranoid", {}),
              HasSubstr("--bots: "));
  EXPECT_THAT(
      FlagError(std::string(kHead) + "anchor: mcts\n", "random,paranoid:depth=2,paranoid", {}),
      HasSubstr("dir/t.yaml:3:9: anchor \"mcts\" is not a bot of this tournament"));
}

int64_t GamesWith(const std::map<std::string_view, std::string>& flags) {
  const absl::StatusOr<TournamentSpec> spec =
      WithFlags("", "random,mcts,mcts:nodes=9,paranoid,paranoid:depth=2,paranoid:depth=3", flags);
  EXPECT_TRUE(spec.ok()) << spec.status();
  return spec.ok() ? spec->games : 0;
}

TEST(TournamentFlagsTest, TheFormatDecidesTheNumberOfGames) {
  EXPECT_EQ(GamesWith({{"format", "adaptive"}}), 20 * 6) << "those of a round robin";
  EXPECT_EQ(GamesWith({{"format", "adaptive"}, {"cycles", "2"}}), 2 * 20 * 6);
  EXPECT_EQ(GamesWith({{"format", "adaptive"}, {"games", "99"}}), 99);
  EXPECT_EQ(GamesWith({{"format", "swiss"}}), 3 * 2 * 6) << "three rounds of two tables";
  EXPECT_EQ(GamesWith({{"format", "swiss"}, {"swiss.rounds", "7"}}), 7 * 2 * 6);
  EXPECT_EQ(GamesWith({{"format", "knockout"}}), 5 * 5 * 6) << "at most";
  EXPECT_EQ(GamesWith({{"format", "league"}}), 20 * 6);
  EXPECT_EQ(GamesWith({{"format", "league"}, {"cycles", "3"}}), 3 * 20 * 6);
  EXPECT_EQ(GamesWith({{"format", "league"}, {"league.division", "3"}}), 2 * 6);
}

TEST(TournamentFlagsTest, RefuseNumbersOfGamesThatTheFormatDecides) {
  const std::string bots = "random,paranoid,mcts";
  EXPECT_EQ(FlagError("", bots, {{"format", "swiss"}, {"games", "6"}}),
            "--games: games has no effect with format: swiss, which decides how many games there "
            "are");
  EXPECT_THAT(FlagError("", bots, {{"format", "knockout"}, {"cycles", "6"}}),
              HasSubstr("--cycles: cycles has no effect with format: knockout"));
  EXPECT_THAT(FlagError("", bots, {{"format", "league"}, {"games", "6"}}),
              HasSubstr("--games: games has no effect with format: league"));
  EXPECT_EQ(FlagError("", bots, {{"swiss.rounds", "6"}}),
            "--rounds: swiss.rounds applies only to format: swiss");
}

}  // namespace
}  // namespace triarch
