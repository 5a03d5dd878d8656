#ifndef TRIARCH_CORE_RECORD_GAME_RECORD_H_
#define TRIARCH_CORE_RECORD_GAME_RECORD_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/small_optional.h"
#include "core/game/game_state.h"
#include "core/game/outcome.h"
#include "core/game/seat.h"
#include "core/record/recorded_move.h"

// The value that comes up: what happened in one game. TPGN is written from it without the rules.
namespace triarch {

// Something that a seat did at one point of the game. Kept small: most of what a worker needs for a
// game in play are its events.
struct RecordedEvent {
  enum class Kind : uint8_t {
    kMove,
    kResign,
    kForfeit,  // `why` says which
    kClaimDraw,
  };
  Kind kind = Kind::kMove;
  Seat seat = Seat::kFirst;
  RecordedMove move;                            // as in TPGN without suffix: "E2xD3", "O-O"
  bool is_check = false;                        // "+": some opponent is in check
  bool is_elimination = false;                  // "#": somebody was eliminated when the turn passed
  bool is_fallback = false;                     // a move that the player made for want of its own
  Termination why = Termination::kResignation;  // of a kForfeit
  OptionalInt64 clock_ms;                       // left (or used, without a clock) after it
  RareOptional<PerSeat<double>> eval;           // expected share of the points per seat

  friend bool operator==(const RecordedEvent&, const RecordedEvent&) = default;
};
static_assert(sizeof(RecordedEvent) == 40);

// What the moves of one seat cost. Its two times are by the wall's clock and by the processor's,
// whichever of them the time control charges.
struct SeatCost {
  int64_t moves = 0;  // those of the opening are not among them
  int64_t nodes = 0;  // as the player said
  // Between the questions and the answers that were moves, by the clock on the wall.
  int64_t time_us = 0;
  // Processor time. Of a bot in the worker's process: what its thread used in that time, not what
  // other threads of it did. Of a process bot: all that its processes used from the game's begin to
  // its end, in others' turns too. Empty where nobody could say, and in older records.
  std::optional<int64_t> cpu_us = {};

  friend bool operator==(const SeatCost&, const SeatCost&) = default;
};

// What a game of self-play gives to learn from, until it is in a shard. It never leaves the worker.
struct GameSamples {
  int64_t count = 0;
  std::string rows = {};  // of selfplay/shard/sample_row.h, in the order of plies
  std::vector<uint16_t> moves =
      {};  // of selfplay/shard/shard.h: all of them, and who left between them
  // In a game that is played out: the ply at which the seat would have resigned.
  PerSeat<std::optional<int32_t>> resignations = {};
};

struct GameRecord {
  int64_t index = 0;  // in its tournament
  int64_t match = 0;
  std::string game;          // "triumvirate"
  std::string event;         // the tournament's name, for the tag
  std::string date;          // "2026.11.21", or "????.??.??" where nothing may depend on it
  std::string time_control;  // the tag; "-" for none
  uint64_t seed = 0;
  PerSeat<std::string> bots;  // names
  std::string position;       // the start, if it is not the game's default
  int64_t first_round = 1;    // the start's move number
  DrawRules draw_rules;
  std::vector<RecordedEvent> events;
  bool is_finished = false;  // else `outcome` and `endings` say nothing: result "*"
  Outcome outcome;
  PerSeat<std::optional<Termination>> endings;  // of the eliminated
  int64_t plies = 0;                            // number of kMove events
  int64_t opening_plies = 0;                    // of them, given by the opening
  int64_t fallbacks = 0;                        // of them, fallback moves
  PerSeat<SeatCost> costs;                      // not in TPGN
  std::optional<GameSamples> samples;           // of self-play
};

// How many of them are the seat's.
inline int64_t FallbacksOf(const GameRecord& record, Seat seat) {
  if (record.fallbacks == 0) return 0;  // nearly always, and its events need not be looked at
  return std::count_if(
      record.events.begin(), record.events.end(),
      [seat](const RecordedEvent& event) { return event.is_fallback && event.seat == seat; });
}

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_GAME_RECORD_H_
