// Defines the events of a table, from which everything about it can be rebuilt.

#ifndef TRIARCH_ARENA_TABLE_EVENT_H_
#define TRIARCH_ARENA_TABLE_EVENT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/game/outcome.h"
#include "core/game/seat.h"
#include "core/record/game_spec.h"

namespace triarch::arena {

// Who plays a seat, as the players of a table see it.
enum class PlayerType : uint8_t { kHuman, kLlm, kBot };

// The occupant of a seat.
struct Occupant {
  std::string name;
  PlayerType type = PlayerType::kHuman;
  std::string model = {};  // of a language model; empty if none was given
  // SHA-256 of the secret part of the token with which it plays; empty for a house bot.
  std::string token_hash = {};
  // Whether the name is an account, whose key the player has shown.
  bool is_claimed = false;
  std::string owner = {};      // of the account
  std::string house_bot = {};  // as in a bot word: "paranoid:depth=2"; empty for a player

  bool is_house_bot() const { return !house_bot.empty(); }
  friend bool operator==(const Occupant&, const Occupant&) = default;
};

// What a table is opened with.
struct TableSettings {
  std::string game;           // "triumvirate"
  std::string position = {};  // the start, in the game's text form; empty for the default start
  Draws draws = Draws::kAutomatic;
  bool is_rated = false;    // only players with claimed names and house bots may sit down
  bool is_private = false;  // players need its id, and it is in no list while it waits
  // The word of a house bot for each seat that is kept free for one; empty for players.
  PerSeat<std::string> house_bots = {};
  // This long after the first player has come, house bots take the empty seats; a private table is
  // closed instead.
  int64_t fill_ms = 30'000;
  int64_t move_ms = 300'000;    // for a move
  uint64_t seed = 0;            // house bots and forced moves take their randomness from it
  std::string rematch_of = {};  // id of a table; empty if none

  friend bool operator==(const TableSettings&, const TableSettings&) = default;
};

// Why a table played a move that no player chose.
enum class Forced : uint8_t { kNo, kTimeout, kIllegalMoves };

// One thing that happened at a table. Which members count depends on the kind.
struct Event {
  enum class Kind : uint8_t {
    kOpened,        // settings; always the first event
    kJoined,        // seat, occupant; the game begins when all seats are taken
    kLeft,          // seat; before the game
    kMoved,         // seat, move, forced, message
    kMissed,        // seat, move: an illegal attempt
    kResigned,      // seat
    kForfeited,     // seat, why
    kClaimedDraw,   // seat
    kReplaced,      // seat, occupant: a house bot plays on for a player who is gone
    kSaid,          // seat, message: chat without a move, also before and after the game
    kWantsRematch,  // seat
    kClosed,        // why: abandoned before the game, or ended by an operator
  };
  Kind kind = Kind::kOpened;
  int64_t time_ms = 0;  // since 1970, UTC
  TableSettings settings = {};
  Seat seat = Seat::kFirst;
  Occupant occupant = {};
  std::string move = {};  // as in TPGN without suffix; of an attempt, what was sent, quoted
  Forced forced = Forced::kNo;
  std::string message = {};  // chat; empty for none
  Termination why = Termination::kAbandoned;

  friend bool operator==(const Event&, const Event&) = default;
};

// "moved", "joined", …
std::string_view ToString(Event::Kind kind);
// "human", "llm", "bot"
std::string_view ToString(PlayerType type);

// Converts an event to and from JSON on one line, as it is stored. Reading fails with DataLoss.
std::string EventToJson(const Event& event);
absl::StatusOr<Event> EventFromJson(std::string_view text);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_TABLE_EVENT_H_
