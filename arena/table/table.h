// Decides what may happen at a table, and follows what has happened.

#ifndef TRIARCH_ARENA_TABLE_TABLE_H_
#define TRIARCH_ARENA_TABLE_TABLE_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "arena/table/chat.h"
#include "arena/table/event.h"
#include "core/any_state.h"
#include "core/game/seat.h"
#include "core/record/played_game.h"

namespace triarch::arena {

inline constexpr int kAttemptsMax = 3;  // illegal moves, the last of which forces a move
inline constexpr int kTimeoutsMax = 5;  // in a row, the last of which costs the seat
inline constexpr size_t kNameMax = 80;  // characters
// A turn that was interrupted by a restart lasts at least this long after it.
inline constexpr int64_t kRestartGraceMs = 10'000;

// Why a request is refused. Each API has its own codes and texts for these.
enum class Refused : uint8_t {
  kSeatLost,     // the seat has gone to a house bot, or its player has left
  kNotStarted,   // the table still waits for players
  kGameOver,     // the game has ended
  kNotYourTurn,  // another seat is to move
  kStale,        // the request names another ply or move number than the current one
  kIllegalMove,  // `attempts_left` counts those before a move is forced
  kInvalid,      // the request makes no sense; the text says why
  kFull,         // no seat is free, or not the one asked for
  kForbidden,    // this player may not do that; the text says why
};

struct Refusal {
  Refused why = Refused::kInvalid;
  std::string text;  // one line, for the player
  int attempts_left = 0;
};

// The answer to a request: events to append to the table's, a refusal, or both (an illegal move is
// refused, and counts). Without either, the request changes nothing: it was already granted.
struct Decision {
  std::vector<Event> events = {};
  std::optional<Refusal> refusal = {};
};

struct JoinRequest {
  Occupant occupant;
  std::vector<Seat> wishes = {};  // the seats it would like, best first; any other will do
};

struct MoveRequest {
  // The move in one of the game's notations. Of several, the first legal one counts.
  std::vector<std::string> texts;
  std::optional<int64_t> ply = {};          // the number of plies before it
  std::optional<int64_t> move_number = {};  // the position's
  std::string message = {};                 // chat
};

// A table is a state machine without clock, thread, socket or store. Its members `Join`, `Move` and
// so on only decide; once the events of a decision are stored, `Apply` performs them. Times are in
// milliseconds since 1970.
class Table {
 public:
  enum class Stage : uint8_t { kWaiting, kPlaying, kFinished, kClosed };

  // DataLoss: the event does not open a table, or its settings are invalid.
  static absl::StatusOr<Table> Open(std::string id, const Event& opened);
  // DataLoss: the event cannot follow the earlier ones.
  absl::Status Apply(const Event& event);
  // Tells the table that it was loaded from the store at that time, so that no player is blamed for
  // the interruption.
  void NoteRestart(int64_t now_ms);

  const std::string& id() const { return id_; }
  const TableSettings& settings() const { return settings_; }
  Stage stage() const { return stage_; }
  bool is_closed() const { return stage_ == Stage::kClosed; }  // without a result
  bool is_over() const { return stage_ == Stage::kFinished || is_closed(); }
  // Returns the number of events, which is the number of the next one.
  int64_t event_count() const { return event_count_; }
  // Returns the number of events up to the last one that was not only chat.
  int64_t changed_at() const { return changed_at_; }
  size_t seat_count() const { return info().seats; }
  const GameInfo& info() const { return start_.info(); }
  // Returns who plays or played the seat; empty if nobody has taken it.
  const std::optional<Occupant>& occupant(Seat seat) const { return occupants_[seat]; }
  bool is_replacement(Seat seat) const { return is_replacement_[seat]; }
  bool wants_rematch(Seat seat) const { return wants_rematch_[seat]; }
  const AnyState& state() const { return game_ ? game_->state() : start_; }
  // Returns the legal moves of `state()`; empty unless the game is on. Computed, not kept: they
  // would take most of the memory of an idle table.
  AnyState::Moves moves() const {
    return stage_ == Stage::kPlaying ? state().LegalMoves() : AnyState::Moves();
  }
  // Returns the game so far; null before it begins.
  const PlayedGame* game() const { return game_ ? &*game_ : nullptr; }
  int64_t plies() const { return game_ ? game_->record().plies : 0; }
  const std::deque<ChatLine>& chat() const { return chat_.lines(); }
  // Returns the number of illegal moves in this turn.
  int attempts() const { return attempts_; }
  int64_t opened_ms() const { return opened_ms_; }
  int64_t ended_ms() const { return ended_ms_; }  // 0 if it is not over
  // Returns the JSON of the last moves (core/json.h), from the last one back; empty if there were
  // none.
  const std::string& last_move() const { return last_move_; }
  const std::string& previous_move() const { return previous_move_; }

  // Returns the seat that has or had this token, and whether it has lost it.
  struct Holder {
    Seat seat = Seat::kFirst;
    bool is_lost = false;
  };
  std::optional<Holder> FindToken(std::string_view token_hash) const;
  bool is_full() const;
  // Returns whether the seat to move may claim a draw.
  bool can_claim_draw() const;
  // Returns the number of players who are not house bots.
  size_t player_count() const;

  // Requests. A `Holder` comes from FindToken. To resign before the game begins is to leave.
  Decision Join(const JoinRequest& request, int64_t now_ms) const;
  // Fills the empty seats with house bots at once. The words are those of bots for seats for which
  // none is reserved, in order; the last one serves all further seats.
  Decision Fill(const std::vector<std::string>& house_bots, int64_t now_ms) const;
  Decision Move(const Holder& holder, const MoveRequest& request, int64_t now_ms) const;
  Decision Resign(const Holder& holder, int64_t now_ms) const;
  Decision ClaimDraw(const Holder& holder, int64_t now_ms) const;
  Decision WantRematch(const Holder& holder, int64_t now_ms) const;
  // Adds to the chat, which nothing at the table waits for. Sending the same text twice in a row
  // is saying it once.
  Decision Say(const Holder& holder, std::string_view message, int64_t now_ms) const;
  Decision Close(int64_t now_ms) const;  // by an operator

  // Returns when the table acts by itself: fills its seats (or closes, if it is private), or forces
  // a move. Empty if never.
  std::optional<int64_t> deadline_ms() const;
  // Returns what it does at its deadline; nothing before that. The words are as for Fill.
  Decision OnDeadline(const std::vector<std::string>& house_bots, int64_t now_ms) const;

  // Returns the seat of the house bot whose turn it is, if it is one's.
  std::optional<Seat> house_turn() const;
  // Plays a move, given by its number in moves(), for that bot. Empty: it resigns. Refused if
  // anything but chat has happened since the bot was asked, when changed_at() was `asked_at`: a
  // resignation of another seat, too, changes the moves or whose turn it is.
  Decision MoveHouseBot(int64_t asked_at, std::optional<size_t> move, int64_t now_ms) const;

 private:
  Table(std::string id, TableSettings settings, AnyState start, int64_t opened_ms)
      : id_(std::move(id)),
        settings_(std::move(settings)),
        start_(std::move(start)),
        opened_ms_(opened_ms) {}

  absl::Status ApplyJoined(const Event& event);
  absl::Status ApplyMoved(const Event& event);
  absl::Status ApplyDuringGame(const Event& event);
  absl::Status Begin(int64_t now_ms);
  void BeginTurn(int64_t now_ms);
  void EndIfOver(int64_t now_ms);

  std::optional<Refusal> CheckTurn(const Holder& holder) const;
  std::optional<Refusal> CheckPlaying(const Holder& holder) const;
  Event ForceMove(Forced why, int64_t now_ms) const;
  Event SeatHouseBot(Seat seat, std::string_view word, Event::Kind kind, int64_t now_ms) const;

  std::string id_;
  TableSettings settings_;
  AnyState start_;
  Stage stage_ = Stage::kWaiting;
  int64_t event_count_ = 1;
  int64_t changed_at_ = 1;
  PerSeat<std::optional<Occupant>> occupants_;
  std::vector<std::pair<std::string, Seat>> lost_tokens_;  // hashes
  PerSeat<bool> is_replacement_{};
  PerSeat<bool> wants_rematch_{};
  PerSeat<int> said_{};      // messages without a move
  PerSeat<int> timeouts_{};  // in a row
  std::optional<PlayedGame> game_;
  std::string last_move_;
  std::string previous_move_;
  Chat chat_;
  int attempts_ = 0;
  int64_t opened_ms_ = 0;
  int64_t waiting_since_ms_ = 0;  // when the first player sat down; 0 if nobody has
  int64_t turn_since_ms_ = 0;
  int64_t turn_until_ms_ = 0;
  int64_t ended_ms_ = 0;
};

// Returns the name under which a house bot plays a seat: "SmartBot-Black".
std::string HouseBotName(std::string_view word, const GameInfo& info, Seat seat);

// Checks a name, which must be one line of plain text, and returns it without blanks around it.
// InvalidArgument: it is empty or too long, or has control characters.
absl::StatusOr<std::string> CheckName(std::string_view text);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_TABLE_TABLE_H_
