// Adds up where a bot loses its points: in which phase, seat and way, and against whom.

#ifndef TRIARCH_CLI_TOURNAMENT_LOSS_TABLE_H_
#define TRIARCH_CLI_TOURNAMENT_LOSS_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/tournament/game_analysis.h"
#include "core/any_state.h"
#include "core/game/seat.h"
#include "core/record/game_record.h"

namespace triarch {

// How a bot lost points.
enum class LossKind : uint8_t { kMove, kFallback, kForfeit, kOther };  // kOther: resigned, claimed
inline constexpr size_t kLossKinds = 4;

// One event of the bot.
struct Loss {
  std::string played;  // "E2-E4", "forfeits: crash"
  LossKind kind = LossKind::kMove;
  EventAnalysis analysis;
};

// One game from one of the bot's seats.
struct SeatLosses {
  std::string game;  // its number: "3.17"
  Seat seat = Seat::kFirst;
  std::vector<std::string> opponents = {};  // each once
  std::optional<double> points = {};        // that it scored, if the game was finished
  std::vector<Loss> losses = {};
};

// Returns the numbers of the events in which that seat itself decided: those after the opening.
std::vector<size_t> OwnEvents(const GameRecord& record, Seat seat);
// `events` are the analyses of the seat's own events.
SeatLosses LossesOf(const GameInfo& info, const GameRecord& record, Seat seat,
                    const std::vector<EventAnalysis>& events);

struct LossRow {
  std::string group;  // "phase", "seat", "against", "by"; empty for all games
  std::string name;   // "ending", "White", "greedy", "forfeits"
  int64_t games = 0;  // seats of games; those of a phase or a kind are all
  int64_t moves = 0;
  std::optional<double> points;    // mean score of these games; empty for a phase or a kind
  double loss = 0;                 // total
  double loss_per_game = 0;        // the mean over `games`
  std::optional<double> error;     // half of the mean's 95 % interval; empty for a single game
  std::optional<double> per_move;  // empty without moves
  std::optional<double> share;     // of the total of all games; empty if that is 0
  int64_t blunders = 0;
};

// Returns the rows in the order of the table. Those of the phases add up to the first row, as do
// those of the seats and kinds; a game counts for each opponent.
std::vector<LossRow> LossRows(const GameInfo& info, const std::vector<SeatLosses>& seats);

// The costliest events, worst first.
struct WorstLoss {
  const SeatLosses* seat;
  const Loss* loss;
};
std::vector<WorstLoss> WorstLosses(const std::vector<SeatLosses>& seats, size_t count);

// What was analysed.
struct LossReport {
  const GameInfo& info;
  std::string bot;
  std::string analyst;
  size_t games = 0;        // analysed
  size_t games_there = 0;  // of the bot
  std::vector<SeatLosses> seats;
};
std::string LossText(const LossReport& report);
std::string LossJson(const LossReport& report);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_LOSS_TABLE_H_
