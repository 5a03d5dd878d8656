#include "coordinator/session/leaderboard.h"

#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

std::string Text(const Leaderboard& board) {
  std::string text;
  for (const Leaderboard::Row& row : board.Rows()) {
    text += absl::StrFormat("%s %d %g\n", row.bot, row.games, row.points);
  }
  return text;
}

GameRecord Record(const PerSeat<std::string>& bots, const PerSeat<uint8_t>& place) {
  GameRecord record;
  record.bots = bots;
  record.outcome.place = place;
  return record;
}

TEST(Leaderboard, OrdersBotsByPointsPerGame) {
  const std::vector<BotSpec> bots = {{.name = "a", .bot = "random"},
                                     {.name = "b", .bot = "random"},
                                     {.name = "c", .bot = "greedy"},
                                     {.name = "d", .bot = "greedy"}};
  Leaderboard board(bots);
  EXPECT_EQ(Text(board), "a 0 0\nb 0 0\nc 0 0\nd 0 0\n");
  board.Add(Record({{"a", "b", "c"}}, {{3, 2, 1}}));
  board.Add(Record({{"c", "a", "d"}}, {{1, 1, 3}}));
  EXPECT_EQ(Text(board), "c 2 1.75\nb 1 0.5\na 2 0.75\nd 1 0\n");
}

TEST(Leaderboard, CountsSummariesLikeRecords) {
  const std::vector<BotSpec> bots = {{.name = "a", .bot = "random"}, {.name = "b", .bot = "mcts"}};
  Leaderboard records(bots);
  Leaderboard summaries(bots);
  records.Add(Record({{"b", "a", ""}}, {{2, 1, 0}}));
  GameSummary summary;
  summary.bots = {{1, 0, 0}};
  summary.outcome.place = {{2, 1, 0}};
  summaries.Add(summary);
  EXPECT_EQ(Text(records), "a 1 1\nb 1 0\n");
  EXPECT_EQ(Text(summaries), Text(records));
}

}  // namespace
}  // namespace triarch
