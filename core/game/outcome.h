// Defines terminations, placements and points.

#ifndef TRIARCH_CORE_GAME_OUTCOME_H_
#define TRIARCH_CORE_GAME_OUTCOME_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/game/seat.h"

namespace triarch {

// The reason why play stopped, or how one seat left the game (docs/tpgn.md).
enum class Termination : uint8_t {
  kCheckmate,
  kStalemate,
  kInsufficientMaterial,
  kThreefoldRepetition,
  kSeventyFiveMoves,
  kClockLimit,
  kFiftyMoves,
  kKingCapture,
  kResignation,
  kTimeForfeit,
  kIllegalMove,
  kCrash,
  kAdjudication,  // by the bots' evaluations
  kMaterialAdjudication,
  kPlyLimit,
  kAbandoned,
};

// Convert to and from "checkmate", "time_forfeit", … : the words of TPGN, SQL, metrics and JSON.
std::string_view ToString(Termination termination);
std::optional<Termination> ParseTermination(std::string_view word);
// Returns whether the match ended the game, which the rules would have continued.
bool IsAdjudication(Termination termination);
// Returns whether a bot broke the rules of the match: time_forfeit, illegal_move or crash.
bool IsForfeit(Termination termination);

// The placement of a finished game by the rules.
struct Outcome {
  // 1 is best; tied seats share the best of their places ("1-1-3"); 0 for a seat that the game
  // does not have.
  PerSeat<uint8_t> place;
  Termination termination = Termination::kAbandoned;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

// Returns the placement points of each seat: 1, 1/2, 0 for three seats and 1, 0 for two. Tied seats
// share the mean.
PerSeat<double> Points(const PerSeat<uint8_t>& place, size_t seats);

// Returns the Result tag: "1-0-0", "1/2-0-1/2", "1-0". Seats tied for first place share the win.
std::string ResultText(const PerSeat<uint8_t>& place, size_t seats);
// Returns the Placement tag: "1-3-2".
std::string PlacementText(const PerSeat<uint8_t>& place, size_t seats);
// Parses a Placement tag for that many seats; empty if the text is invalid.
std::optional<PerSeat<uint8_t>> ParsePlacement(std::string_view text, size_t seats);

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_OUTCOME_H_
