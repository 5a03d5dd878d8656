#include "spec/next_season.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

TournamentSpec LeagueOf(const std::vector<std::string>& names) {
  TournamentSpec spec;
  for (const std::string& name : names) {
    spec.bots.push_back({.name = name, .bot = "random", .options = {}});
  }
  spec.seed = 6;
  return spec;
}

// Reorders the bots a, b, c to c, a, b.
absl::StatusOr<std::string> Season(const std::string& text) {
  return NextSeasonFile(text, "t.yaml", LeagueOf({"a", "b", "c"}),
                        std::vector<std::string>{"c", "a", "b"});
}

std::string SeasonText(const std::string& text) {
  const absl::StatusOr<std::string> season = Season(text);
  EXPECT_TRUE(season.ok()) << season.status();
  return season.ok() ? *season : "";
}

std::string SeasonError(const std::string& text) {
  return std::string(Season(text).status().message());
}

TEST(NextSeasonTest, ReordersTheEntriesOfAList) {
  EXPECT_EQ(SeasonText("# My league.\n"
                       "game: triumvirate\n"
                       "seed: 6  # of the season\n"
                       "bots:\n"
                       "  # division 1\n"
                       "  - a  # the old one\n"
                       "\n"
                       "  # division 2\n"
                       "  - name: b\n"
                       "    bot: paranoid\n"
                       "    # deeper than a\n"
                       "    depth: 3\n"
                       "  - {name: c, command: [./run, '- x']}\n"
                       "\n"
                       "# The rest.\n"
                       "time_control: {nodes: 50}\n"),
            "# My league.\n"
            "game: triumvirate\n"
            "seed: 7  # of the season\n"
            "bots:\n"
            "  # division 1\n"
            "  - {name: c, command: [./run, '- x']}\n"
            "\n"
            "  # division 2\n"
            "  - a  # the old one\n"
            "  - name: b\n"
            "    bot: paranoid\n"
            "    # deeper than a\n"
            "    depth: 3\n"
            "\n"
            "# The rest.\n"
            "time_control: {nodes: 50}\n");
}

TEST(NextSeasonTest, ReordersAListInBrackets) {
  EXPECT_EQ(SeasonText("name: \"Ligå\"\n"
                       "bots: [a, {name: b, bot: mcts, x: \"],\"},\n"
                       "       'c' ]  # all\n"
                       "game: tri-d\n"),
            "name: \"Ligå\"\n"
            "seed: 7\n"
            "bots: ['c', a,\n"
            "       {name: b, bot: mcts, x: \"],\"} ]  # all\n"
            "game: tri-d\n");
  EXPECT_EQ(SeasonText("{game: tri-d, bots: [a, b, c]}"),
            "{game: tri-d, seed: 7, bots: [c, a, b]}");
}

TEST(NextSeasonTest, ReordersAListThatIsNotIndentedOrEndsTheFile) {
  EXPECT_EQ(SeasonText("bots:\n- a\n- b\n-\n  c\nseed: 1"), "bots:\n-\n  c\n- a\n- b\nseed: 7");
  EXPECT_EQ(SeasonText("seed: 12\nbots:\r\n- a\r\n- bot: b\r\n  name: b\r\n- c"),
            "seed: 7\nbots:\r\n- c\r\n- a\r\n- bot: b\r\n  name: b");
  EXPECT_EQ(SeasonText("bots:\n- bundle: å\n- b\n- c\n"),
            "seed: 7\nbots:\n- c\n- bundle: å\n- b\n");
}

TEST(NextSeasonTest, RefusesTheFileOfAnotherTournament) {
  EXPECT_EQ(SeasonError("bots:\n- a\n- x\n- c\n"),
            "t.yaml:3:3: the bot is \"x\"; expected \"b\", as in the tournament");
  EXPECT_EQ(SeasonError("bots:\n- a\n- {name: c}\n- c\n"),
            "t.yaml:3:10: the bot is \"c\"; expected \"b\", as in the tournament");
  EXPECT_EQ(SeasonError("bots: [a, b]\n"),
            "t.yaml:1:1: expected a list of the 3 bots of the tournament");
  EXPECT_THAT(SeasonError("game: tri-d\n"), HasSubstr("bots is missing"));
  EXPECT_THAT(SeasonError("[a, b, c]\n"), HasSubstr("bots is missing"));
  EXPECT_THAT(SeasonError("bots: [a, b"), HasSubstr("t.yaml:"));
  EXPECT_THAT(SeasonError(""), HasSubstr("t.yaml:"));
}

TEST(NextSeasonTest, RefusesAListThatCannotBeReordered) {
  EXPECT_THAT(SeasonError("bots:\n- a\n- &one {name: b, bot: mcts}\n- *one\n"),
              HasSubstr("expected"));
}

}  // namespace
}  // namespace triarch
