// Compares Triumvirate with its reference implementation, and with itself rotated by a third.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/text.h"
#include "core/game/game_state.h"
#include "core/triumvirate/position.h"
#include "core/triumvirate/text.h"
#include "tests/property/against_reference.h"
#include "tests/property/triumvirate_reference.h"

namespace triarch::triumvirate {
namespace {

constexpr std::string_view kSeatLetters = "wbr";

// Returns a generated position: kings of two or three players, and a random number of pieces,
// including inherited ones if a player is out. Its status letters are found by trial.
Position RandomPosition(Random& random) {
  while (true) {
    const uint32_t out = random.Below(6);  // 0, 1, 2: that player is out; otherwise all are in
    std::set<uint32_t> used;
    std::string pieces;
    const auto put = [&](const std::string& piece) {
      const uint32_t cell = random.Below(kCells);
      if (!used.insert(cell).second) return;
      pieces += (pieces.empty() ? "" : ",") + piece + Cell::At(static_cast<int>(cell)).ToString();
    };
    for (uint32_t seat = 0; seat < 3; ++seat) {
      if (seat != out) put(std::string(1, kSeatLetters[seat]) + "K");
    }
    const uint32_t count = 1 + random.Below(random.Below(3) == 0 ? 60 : 12);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t color = random.Below(3);
      std::string piece = {kSeatLetters[color], "PPPPNBRQ"[random.Below(8)]};
      if (color == out) piece += {'>', kSeatLetters[(color + 1 + random.Below(2)) % 3]};
      put(piece);
    }
    const std::string middle = std::string(" ") + kSeatLetters[random.Below(3)] + " w-.b-.r- - ";
    for (int code = 0; code < 27; ++code) {
      std::string status = {"acs"[code % 3], "acs"[code / 3 % 3], "acs"[code / 9]};
      if (out < 3) status[out] = 'x';
      const auto position = Parse(kGame<Position>, pieces + middle + status + " 0 1");
      if (position.ok()) return *position;
    }
  }
}

Position RandomStart(Random& random) {
  switch (random.Below(4)) {
    case 0:
      return triumvirate::Start(kGame<Position>, "document").value();
    case 1:
      return triumvirate::Start(kGame<Position>, "server").value();
    default:
      return RandomPosition(random);
  }
}

struct Reference {
  using Position = triumvirate::Position;
  using History = triumvirate_reference::History;

  static History Start(const std::string& text) {
    return History(triumvirate_reference::Parse3pf(text));
  }
  static std::string Text(const History& history) {
    return triumvirate_reference::To3pf(history.state());
  }
  static std::vector<std::string> LegalMoves(const History& history) {
    return triumvirate_reference::LegalMoves(history.state());
  }
  static auto Ending(const History& history) { return history.ending(); }
  static std::string Repetition(const History& history) {
    return triumvirate_reference::RepetitionText(history.state());
  }
  static Position RandomStart(Random& random) { return triumvirate::RandomStart(random); }
  static bool IsLively(const Position& position, Move move) {
    return move.kind() != MoveKind::kNormal || position.occupied().contains(move.to());
  }
  static int Pieces(const Position& position) { return position.occupied().size(); }
  static void CheckAlways(const Position& position) {
    for (size_t i = 0; i < 3; ++i) {  // kings are never captured
      const CellSet kings = position.of_type(PieceType::kKing) & position.owned_by(SeatAt(i));
      EXPECT_EQ(kings.size(), position.is_in(SeatAt(i)) ? 1 : 0) << ToString(position);
    }
  }
};

// Split into four parts that run in parallel.
class AgainstReference : public ::testing::TestWithParam<int> {};

TEST_P(AgainstReference, RandomGames) {
  CompareGames<Reference>(static_cast<uint64_t>(20261121 + GetParam()), 75000);
}

INSTANTIATE_TEST_SUITE_P(Part, AgainstReference, ::testing::Range(0, 4));

TEST(MoveText, RoundTrips) { CheckMoveTexts<Reference>(60); }

char RotatedLetter(char letter) {
  const size_t index = kSeatLetters.find(letter);
  return index == std::string_view::npos ? letter : kSeatLetters[(index + 1) % 3];
}

std::string RotatedCell(std::string_view cell) { return Cell::Parse(cell)->Rotated().ToString(); }

// Rotates "bP>rA4^w" and the like by a third.
std::string RotatedPiece(std::string_view piece) {
  const size_t caret = piece.find('^');
  const std::string_view body = piece.substr(0, caret);
  const size_t cell = body[2] == '>' ? 4 : 2;
  std::string turned = {RotatedLetter(body[0]), body[1]};
  if (cell == 4) turned += {'>', RotatedLetter(body[3])};
  turned += RotatedCell(body.substr(cell));
  if (caret != std::string_view::npos) turned += {'^', RotatedLetter(piece[caret + 1])};
  return turned;
}

std::string Rotated3pf(const std::string& text) {
  const auto fields = Split(text, ' ');
  std::string turned;
  for (const std::string_view piece : Split(fields[0], ',')) {
    turned += (turned.empty() ? "" : ",") + RotatedPiece(piece);
  }
  const auto rights = Split(fields[2], '.');
  turned += std::string(" ") + RotatedLetter(fields[1][0]) + " w" +
            std::string(rights[2].substr(1)) + ".b" + std::string(rights[0].substr(1)) + ".r" +
            std::string(rights[1].substr(1));
  turned += " " + (fields[3] == "-" ? "-" : RotatedCell(fields[3]));
  turned += std::string(" ") + fields[4][2] + fields[4][0] + fields[4][1];
  return turned + " " + std::string(fields[5]) + " " + std::string(fields[6]);
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

// In the start `server` all three armies are R N B Q K B N R, so the whole position can be rotated.
TEST(Rotation, TurnsTheMoves) {
  int positions = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("game seed " + std::to_string(seed));
    Random random(seed);
    GameState<Position> state(Start(kGame<Position>, "server").value());
    while (!state.outcome()) {
      const Position& position = state.position();
      const auto turned = Parse(kGame<Position>, Rotated3pf(ToString(position)));
      ASSERT_TRUE(turned.ok()) << turned.status() << "\n" << ToString(position);
      ASSERT_EQ(SortedMoves(*turned), RotatedMoves(SortedMoves(position))) << ToString(position);
      state.Play(RandomMove<Reference>(position, seed % 2 == 0, random));
      ++positions;
    }
  }
  EXPECT_GT(positions, 10000);
}

}  // namespace
}  // namespace triarch::triumvirate
