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

// What a game is called and who sits at it: one constant per game, its `kInfo`.
struct GameInfo {
  std::string_view name;                               // "triumvirate": --game, YAML, SQL
  std::string_view variant;                            // "Triumvirate": the TPGN tag
  std::string_view notation = {};                      // "3PF": the text form of a position
  size_t seats;                                        // 2 or 3
  std::array<std::string_view, kSeatsMax> seat_names;  // "White": display and TPGN tags
  std::array<char, kSeatsMax> seat_letters;            // 'w': resign:w
  // Whether a match may choose to draw games that nobody has the material to win
  // (`insufficient_material: on`); else the rules have decided it.
  bool has_material_option = false;
};

// The largest halfmove clock and move number that texts take; they stop counting there.
inline constexpr uint32_t kCounterMax = 1'000'000'000;
constexpr void CountUp(uint32_t& counter) { counter += counter < kCounterMax ? 1 : 0; }

// The rules of one game: a position is a regular value; `Play` changes it in place, so a copy is
// the undo. It knows the board, the seat to move and the rights; what needs history (repetition,
// claims) lies in GameState.
template <class P>
concept Position =
    std::regular<P> && std::is_trivially_copyable_v<P> &&(sizeof(P) <= 256) &&
    std::regular<typename P::Move>&& std::is_trivially_copyable_v<typename P::Move>&& requires(
        const P p, P next, const typename P::Move move, Seat seat) {
  { P::kInfo } -> std::convertible_to<const GameInfo&>;
  { p.to_move() } -> std::same_as<Seat>;       // never an eliminated seat, unless the game is over
  { p.is_in(seat) } -> std::same_as<bool>;     // not eliminated
  { p.in_check(seat) } -> std::same_as<bool>;  // its king is attacked now
  { p.LegalMoves() } -> std::same_as<MoveList<typename P::Move>>;  // empty once it is over
  { p.CountLegalMoves() } -> std::same_as<size_t>;                 // LegalMoves().size()
  // Those of the legal moves that take a piece or promote, in the same order.
  { p.Captures() } -> std::same_as<MoveList<typename P::Move>>;
  { next.Play(move) } -> std::same_as<void>;    // requires: move is legal
  { next.Resign(seat) } -> std::same_as<void>;  // any seat still in, on or off turn; forfeits too
  // Judges the player on turn where a given position leaves it without a move; else does nothing.
  { next.JudgeTurn() } -> std::same_as<void>;
  // Empty while the game runs. Only what the position itself shows: no repetition, no claims.
  { p.outcome() } -> std::same_as<std::optional<Outcome>>;
  // Equal for positions that count as repeated, and (but for accidents) for no others.
  { p.key() } -> std::same_as<uint64_t>;
  // Plies since the last move that cannot be taken back (capture, pawn move): positions before
  // it never come again.
  { p.halfmove_clock() } -> std::same_as<int>;
  // The number that the move to come has in TPGN; it goes up once a round.
  { p.move_number() } -> std::same_as<int>;
  // Where an eliminated seat came in (the last out is best), and how it left the game:
  // kResignation wherever it was by Resign.
  { p.place_if_out(seat) } -> std::same_as<uint8_t>;
  { p.ending_if_out(seat) } -> std::same_as<Termination>;
  // The draw by move count that may be claimed now (75 moves, 50 moves), if any.
  { p.clock_draw() } -> std::same_as<std::optional<Termination>>;
  // Whether nobody has the material to win. outcome() may know it too; a match ends such a game
  // unless that is left to it (GameInfo::has_material_option).
  { p.is_material_insufficient() } -> std::same_as<bool>;
};

// Names a game to functions that take no position of it: `Parse(kGame<P>, text)`.
template <class P>
using GameTag = std::type_identity<P>;
template <class P>
inline constexpr GameTag<P> kGame{};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_POSITION_H_
