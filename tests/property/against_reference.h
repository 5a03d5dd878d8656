// Plays random games and compares each position with a slow reference implementation.

#ifndef TRIARCH_TESTS_PROPERTY_AGAINST_REFERENCE_H_
#define TRIARCH_TESTS_PROPERTY_AGAINST_REFERENCE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/evaluate.h"
#include "core/game/game_state.h"
#include "core/game/piece.h"
#include "core/text.h"

// Also checks invariants of every position. A failure prints the game's seed and the position.
//
// The reference is a class `Reference` with static members:
//   Position, History       the core's position, and the reference's game
//   Start(text)             the History that starts at a position in text form
//   Text(history), LegalMoves(history), Ending(history), Repetition(history)
//   RandomStart(random)     a position to start from
//   IsLively(position, move)     captures and the like, preferred in half of the games
//   Pieces(position)             the number of pieces
//   CheckAlways(position)        invariants of the game's positions
namespace triarch {

template <Position P>
std::vector<std::string> SortedMoves(const P& position) {
  std::vector<std::string> moves;
  for (const auto move : position.LegalMoves()) moves.push_back(MoveToString(position, move));
  std::sort(moves.begin(), moves.end());
  return moves;
}

// A game played by the core and the reference in parallel.
template <class Reference>
class Pair {
 public:
  using P = typename Reference::Position;

  explicit Pair(const P& start) : state_(start), history_(Reference::Start(ToString(start))) {}

  const GameState<P>& state() const { return state_; }

  // Compares everything about the position. Reports differences and returns false if there are any.
  bool Compare() {
    const P& position = state_.position();
    const std::string text = ToString(position);
    EXPECT_EQ(text, Reference::Text(history_));
    EXPECT_EQ(SortedMoves(position), Reference::LegalMoves(history_)) << text;
    EXPECT_EQ(position.CountLegalMoves(), position.LegalMoves().size()) << text;
    CompareMovesFrom(text);
    CompareCaptures(text);
    CompareEnding(text);
    CompareKeys(text);
    return !::testing::Test::HasFailure();
  }

  void Play(typename P::Move move) {
    const std::string text = MoveToString(state_.position(), move);
    const P before = state_.position();
    state_.Play(move);
    CompareWaysToPlay(before, move, state_.position());
    history_.Play(text);
  }
  void Resign(Seat seat) {
    state_.Eliminate(seat, Termination::kResignation);
    history_.Resign(static_cast<int>(Index(seat)));
  }

 private:
  // ListMoves must give all legal moves in the same order, from first to last and one by one, and
  // ListMovesFrom(cell) those that start on the cell.
  void CompareMovesFrom(const std::string& text) {
    const P& position = state_.position();
    typename P::MoveSets sets;
    position.ListMoves(sets);
    const auto all = position.LegalMoves();
    ExpectSame(sets, {all.begin(), all.end()}, text);
    std::map<std::string, std::vector<typename P::Move>> by_start;
    for (const typename P::Move move : all) by_start[MoveStart(position, move)].push_back(move);
    for (const auto& [start, moves] : by_start) {
      const auto cell = FindCell(position, start);
      if (!cell) continue;  // the pin of a board
      position.ListMovesFrom(*cell, sets);
      ExpectSame(sets, moves, text + start);
    }
  }

  void ExpectSame(const typename P::MoveSets& sets, const std::vector<typename P::Move>& moves,
                  const std::string& where) {
    ASSERT_EQ(sets.size(), moves.size()) << where;
    size_t next = 0;
    sets.ForEach([&](typename P::Move move) {
      EXPECT_TRUE(move == moves[next] && sets[next] == move && sets.Find(move) == next) << where;
      ++next;
    });
    EXPECT_EQ(next, moves.size()) << where;
    EXPECT_EQ(sets.Find({}), sets.size()) << where;
  }

  // Captures() must be the legal moves that reduce the number of pieces, and promotions. Moves that
  // eliminate a seat are excluded, because eliminations can remove pieces too.
  void CompareCaptures(const std::string& text) {
    const P& position = state_.position();
    const auto captures = position.Captures();
    size_t next = 0;
    for (const typename P::Move move : position.LegalMoves()) {
      const bool is_listed = next < captures.size() && captures[next] == move;
      if (is_listed) ++next;
      const std::optional<Seat> victim = VictimOf(position, move);
      const bool is_promotion = move.promotion() != PieceType::kPawn;
      EXPECT_EQ(is_listed, victim || is_promotion) << text << MoveToString(position, move);
      EXPECT_TRUE(is_listed || CaptureGain(position, move) == 0) << MoveToString(position, move);
      P child = position;
      child.Play(move);
      if (child.outcome() || Survivors(child) != Survivors(position)) continue;
      EXPECT_EQ(Reference::Pieces(position) - Reference::Pieces(child), victim ? 1 : 0)
          << text << MoveToString(position, move);
      if (victim) {
        EXPECT_EQ(PiecesOf(position, *victim) - PiecesOf(child, *victim), 1)
            << text << MoveToString(position, move);
      }
    }
    EXPECT_EQ(next, captures.size()) << text << ": in another order, or not a legal move";
  }

  // Every way to play a move must lead to the same position and give its legal moves.
  static void CompareWaysToPlay(const P& position, typename P::Move move, const P& child) {
    const auto moves = child.LegalMoves();
    P counted = position;
    EXPECT_EQ(counted.PlayAndCount(move), moves.size()) << ToString(child);
    P listed = position;
    MoveList<typename P::Move> list;
    listed.PlayAndList(move, list);
    EXPECT_TRUE(std::equal(list.begin(), list.end(), moves.begin(), moves.end()))
        << ToString(child);
    P in_sets = position;
    typename P::MoveSets sets;
    in_sets.PlayAndList(move, sets);
    EXPECT_EQ(sets.size(), moves.size()) << ToString(child);
    for (size_t n = 0; n < std::min(sets.size(), moves.size()); ++n) {
      EXPECT_EQ(sets[n], moves[n]) << ToString(child) << MoveToString(child, moves[n]);
    }
    EXPECT_TRUE(counted == child && listed == child && in_sets == child) << ToString(child);
  }

  static int Survivors(const P& position) {
    int count = 0;
    for (size_t i = 0; i < P::kInfo.seats; ++i) count += position.is_in(SeatAt(i)) ? 1 : 0;
    return count;
  }
  static int PiecesOf(const P& position, Seat owner) {
    int count = 0;
    for (int cell = 0; cell < P::kCells; ++cell) {
      const auto piece = position.PieceOn(cell);
      count += piece && piece->owner == owner ? 1 : 0;
    }
    return count;
  }

  void CompareEnding(const std::string& text) {
    const auto expected = Reference::Ending(history_);
    ASSERT_EQ(state_.outcome().has_value(), expected.has_value()) << text;
    if (!expected) return;
    EXPECT_EQ(ToString(state_.outcome()->termination), expected->termination) << text;
    EXPECT_EQ(PlacementText(state_.outcome()->place, P::kInfo.seats), expected->placement) << text;
    EXPECT_EQ(ResultText(state_.outcome()->place, P::kInfo.seats), expected->result) << text;
  }

  // The key must equal that of the reparsed position. Keys must be equal if and only if the
  // positions are repetitions by the rules.
  void CompareKeys(const std::string& text) {
    const P& position = state_.position();
    const auto read = Parse(kGame<P>, text);
    if (read.ok()) {
      EXPECT_EQ(read->key(), position.key()) << text;
      EXPECT_EQ(ToString(*read), text);
    } else {  // a finished game's text need not be a valid start
      ASSERT_TRUE(position.outcome()) << read.status() << "\n" << text;
    }
    const std::string repetition = Reference::Repetition(history_);
    EXPECT_EQ(keys_.emplace(repetition, position.key()).first->second, position.key()) << text;
    EXPECT_EQ(texts_.emplace(position.key(), repetition).first->second, repetition) << text;
  }

  GameState<P> state_;
  typename Reference::History history_;
  std::map<std::string, uint64_t> keys_;
  std::map<uint64_t, std::string> texts_;
};

// Picks a random move; in lively games it prefers moves with Reference::IsLively.
template <class Reference>
auto RandomMove(const typename Reference::Position& position, bool is_lively_game, Random& random) {
  const auto moves = position.LegalMoves();
  const auto any = [&] { return moves[random.Below(static_cast<uint32_t>(moves.size()))]; };
  auto move = any();
  for (int i = 0; i < 4 && is_lively_game && !Reference::IsLively(position, move); ++i) {
    move = any();
  }
  return move;
}

// Plays one random game. Returns the number of positions compared.
template <class Reference>
int CompareGame(uint64_t seed) {
  SCOPED_TRACE("game seed " + std::to_string(seed));
  Random random(seed);
  Pair<Reference> pair(Reference::RandomStart(random));
  const bool is_lively_game = random.Below(2) == 0;
  const bool may_resign = random.Below(4) == 0;
  int positions = 1;
  for (; pair.Compare() && !pair.state().outcome(); ++positions) {
    const auto& position = pair.state().position();
    const int pieces = Reference::Pieces(position);
    if (position.CountLegalMoves() == 0) break;  // generated with the seat to move already mated
    const Seat seat = SeatAt(random.Below(static_cast<uint32_t>(Reference::Position::kInfo.seats)));
    if (may_resign && random.Below(60) == 0 && position.is_in(seat)) {
      pair.Resign(seat);
    } else {
      pair.Play(RandomMove<Reference>(position, is_lively_game, random));
    }
    EXPECT_LE(Reference::Pieces(pair.state().position()), pieces);
    Reference::CheckAlways(pair.state().position());
    EXPECT_LT(positions, 20000) << "play does not end";
  }
  return positions;
}

// Compares games until `count` positions have been seen.
template <class Reference>
void CompareGames(uint64_t seed, int positions_min) {
  int positions = 0;
  for (uint64_t game = 0; positions < positions_min && !::testing::Test::HasFailure(); ++game) {
    positions += CompareGame<Reference>(DeriveSeed(seed, game));
  }
  ::testing::Test::RecordProperty("positions", positions);
  EXPECT_GE(positions, positions_min);
}

// Checks that every text form of every move parses as that move.
template <class Reference>
void CheckMoveTexts(uint64_t seeds) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("game seed " + std::to_string(seed));
    Random random(seed);
    GameState<typename Reference::Position> state(Reference::RandomStart(random));
    while (!state.outcome() && state.position().CountLegalMoves() > 0) {
      const auto& position = state.position();
      const auto move = RandomMove<Reference>(position, true, random);
      ASSERT_EQ(MoveInForm(position, move, 0), MoveToString(position, move));
      for (size_t form = 0; form < MoveForms(kGame<typename Reference::Position>).size(); ++form) {
        const std::string text = MoveInForm(position, move, form);
        const auto read = ParseMove(position, text);
        ASSERT_TRUE(read.ok()) << ToString(position) << ' ' << text << ": " << read.status();
        ASSERT_EQ(*read, move) << ToString(position) << ' ' << text;
      }
      state.Play(move);
    }
  }
}

}  // namespace triarch

#endif  // TRIARCH_TESTS_PROPERTY_AGAINST_REFERENCE_H_
