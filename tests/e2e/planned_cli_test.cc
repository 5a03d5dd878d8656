// Tests tournaments that choose their matches by the results so far.

#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct PlannedCase {
  std::string name;
  std::string lines;   // of the tournament file
  std::string report;  // part of what the run prints
};

std::string NameOf(const ::testing::TestParamInfo<std::tuple<PlannedCase, std::string>>& info) {
  std::string name = std::get<0>(info.param).name + "_" + std::get<1>(info.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

const char kBots[] =
    "bots: [greedy, random, {name: a, bot: greedy}, {name: b, bot: random},\n"
    "       {name: c, bot: greedy}, {name: d, bot: random}, {name: e, bot: maxn, depth: 1}]\n"
    "adjudication: {plies_max: 150}\n";

class PlannedTest : public ::testing::TestWithParam<std::tuple<PlannedCase, std::string>> {
 protected:
  PlannedTest() {
    WriteWholeFile(
        file_, "game: " + std::get<1>(GetParam()) + "\n" + std::get<0>(GetParam()).lines + kBots);
  }
  std::string Games(const std::string& db) const {
    return Triarch({"games", "--db", db, "--tpgn", "-"}).out;
  }

  const TemporaryFolder folder_;
  const std::string file_ = folder_ / "t.yaml";
};

// In all three games.
TEST_P(PlannedTest, TheGamesDoNotDependOnTheSlots) {
  const std::string one = folder_ / "1.db";
  const Ran ran = Triarch({"run", file_, "--slots", "1", "--db", one});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr(std::get<0>(GetParam()).report));
  const std::string games = Games(one);
  EXPECT_THAT(games, StartsWith("["));
  for (const std::string slots : {"2", "8"}) {
    const std::string db = folder_ / (slots + ".db");
    EXPECT_EQ(Triarch({"run", file_, "--slots", slots, "--db", db}).exit_code, 0);
    EXPECT_EQ(Games(db), games);
  }
  // A complete tournament plays nothing more.
  const Ran again = Triarch({"run", file_, "--db", one});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("already complete"));
  EXPECT_EQ(Games(one), games);
  const Json event = Json::parse(Triarch({"standings", "--db", one, "--json"}).out).at("event");
  EXPECT_EQ(event.at("format"), std::get<0>(GetParam()).name);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, PlannedTest,
    ::testing::Combine(
        ::testing::Values(
            PlannedCase{"swiss", "format: swiss\nswiss: {rounds: 3}\n",
                        "Swiss event, 3 of 3 rounds"},
            PlannedCase{"knockout", "format: knockout\n", "final"},
            PlannedCase{"league", "format: league\nleague: {division: 3}\n", "division 2"},
            PlannedCase{"adaptive", "format: adaptive\nadaptive: {goal: best}\ngames: 200\n",
                        "The goal is"}),
        ::testing::Values("triumvirate", "three-way", "tri-d")),
    NameOf);

TEST(PlannedTournament, ALeagueGoesOnWithTheNextSeason) {
  const TemporaryFolder folder;
  const std::string file = folder / "league.yaml";
  const std::string db = folder / "league.db";
  WriteWholeFile(file,
                 "game: tri-d  # our league\n"
                 "format: league\n"
                 "league: {division: 3}\n"
                 "cycles: 2\n"
                 "bots:\n"
                 "  - random\n"
                 "  - {name: weak, bot: random}\n"
                 "  - {name: idle, bot: random}\n"
                 "  - greedy\n"
                 "  - {name: slow, bot: random}\n"
                 "  - {name: dull, bot: random}\n");
  ExpectRefuses({"standings", "--db", db, "--next-season", file}, 1, "there is no database");
  const Ran first = Triarch({"run", file, "--db", db});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("greedy"));
  const Ran standings = Triarch({"standings", "--db", db, "--next-season", file});
  EXPECT_EQ(standings.exit_code, 0) << standings.err;
  const std::string next = ReadWholeFile(file);
  EXPECT_THAT(next, HasSubstr("# our league"));
  // The best of the second division has moved into the first.
  const Ran second = Triarch({"run", file, "--db", db});
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_THAT(second.err, HasSubstr("as tournament 2"));
  const std::string text = Triarch({"standings", "2", "--db", db}).out;
  EXPECT_LT(text.find("greedy"), text.find("division 2"));
}

TEST(PlannedTournament, FindsTheBestVariantInEachGame) {
  for (const std::string game : {"triumvirate", "three-way", "tri-d"}) {
    const Arguments best_of = {"best-of", "random", "greedy", "maxn:depth=1", "--game",
                               game,      "--elo",  "0,50",   "--json"};
    const Ran ran = Triarch(best_of);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const Json result = Json::parse(ran.out);
    EXPECT_EQ(result["verdict"], "better");
    EXPECT_EQ(result["variants"].size(), 2u);
    Arguments slots = best_of;
    slots.insert(slots.end(), {"--slots", "7"});
    EXPECT_EQ(Triarch(slots).out, ran.out);
    EXPECT_EQ(Triarch({"best-of", "greedy", "random", "--game", game, "--elo", "0,50"}).exit_code,
              3);
  }
  EXPECT_EQ(Triarch({"best-of", "random", "greedy", "--games", "60"}).exit_code, 4);
}

TEST(PlannedTournament, TunesAndConfirms) {
  const TemporaryFolder folder;
  const std::string db = folder / "tune.db";
  const std::string svg = folder / "tune.svg";
  const Arguments tune = {"tune",    "smart:risk=0.2", "--option", "risk=0..1:0.2",
                          "--games", "1200",           "--rate",   "0.05",
                          "--elo",   "0,50",           "--slots",  "2"};
  Arguments recorded = tune;
  recorded.insert(recorded.end(), {"--db", db, "--svg", svg});
  const Ran ran = Triarch(recorded);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("tuning of smart:risk=0.2: 200 of 200 iterations"));
  EXPECT_THAT(ran.out, HasSubstr("better: smart:risk=0.2-tuned is stronger than smart:risk=0.2"));
  EXPECT_THAT(ReadWholeFile(svg), StartsWith("<svg"));
  // Without a database and with other slots, the same.
  Arguments other = tune;
  other.back() = "5";
  const Ran again = Triarch(other);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.out.substr(0, 500), ran.out.substr(0, 500));
  EXPECT_EQ(Triarch({"standings", "1", "--db", db}).exit_code, 0);
  const Ran complete = Triarch(recorded);
  EXPECT_EQ(complete.exit_code, 0) << complete.err;
  EXPECT_THAT(complete.out, HasSubstr("already complete"));
}

}  // namespace
}  // namespace triarch
