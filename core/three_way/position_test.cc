#include "core/three_way/position.h"

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
#include "core/three_way/attacks.h"
#include "core/three_way/bench.h"
#include "core/three_way/text.h"

namespace triarch::three_way {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

constexpr char kStartText[] =
    "rnbqkbnr/pppppppp/8/8/X/X X/rnbqkbnr/pppppppp/8/8/X X/X/rnbqkbnr/pppppppp/8/8 "
    "W qkqkqk --- 0 1";

Position MustParse(std::string_view text) {
  absl::StatusOr<Position> position = Parse(kGame<Position>, text);
  EXPECT_TRUE(position.ok()) << text << ": " << position.status();
  return position.ok() ? *position : Position();
}

std::vector<std::string> Lines(const std::string& name) {
  std::ifstream file(std::string(TRIARCH_TEST_DATA "/three_way/") + name);
  EXPECT_TRUE(file) << name;
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  EXPECT_FALSE(lines.empty()) << name;
  return lines;
}

std::vector<std::string> MovesFrom(const Position& position, std::string_view cell) {
  std::vector<std::string> moves;
  for (const Move move : position.LegalMoves()) {
    if (move.from() == Cell::Parse(cell)) moves.push_back(MoveToString(position, move));
  }
  return moves;
}

void Play(Position* position, std::string_view text) {
  const absl::StatusOr<Move> move = ParseMove(*position, text);
  ASSERT_TRUE(move.ok()) << text << ": " << move.status();
  position->Play(*move);
}

// --- the board (§1, §2) ---

TEST(ThreeWayBoard, NamesTheBackRanks) {
  const std::array<std::string_view, 3> kRanks = {
      "d4 e4 f4 g4 h4 i3 j2 k1", "o4 n5 m6 l7 k8 k9 k10 k11", "d15 d14 d13 d12 d11 c11 b11 a11"};
  for (size_t i = 0; i < 3; ++i) {
    const auto names = Split(kRanks[i], ' ');
    for (int column = 0; column < kColumns; ++column) {
      const Cell cell = Cell::At(SeatAt(i), column, 0);
      EXPECT_EQ(cell.ToString(), names[static_cast<size_t>(column)]);
      EXPECT_EQ(Cell::Parse(names[static_cast<size_t>(column)]), cell);
    }
  }
}

TEST(ThreeWayBoard, CellsFormTheStar) {
  std::map<int, int> colors;
  int count = 0;
  for (int q = -7; q <= 7; ++q) {
    for (int r = -7; r <= 7; ++r) {
      const int s = -1 - q - r;
      const bool is_cell = (q <= 3 && r <= 3 && s <= 3) || (q >= -4 && r >= -4 && s >= -4);
      const auto cell = Cell::At(Hex{q, r, s});
      ASSERT_EQ(cell.has_value(), is_cell) << q << " " << r;
      if (!cell) continue;
      ++count;
      ++colors[cell->color()];
      EXPECT_EQ(cell->hex(), (Hex{q, r, s}));
      EXPECT_EQ(Cell::Parse(cell->ToString()), *cell);
      EXPECT_EQ(cell->Rotated().hex(), cell->hex().Rotated());
    }
  }
  EXPECT_EQ(count, 96);
  EXPECT_EQ(colors, (std::map<int, int>{{0, 32}, {1, 32}, {2, 32}}));
}

TEST(ThreeWayBoard, RefusesInvalidNames) {
  for (const std::string_view text : {"", "a", "a1", "h16", "h04", "p4", "h", "h4 ", "o5", "h-4"}) {
    EXPECT_EQ(Cell::Parse(text), std::nullopt) << text;
  }
}

TEST(ThreeWayBoard, BishopsHopOverTheBorder) {
  const std::array<std::pair<std::string_view, std::string_view>, 6> kHops = {
      {{"g4", "i3"}, {"k3", "l4"}, {"l7", "k9"}, {"i11", "g12"}, {"d12", "c11"}, {"c9", "d7"}}};
  for (const auto& [from, to] : kHops) {
    EXPECT_TRUE(BishopAttacks(*Cell::Parse(from), {}).contains(*Cell::Parse(to))) << from;
    EXPECT_TRUE(BishopAttacks(*Cell::Parse(to), {}).contains(*Cell::Parse(from))) << to;
  }
}

TEST(ThreeWayBoard, StepsOfKnightsAndKings) {
  int most = 0;
  for (int i = 0; i < kCells; ++i) most = std::max(most, KnightAttacks(Cell::At(i)).size());
  EXPECT_EQ(most, 12);
  EXPECT_EQ(KingAttacks(*Cell::Parse("h4")).size(), 9);
  EXPECT_EQ(KingAttacks(*Cell::Parse("h8")).size(), 12);
  for (const std::string_view name : {"e4", "j2", "n5", "k10", "d14", "b11"}) {
    const int size = KnightAttacks(*Cell::Parse(name)).size();
    EXPECT_TRUE(size == 3 || size == 4) << name << " " << size;
  }
}

TEST(ThreeWayBoard, PromotionCells) {
  const std::array<std::string_view, 3> kCellsOf = {
      "a11 b11 c11 d15 e14 f13 g12 h11 i11 j11 k11 l7 m6 n5 o4",
      "a11 b10 c9 d8 d7 d6 d5 d4 d12 d13 d14 d15 i3 j2 k1",
      "d4 e4 f4 g4 k1 k2 k3 k4 l4 m4 n4 o4 k9 k10 k11"};
  for (size_t i = 0; i < 3; ++i) {
    CellSet expected;
    for (const auto name : Split(kCellsOf[i], ' ')) expected |= CellSet::Of(*Cell::Parse(name));
    EXPECT_EQ(kAttacks.promotion[SeatAt(i)], expected) << i;
  }
}

// --- agreement with the conformance data ---

TEST(ThreeWayConformance, Perft) {
  for (const std::string& line : Lines("perft.tsv")) {
    const auto columns = Split(line, '\t');
    const Position position = MustParse(columns[1]);
    EXPECT_EQ(ToString(position), columns[1]);
    for (int depth = 1; depth <= 3; ++depth) {
      EXPECT_EQ(Perft(position, depth), ParseUint64(columns[static_cast<size_t>(1 + depth)]))
          << columns[0] << " depth " << depth;
    }
  }
}

// `triarch bench` counts depth 6.
TEST(ThreeWayConformance, PerftOfTheStart) {
  for (const char turn : std::string("WGB")) {
    std::string text = kStartText;
    text[text.find(" W ") + 1] = turn;
    const Position start = MustParse(text);
    const int depth_max = turn == 'W' ? 5 : 4;
    for (int depth = 1; depth <= depth_max; ++depth) {
      EXPECT_EQ(Perft(start, depth), StartPerft(kGame<Position>)[static_cast<size_t>(depth - 1)]);
    }
  }
}

// Returns "won:G" or "draw:WB", for example.
std::string ResultOf(const Position& position) {
  std::string survivors;
  for (size_t i = 0; i < 3; ++i) {
    if (position.is_in(SeatAt(i))) survivors += "WGB"[i];
  }
  return (survivors.size() == 1 ? "won:" : "draw:") + survivors;
}

TEST(ThreeWayConformance, Games) {
  const std::map<std::string, Termination> kReasons = {
      {"third-move-clock-100", Termination::kClockLimit}, {"stalemate", Termination::kStalemate}};
  for (const std::string& line : Lines("games.jsonl")) {
    const nlohmann::json game = nlohmann::json::parse(line);
    const std::string id = game["id"];
    Position position =
        MustParse(game.contains("start") ? game["start"].get<std::string>() : kStartText);
    std::map<size_t, std::vector<size_t>> eliminations;
    std::map<size_t, std::string> positions = {{0, ToString(position)}};
    size_t ply = 0;
    for (const std::string text : game["moves"]) {
      ASSERT_EQ(position.outcome(), std::nullopt) << id << " ply " << ply;
      const Position before = position;
      Play(&position, text);
      for (size_t i = 0; i < 3; ++i) {
        if (before.is_in(SeatAt(i)) && !position.is_in(SeatAt(i))) eliminations[ply].push_back(i);
      }
      positions[++ply] = ToString(position);
    }
    for (const auto& entry : game["positions"]) {
      EXPECT_EQ(positions[entry[0].get<size_t>()], entry[1].get<std::string>())
          << id << " ply " << entry[0];
    }
    std::map<size_t, std::vector<size_t>> expected;
    for (const auto& entry : game["eliminations"]) {
      expected[entry[0].get<size_t>()] = entry[1].get<std::vector<size_t>>();
    }
    EXPECT_EQ(eliminations, expected) << id;
    ASSERT_NE(position.outcome(), std::nullopt) << id;
    EXPECT_EQ(ResultOf(position), game["result"].get<std::string>()) << id;
    const auto reason = kReasons.find(game["reason"].get<std::string>());
    if (reason != kReasons.end()) {
      EXPECT_EQ(position.outcome()->termination, reason->second) << id;
    }
  }
}

// --- positions built for tests ---

// Returns a HexFEN from pieces such as "wKh4 gph7 bQd11": seat, type in either case, cell. `rest`
// holds the fields from castling on.
std::string HexFen(std::string_view pieces, char turn, std::string_view rest = "------ --- 0 20") {
  std::array<std::array<char, kCells>, 3> types{};
  for (const std::string_view piece : Split(pieces, ' ')) {
    const size_t seat = std::string_view("wgb").find(piece[0]);
    const auto cell = Cell::Parse(piece.substr(2));
    EXPECT_TRUE(seat < 3 && cell) << piece;
    types[seat][At(*cell)] = static_cast<char>(piece[1] | 0x20);
  }
  std::string text;
  for (const auto& own : types) {
    for (size_t i = 0; i < kCells; ++i) {
      if (i % 8 == 0 && i > 0) text += '/';
      text += own[i] == '\0' ? '1' : own[i];
    }
    text += ' ';
  }
  return text + turn + " " + std::string(rest);
}

Position Made(std::string_view pieces, char turn, std::string_view rest = "------ --- 0 20") {
  return MustParse(HexFen(pieces, turn, rest));
}

bool IsLegal(const Position& position, std::string_view move) {
  return ParseMove(position, move).ok();
}

Termination EndingOf(const Position& position, Seat seat) {
  EXPECT_FALSE(position.is_in(seat));
  return position.ending_if_out(seat);
}

// --- moves (§3, §4) ---

TEST(ThreeWayMoves, EnPassantIsOpenToBothOpponentsUntilThePusherMoves) {
  Position position = MustParse(kStartText);
  Play(&position, "h5-h7");
  Play(&position, "k7-j7");
  Play(&position, "e11-f10");
  EXPECT_EQ(position.en_passant(Seat::kFirst), Cell::Parse("h6"));
  EXPECT_EQ(Split(ToString(position), ' ')[5], "5--");
  Play(&position, "d5-d7");
  EXPECT_EQ(position.en_passant(Seat::kFirst), Cell::Parse("d6"));
  EXPECT_EQ(Split(ToString(position), ' ')[5], "1--");
}

TEST(ThreeWayMoves, EnPassantTakesThePawnInFront) {
  // White's pawn f5-f7 passes f6. Gray's pawns step by (-1, 0, 1), Black's by (1, -1, 0).
  Position position = Made("wKi3 wpf5 gKm6 gpg7 bKd11 bpe8", 'W');
  Play(&position, "f5-f7");
  ASSERT_EQ(position.en_passant(Seat::kFirst), Cell::Parse("f6"));
  Position by_gray = position;
  ASSERT_TRUE(IsLegal(by_gray, "g7-f6")) << ToString(by_gray);
  EXPECT_EQ(MoveToTpgn(by_gray, *ParseMove(by_gray, "g7xf6 e.p.")), "g7xf6");
  Play(&by_gray, "g7xf6");
  EXPECT_EQ(by_gray.piece_at(*Cell::Parse("f7")), std::nullopt);
  EXPECT_EQ(by_gray.halfmove_clock(), 0);
  EXPECT_EQ(by_gray.en_passant(Seat::kFirst), Cell::Parse("f6"));  // remains without the pawn

  Play(&position, "m6-m5");
  ASSERT_TRUE(IsLegal(position, "e8-f6")) << ToString(position);
  Play(&position, "e8-f6");
  EXPECT_EQ(position.owned_by(Seat::kFirst).size(), 1);
}

TEST(ThreeWayMoves, EnPassantNeedsThePushersPawn) {
  // Ruling 4: White's knight stands in front of Gray's pawn, and the en passant field is set.
  const Position position = Made("wKi3 wNf7 gKm6 gpg7 bKd11", 'G', "------ 3-- 0 20");
  EXPECT_EQ(position.en_passant(Seat::kFirst), Cell::Parse("f6"));
  EXPECT_FALSE(IsLegal(position, "g7-f6"));
}

TEST(ThreeWayMoves, PawnOnAPromotionCellHasNoMovesAndAttacksNothing) {
  // White's pawn on l7 could capture on k9 if it could move.
  const Position position = Made("wKh4 wpl7 gKk9 bKd11", 'W');
  EXPECT_FALSE(position.in_check(Seat::kSecond));
  EXPECT_TRUE(MovesFrom(position, "l7").empty());
}

TEST(ThreeWayMoves, Promotion) {
  Position position = Made("wKh4 wph10 gKo4 bKd11 bNi11", 'W');
  EXPECT_THAT(MovesFrom(position, "h10"),
              UnorderedElementsAre("h10-h11=Q", "h10-h11=R", "h10-h11=B", "h10-h11=N", "h10-i11=Q",
                                   "h10-i11=R", "h10-i11=B", "h10-i11=N"));
  EXPECT_EQ(ParseMove(position, "h10-h11").status().message(),
            "the pawn must become =Q, =R, =B or =N");
  EXPECT_EQ(MoveToTpgn(position, *ParseMove(position, "h10-i11=n")), "h10xi11=N");
  Play(&position, "h10xi11=N");
  EXPECT_EQ(position.piece_at(*Cell::Parse("i11")), (Piece{PieceType::kKnight, Seat::kFirst}));
}

constexpr char kCastlingText[] =
    "r3k2r/8/pppp4/8/X/X X/r3k2r/8/pppp4/8/X X/X/r3k2r/8/pppp4/8 W qkqkqk --- 0 1";

TEST(ThreeWayMoves, Castling) {
  const Position position = MustParse(kCastlingText);
  for (const std::string_view text : {"h4-j2", "O-O", "o-o"}) {
    Position next = position;
    Play(&next, text);
    EXPECT_THAT(ToString(next), StartsWith("r4rk1/"));
    EXPECT_EQ(Split(ToString(next), ' ')[4], "--qkqk");
  }
  Position next = position;
  EXPECT_EQ(MoveToTpgn(next, *ParseMove(next, "O-O-O")), "h4-f4");
  Play(&next, "O-O-O");
  EXPECT_THAT(ToString(next), StartsWith("2kr3r/"));
  Play(&next, "k8-k10");
  EXPECT_EQ(next.piece_at(*Cell::Parse("k9")), (Piece{PieceType::kRook, Seat::kSecond}));
  Play(&next, "d11-d13");
  EXPECT_EQ(next.piece_at(*Cell::Parse("d12")), (Piece{PieceType::kRook, Seat::kThird}));
}

TEST(ThreeWayMoves, RightsAreLostWithTheRookOnItsHomeCorner) {
  Position position = Made("wKh4 wRd4 wRk1 gKn5 gRd9 bKd11", 'G', "qk---- --- 0 20");
  Play(&position, "d9xd4");
  EXPECT_EQ(Split(ToString(position), ' ')[4], "-k----");
}

TEST(ThreeWayMoves, TextForms) {
  const Position position = MustParse(kStartText);
  EXPECT_TRUE(ParseMove(position, "h5-h7").ok());
  EXPECT_TRUE(ParseMove(position, "H5-H7").ok());
  const auto why = [&](std::string_view text) {
    return std::string(ParseMove(position, text).status().message());
  };
  EXPECT_EQ(why("h5xh7"), "it captures nothing");
  EXPECT_THAT(why("h5-h9"), StartsWith("the pawn on h5 does not reach"));
  EXPECT_THAT(why("h5-h16"), StartsWith("\"h16\" is not a cell of the board; a move is written"));
  EXPECT_THAT(why("h5"), StartsWith("\"h5\" is not a move; a move is written"));
  EXPECT_EQ(why("d12-d11"), "the piece on d12 is Black's, but it is White's turn");
  EXPECT_EQ(why("h8-h9"), "no piece stands on h8");
  EXPECT_EQ(why("h4-h5"), "h5 holds one of White's pieces");
  EXPECT_EQ(why("h5-h6=Q"), "it is not a promotion");
  EXPECT_EQ(why("h5-h6 e.p."), "it is not a capture en passant");
  EXPECT_EQ(why("O-O"), "White cannot castle that way now");
}

// --- captured kings (§5.2, Ruling 6) ---

TEST(ThreeWayKings, CaptureRemovesTheWholeArmy) {
  Position position = Made("wKd4 wRh8 gKh11 gNo4 gpg7 bKd15", 'W', "------ -3- 7 20");
  ASSERT_TRUE(position.in_check(Seat::kSecond));
  Play(&position, "h8xh11");
  EXPECT_EQ(position.occupied().size(), 3);
  EXPECT_EQ(EndingOf(position, Seat::kSecond), Termination::kKingCapture);
  EXPECT_EQ(position.place_if_out(Seat::kSecond), 3);
  EXPECT_EQ(position.to_move(), Seat::kThird);
  EXPECT_EQ(position.en_passant(Seat::kSecond), std::nullopt);
  EXPECT_EQ(position.halfmove_clock(), 0);
  EXPECT_EQ(position.outcome(), std::nullopt);
  EXPECT_EQ(position.key(), MustParse(ToString(position)).key());
}

TEST(ThreeWayKings, CaptureThatRemovesTheCheckerOnlyWithItsArmyIsIllegal) {
  const Position position = Made("wKd4 wRh8 gKh11 gRd8 bKd15", 'W');
  ASSERT_TRUE(position.in_check(Seat::kFirst));
  EXPECT_FALSE(IsLegal(position, "h8xh11"));
}

TEST(ThreeWayKings, CaptureMayExposeTheMoversKing) {
  // Gray's knight stands between White's king and Black's rook and vanishes with Gray's king.
  Position position = Made("wKd4 wRh8 gKh11 gNd8 bRd14 bKk1", 'W');
  GameState<triarch::three_way::Position> game(position);
  game.Play(*ParseMove(position, "h8xh11"));
  EXPECT_EQ(game.outcome(), std::nullopt);
  EXPECT_TRUE(game.position().in_check(Seat::kFirst));
  game.Play(*ParseMove(game.position(), "d14xd4"));
  ASSERT_NE(game.outcome(), std::nullopt);
  EXPECT_EQ(game.outcome()->termination, Termination::kKingCapture);
  EXPECT_EQ(PlacementText(game.outcome()->place, 3), "2-3-1");
  EXPECT_THAT(game.endings()[Seat::kFirst], Optional(Termination::kKingCapture));
  EXPECT_THAT(game.endings()[Seat::kSecond], Optional(Termination::kKingCapture));
  EXPECT_EQ(game.endings()[Seat::kThird], std::nullopt);
}

TEST(ThreeWayKings, OtherKingsMayBeLeftAttacked) {
  // Black may open a line between White's rook and Gray's king.
  Position position = Made("wKd4 wRh8 gKh11 bKk1 bBh9", 'B');
  Play(&position, "h9-f10");
  EXPECT_EQ(position.to_move(), Seat::kFirst);
  EXPECT_TRUE(position.in_check(Seat::kSecond));
  EXPECT_TRUE(IsLegal(position, "h8-h11"));
}

// --- passing the turn (§5.3, §5.4) ---

// The only game of the data with a winner: Black mates White, then Gray captures Black's king.
TEST(ThreeWayTurn, TheLastPlayerWins) {
  int games = 0;
  for (const std::string& line : Lines("games.jsonl")) {
    const nlohmann::json record = nlohmann::json::parse(line);
    if (record["reason"] != "last-player-standing") continue;
    ++games;
    GameState<triarch::three_way::Position> game(MustParse(kStartText));
    for (const std::string text : record["moves"]) game.Play(*ParseMove(game.position(), text));
    ASSERT_NE(game.outcome(), std::nullopt);
    EXPECT_EQ(PlacementText(game.outcome()->place, 3), "3-1-2");
    EXPECT_EQ(game.outcome()->termination, Termination::kKingCapture);
    EXPECT_THAT(game.endings()[Seat::kFirst], Optional(Termination::kCheckmate));
    EXPECT_THAT(game.endings()[Seat::kThird], Optional(Termination::kKingCapture));
  }
  EXPECT_EQ(games, 1);
}

TEST(ThreeWayTurn, AStalematedPlayerOfThreeIsSkipped) {
  const Position start =
      MustParse("2r5/8/8/8/5q2/8/5q2/2k5/X X/1k6/8/8/8/X X/X/k7/8/8/8 W ------ --- 0 9");
  bool was_skipped = false;
  for (const Move move : start.LegalMoves()) {
    Position next = start;
    next.Play(move);
    if (next.is_in(Seat::kSecond) && next.to_move() == Seat::kThird) was_skipped = true;
  }
  EXPECT_TRUE(was_skipped);
}

TEST(ThreeWayTurn, StalemateOfAllOthersDrawsTheGame) {
  // White has moves. Gray and Black have none, and neither is in check.
  Position position =
      MustParse("X/1r5k/8/3q4/8/8/4q3/8/8 X/X/8/8/8/1k6 X/8/8/7k/8/X W ------ --- 0 9");
  Play(&position, "j7-h8");
  ASSERT_NE(position.outcome(), std::nullopt);
  EXPECT_EQ(position.outcome()->termination, Termination::kStalemate);
  EXPECT_EQ(PlacementText(position.outcome()->place, 3), "1-1-1");
  EXPECT_EQ(position.to_move(), Seat::kFirst);
  EXPECT_EQ(position.move_number(), 10);
  EXPECT_EQ(position.CountLegalMoves(), 0u);
}

TEST(ThreeWayTurn, TheClockEndsTheGameAtOneHundred) {
  Position position = Made("wKh4 wRd8 gKk8 gpi9 bKc11", 'W', "------ --- 99 40");
  Position quiet = position;
  Play(&quiet, "d8-d9");
  ASSERT_NE(quiet.outcome(), std::nullopt);
  EXPECT_EQ(quiet.outcome()->termination, Termination::kClockLimit);
  EXPECT_EQ(PlacementText(quiet.outcome()->place, 3), "1-1-1");
  EXPECT_EQ(quiet.LegalMoves().size(), 0u);
  EXPECT_EQ(quiet.CountLegalMoves(), 0u);
  EXPECT_TRUE(MustParse(ToString(quiet)).outcome().has_value());
  // Every move that does not reset the clock ends the game, unless a mate wins it first.
  for (const Move move : position.LegalMoves()) {
    Position next = position;
    next.Play(move);
    EXPECT_EQ(next.outcome().has_value(), next.halfmove_clock() == 100);
    EXPECT_EQ(next.CountLegalMoves() == 0, next.halfmove_clock() == 100);
  }
}

TEST(ThreeWayTurn, ResignationOnItsTurnPassesTheTurn) {
  GameState<triarch::three_way::Position> game(MustParse(kStartText));
  game.Eliminate(Seat::kFirst, Termination::kResignation);
  EXPECT_EQ(game.position().to_move(), Seat::kSecond);
  EXPECT_EQ(game.position().occupied().size(), 32);
  EXPECT_EQ(game.position().move_number(), 1);
  EXPECT_EQ(ToString(game.position()),
            "X/X/X X/rnbqkbnr/pppppppp/8/8/X X/X/rnbqkbnr/pppppppp/8/8 G --qkqk --- 0 1");
  game.Eliminate(Seat::kThird, Termination::kTimeForfeit);
  ASSERT_NE(game.outcome(), std::nullopt);
  EXPECT_EQ(game.outcome()->termination, Termination::kTimeForfeit);
  EXPECT_EQ(PlacementText(game.outcome()->place, 3), "3-1-2");
}

TEST(ThreeWayTurn, ResignationOutOfTurnJudgesThePlayerToMove) {
  // Gray's knight shields White's king from Black's rook. It vanishes with Gray, which mates White.
  Position position = Made("wKd4 gKo4 gNd8 bRd14 bKk11 bQb10 bQe7", 'W');
  position.Resign(Seat::kSecond);
  EXPECT_EQ(EndingOf(position, Seat::kSecond), Termination::kResignation);
  EXPECT_EQ(EndingOf(position, Seat::kFirst), Termination::kCheckmate);
  ASSERT_NE(position.outcome(), std::nullopt);
  EXPECT_EQ(position.outcome()->termination, Termination::kCheckmate);
  EXPECT_EQ(PlacementText(position.outcome()->place, 3), "2-3-1");
}

// --- draws of a match ---

TEST(ThreeWayDraws, InsufficientMaterialIsAnOption) {
  const std::vector<std::pair<std::string_view, bool>> kCases = {
      {"wKh4 gKk8", true},
      {"wKh4 wNh6 wBh7 wBh8 gKk8 gNk6 gBk5", true},
      {"wKh4 wNh6 wNh7 gKk8", false},
      {"wKh4 wBh6 wBh7 wBh8 gKk8", false},
      {"wKh4 gKk8 gph9", false},
      {"wKh4 gKk8 gRh9", false},
      {"wKh4 wNh6 wNh7 wBg8 wBf8 wBe8 gKk8 bKd11", true},
      {"wKh4 gKk8 bKd11 bQd9", false}};
  for (const auto& [pieces, is_draw] : kCases) {
    const Position position = Made(pieces, 'W');
    EXPECT_EQ(position.is_material_insufficient(), is_draw) << pieces;
    EXPECT_EQ(position.outcome(), std::nullopt) << pieces;
    GameState<triarch::three_way::Position> game(position);
    EXPECT_EQ(game.outcome(), std::nullopt) << pieces;
    GameState<triarch::three_way::Position> with_option(position, {.insufficient_material = true});
    EXPECT_EQ(with_option.outcome().has_value(), is_draw) << pieces;
    if (!is_draw) continue;
    EXPECT_EQ(with_option.outcome()->termination, Termination::kInsufficientMaterial);
  }
}

TEST(ThreeWayDraws, TheThirdOccurrenceEndsTheGame) {
  GameState<triarch::three_way::Position> game(Made("wKh4 gKk8 bKd11 bpe8", 'W'));
  const std::array<std::string_view, 6> kMoves = {"h4-h5", "k8-j8", "d11-e10",
                                                  "h5-h4", "j8-k8", "e10-d11"};
  for (int round = 0; round < 2; ++round) {
    for (const std::string_view text : kMoves) {
      ASSERT_EQ(game.outcome(), std::nullopt);
      const auto move = ParseMove(game.position(), text);
      ASSERT_TRUE(move.ok()) << move.status();
      game.Play(*move);
    }
  }
  ASSERT_NE(game.outcome(), std::nullopt);
  EXPECT_EQ(game.outcome()->termination, Termination::kThreefoldRepetition);
}

// --- HexFEN (§6) ---

TEST(HexFen, EveryErrorHasItsCode) {
  std::map<std::string, int> codes;
  for (const std::string& line : Lines("errors.tsv")) {
    const auto columns = Split(line, '\t');
    ASSERT_EQ(columns.size(), 4u) << line;
    const absl::StatusOr<Position> position = Parse(kGame<Position>, columns[2]);
    ASSERT_FALSE(position.ok()) << line;
    EXPECT_THAT(std::string(position.status().message()),
                StartsWith(std::string(columns[0]) + " field " + std::string(columns[1]) + ": "))
        << columns[3];
    ++codes[std::string(columns[0])];
  }
  EXPECT_EQ(codes.size(), 17u);
}

TEST(HexFen, ReadsLooseFormsAndWritesTheCanonicalForm) {
  EXPECT_EQ(
      ToString(MustParse("rnbqkbnr/pppppppp/44/8/8/8/8/11111111/"
                         "X X/rnbqkbnr/pppppppp/8/8/X X/X/rnbqkbnr/pppppppp/8/8 W qkqkqk --- 0 1")),
      kStartText);
}

}  // namespace
}  // namespace triarch::three_way
