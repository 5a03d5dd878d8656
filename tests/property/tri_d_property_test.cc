// Compares Tri-D chess with its reference implementation, and with itself rotated by half a turn.

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <string>

#include "core/base/random.h"
#include "core/game/game_state.h"
#include "core/tri_d/position.h"
#include "core/tri_d/text.h"
#include "tests/property/against_reference.h"
#include "tests/property/tri_d_reference.h"

namespace triarch::tri_d {
namespace {

// The seven blocks of TFEN, board by board, rank by rank from high to low.
std::string PlacementText(const std::array<char, kCells>& letters) {
  std::string text;
  for (int board = 0; board < kBoards; ++board) {
    const int size = board < 3 ? 4 : 2;
    const int first = board < 3 ? 16 * board : kMainCells + 4 * (board - 3);
    if (board > 0) text += '|';
    for (int rank = size - 1; rank >= 0; --rank) {
      if (rank < size - 1) text += '/';
      for (int file = 0; file < size; ++file) {
        const char letter = letters[static_cast<size_t>(first + size * rank + file)];
        text += letter == '\0' ? '1' : letter;
      }
    }
  }
  return text;
}

// Returns a generated position: boards on any pins, the two kings, and a random number of pieces.
// Retries if the parser rejects it (a capturable king, pawns on their last rank) or if it is
// already mate or stalemate.
Position RandomPosition(Random& random) {
  while (true) {
    std::string text;
    std::array<bool, kPins> is_taken{};
    for (int board = 0; board < kAttackBoards;) {
      const uint32_t pin = random.Below(kPins);
      if (is_taken[pin]) continue;
      is_taken[pin] = true;
      if (board > 0) text += ',';
      text += Pin::At(static_cast<int>(pin)).ToString();
      ++board;
    }
    std::array<char, kCells> letters{};
    const auto put = [&](char letter) {
      // Puts half of the pieces on the attack boards, which are special in this game.
      const uint32_t cell = random.Below(2) == 0 ? random.Below(kCells) : 48 + random.Below(16);
      if (letters[cell] == '\0') letters[cell] = letter;
    };
    put('K');
    put('k');
    const uint32_t count = random.Below(random.Below(3) == 0 ? 30 : 8);
    for (uint32_t i = 0; i < count; ++i) put("PPPDNBRQpppdnbrq"[random.Below(16)]);
    text += ' ';
    text += PlacementText(letters);
    text += random.Below(2) == 0 ? " w - - " : " b - - ";
    text += std::to_string(random.Below(40)) + " " + std::to_string(1 + random.Below(30));
    const auto position = Parse(kGame<Position>, text);
    if (position.ok() && position->CountLegalMoves() > 0) return *position;
  }
}

struct Reference {
  using Position = tri_d::Position;
  using History = tri_d_reference::History;

  static History Start(const std::string& text) {
    return History(tri_d_reference::ParseTfen(text));
  }
  static std::string Text(const History& history) {
    return tri_d_reference::ToTfen(history.state());
  }
  // Empty if a draw of the match has ended the reference's game.
  static std::vector<std::string> LegalMoves(const History& history) {
    return tri_d_reference::LegalMoves(history.state());
  }
  static auto Ending(const History& history) { return history.ending(); }
  static std::string Repetition(const History& history) {
    return tri_d_reference::RepetitionText(history.state());
  }
  static Position RandomStart(Random& random) {
    switch (random.Below(4)) {
      case 0:
        return tri_d::Start(kGame<Position>, "document").value();
      case 1:
        return tri_d::Start(kGame<Position>, "meder").value();
      default:
        return RandomPosition(random);
    }
  }
  static bool IsLively(const Position& position, Move move) {
    return move.kind() != MoveKind::kNormal || (position.occupied() & CellBit(move.to())) != 0;
  }
  static int Pieces(const Position& position) { return std::popcount(position.occupied()); }
  static void CheckAlways(const Position& position) {
    for (const Seat seat : {Seat::kFirst, Seat::kSecond}) {
      const CellSet kings = position.of_type(PieceType::kKing) & position.owned_by(seat);
      EXPECT_EQ(std::popcount(kings), 1) << ToString(position);
    }
  }
};

// Split into four parts that run in parallel.
class TriDAgainstReference : public ::testing::TestWithParam<int> {};

TEST_P(TriDAgainstReference, RandomGames) {
  CompareGames<Reference>(static_cast<uint64_t>(20261123 + GetParam()), 30000);
}

INSTANTIATE_TEST_SUITE_P(Part, TriDAgainstReference, ::testing::Range(0, 4));

// The games above must have covered these cases.
TEST(TriDRandomGames, AreVaried) {
  int board_moves = 0;
  int with_passenger = 0;
  int freed = 0;
  int with_promotion = 0;
  int en_passant = 0;
  int castlings = 0;
  int mates = 0;
  for (uint64_t game = 0; game < 400; ++game) {
    Random random(DeriveSeed(20261123, game));
    Position position = Reference::RandomStart(random);
    for (int ply = 0; ply < 300 && position.CountLegalMoves() > 0; ++ply) {
      const Move move = RandomMove<Reference>(position, true, random);
      if (move.kind() == MoveKind::kBoard) {
        ++board_moves;
        const CellSet board = CellSet{15} << (kMainCells + 4 * move.board());
        with_passenger += (position.occupied() & board) != 0 ? 1 : 0;
        with_promotion += move.promotion() != PieceType::kPawn ? 1 : 0;
      }
      freed += move.kind() == MoveKind::kFreed ? 1 : 0;
      en_passant += move.kind() == MoveKind::kEnPassant ? 1 : 0;
      castlings +=
          move.kind() == MoveKind::kCastleShort || move.kind() == MoveKind::kCastleLong ? 1 : 0;
      position.Play(move);
    }
    const auto outcome = position.outcome();
    mates += outcome && outcome->termination == Termination::kCheckmate ? 1 : 0;
  }
  EXPECT_GT(board_moves, 1000);
  EXPECT_GT(with_passenger, 200);
  EXPECT_GT(freed, 0);
  EXPECT_GT(with_promotion, 0);
  EXPECT_GT(en_passant, 20);
  EXPECT_GT(castlings, 20);
  EXPECT_GT(mates, 20);
}

TEST(TriDMoveText, RoundTrips) { CheckMoveTexts<Reference>(60); }

// Rotates the position by half a turn: reverses files and ranks, and exchanges W and B, QLn and
// KL(7 − n), and the colours.
std::string Turned(const Position& position) {
  std::array<char, kCells> letters{};
  const auto turned_pin = [](Pin pin) { return Pin::At(!pin.is_king_side(), 7 - pin.number()); };
  // White's queen's board moves to where Black's king's board was.
  constexpr std::array<int, kAttackBoards> kTurnedBoard = {3, 2, 1, 0};
  std::string pins;
  for (size_t board = 0; board < kAttackBoards; ++board) {
    const size_t before = static_cast<size_t>(kTurnedBoard[board]);
    if (board > 0) pins += ',';
    pins += turned_pin(position.layout().pins[before]).ToString();
  }
  const auto turned_cell = [&](Cell cell) {
    if (cell.is_main()) return static_cast<size_t>(47 - cell.index());
    const int board = kTurnedBoard[static_cast<size_t>(cell.attack_board())];
    return static_cast<size_t>(kMainCells + 4 * board + 3 - cell.place());
  };
  AnyOf(position.occupied(), [&](Cell cell) {
    const Piece piece = *position.piece_at(cell);
    const bool is_double = (position.double_steppers() & CellBit(cell)) != 0;
    const char letter = is_double ? 'D' : "PNBRQK"[static_cast<size_t>(piece.type)];
    letters[turned_cell(cell)] =
        piece.owner == Seat::kFirst ? static_cast<char>(letter - 'A' + 'a') : letter;
    return false;
  });
  std::string text = pins + " " + PlacementText(letters);
  text += position.to_move() == Seat::kFirst ? " b - - " : " w - - ";
  text += std::to_string(position.halfmove_clock()) + " ";
  return text + std::to_string(position.move_number());
}

// Only castling does not survive the rotation (§6). En passant is excluded.
TEST(TriDRotation, KeepsTheNumberOfMoves) {
  int positions = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("game seed " + std::to_string(seed));
    Random random(seed);
    Position position = RandomPosition(random);
    for (int ply = 0; ply < 60 && position.CountLegalMoves() > 0; ++ply) {
      if (!position.en_passant() && !position.pending()) {
        const auto turned = Parse(kGame<Position>, Turned(position));
        ASSERT_TRUE(turned.ok()) << turned.status() << "\n" << ToString(position);
        ASSERT_EQ(turned->CountLegalMoves(), position.CountLegalMoves()) << ToString(position);
        ++positions;
      }
      position.Play(RandomMove<Reference>(position, seed % 2 == 0, random));
    }
  }
  EXPECT_GT(positions, 3000);
}

}  // namespace
}  // namespace triarch::tri_d
