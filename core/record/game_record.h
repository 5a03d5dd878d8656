// Holds the events, ending and costs of one game.

#ifndef TRIARCH_CORE_RECORD_GAME_RECORD_H_
#define TRIARCH_CORE_RECORD_GAME_RECORD_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/small_optional.h"
#include "core/game/game_state.h"
#include "core/game/outcome.h"
#include "core/game/seat.h"
#include "core/record/game_fault.h"
#include "core/record/move_info.h"
#include "core/record/recorded_move.h"

namespace triarch {

// A seat's action at one point of the game. Kept small because events take most of a worker's
// memory for a game.
struct RecordedEvent {
  enum class Kind : uint8_t {
    kMove,
    kResign,
    kForfeit,  // see `why`
    kClaimDraw,
  };
  Kind kind = Kind::kMove;
  Seat seat = Seat::kFirst;
  RecordedMove move;                            // as in TPGN without suffix: "E2xD3", "O-O"
  bool is_check = false;                        // "+": an opponent is in check
  bool is_elimination = false;                  // "#": a seat was eliminated when the turn passed
  bool is_fallback = false;                     // the bot failed to choose a move itself
  Termination why = Termination::kResignation;  // for kForfeit
  OptionalInt64 clock_ms;                       // time left after it, or used if there is no clock
  RareOptional<PerSeat<double>> eval;           // expected share of the points per seat

  friend bool operator==(const RecordedEvent&, const RecordedEvent&) = default;
};
static_assert(sizeof(RecordedEvent) == 40);

// The cost of one seat's moves. Both times are recorded, whichever the time control charges.
struct SeatCost {
  int64_t moves = 0;  // excluding the opening
  int64_t nodes = 0;  // as the player reported
  // Wall-clock time between the requests for moves and the moves.
  int64_t time_us = 0;
  // Processor time of the bot's thread during that time or, for a process bot, of all its processes
  // during the whole game. Empty if not measured.
  std::optional<int64_t> cpu_us = {};

  friend bool operator==(const SeatCost&, const SeatCost&) = default;
};

// The training samples of a self-play game until they are stored in a shard. They never leave the
// worker.
struct GameSamples {
  int64_t count = 0;
  std::string rows = {};             // as in selfplay/shard/sample_row.h, by ply
  std::vector<uint16_t> moves = {};  // as in selfplay/shard/shard.h: moves and eliminations
  // The ply at which each seat would have resigned in a played-out game.
  PerSeat<std::optional<int32_t>> resignations = {};
};

// Why a coordinator counts a game.
enum class GameCheck : uint8_t {
  kTrusted,    // its worker is trusted
  kAudited,    // it was played again
  kConfirmed,  // other games of its worker were played again
  kUnaudited,  // nothing: its worker is not trusted, but the game is not reproducible
};
inline constexpr size_t kGameChecks = 4;

// The number of games by GameCheck.
using GameChecks = std::array<int64_t, kGameChecks>;

struct GameRecord {
  int64_t index = 0;  // in its tournament
  int64_t match = 0;
  std::string game;          // "triumvirate"
  std::string event;         // the tournament's name, for the tag
  std::string date;          // "2026.11.21", or "????.??.??" to make equal games equal in text
  std::string time_control;  // the tag; "-" for none
  // The tags of the seats whose bots have other limits; otherwise empty.
  PerSeat<std::string> time_controls;
  uint64_t seed = 0;
  PerSeat<std::string> bots;  // names
  std::string position;       // the start, if it is not the game's default
  int64_t first_round = 1;    // the start's move number
  DrawRules draw_rules;
  std::vector<RecordedEvent> events;
  bool is_finished = false;  // if not, `outcome` and `endings` are unset; result "*"
  Outcome outcome;
  PerSeat<std::optional<Termination>> endings;  // of eliminated seats
  int64_t plies = 0;                            // number of kMove events
  int64_t opening_plies = 0;                    // how many of these belong to the opening
  int64_t fallbacks = 0;                        // how many of these were fallback moves
  // What the bots said about their moves, ascending by ply. Not in the events, which would grow
  // even in games without it.
  std::vector<MoveInfo> infos;
  PerSeat<SeatCost> costs;                // not in TPGN
  std::vector<GameFault> faults;          // one for each kForfeit event; not in TPGN
  std::optional<GameSamples> samples;     // self-play only
  GameCheck check = GameCheck::kTrusted;  // not in TPGN
};

// Returns the number of a seat's fallback moves.
inline int64_t FallbacksOf(const GameRecord& record, Seat seat) {
  if (record.fallbacks == 0) return 0;  // the usual case, and fast
  return std::count_if(
      record.events.begin(), record.events.end(),
      [seat](const RecordedEvent& event) { return event.is_fallback && event.seat == seat; });
}

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_GAME_RECORD_H_
