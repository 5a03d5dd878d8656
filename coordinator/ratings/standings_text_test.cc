#include "coordinator/ratings/standings_text.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coordinator/ratings/display_width.h"
#include "coordinator/ratings/simulated_games.h"
#include "core/base/text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace triarch {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr GameInfo kGame{.name = "three",
                         .variant = "Three",
                         .seats = 3,
                         .seat_names = {"White", "Black", "Red"},
                         .seat_letters = {'w', 'b', 'r'}};

Standings Simulated(int bots, int rounds, std::string_view name_stem) {
  ratings::SimulatedWorld world{.strength = {},
                                .seat = {0.2, 0, -0.2},
                                .tie = {0, 0, -1.2, -2},
                                .opening_deviation = 0,
                                .can_share_second = true};
  TournamentSpec spec;
  for (int i = 0; i < bots; ++i) {
    world.strength.push_back(-0.1 * i);
    spec.bots.push_back({std::string(name_stem) + std::to_string(i), "random", {}});
  }
  std::vector<GameSummary> games = ratings::SimulateRoundRobin(world, rounds, 1);
  for (GameSummary& game : games) {
    game.plies = 120;
    for (SeatCost& cost : game.costs) cost = {40, 400'000, 123'456, 120'000};
  }
  games.front().endings[Seat::kFirst] = Termination::kTimeForfeit;
  spec.games = static_cast<int64_t>(games.size());
  return *ComputeStandings(spec, games, kGame);
}

size_t WidestLine(std::string_view text) {
  size_t widest = 0;
  for (const std::string_view line : Split(text, '\n')) {
    widest = std::max(widest, DisplayWidth(line));
  }
  return widest;
}

// A small table with its expected output.
Standings SmallTable() {
  Standings standings;
  standings.name = "Test";
  standings.games_recorded = 1234;
  standings.games_asked = 2000;
  BotStanding a;
  a.bot = 1;
  a.rank = 1;
  a.name = "mcts";
  a.rating = ratings::Estimate{101.4, 10};
  a.superiority = 0.9999;
  a.games = 1234;
  a.points = 925.5;
  a.firsts = 700;
  a.draws = 300;
  a.seconds = 200;
  a.thirds = 34;
  a.time_per_move_ms = 12.34;
  a.cpu_per_move_ms = 11.9;
  a.nodes_per_move = 45678;
  BotStanding b;
  b.bot = 0;
  b.rank = 2;
  b.name = "random";
  b.rating = ratings::Estimate{-101.4, 10};
  b.is_one_sided = true;
  b.games = 1234;
  b.points = 0.25;
  b.faults.crash = 3;
  b.time_per_move_ms = 0.0021;
  standings.bots = {a, b};
  standings.seats = {{"White", {5.2, 2}, 0.51}, {"Black", {0.1, 2}, 0.5}, {"Red", {-5.3, 2}, 0.49}};
  standings.ties = {{0.12, 0.118}, {0.03, 0.031}, {0, 0}};
  standings.cross = {{{}, {900, 1234}}, {{334, 1234}, {}}};
  standings.terminations = {{Termination::kCheckmate, 1200}, {Termination::kStalemate, 34}};
  standings.plies_per_game = 143.2;
  standings.next_margin = Standings::NextMargin{19.6, 10, 3507};
  return standings;
}

TEST(StandingsTextTest, RendersTheTable) {
  EXPECT_EQ(RenderStandings(SmallTable()), R"(Test: 1 234 of 2 000 games

#  Bot       Elo  ±95%  > next  Games  Points  1st  Drawn  2nd  3rd  Faults     ms  nodes
1  mcts     +101   ±20  >99.9%  1 234  925.50  700    300  200   34       0   12.3  45.7k
2  random  -101*   ±20       –  1 234    0.25    0      0    0    0       3  0.002      –

Elo     the mean is 0 · ± spans 95% · > next: probability of being stronger, valid for one look
        ±10 for most takes about 3 500 more games · ms, nodes: per move
  *     random · won or lost everything against most others: the rating is only a bound
Seats   White +5 ±4, 0.510 points · Black +0 ±4, 0.500 points · Red -5 ±4, 0.490 points
Ties    first shared by two 12% (model 12%) · by three 3% (model 3%) · second shared 0% (model 0%)
Ends    checkmate 1 200 · stalemate 34 · 143 plies a game
Faults  random crash 3

Share of games in which the row's bot placed above the column's (a tie is half)
#  ahead of          mcts        random
1  mcts                 ·  73% of 1 234
2  random    27% of 1 234             ·
)");
}

// A bot that thinks in others' turns, one that shares its core, and a negligible difference.
TEST(StandingsTextTest, ShowsCpuTimeIfItDiffers) {
  const auto shows = [](double time, std::optional<double> cpu) {
    Standings standings = SmallTable();
    standings.bots[0].time_per_move_ms = time;
    standings.bots[0].cpu_per_move_ms = cpu;
    const std::string text = RenderStandings(standings);
    EXPECT_EQ(text.find("  cpu ms  nodes\n") != std::string::npos,
              text.find("ms, cpu ms, nodes: per move") != std::string::npos);
    return text.find("cpu ms") != std::string::npos;
  };
  EXPECT_TRUE(shows(12.34, 30.0));
  EXPECT_TRUE(shows(12.34, 6.0));
  EXPECT_FALSE(shows(12.34, 12.0));
  EXPECT_FALSE(shows(12.34, std::nullopt));
  EXPECT_FALSE(shows(0.02, 0.01));
}

TEST(StandingsTextTest, SelfplayIsUnrated) {
  TournamentSpec spec;
  spec.name = "Data";
  spec.games = 40;
  spec.bots = {{"a", "random", {}}, {"b", "random", {}}};
  spec.selfplay = std::make_shared<const SelfplaySpec>();
  std::vector<GameSummary> games(2);
  games[0].outcome.place = games[1].outcome.place = {1, 2, 3};
  games[1].bots = {1, 0, 0};  // a plays the first alone
  for (GameSummary& game : games) {
    game.outcome.termination = Termination::kCheckmate;
    game.plies = 90;
    for (SeatCost& cost : game.costs) cost = {30, 300'000, 60'000, 60'000};
  }
  Standings standings = *ComputeStandings(spec, games, kGame);
  ASSERT_FALSE(standings.is_rated());
  standings.samples = SampleCounts{.shards = 1, .samples = 180, .bytes = 5400};
  EXPECT_EQ(RenderStandings(standings),
            R"(Data: 2 of 40 games of self-play (unrated)

Bot  Seats  Points  1st  Drawn  2nd  3rd  Faults    ms  nodes
a        5    2.00    1      0    2    2       0  2.00  10.0k
b        1    1.00    1      0    0    0       0  2.00  10.0k

Data    180 samples in 1 shard · 0.0 MB · 90.0 a game · 30.0 bytes each · ms, nodes: per move
Seats   White 1.000 points · Black 0.500 points · Red 0.000 points
Ends    checkmate 2 · 90.0 plies a game
)");
  const nlohmann::json json = nlohmann::json::parse(StandingsJson(standings));
  EXPECT_EQ(json["rated"], false);
  EXPECT_EQ(json["samples"]["samples"], 180);
  EXPECT_EQ(json["games"]["recorded"], 2);
  EXPECT_EQ(json["bots"][0]["games"], 5);
  EXPECT_EQ(json["bots"][0]["time_per_move_ms"], 2.0);
  for (const char* const key : {"rank", "rating", "superior_to_next"}) {
    EXPECT_EQ(json["bots"][0][key], nullptr) << key;
  }
  EXPECT_EQ(json["bots"][0]["connected"], false);
  EXPECT_EQ(json["seats"][0]["effect"], nullptr);
  EXPECT_EQ(json["ties"]["second"]["observed"], nullptr);
  EXPECT_EQ(json["cross"]["names"].size(), 0u);
  EXPECT_EQ(json["pairs"].size(), 0u);
}

TEST(StandingsTextTest, ShowsFallbacksIfThereAreAny) {
  Standings standings = SmallTable();
  standings.bots[1].fallbacks = 1200;
  const std::string text = RenderStandings(standings);
  EXPECT_THAT(text, HasSubstr("Faults  Fallbacks     ms"));
  EXPECT_THAT(text, HasSubstr("     0          0   12.3"));
  EXPECT_THAT(text, HasSubstr("     3      1 200  0.002"));
}

TEST(StandingsTextTest, StaysWithinAHundredColumns) {
  for (const std::string_view stem :
       {"b", "paranoid-with-a-name-longer-than-anybody-will-want-to-type-",
        "将棋将棋将棋将棋将棋"}) {
    for (const int bots : {3, 7, 8, 20}) {
      const std::string text = RenderStandings(Simulated(bots, 1, stem));
      EXPECT_LE(WidestLine(text), 100u) << text;
      EXPECT_TRUE(text.ends_with('\n'));
    }
  }
}

TEST(StandingsTextTest, CrossTableShortensWithTheNumberOfBots) {
  EXPECT_THAT(RenderStandings(Simulated(4, 1, "bot")), HasSubstr("#  ahead of "));
  EXPECT_THAT(RenderStandings(Simulated(20, 1, "bot")), HasSubstr("% ahead of #"));
  EXPECT_THAT(RenderStandings(Simulated(24, 1, "bot")), HasSubstr("cross table of 24 bots"));
}

TEST(StandingsTextTest, NamesStayDifferent) {
  Standings standings = SmallTable();
  standings.bots[0].name = "mybot-v1-with-late-move-reductions-and-a-null-move";
  standings.bots[1].name = "mybot-v2-with-late-move-reductions-and-a-null-move";
  const std::string text = RenderStandings(standings);
  EXPECT_THAT(text, AllOf(HasSubstr("1  mybot-v1-wit…move "), HasSubstr("2  mybot-v2-wit…move ")));
  EXPECT_LE(WidestLine(text), 100u);
}

TEST(StandingsTextTest, OmitsEmptyParts) {
  Standings standings = SmallTable();
  for (BotStanding& bot : standings.bots) {
    bot.time_per_move_ms.reset();
    bot.nodes_per_move.reset();
    bot.cpu_per_move_ms.reset();
    bot.faults = {};
    bot.is_one_sided = false;
  }
  standings.next_margin.reset();
  EXPECT_THAT(RenderStandings(standings),
              AllOf(Not(HasSubstr("nodes")), Not(HasSubstr("cpu")), Not(HasSubstr("Fallbacks")),
                    Not(HasSubstr("Faults  ")), Not(HasSubstr("*")), Not(HasSubstr("more games")),
                    Not(HasSubstr("Pairs")), Not(HasSubstr("Triples"))));
}

TEST(StandingsTextTest, NamesBotsThatPlayTogether) {
  Standings standings = SmallTable();
  ratings::PairCheck pair;
  pair.bots = {0, 1};
  pair.games = 1200;
  pair.gang = {.observed = 345.25, .expected = 400, .p_holm = 0.0123, .is_significant = true};
  pair.feed = {.observed = 55.5, .expected = -2, .p_holm = 1e-9, .is_significant = true};
  standings.coalitions.pairs = {pair};
  ratings::TripleCheck triple;  // (bots are identified by index, so names may repeat)
  triple.bots = {0, 1, 0};
  triple.firsts = {10, 20, 30};
  triple.expected = {20.2, 19.8, 20};
  triple.p_holm = 0.004;
  triple.is_significant = true;
  standings.coalitions.triples = {triple, triple, triple, triple};
  standings.coalitions.triples[3].p_holm = 0.003;
  EXPECT_THAT(RenderStandings(standings), HasSubstr(R"(
Pairs   style, copies or coalition: results cannot tell them apart
        mcts finished +55.5 points ahead of random in 1 200 games, -2.0 expected, p < 0.001
        random and mcts left the third bot 345.2 points in 1 200 games, 400.0 expected, p 0.012
Triples non-transitive · random, mcts, random: 10/20/30 firsts, 20/20/20 expected, p 0.003
        random, mcts, random: 10/20/30 firsts, 20/20/20 expected, p 0.004
        random, mcts, random: 10/20/30 firsts, 20/20/20 expected, p 0.004 · 1 more
)"));
}

TEST(StandingsTextTest, RoundsToWhatTheErrorAllows) {
  Standings standings = SmallTable();
  standings.bots[0].rating = ratings::Estimate{191.4, 381.2 / ratings::kDeviates95};
  standings.bots[0].superiority = 0.838;
  standings.bots[0].style = ratings::Estimate{223.4, 66.2 / ratings::kDeviates95};
  standings.bots[0].has_style = true;
  standings.bots[1].superiority = 1;
  standings.ties.first_of_two = {0.0061, 0.9999999};
  EXPECT_THAT(RenderStandings(standings),
              AllOf(HasSubstr(" +190  ±380     84%  1 234 "), HasSubstr(" >99.9%  1 234 "),
                    HasSubstr("Style   mcts survives 220 ±70 Elo above its duels\n"),
                    HasSubstr("first shared by two 0.6% (model >99.9%)")));
}

TEST(StandingsTextTest, WithoutGamesListsTheNames) {
  TournamentSpec spec;
  spec.games = 100;
  for (const char* name : {"a", "b", "c"}) spec.bots.push_back({name, "random", {}});
  EXPECT_EQ(RenderStandings(*ComputeStandings(spec, {}, kGame)), R"(Three: 0 of 100 games

#  Bot  Elo  ±95%  > next  Games  Points  1st  Drawn  2nd  3rd  Faults
1  a      –     –       –      0    0.00    0      0    0    0       0
2  b      –     –       –      0    0.00    0      0    0    0       0
3  c      –     –       –      0    0.00    0      0    0    0       0
)");
}

TEST(StandingsJsonTest, KeepsItsKeys) {
  const nlohmann::json json = nlohmann::json::parse(StandingsJson(SmallTable()));
  EXPECT_EQ(json["games"]["asked"], 2000);
  EXPECT_EQ(json["rated"], true);
  EXPECT_EQ(json["samples"], nullptr);
  EXPECT_EQ(json["anchor"], nullptr);
  const nlohmann::json& first = json["bots"][0];
  EXPECT_EQ(first["name"], "mcts");
  EXPECT_EQ(first["rating"]["elo"], 101.4);
  EXPECT_NEAR(first["rating"]["low"].get<double>(), 81.8, 0.01);
  EXPECT_EQ(first["superior_to_next"], 0.9999);
  EXPECT_EQ(json["bots"][1]["superior_to_next"], nullptr);
  EXPECT_EQ(json["bots"][1]["nodes_per_move"], nullptr);
  EXPECT_EQ(first["time_per_move_ms"], 12.34);
  EXPECT_EQ(first["cpu_per_move_ms"], 11.9);
  EXPECT_EQ(json["bots"][1]["cpu_per_move_ms"], nullptr);
  EXPECT_EQ(json["bots"][1]["fallbacks"], 0);
  EXPECT_EQ(json["bots"][1]["one_sided"], true);
  EXPECT_EQ(json["bots"][1]["faults"]["crash"], 3);
  EXPECT_EQ(json["seats"][2]["name"], "Red");
  EXPECT_EQ(json["ties"]["first_of_two"]["observed"], 0.12);
  EXPECT_EQ(json["cross"]["score"][0][0], nullptr);
  EXPECT_EQ(json["cross"]["games"][0][1], 1234);
  EXPECT_EQ(json["terminations"]["stalemate"], 34);
  EXPECT_EQ(json["next_margin"]["games"], 3507);
}

TEST(StandingsJsonTest, HoldsTriplesAndPairs) {
  const nlohmann::json json = nlohmann::json::parse(StandingsJson(Simulated(5, 20, "b")));
  EXPECT_EQ(json["triples"].size(), 10u);
  EXPECT_THAT(json["triples"][0]["bots"], ElementsAre("b0", "b1", "b2"));
  EXPECT_TRUE(json["triples"][0]["p"].is_number());
  EXPECT_EQ(json["pairs"].size(), 10u);
  EXPECT_EQ(json["pairs"][0]["games"], 360);
  EXPECT_TRUE(json["pairs"][0]["gang"]["p_holm"].is_number());
  EXPECT_TRUE(json["pairs"][0]["feed"]["z"].is_number());
  EXPECT_TRUE(json["bots"][0]["style"]["elo"].is_number());
}

TEST(StandingsJsonTest, UnknownIsNull) {
  TournamentSpec spec;
  for (const char* name : {"a", "b", "c"}) spec.bots.push_back({name, "random", {}});
  spec.bots[0].name = "\xff";  // not UTF-8
  const nlohmann::json json =
      nlohmann::json::parse(StandingsJson(*ComputeStandings(spec, {}, kGame)));
  EXPECT_EQ(json["bots"][0]["rating"], nullptr);
  EXPECT_EQ(json["bots"][0]["name"], "\uFFFD");
  EXPECT_EQ(json["plies_per_game"], nullptr);
  EXPECT_EQ(json["next_margin"], nullptr);
  EXPECT_EQ(json["ties"]["second"]["model"], nullptr);
  EXPECT_EQ(json["seats"][0]["points_per_game"], nullptr);
}

}  // namespace
}  // namespace triarch
