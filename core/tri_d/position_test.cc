#include "core/tri_d/position.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/game/game_state.h"
#include "core/game/perft.h"
#include "core/tri_d/text.h"

namespace triarch::tri_d {
namespace {

using ::testing::UnorderedElementsAre;

std::vector<std::string> Lines(const std::string& name) {
  std::ifstream file(std::string(TRIARCH_TEST_DATA "/tri_d/") + name);
  EXPECT_TRUE(file) << name;
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  EXPECT_FALSE(lines.empty()) << name;
  return lines;
}

Position MustParse(std::string_view text) {
  absl::StatusOr<Position> position = Parse(kGame<Position>, text);
  EXPECT_TRUE(position.ok()) << text << ": " << position.status();
  return position.ok() ? *position : Position();
}

void Play(Position* position, std::string_view text) {
  const absl::StatusOr<Move> move = ParseMove(*position, text);
  ASSERT_TRUE(move.ok()) << text << ": " << move.status();
  position->Play(*move);
}

TEST(TriDLayout, ConvertsCellsToColumnsAndBack) {
  // Every cell and every column survives the round trip.
  const Position start = *Start(kGame<Position>, "meder");
  const Layout& layout = start.layout();
  for (int i = 0; i < kCells; ++i) {
    const Cell cell = Cell::At(i);
    const Column column = layout.ColumnOf(cell);
    EXPECT_NE(layout.CellsOf(ColumnBit(column)) & CellBit(cell), 0u);
    EXPECT_EQ(layout.ColumnsOf(CellBit(cell)).any, ColumnBit(column));
    EXPECT_EQ(FindCell(start.layout(), CellName(start.layout(), cell)), cell);
    EXPECT_TRUE(IsCell(kGame<Position>, CellName(start.layout(), cell)));
  }
  EXPECT_EQ(std::popcount(layout.CellsOf(~ColumnSet{0})), 64);
  // a4 lies on W, N, QL2 and QL5.
  Layout stacked;
  stacked.pins = {Pin::At(false, 2), Pin::At(false, 5), Pin::At(true, 1), Pin::At(true, 6)};
  EXPECT_EQ(std::popcount(stacked.CellsOf(ColumnBit(ColumnAt(1, 4)))), 4);
  EXPECT_EQ(std::popcount(stacked.ColumnsOf(stacked.CellsOf(ColumnBit(ColumnAt(1, 4)))).several),
            1);
}

TEST(TriDConformance, Perft) {
  for (const std::string& line : Lines("perft.tsv")) {
    const auto columns = Split(line, '\t');
    const Position position = MustParse(columns[1]);
    EXPECT_EQ(ToString(position), columns[1]);
    for (size_t depth = 1; depth <= 3; ++depth) {
      if (columns[1 + depth].empty()) continue;
      EXPECT_EQ(Perft(position, static_cast<int>(depth)), ParseUint64(columns[1 + depth]))
          << columns[0] << " depth " << depth;
    }
  }
}

// The first counts are from the rules page; both implementations counted the last.
TEST(TriDConformance, PerftOfTheStarts) {
  const std::map<std::string, std::vector<uint64_t>> kNodes = {
      {"document", {40, 1572, 64648, 2597968}}, {"meder", {20, 400, 9128, 207888, 5083984}}};
  for (const auto& [name, nodes] : kNodes) {
    const Position start = *Start(kGame<Position>, name);
    for (size_t i = 0; i < nodes.size(); ++i) {
      EXPECT_EQ(Perft(start, static_cast<int>(i + 1)), nodes[i]) << name;
    }
  }
}

TEST(TriDConformance, Games) {
  for (const std::string& line : Lines("games.jsonl")) {
    const nlohmann::json game = nlohmann::json::parse(line);
    Position position = MustParse(game["start"].get<std::string>());
    std::map<size_t, std::string> positions = {{0, ToString(position)}};
    size_t ply = 0;
    for (const std::string text : game["moves"]) {
      Play(&position, text);
      positions[++ply] = ToString(position);
    }
    for (const auto& entry : game["positions"]) {
      EXPECT_EQ(positions[entry[0].get<size_t>()], entry[1].get<std::string>())
          << game["id"] << " ply " << entry[0];
    }
    const bool is_fifty = game["end"] == "FIFTY";
    EXPECT_EQ(position.clock_draw().has_value(), is_fifty) << game["id"];
    EXPECT_EQ(position.outcome().has_value(), !game["end"].is_null() && !is_fifty) << game["id"];
  }
}

TEST(TriDConformance, Scenarios) {
  const std::vector<std::string> lines = Lines("scenarios.tsv");
  for (size_t i = 1; i < lines.size(); ++i) {
    const auto fields = Split(lines[i], '\t');
    Position position = MustParse(fields[3]);
    const absl::StatusOr<Move> move = ParseMove(position, fields[4]);
    ASSERT_EQ(move.ok(), fields[5] == "VALID") << lines[i] << "\n" << move.status();
    if (!move.ok()) continue;
    EXPECT_EQ(MoveToString(position, *move), fields[7]) << lines[i];
    position.Play(*move);
    EXPECT_EQ(ToString(position), fields[8]) << lines[i];
  }
}

// --- rules that the conformance data does not cover ---

// White's pawn waits on a8B under BQL on QL6; Black takes the board away.
constexpr char kFreed[] = "QL1,KL1,QL6,KL6 4/4/4/2K1|4/4/4/4|P3/4/4/2k1|2/2|2/2|2/2|2/2 b - - 3 30";

TEST(TriDPromotion, TheOpponentPromotesAFreedPawnFirst) {
  Position position = MustParse(kFreed);
  Play(&position, "QL6-QL4");
  EXPECT_EQ(position.to_move(), Seat::kFirst);
  EXPECT_EQ(position.move_number(), 31);
  ASSERT_TRUE(position.pending().has_value());
  EXPECT_EQ(CellName(position.layout(), *position.pending()), "a8B");
  EXPECT_EQ(MustParse(ToString(position)), position);
  std::vector<std::string> moves;
  for (const Move move : position.LegalMoves()) moves.push_back(MoveToString(position, move));
  EXPECT_THAT(moves, UnorderedElementsAre("a8B=Q", "a8B=R", "a8B=B", "a8B=N"));
  Play(&position, "a8B=R");
  EXPECT_EQ(position.to_move(), Seat::kFirst);
  EXPECT_EQ(position.move_number(), 31);
  EXPECT_EQ(position.halfmove_clock(), 0);
  EXPECT_EQ(position.pending(), std::nullopt);
  Play(&position, "c1W-c2W");
  EXPECT_EQ(position.to_move(), Seat::kSecond);
}

TEST(TriDPromotion, AFreedPawnMayNotAttackTheMoversKing) {
  // A knight on a8B would attack Black's king on c7B.
  const Position position =
      MustParse("QL1,KL1,QL6,KL6 4/4/4/2K1|4/4/4/4|P3/2k1/4/4|2/2|2/2|2/2|2/2 b - - 3 30");
  EXPECT_FALSE(ParseMove(position, "QL6-QL4").ok());
}

TEST(TriDCastling, MovingFromOneHomeToTheOtherLosesTheRights) {
  Position position = MustParse(
      "QL1,KL1,QL6,KL6 4/DDDD/BNNB/1KQ1|4/4/4/4|1qk1/bnnb/dddd/4|DD/R1|DD/1R|r1/dd|1r/dd "
      "b KQkq - 0 2");
  Play(&position, "c8B-d9KL6");
  EXPECT_FALSE(position.can_castle_short(Seat::kSecond));
  EXPECT_FALSE(position.can_castle_long(Seat::kSecond));
  EXPECT_TRUE(position.can_castle_short(Seat::kFirst));
}

TEST(TriDKey, BoardsOfOneColourAreInterchangeable) {
  const Position a =
      MustParse("QL2,KL1,QL6,KL6 4/4/4/2K1|4/4/4/4|4/2k1/4/4|2/2|2/2|2/2|2/2 w - - 3 30");
  const Position b =
      MustParse("KL1,QL2,QL6,KL6 4/4/4/2K1|4/4/4/4|4/2k1/4/4|2/2|2/2|2/2|2/2 w - - 9 31");
  const Position c =
      MustParse("KL1,QL6,QL2,KL6 4/4/4/2K1|4/4/4/4|4/2k1/4/4|2/2|2/2|2/2|2/2 w - - 9 31");
  EXPECT_EQ(a.key(), b.key());
  EXPECT_NE(b.key(), c.key());
}

TEST(TriDEnd, KingsAloneAreADrawOnlyInAMatch) {
  const Position position =
      MustParse("QL1,KL1,QL6,KL6 4/4/4/2K1|4/4/4/4|4/2k1/4/4|2/2|2/2|2/2|2/2 w - - 3 30");
  EXPECT_EQ(position.outcome(), std::nullopt);
  EXPECT_GT(position.CountLegalMoves(), 0u);
  const GameState<triarch::tri_d::Position> game(position);
  ASSERT_NE(game.outcome(), std::nullopt);
  EXPECT_EQ(game.outcome()->termination, Termination::kInsufficientMaterial);
  EXPECT_EQ(PlacementText(game.outcome()->place, 2), "1-1");
}

TEST(TriDEnd, AForfeitLosesTheGame) {
  GameState<triarch::tri_d::Position> game(*Start(kGame<Position>, ""));
  game.Eliminate(Seat::kFirst, Termination::kTimeForfeit);
  ASSERT_NE(game.outcome(), std::nullopt);
  EXPECT_EQ(game.outcome()->termination, Termination::kTimeForfeit);
  EXPECT_EQ(PlacementText(game.outcome()->place, 2), "2-1");
}

}  // namespace
}  // namespace triarch::tri_d
