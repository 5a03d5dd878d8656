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

#include "absl/status/statusor.h"
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

// How a board is drawn in a terminal.
struct BoardStyle {
  bool is_colored = true;  // ANSI escapes
  std::string_view names;  // a naming scheme of the game's own ("" is the default)
};

// The largest halfmove clock and move number that texts take; they stop counting there.
inline constexpr uint32_t kCounterMax = 1'000'000'000;
constexpr void CountUp(uint32_t& counter) { counter += counter < kCounterMax ? 1 : 0; }

// The forms of moves of a game that has no others than those that every game has.
inline constexpr std::array<std::string_view, 2> kMoveForms = {"canonical", "tpgn"};

// The rules of one game: a position is a regular value; `Play` changes it in place, so a copy is
// the undo. It knows the board, the seat to move and the rights; what needs history (repetition,
// claims) lies in GameState.
template <class P>
concept Position =
    std::regular<P> && std::is_trivially_copyable_v<P> &&(sizeof(P) <= 256) &&
    std::regular<typename P::Move>&& std::is_trivially_copyable_v<typename P::Move>&& requires(
        const P p, P next, const typename P::Move move, std::string_view text, Seat seat) {
  { P::kInfo } -> std::convertible_to<const GameInfo&>;
  // A named start; "" is the default. Starts() lists the names, the default first.
  { P::Start(text) } -> std::same_as<absl::StatusOr<P>>;
  { P::Starts() } -> std::same_as<std::span<const std::string_view>>;
  // Perft of the default start, depth 1 on, as far as it is known: `triarch bench` counts the last.
  { P::StartPerft() } -> std::same_as<std::span<const uint64_t>>;
  // The game's own text form (3PF, …). An error reads "CODE field N: message".
  { P::Parse(text) } -> std::same_as<absl::StatusOr<P>>;
  { p.ToString() } -> std::same_as<std::string>;

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

  // Whether that is how a cell is written: the part of a canonical move before the dash.
  { P::IsCell(text) } -> std::same_as<bool>;
  // Where a move begins, as canonical moves name it: a cell (of castling the king's), or whatever
  // else of the game moves; and the place that a text names, empty if there is none like it.
  { p.MoveStart(move) } -> std::same_as<std::string>;
  { p.FindStart(text) } -> std::same_as<std::optional<std::string>>;
  // JSON travels as text, so that only the few who make it see the JSON library.
  // Moves as text. ParseMove takes every written form of the game and gives a *legal* move.
  { p.ParseMove(text) } -> std::same_as<absl::StatusOr<typename P::Move>>;
  { p.MoveToString(move) } -> std::same_as<std::string>;  // canonical: "E2-E4", "A7-A8=Q"
  { p.MoveToTpgn(move) } -> std::same_as<std::string>;    // "E2xD3", "O-O"; no + or #
  // The forms in which moves can be written, by name, the canonical one first; ParseMove takes all.
  { P::MoveForms() } -> std::same_as<std::span<const std::string_view>>;
  // In the form of that number: 0 is MoveToString.
  { p.MoveInForm(move, size_t{}) } -> std::same_as<std::string>;
  { p.MoveToJson(move) } -> std::same_as<std::string>;
  { p.ToJson() } -> std::same_as<std::string>;
  { P::FromJson(text) } -> std::same_as<absl::StatusOr<P>>;

  // The board by numbers of cells, 0 to kCells - 1: what stands there (with members `type` and
  // `owner`), if anything, and what the cell is called now.
  { P::kCells } -> std::convertible_to<int>;
  p.PieceOn(0)->type;
  p.PieceOn(0)->owner;
  { p.CellText(0) } -> std::same_as<std::string>;

  // For bots: the worth of each seat's standing in hundredths of a pawn, from that seat's own
  // side; and the expected gain of a capture or promotion (0 for a quiet move).
  { p.Evaluate() } -> std::same_as<PerSeat<int>>;
  { p.CaptureGain(move) } -> std::same_as<int>;
  // Whose piece the move takes, if any.
  { p.VictimOf(move) } -> std::same_as<std::optional<Seat>>;

  // Six mid-game positions in text form, for perft and benchmarks.
  { P::BenchPositions() } -> std::same_as<std::span<const std::string_view>>;

  // Pictures.
  { p.ToSvg() } -> std::same_as<std::string>;
  { p.ToBoard(BoardStyle{}) } -> std::same_as<absl::StatusOr<std::string>>;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_POSITION_H_
