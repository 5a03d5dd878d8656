// Defines a tiny game that the searcher tests can solve by brute force.

#ifndef TRIARCH_BOTS_SEARCH_TOY_GAME_H_
#define TRIARCH_BOTS_SEARCH_TOY_GAME_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/random.h"
#include "core/game/evaluate.h"
#include "core/game/outcome.h"
#include "core/game/position.h"
#include "core/game/seat.h"

// A game for searcher tests that is small enough for brute force: the seat that takes the last
// stone is out, the others continue with a new heap, and the last seat left wins. Some turns are
// skipped. Standings and gains are noise, deterministic for each position.
namespace triarch::toy {

inline constexpr int kTakeMax = 3;

struct Position {
  struct Move {
    uint32_t take = 0;
    constexpr int from() const { return 0; }  // all stones lie on one heap
    friend constexpr bool operator==(Move, Move) = default;
  };

  using MoveSets = MoveList<Move>;

  static constexpr GameInfo kInfo{.name = "toy",
                                  .variant = "Toy",
                                  .seats = 3,
                                  .seat_names = {"A", "B", "C"},
                                  .seat_letters = {'a', 'b', 'c'}};

  uint64_t salt = 0;  // selects the noise
  uint32_t heap = 7;  // stones at the start of each round
  uint32_t stones = 7;
  uint32_t ply = 0;
  PerSeat<uint8_t> out_order;  // 0 if still in, 1 for the first one out
  Seat turn = Seat::kFirst;

  friend bool operator==(const Position&, const Position&) = default;

  Seat to_move() const { return turn; }
  bool is_in(Seat seat) const { return out_order[seat] == 0; }
  bool in_check(Seat) const { return false; }

  MoveList<Move> LegalMoves() const {
    MoveList<Move> moves;
    if (outcome()) return moves;
    for (uint32_t take = 1; take <= kTakeMax && take <= stones; ++take) moves.push_back({take});
    return moves;
  }
  void ListMoves(MoveSets& moves) const { moves = LegalMoves(); }
  void ListMovesFrom(int /*heap*/, MoveSets& moves) const { moves = LegalMoves(); }
  size_t CountLegalMoves() const { return LegalMoves().size(); }
  MoveList<Move> Captures() const {
    MoveList<Move> captures;
    for (const Move move : LegalMoves()) {
      if (GainOf(move) != 0) captures.push_back(move);
    }
    return captures;
  }

  void Play(Move move) {
    ++ply;
    stones -= move.take;
    if (stones == 0) {
      out_order[turn] = static_cast<uint8_t>(1 + CountOut());
      stones = heap;
    }
    Advance();
    if (Noise(99) % 7 == 0) Advance();
  }
  size_t PlayAndCount(Move move) {
    Play(move);
    return CountLegalMoves();
  }
  void PlayAndList(Move move, MoveList<Move>& moves) {
    Play(move);
    moves = LegalMoves();
  }
  void Resign(Seat seat) { out_order[seat] = static_cast<uint8_t>(1 + CountOut()); }

  std::optional<Outcome> outcome() const {
    if (CountOut() < 2) return std::nullopt;
    Outcome outcome{.place = {}, .termination = Termination::kCheckmate};
    for (size_t i = 0; i < 3; ++i) {
      outcome.place[SeatAt(i)] = is_in(SeatAt(i)) ? uint8_t{1} : place_if_out(SeatAt(i));
    }
    return outcome;
  }
  uint8_t place_if_out(Seat seat) const { return static_cast<uint8_t>(4 - out_order[seat]); }
  Termination ending_if_out(Seat) const { return Termination::kCheckmate; }
  bool is_material_insufficient() const { return false; }
  uint64_t key() const { return Noise(0); }
  int halfmove_clock() const { return 1; }
  void JudgeTurn() {}
  int move_number() const { return 1; }
  std::optional<Termination> clock_draw() const { return std::nullopt; }

  int GainOf(Move move) const { return static_cast<int>(Noise(10 + move.take) % 4) - 2; }
  // Noise depends on the ply, because no position occurs twice in a game.
  uint64_t Noise(uint64_t what) const {
    uint64_t hash = DeriveSeed(salt, what);
    hash = DeriveSeed(hash, ply * 64 + stones);
    for (const uint8_t order : out_order) hash = DeriveSeed(hash, order);
    return DeriveSeed(hash, Index(turn));
  }

 private:
  int CountOut() const {
    int out = 0;
    for (const uint8_t order : out_order) out += order != 0 ? 1 : 0;
    return out;
  }
  void Advance() {
    do {
      turn = SeatAt((Index(turn) + 1) % 3);
    } while (!is_in(turn));
  }
};

inline PerSeat<int> Evaluate(const Position& position) {
  PerSeat<int> standings;
  for (size_t i = 0; i < 3; ++i) {
    standings[SeatAt(i)] = static_cast<int>(position.Noise(i + 1) % 2000);
  }
  return standings;
}
inline int CaptureGain(const Position& position, Position::Move move) {
  return position.GainOf(move);
}
inline std::optional<Seat> VictimOf(const Position&, Position::Move) { return std::nullopt; }

static_assert(HasEvaluation<Position>);

}  // namespace triarch::toy

#endif  // TRIARCH_BOTS_SEARCH_TOY_GAME_H_
