#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/text.h"
#include "core/game/game_state.h"
#include "core/triumvirate/position.h"
#include "tests/property/reference.h"

// Random games, each position compared with the second opinion (reference.h) and with what must
// always be true. A failure prints the seed of its game and the position.
namespace triarch::triumvirate {
namespace {

constexpr std::string_view kSeatLetters = "wbr";

std::vector<std::string> SortedMoves(const Position& position) {
  std::vector<std::string> moves;
  for (const Move move : position.LegalMoves()) moves.push_back(position.MoveToString(move));
  std::sort(moves.begin(), moves.end());
  return moves;
}

// A made-up position: kings of two or three players, and pieces at random, few or many, inherited
// ones among them if one player is out. Its status letters are found by trying.
Position RandomPosition(Random& random) {
  while (true) {
    const uint32_t out = random.Below(6);  // 0, 1, 2: that player is out; else nobody
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
      const auto position = Position::Parse(pieces + middle + status + " 0 1");
      if (position.ok()) return *position;
    }
  }
}

Position RandomStart(Random& random) {
  switch (random.Below(4)) {
    case 0:
      return Position::Start("document").value();
    case 1:
      return Position::Start("server").value();
    default:
      return RandomPosition(random);
  }
}

// One game played by the core and by the reference at once.
class Pair {
 public:
  explicit Pair(const Position& start)
      : state_(start), history_(reference::Parse3pf(start.ToString())) {}

  const GameState<Position>& state() const { return state_; }

  // What can be asked of any position. False on a difference, which has been reported.
  bool Compare() {
    const Position& position = state_.position();
    const std::string text = position.ToString();
    EXPECT_EQ(text, reference::To3pf(history_.state()));
    EXPECT_EQ(SortedMoves(position), reference::LegalMoves(history_.state())) << text;
    EXPECT_EQ(position.CountLegalMoves(), position.LegalMoves().size()) << text;
    CompareEnding(text);
    CompareKeys(text);
    return !::testing::Test::HasFailure();
  }

  void Play(Move move) {
    const std::string text = state_.position().MoveToString(move);
    state_.Play(move);
    history_.Play(text);
  }
  void Resign(Seat seat) {
    state_.Eliminate(seat, Termination::kResignation);
    history_.Resign(static_cast<int>(Index(seat)));
  }

 private:
  void CompareEnding(const std::string& text) {
    const auto expected = history_.ending();
    ASSERT_EQ(state_.outcome().has_value(), expected.has_value()) << text;
    if (!expected) return;
    EXPECT_EQ(ToString(state_.outcome()->termination), expected->termination) << text;
    EXPECT_EQ(PlacementText(state_.outcome()->place, 3), expected->placement) << text;
    EXPECT_EQ(ResultText(state_.outcome()->place, 3), expected->result) << text;
  }

  // The key is that of the position read anew, and equal exactly where the rules say "the same".
  void CompareKeys(const std::string& text) {
    const Position& position = state_.position();
    const auto read = Position::Parse(text);
    ASSERT_TRUE(read.ok()) << read.status() << "\n" << text;
    EXPECT_EQ(read->key(), position.key()) << text;
    EXPECT_EQ(read->ToString(), text);
    const std::string repetition = reference::RepetitionText(history_.state());
    EXPECT_EQ(keys_.emplace(repetition, position.key()).first->second, position.key()) << text;
    EXPECT_EQ(texts_.emplace(position.key(), repetition).first->second, repetition) << text;
  }

  GameState<Position> state_;
  reference::History history_;
  std::map<std::string, uint64_t> keys_;
  std::map<uint64_t, std::string> texts_;
};

bool IsLively(const Position& position, Move move) {
  return move.kind() != MoveKind::kNormal || position.occupied().contains(move.to());
}

// A random move, in half of the games with a liking for captures, double steps and castling.
Move RandomMove(const Position& position, bool is_lively_game, Random& random) {
  const auto moves = position.LegalMoves();
  const auto any = [&] { return moves[random.Below(static_cast<uint32_t>(moves.size()))]; };
  Move move = any();
  for (int i = 0; i < 4 && is_lively_game && !IsLively(position, move); ++i) move = any();
  return move;
}

void CheckNoKingFell(const Position& position) {
  for (size_t i = 0; i < 3; ++i) {
    const CellSet kings = position.of_type(PieceType::kKing) & position.owned_by(SeatAt(i));
    EXPECT_EQ(kings.size(), position.is_in(SeatAt(i)) ? 1 : 0) << position.ToString();
  }
}

// Plays one random game through; gives the number of positions compared.
int CompareGame(uint64_t seed) {
  SCOPED_TRACE("game seed " + std::to_string(seed));
  Random random(seed);
  Pair pair(RandomStart(random));
  const bool is_lively_game = random.Below(2) == 0;
  const bool may_resign = random.Below(4) == 0;
  int positions = 1;
  for (; pair.Compare() && !pair.state().outcome(); ++positions) {
    const Position& position = pair.state().position();
    const int pieces = position.occupied().size();
    if (position.CountLegalMoves() == 0) break;  // made up with the player on turn mated
    const Seat seat = SeatAt(random.Below(3));
    if (may_resign && random.Below(60) == 0 && position.is_in(seat)) {
      pair.Resign(seat);
    } else {
      pair.Play(RandomMove(position, is_lively_game, random));
    }
    EXPECT_LE(pair.state().position().occupied().size(), pieces);
    CheckNoKingFell(pair.state().position());
    EXPECT_LT(positions, 20000) << "play does not end";
  }
  return positions;
}

// In four parts, so that they run side by side.
class AgainstReference : public ::testing::TestWithParam<int> {};

TEST_P(AgainstReference, RandomGames) {
  constexpr int kPositions = 75000;
  int positions = 0;
  for (uint64_t game = 0; positions < kPositions && !HasFailure(); ++game) {
    positions += CompareGame(DeriveSeed(static_cast<uint64_t>(20261121 + GetParam()), game));
  }
  RecordProperty("positions", positions);
  EXPECT_GE(positions, kPositions);
}

INSTANTIATE_TEST_SUITE_P(Part, AgainstReference, ::testing::Range(0, 4));

// Every written form of every move reads back as that move.
TEST(MoveText, RoundTrips) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("game seed " + std::to_string(seed));
    Random random(seed);
    GameState<Position> state(RandomStart(random));
    while (!state.outcome() && state.position().CountLegalMoves() > 0) {
      const Position& position = state.position();
      const Move move = RandomMove(position, true, random);
      ASSERT_EQ(position.ParseMove(position.MoveToString(move)).value(), move);
      ASSERT_EQ(position.ParseMove(position.MoveToTpgn(move)).value(), move);
      state.Play(move);
    }
  }
}

char RotatedLetter(char letter) {
  const size_t index = kSeatLetters.find(letter);
  return index == std::string_view::npos ? letter : kSeatLetters[(index + 1) % 3];
}

std::string RotatedCell(std::string_view cell) { return Cell::Parse(cell)->Rotated().ToString(); }

// "bP>rA4^w" and the like, turned by a third.
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

// From the start `server` all three armies are R N B Q K B N R: turning the board turns everything.
TEST(Rotation, TurnsTheMoves) {
  int positions = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("game seed " + std::to_string(seed));
    Random random(seed);
    GameState<Position> state(Position::Start("server").value());
    while (!state.outcome()) {
      const Position& position = state.position();
      const auto turned = Position::Parse(Rotated3pf(position.ToString()));
      ASSERT_TRUE(turned.ok()) << turned.status() << "\n" << position.ToString();
      ASSERT_EQ(SortedMoves(*turned), RotatedMoves(SortedMoves(position))) << position.ToString();
      state.Play(RandomMove(position, seed % 2 == 0, random));
      ++positions;
    }
  }
  EXPECT_GT(positions, 10000);
}

}  // namespace
}  // namespace triarch::triumvirate
