// Compares Three-Way Chess with its reference implementation, and with itself rotated by a third.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/text.h"
#include "core/game/game_state.h"
#include "core/three_way/position.h"
#include "core/three_way/text.h"
#include "tests/property/against_reference.h"
#include "tests/property/three_way_reference.h"

namespace triarch::three_way {
namespace {

constexpr std::string_view kTurnLetters = "WGB";

// Writes empty cells as ones, which the parser accepts.
std::string PartText(const std::array<char, kCells>& letters) {
  std::string text;
  for (size_t i = 0; i < kCells; ++i) {
    if (i % 8 == 0 && i > 0) text += '/';
    text += letters[i] == '\0' ? '1' : letters[i];
  }
  return text;
}

// Returns a generated position: kings of two or three players, and a random number of pieces
// anywhere. It can have pawns on promotion cells and in their own back ranks, kings in check in and
// out of turn, and en passant fields with and without the pawn.
Position RandomPosition(Random& random) {
  std::array<std::array<char, kCells>, 3> letters{};
  std::array<bool, kCells> is_used{};
  const uint32_t out = random.Below(6);  // 0, 1, 2: that player is out; otherwise all are in
  const auto put = [&](uint32_t seat, char letter) {
    while (true) {
      const size_t cell = random.Below(kCells);
      if (is_used[cell]) continue;
      is_used[cell] = true;
      letters[seat][cell] = letter;
      return;
    }
  };
  std::vector<uint32_t> seats;
  for (uint32_t seat = 0; seat < 3; ++seat) {
    if (seat == out) continue;
    seats.push_back(seat);
    put(seat, 'k');
  }
  const uint32_t count = random.Below(random.Below(3) == 0 ? 60 : 12);
  for (uint32_t i = 0; i < count; ++i) {
    put(seats[random.Below(static_cast<uint32_t>(seats.size()))], "ppppnbrq"[random.Below(8)]);
  }
  std::string text;
  for (const auto& own : letters) text += PartText(own) + " ";
  text += kTurnLetters[seats[random.Below(static_cast<uint32_t>(seats.size()))]];
  text += " ------ ";
  for (uint32_t seat = 0; seat < 3; ++seat) {
    const bool is_set = seat != out && random.Below(4) == 0;
    text += is_set ? static_cast<char>('1' + random.Below(8)) : '-';
  }
  return Parse(kGame<Position>, text + " " + std::to_string(random.Below(100)) + " 9").value();
}

// Returns an endgame with two or three kings and almost nothing else. Stalemates are common.
Position SparsePosition(Random& random) {
  while (true) {
    const Position position = RandomPosition(random);
    if (position.occupied().size() <= 6) return position;
  }
}

struct Reference {
  using Position = three_way::Position;
  using History = three_way_reference::History;

  static History Start(const std::string& text) {
    return History(three_way_reference::ParseHexFen(text));
  }
  static std::string Text(const History& history) {
    return three_way_reference::ToHexFen(history.state());
  }
  static std::vector<std::string> LegalMoves(const History& history) {
    return three_way_reference::LegalMoves(history.state());
  }
  static auto Ending(const History& history) { return history.ending(); }
  static std::string Repetition(const History& history) {
    return three_way_reference::RepetitionText(history.state());
  }
  static Position RandomStart(Random& random) {
    switch (random.Below(4)) {
      case 0:
        return three_way::Start(kGame<Position>, "").value();
      case 1:
        return SparsePosition(random);
      default:
        return RandomPosition(random);
    }
  }
  static bool IsLively(const Position& position, Move move) {
    return move.kind() != MoveKind::kNormal || position.occupied().contains(move.to());
  }
  static int Pieces(const Position& position) { return position.occupied().size(); }
  static void CheckAlways(const Position& position) {
    for (size_t i = 0; i < 3; ++i) {  // a seat has a king, or no pieces at all
      const CellSet own = position.owned_by(SeatAt(i));
      const bool is_in = position.is_in(SeatAt(i));
      EXPECT_EQ((own & position.of_type(PieceType::kKing)).size(), is_in ? 1 : 0)
          << ToString(position);
      EXPECT_EQ(own.empty(), !is_in) << ToString(position);
    }
  }
};

// Split into four parts that run in parallel.
class ThreeWayAgainstReference : public ::testing::TestWithParam<int> {};

TEST_P(ThreeWayAgainstReference, RandomGames) {
  CompareGames<Reference>(static_cast<uint64_t>(20261122 + GetParam()), 75000);
}

INSTANTIATE_TEST_SUITE_P(Part, ThreeWayAgainstReference, ::testing::Range(0, 4));

// The games above must have covered these cases.
TEST(ThreeWayRandomGames, AreVaried) {
  int king_captures = 0;
  int skips = 0;
  int kings_left_attacked = 0;
  int en_passant = 0;
  int stalemates = 0;
  for (uint64_t game = 0; game < 300; ++game) {
    Random random(DeriveSeed(20261122, game));
    Position position = Reference::RandomStart(random);
    while (!position.outcome() && position.CountLegalMoves() > 0) {
      const Move move = RandomMove<Reference>(position, true, random);
      const Seat mover = position.to_move();
      en_passant += move.kind() == MoveKind::kEnPassant ? 1 : 0;
      const auto taken = position.piece_at(move.to());
      king_captures += taken && taken->type == PieceType::kKing ? 1 : 0;
      position.Play(move);
      if (position.outcome()) {
        stalemates += position.outcome()->termination == Termination::kStalemate ? 1 : 0;
        break;
      }
      const Seat other = SeatAt(3 - Index(mover) - Index(Next(mover)));
      kings_left_attacked += position.in_check(other) && position.to_move() != other ? 1 : 0;
      skips += position.is_in(Next(mover)) && position.to_move() != Next(mover) ? 1 : 0;
    }
  }
  EXPECT_GT(king_captures, 10);
  EXPECT_GT(skips, 3);
  EXPECT_GT(kings_left_attacked, 100);
  EXPECT_GT(en_passant, 10);
  EXPECT_GT(stalemates, 3);
}

TEST(ThreeWayMoveText, RoundTrips) { CheckMoveTexts<Reference>(60); }

std::string RotatedCell(std::string_view cell) { return Cell::Parse(cell)->Rotated().ToString(); }

// Rotates "W" thirds and parts by one place, and rights and en passant fields too.
std::string RotatedHexFen(const Position& position) {
  std::string turned;
  for (size_t i = 0; i < 3; ++i) {
    std::array<char, kCells> letters{};
    for (const Cell cell : position.owned_by(Previous(SeatAt(i)))) {
      letters[static_cast<size_t>(cell.Rotated().index())] =
          "pnbrqk"[static_cast<size_t>(position.piece_at(cell)->type)];
    }
    turned += PartText(letters) + " ";
  }
  const std::string text = ToString(position);
  const auto fields = Split(text, ' ');
  turned += std::string(1, kTurnLetters[Index(Next(position.to_move()))]) + " ";
  turned += std::string(fields[4].substr(4)) + std::string(fields[4].substr(0, 4)) + " ";
  turned += std::string(fields[5].substr(2)) + std::string(fields[5].substr(0, 2)) + " ";
  return turned + std::string(fields[6]) + " " + std::string(fields[7]);
}

std::vector<std::string> RotatedMoves(const std::vector<std::string>& moves) {
  std::vector<std::string> turned;
  for (const std::string& move : moves) {
    const size_t dash = move.find('-');
    const size_t equals = std::min(move.find('='), move.size());
    turned.push_back(RotatedCell(move.substr(0, dash)) + "-" +
                     RotatedCell(move.substr(dash + 1, equals - dash - 1)) + move.substr(equals));
  }
  std::sort(turned.begin(), turned.end());
  return turned;
}

TEST(ThreeWayRotation, TurnsTheMoves) {
  int positions = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("game seed " + std::to_string(seed));
    Random random(seed);
    GameState<Position> state(Reference::RandomStart(random));
    while (!state.outcome() && state.position().CountLegalMoves() > 0) {
      const Position& position = state.position();
      const auto turned = Parse(kGame<Position>, RotatedHexFen(position));
      ASSERT_TRUE(turned.ok()) << turned.status() << "\n" << ToString(position);
      ASSERT_EQ(SortedMoves(*turned), RotatedMoves(SortedMoves(position))) << ToString(position);
      state.Play(RandomMove<Reference>(position, seed % 2 == 0, random));
      ++positions;
    }
  }
  EXPECT_GT(positions, 5000);
}

}  // namespace
}  // namespace triarch::three_way
