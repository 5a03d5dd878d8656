// Defines what a game's position must provide.

#ifndef TRIARCH_CORE_GAME_POSITION_H_
#define TRIARCH_CORE_GAME_POSITION_H_

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/game/move_list.h"
#include "core/game/outcome.h"
#include "core/game/seat.h"

namespace triarch {

// The names of a game and its seats: one constant per game, its `kInfo`.
struct GameInfo {
  std::string_view name;                               // "triumvirate": --game, YAML, SQL
  std::string_view variant;                            // "Triumvirate": the TPGN tag
  std::string_view notation = {};                      // "3PF": the text form of a position
  size_t seats;                                        // 2 or 3
  std::array<std::string_view, kSeatsMax> seat_names;  // "White": display and TPGN tags
  std::array<char, kSeatsMax> seat_letters;            // 'w': resign:w
  // Whether a match may choose that insufficient material is a draw (`insufficient_material: on`).
  // If false, the rules decide it.
  bool has_material_option = false;

  std::string seat_name(Seat seat) const { return std::string(seat_names[Index(seat)]); }
};

// The largest halfmove clock and move number that position texts accept. The counters stop there.
inline constexpr uint32_t kCounterMax = 1'000'000'000;
constexpr void CountUp(uint32_t& counter) { counter += counter < kCounterMax ? 1 : 0; }

// The rules of one game. A position is a regular value: `Play` changes it in place, and a copy
// serves as undo. It holds the board, the seat to move and the rights; GameState holds what depends
// on history (repetition, draw claims).
template <class P>
concept Position =
    std::regular<P> && std::is_trivially_copyable_v<P> &&(sizeof(P) <= 256) &&
    std::regular<typename P::Move>&& std::is_trivially_copyable_v<typename P::Move>&& requires(
        const P p, P next, const typename P::Move move, MoveList<typename P::Move>& moves,
        typename P::MoveSets& sets, Seat seat) {
  { P::kInfo } -> std::convertible_to<const GameInfo&>;
  { p.to_move() } -> std::same_as<Seat>;       // never an eliminated seat, unless the game is over
  { p.is_in(seat) } -> std::same_as<bool>;     // not eliminated
  { p.in_check(seat) } -> std::same_as<bool>;  // its king is attacked now
  { p.LegalMoves() } -> std::same_as<MoveList<typename P::Move>>;  // empty once it is over
  // The same moves in the same order, not written out: all, and those of the piece on a cell.
  { p.ListMoves(sets) } -> std::same_as<void>;                   // replaces `sets`
  { p.ListMovesFrom(move.from(), sets) } -> std::same_as<void>;  // replaces `sets`
  { p.CountLegalMoves() } -> std::same_as<size_t>;               // LegalMoves().size()
  // The legal moves that capture or promote, in the same order.
  { p.Captures() } -> std::same_as<MoveList<typename P::Move>>;
  { next.Play(move) } -> std::same_as<void>;  // requires: move is legal
  // Play, followed by CountLegalMoves or LegalMoves, at less cost: whether the turn's player has a
  // move is found out in any case.
  { next.PlayAndCount(move) } -> std::same_as<size_t>;
  { next.PlayAndList(move, moves) } -> std::same_as<void>;  // replaces `moves`
  { next.PlayAndList(move, sets) } -> std::same_as<void>;   // the same moves, not written out
  // Eliminates a seat that is still in, whether or not it is to move. Also used for forfeits.
  { next.Resign(seat) } -> std::same_as<void>;
  // If the player to move in a position that was set up has no move, judges it. Otherwise does
  // nothing.
  { next.JudgeTurn() } -> std::same_as<void>;
  // Empty while the game runs. Judges the position alone: no repetition, no claims.
  { p.outcome() } -> std::same_as<std::optional<Outcome>>;
  // Equal for positions that count as repeated and, barring hash collisions, only for those.
  { p.key() } -> std::same_as<uint64_t>;
  // Plies since the last irreversible move (capture, pawn move): earlier positions cannot recur.
  { p.halfmove_clock() } -> std::same_as<int>;
  // The TPGN number of the next move; it increases once per round of turns.
  { p.move_number() } -> std::same_as<int>;
  // The placement of an eliminated seat (the last out is best), and how it left the game:
  // kResignation after any Resign.
  { p.place_if_out(seat) } -> std::same_as<uint8_t>;
  { p.ending_if_out(seat) } -> std::same_as<Termination>;
  // The draw by move count that may be claimed now (75 moves, 50 moves), if any.
  { p.clock_draw() } -> std::same_as<std::optional<Termination>>;
  // Whether no seat has the material to win. outcome() may report it too. A match ends such a game
  // unless the game leaves the choice to the match (GameInfo::has_material_option).
  { p.is_material_insufficient() } -> std::same_as<bool>;
};

// Selects a game in calls of functions without a position argument: `Parse(kGame<P>, text)`.
template <class P>
using GameTag = std::type_identity<P>;
template <class P>
inline constexpr GameTag<P> kGame{};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_POSITION_H_
