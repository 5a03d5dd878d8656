// Tests the reference implementation of Three-Way Chess against data and the rules.

#include "tests/property/three_way_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "tests/property/reference_data.h"

// The data was made with the game author's program; figures and examples come from the rules.
namespace triarch::three_way_reference {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAreArray;

constexpr std::string_view kStart =
    "rnbqkbnr/pppppppp/8/8/X/X X/rnbqkbnr/pppppppp/8/8/X X/X/rnbqkbnr/pppppppp/8/8 W qkqkqk --- 0 "
    "1";
constexpr std::string_view kSeatLetters = "WGB";

Hex CellNamed(std::string_view name) {
  for (const Hex cell : Cells()) {
    if (CellName(cell) == name) return cell;
  }
  ADD_FAILURE() << name;
  return {};
}

// Returns a position without rights and en passant fields, from pieces like "Wkh4", with the clock
// at 0.
State Made(int active, const std::vector<std::string_view>& pieces) {
  State state;
  state.active = active;
  state.statuses = {SeatStatus::kOut, SeatStatus::kOut, SeatStatus::kOut};
  state.out_order = {1, 1, 1};
  for (const std::string_view piece : pieces) {
    const size_t seat = kSeatLetters.find(piece[0]);
    state.at(CellNamed(piece.substr(2))) = {piece[1], static_cast<signed char>(seat)};
    state.statuses[seat] = SeatStatus::kIn;
    state.out_order[seat] = 0;
  }
  return state;
}

TEST(ThreeWayReferenceBoard, HasTheCellsOfTheFormula) {
  std::set<std::string> names;
  for (const Hex cell : Cells()) {
    EXPECT_TRUE(IsOnBoard(cell)) << CellName(cell);
    EXPECT_EQ(cell.q + cell.r + cell.s, -1) << CellName(cell);
    names.insert(CellName(cell));
  }
  EXPECT_EQ(names.size(), 96u);
  int on_board = 0;
  for (int q = -20; q <= 20; ++q) {
    for (int r = -20; r <= 20; ++r) on_board += IsOnBoard({q, r, -1 - q - r}) ? 1 : 0;
  }
  EXPECT_EQ(on_board, 96);
}

TEST(ThreeWayReferenceBoard, NamesTheBackRanks) {
  const std::vector<std::vector<std::string>> expected = {
      {"d4", "e4", "f4", "g4", "h4", "i3", "j2", "k1"},
      {"o4", "n5", "m6", "l7", "k8", "k9", "k10", "k11"},
      {"d15", "d14", "d13", "d12", "d11", "c11", "b11", "a11"}};
  for (int third = 0; third < kSeats; ++third) {
    for (int column = 0; column < 8; ++column) {
      EXPECT_EQ(CellName(CellAt(third, 0, column)),
                expected[static_cast<size_t>(third)][static_cast<size_t>(column)]);
    }
  }
}

// §2: a pawn promotes there, and a pawn standing there has no moves and attacks nothing.
TEST(ThreeWayReferenceBoard, HasFifteenPromotionCellsPerPlayer) {
  const std::vector<std::vector<std::string>> expected = {
      {"a11", "b11", "c11", "d15", "e14", "f13", "g12", "h11", "i11", "j11", "k11", "l7", "m6",
       "n5", "o4"},
      {"a11", "b10", "c9", "d8", "d7", "d6", "d5", "d4", "d12", "d13", "d14", "d15", "i3", "j2",
       "k1"},
      {"d4", "e4", "f4", "g4", "k1", "k2", "k3", "k4", "l4", "m4", "n4", "o4", "k9", "k10", "k11"}};
  for (int seat = 0; seat < kSeats; ++seat) {
    const int other = (seat + 1) % kSeats;
    std::vector<std::string> found;
    for (const Hex cell : Cells()) {
      State state;
      state.active = seat;
      state.statuses[static_cast<size_t>((seat + 2) % kSeats)] = SeatStatus::kOut;
      state.at(cell) = {'p', static_cast<signed char>(seat)};
      // Puts a target on every cell where a capture may be possible.
      for (const Hex to : Cells()) {
        if (to != cell) state.at(to) = {'p', static_cast<signed char>(other)};
      }
      const bool has_captures = !LegalMoves(state).empty();
      for (const Hex to : Cells()) {
        if (to != cell) state.at(to) = {};
      }
      if (!has_captures && LegalMoves(state).empty()) found.push_back(CellName(cell));
    }
    EXPECT_THAT(found, UnorderedElementsAreArray(expected[static_cast<size_t>(seat)])) << seat;
  }
}

TEST(ThreeWayReferenceBoard, LetsBishopsHopOverTheBorder) {
  const std::vector<std::pair<std::string, std::string>> hops = {
      {"g4", "i3"}, {"k3", "l4"}, {"l7", "k9"}, {"i11", "g12"}, {"d12", "c11"}, {"c9", "d7"}};
  for (const auto& [from, to] : hops) {
    State state;
    state.statuses = {SeatStatus::kIn, SeatStatus::kIn, SeatStatus::kOut};
    state.at(CellNamed(from)) = {'b', 0};
    EXPECT_THAT(TargetsFrom(from, state), Contains(to)) << from;
    state.at(CellNamed(from)) = {};
    state.at(CellNamed(to)) = {'b', 0};
    EXPECT_THAT(TargetsFrom(to, state), Contains(from)) << to;
  }
}

TEST(ThreeWayReferenceBoard, ClipsKingsAndKnightsAtTheBorder) {
  const std::vector<std::tuple<char, std::string, size_t>> expected = {
      {'k', "h4", 9}, {'k', "h8", 12}, {'n', "e4", 3}, {'n', "j2", 4}, {'n', "h8", 12}};
  for (const auto& [type, cell, count] : expected) {
    State state;
    state.statuses = {SeatStatus::kIn, SeatStatus::kIn, SeatStatus::kOut};
    state.at(CellNamed(cell)) = {type, 0};
    EXPECT_EQ(TargetsFrom(cell, state).size(), count) << type << cell;
  }
}

TEST(ThreeWayReference, CountsTheStart) {
  constexpr uint64_t kCounts[] = {31, 865, 22356, 645078};
  const State start = ParseHexFen(kStart);
  EXPECT_EQ(ToHexFen(start), kStart);
  for (int seat = 0; seat < kSeats; ++seat) {
    State turned = start;
    turned.active = seat;
    for (int depth = 1; depth <= (seat == 0 ? 4 : 3); ++depth) {
      EXPECT_EQ(Perft(turned, depth), kCounts[depth - 1]) << seat << " at depth " << depth;
    }
  }
}

TEST(ThreeWayReference, AgreesWithThePerftTable) {
  CheckPerftTable("three_way/perft.tsv", ParseHexFen, ToHexFen);
}

// Returns "won:G", or "draw:" and the players still in.
std::string OutcomeText(const State& state) {
  std::string present;
  for (size_t seat = 0; seat < kSeats; ++seat) {
    if (state.statuses[seat] == SeatStatus::kIn) present += kSeatLetters[seat];
  }
  return (present.size() == 1 ? "won:" : "draw:") + present;
}

void ExpectEnding(const nlohmann::json& game, const History& history) {
  const std::optional<Ending> ending = history.ending();
  ASSERT_TRUE(ending.has_value());
  EXPECT_EQ(OutcomeText(history.state()), game.at("result"));
  const std::map<std::string, std::set<std::string>> terminations = {
      {"third-move-clock-100", {"clock_limit"}},
      {"stalemate", {"stalemate"}},
      {"last-player-standing", {"checkmate", "king_capture"}}};
  EXPECT_THAT(terminations.at(game.at("reason")), Contains(ending->termination));
  // Eliminations determine the placement: the players still in afterwards are ahead.
  std::vector<std::string> places(kSeats, "1");
  size_t present = kSeats;
  for (const nlohmann::json& elimination : game.at("eliminations")) {
    for (const size_t seat : elimination.at(1)) places[seat] = std::to_string(present--);
  }
  EXPECT_EQ(ending->placement, places[0] + "-" + places[1] + "-" + places[2]);
}

void ExpectGame(const nlohmann::json& game) {
  History history(ParseHexFen(kStart));
  std::map<int, std::string> positions;
  for (const nlohmann::json& position : game.at("positions")) {
    positions[position.at(0)] = position.at(1);
  }
  std::map<int, std::set<int>> eliminations;
  for (const nlohmann::json& elimination : game.at("eliminations")) {
    eliminations[elimination.at(0)] = elimination.at(1).get<std::set<int>>();
  }
  int ply = 0;
  for (const nlohmann::json& move : game.at("moves")) {
    ASSERT_FALSE(history.ending().has_value()) << "after ply " << ply;
    const auto text = move.get<std::string>();
    ASSERT_THAT(LegalMoves(history.state()), Contains(text)) << "at ply " << ply;
    const State before = history.state();
    history.Play(text);
    std::set<int> gone;
    for (size_t seat = 0; seat < kSeats; ++seat) {
      if (before.statuses[seat] != history.state().statuses[seat])
        gone.insert(static_cast<int>(seat));
    }
    ASSERT_EQ(gone, eliminations[ply]) << "at ply " << ply;
    ++ply;
    if (!positions.contains(ply)) continue;
    ASSERT_EQ(ToHexFen(history.state()), positions[ply]) << "after ply " << ply;
    positions.erase(ply);
  }
  EXPECT_EQ(ply, game.at("plies"));
  EXPECT_THAT(positions, IsEmpty());
  ExpectEnding(game, history);
}

TEST(ThreeWayReference, ReplaysTheGames) {
  int games = 0;
  for (const std::string& line : LinesOf("three_way/games.jsonl")) {
    SCOPED_TRACE("game " + std::to_string(++games));
    ExpectGame(nlohmann::json::parse(line));
  }
}

TEST(ThreeWayReference, EndsWithTheLastPlayer) {
  State state = ParseHexFen(kStart);
  Resign(state, 2);
  EXPECT_FALSE(IsOver(state));
  Resign(state, 0);
  EXPECT_EQ(EndingOf(state), (Ending{"resignation", "2-1-3", "0-1-0"}));
  EXPECT_THAT(LegalMoves(state), IsEmpty());
  EXPECT_EQ(Perft(state, 2), 0u);
  EXPECT_EQ(ToHexFen(state), "X/X/X X/rnbqkbnr/pppppppp/8/8/X X/X/X G --qk-- --- 0 1");
}

// The data does not contain the following cases.

TEST(ThreeWayReference, RemovesTheArmyOfACapturedKing) {
  State state = Made(0, {"Wkd4", "Wrg8", "Gkg10", "Gqk9", "Bkd11", "Bph11"});
  ASSERT_THAT(LegalMoves(state), Contains("g8-g10"));
  Play(state, "g8-g10");
  EXPECT_EQ(state.statuses[1], SeatStatus::kCaptured);
  EXPECT_EQ(state.at(CellNamed("k9")), Piece{});
  EXPECT_EQ(state.active, 2);
  EXPECT_EQ(state.clock, 0);
}

TEST(ThreeWayReference, EndsWithACapturedKing) {
  State state = Made(0, {"Wkd4", "Wrg8", "Gkg10"});
  Play(state, "g8-g10");
  EXPECT_EQ(EndingOf(state), (Ending{"king_capture", "1-2-3", "1-0-0"}));
}

// Ruling 6: the checking piece belongs to the army that would vanish with its king.
TEST(ThreeWayReference, DoesNotAnswerACheckByTakingTheCheckersKing) {
  const State state = Made(0, {"Wkh8", "Wra11", "Gkb11", "Grh11", "Bkd4"});
  EXPECT_TRUE(InCheck(state, 0));
  EXPECT_THAT(LegalMoves(state), Not(Contains("a11-b11")));
  const State same = Made(0, {"Wkh8", "Wra11", "Gkb10", "Gri4", "Bkd4"});
  EXPECT_FALSE(InCheck(same, 0));
  EXPECT_THAT(LegalMoves(same), Contains("a11-b10"));
}

// Ruling 6: the piece that shields the king belongs to the army that vanishes.
TEST(ThreeWayReference, MayCaptureAKingWhoseArmyShieldsTheMoversKing) {
  State state = Made(0, {"Wkh8", "Wra11", "Gkb10", "Gnh10", "Brh11", "Bkd13"});
  ASSERT_THAT(LegalMoves(state), Contains("a11-b10"));
  Play(state, "a11-b10");
  EXPECT_TRUE(InCheck(state, 0));
  EXPECT_EQ(state.active, 2);
  EXPECT_THAT(LegalMoves(state), Contains("h11-h8"));
}

TEST(ThreeWayReference, KeepsEnPassantUntilThePusherMovesAgain) {
  State state = ParseHexFen(kStart);
  const auto rest = [&] { return ToHexFen(state).substr(ToHexFen(state).find("qkqkqk")); };
  Play(state, "e5-e7");
  EXPECT_EQ(rest(), "qkqkqk 2-- 0 1");
  Play(state, "l6-j6");
  EXPECT_EQ(rest(), "qkqkqk 23- 0 1");
  Play(state, "e13-g11");
  EXPECT_EQ(rest(), "qkqkqk 232 0 2");
  Play(state, "d5-d6");
  EXPECT_EQ(rest(), "qkqkqk -32 0 2");
}

// §3 and ruling 4.
TEST(ThreeWayReference, CapturesEnPassantOnlyThePushersPawnInFront) {
  const auto made = [](int active, const std::vector<std::string_view>& more) {
    std::vector<std::string_view> pieces = {"Wkd4", "Gkk8", "Bkd11"};
    pieces.insert(pieces.end(), more.begin(), more.end());
    State state = Made(active, pieces);
    state.ep[0] = CellNamed("h6");
    return state;
  };
  State state = made(1, {"Gpi7", "Wph7"});
  EXPECT_THAT(TargetsFrom("i7", state), ElementsAre("h6"));
  Play(state, "i7-h6");
  EXPECT_EQ(state.at(CellNamed("h7")), Piece{});
  EXPECT_EQ(state.ep[0], CellNamed("h6"));
  EXPECT_THAT(TargetsFrom("g8", made(2, {"Bpg8", "Wph7"})), ElementsAre("h6"));
  // With the other capture; with a pawn or piece of a third player; with something on the passed
  // cell.
  EXPECT_THAT(TargetsFrom("j5", made(1, {"Gpj5", "Wph7"})), Not(Contains("h6")));
  EXPECT_THAT(TargetsFrom("i7", made(1, {"Gpi7", "Bph7"})), IsEmpty());
  EXPECT_THAT(TargetsFrom("i7", made(1, {"Gpi7", "Wnh7"})), IsEmpty());
  EXPECT_THAT(TargetsFrom("i7", made(1, {"Gpi7", "Wph7", "Gnh6"})), IsEmpty());
}

TEST(ThreeWayReference, DropsEnPassantAndRightsOfAnEliminatedPlayer) {
  State state = ParseHexFen(kStart);
  Play(state, "h5-h7");
  Resign(state, 0);
  EXPECT_EQ(ToHexFen(state),
            "X/X/X X/rnbqkbnr/pppppppp/8/8/X X/X/rnbqkbnr/pppppppp/8/8 G --qkqk --- 0 1");
}

TEST(ThreeWayReference, IncreasesTheMoveNumberWhenWhiteIsOut) {
  State state = ParseHexFen(kStart);
  Resign(state, 0);
  Play(state, "j8-i8");
  EXPECT_EQ(state.number, 1);
  Play(state, "e11-f10");
  EXPECT_EQ(state.active, 1);
  EXPECT_EQ(state.number, 2);
}

TEST(ThreeWayReference, IsOverAtTheClockLimit) {
  State state = Made(0, {"Wkh4", "Wrd4", "Gkk8", "Bkd11"});
  state.clock = 99;
  Play(state, "d4-d5");
  EXPECT_EQ(EndingOf(state), (Ending{"clock_limit", "1-1-1", "1/2-1/2-1/2"}));
  EXPECT_THAT(LegalMoves(state), IsEmpty());
}

TEST(ThreeWayReference, JudgesAParsedTurnOnlyWhenAsked) {
  State state = ParseHexFen(
      "rnbq1bnr/pppppppp/8/8/X/8/8/2k5/8 X/rnbqkbnr/pppppppp/8/8/X X/X/rnbqkbnr/pppppppp/8/8 W "
      "--qkqk --- 0 1");
  EXPECT_THAT(LegalMoves(state), IsEmpty());
  EXPECT_FALSE(HasLegalMove(state, 0));
  EXPECT_TRUE(InCheck(state, 0));
  EXPECT_FALSE(IsOver(state));
  JudgeTurn(state);
  EXPECT_EQ(ToHexFen(state),
            "X/X/X X/rnbqkbnr/pppppppp/8/8/X X/X/rnbqkbnr/pppppppp/8/8 G --qkqk --- 0 1");
  EXPECT_EQ(state.statuses[0], SeatStatus::kMated);
}

TEST(ThreeWayReference, JudgeTurnKeepsATurnWithMoves) {
  State state = ParseHexFen(kStart);
  JudgeTurn(state);
  EXPECT_EQ(state, ParseHexFen(kStart));
}

TEST(ThreeWayReference, DetectsInsufficientMaterial) {
  const auto is_insufficient = [](const std::vector<std::string_view>& pieces) {
    return IsMaterialInsufficient(Made(0, pieces));
  };
  EXPECT_TRUE(is_insufficient({"Wkh4", "Gkk8"}));
  EXPECT_TRUE(is_insufficient({"Wkh4", "Gkk8", "Wnf4", "Wbg4", "Wbh5", "Gbk9", "Gbl7", "Gnm6"}));
  EXPECT_FALSE(is_insufficient({"Wkh4", "Gkk8", "Gnf4", "Gnl7"}));
  EXPECT_FALSE(is_insufficient({"Wkh4", "Gkk8", "Gbf4", "Gbl7", "Gbl6"}));
  EXPECT_FALSE(is_insufficient({"Wkh4", "Gkk8", "Gph8"}));
  EXPECT_TRUE(is_insufficient({"Wkh4", "Gkk8", "Bkd11", "Gnf4", "Gnl7", "Gbi8", "Gbi9", "Gbi7"}));
  EXPECT_FALSE(is_insufficient({"Wkh4", "Gkk8", "Bkd11", "Brd13"}));
}

TEST(ThreeWayHistory, DetectsInsufficientMaterialOnlyIfEnabled) {
  const State state = Made(0, {"Wkh4", "Gkk8", "Bkd11"});
  EXPECT_FALSE(History(state).ending().has_value());
  EXPECT_EQ(History(state, true).ending(),
            (Ending{"insufficient_material", "1-1-1", "1/2-1/2-1/2"}));
}

TEST(ThreeWayHistory, EndsAtTheThirdOccurrence) {
  History history(ParseHexFen(kStart));
  for (int round = 1; round <= 2; ++round) {
    EXPECT_EQ(history.occurrences(), round);
    // Each player moves the knight of column 1 out and back.
    for (const bool is_out : {true, false}) {
      for (int seat = 0; seat < kSeats; ++seat) {
        EXPECT_FALSE(history.ending().has_value());
        const Hex home = CellAt(seat, 0, 1);
        const Hex away = CellAt(seat, 2, 2);
        const Hex from = is_out ? home : away;
        const Hex to = is_out ? away : home;
        history.Play(CellName(from) + "-" + CellName(to));
      }
    }
  }
  EXPECT_EQ(history.occurrences(), 3);
  EXPECT_EQ(history.ending(), (Ending{"threefold_repetition", "1-1-1", "1/2-1/2-1/2"}));
}

}  // namespace
}  // namespace triarch::three_way_reference
