// Plays a seat at a table of an arena with a bot, from joining to the end of the game.

#ifndef TRIARCH_ARENA_CLIENT_TABLE_PLAYER_H_
#define TRIARCH_ARENA_CLIENT_TABLE_PLAYER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "arena/client/arena_client.h"
#include "arena/client/followed_game.h"
#include "arena/client/seated_bot.h"
#include "core/game/seat.h"
#include "core/play/player.h"
#include "core/record/game_fault.h"
#include "core/record/game_spec.h"

namespace triarch::arena {

// What came of a seat.
struct TableGame {
  std::string table;
  std::string seat = {};            // "white"
  std::optional<Seat> number = {};  // the same; empty if the events of the table were never read
  size_t seats = 0;                 // of the game
  PerSeat<std::string> players{};   // "" for nobody
  bool has_begun = false;
  bool is_closed = false;  // ended by the arena without a result
  int64_t plies = 0;
  std::optional<TableResult> result = {};  // if the game was played to its end
  bool has_resigned = false;               // because the bot wanted to
  bool is_lost = false;                    // the arena gave the seat to a house bot
  bool is_forfeited = false;               // the arena put the seat out of the game
  int64_t forced = 0;                      // moves that the arena chose, because none came
  std::optional<GameFault> fault = {};     // then the seat was resigned

  // Whether the bot has played the game as it should, whatever the result.
  bool is_well_played() const { return result && !is_lost && !is_forfeited && !fault; }
};

// Takes a seat and plays it. Used by one thread.
class TablePlayer {
 public:
  struct Parts {
    ArenaClient* client = nullptr;
    Player* player = nullptr;
    const std::atomic<bool>* stop = nullptr;  // leaves the game
    std::function<void(const std::string&)> log;
  };
  // `spec` has the bot's seed and the number of the game, and `rules` its limits.
  TablePlayer(Parts parts, GameSpec spec, const TimeRules& rules)
      : parts_(std::move(parts)), spec_(std::move(spec)), rules_(rules) {}

  // Returns an error if there is no seat, and after errors which the next game would meet again;
  // the seat is then resigned. Cancelled: it was stopped. game() is what there was of the game.
  absl::Status Play(const JoinWish& wish);
  const TableGame& game() const { return game_; }

 private:
  absl::Status PlayToEnd();
  // Applies the events that are new.
  absl::Status Follow();
  absl::Status TakeTurn(SeatedBot& bot, std::chrono::milliseconds left);
  absl::Status SendMove(const std::string& move);
  absl::Status ResignSeat();
  void NoteGame();

  const Parts parts_;
  GameSpec spec_;
  const TimeRules rules_;
  TakenSeat taken_;
  FollowedGame followed_;
  Seat seat_ = Seat::kFirst;
  bool is_out_ = false;  // resigned, or lost to a house bot
  int refusals_ = 0;     // of moves for `refused_ply_`
  int64_t refused_ply_ = -1;
  TableGame game_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_CLIENT_TABLE_PLAYER_H_
