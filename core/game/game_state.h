// Adds history to a position, for repetition, draw claims and the endings of seats.

#ifndef TRIARCH_CORE_GAME_GAME_STATE_H_
#define TRIARCH_CORE_GAME_GAME_STATE_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/game/outcome.h"
#include "core/game/position.h"

namespace triarch {

// Determines whether the match claims draws by repetition and by move count on behalf of the
// players (`draws: automatic`) or the players must claim them (`draws: claimed`).
enum class Draws : uint8_t { kAutomatic, kClaimed };

// Determines when the match ends a game that the position alone would not end.
struct DrawRules {
  Draws draws = Draws::kAutomatic;
  // Whether insufficient material is a draw in a game that leaves this open
  // (GameInfo::has_material_option).
  bool insufficient_material = false;
  // Whether only the position itself can end the game. For lists of moves, not for matches.
  bool is_rules_only = false;

  friend bool operator==(const DrawRules&, const DrawRules&) = default;
};

inline constexpr DrawRules kRulesOnly = {.draws = Draws::kClaimed, .is_rules_only = true};

// Determines the types in which a GameState holds its position and the keys of earlier ones.
// `Position` is P or derived from it; `Keys` offers what is used here of a vector.
template <class P>
struct HeapStorage {
  using Position = P;
  using Keys = std::vector<uint64_t>;
};

// A position and its history: repetition, draw claims, how each seat left the game.
template <Position P, class Storage = HeapStorage<P>>
class GameState {
 public:
  using Move = typename P::Move;

  explicit GameState(const P& start, DrawRules rules = {}) : position_(start), rules_(rules) {
    keys_.push_back(position_.key());
    NoteChanges(Termination::kResignation);
  }
  // Copies a state that is stored in another way.
  template <class Other>
  explicit GameState(const GameState<P, Other>& other)
      : position_(other.position()),
        last_move_(other.last_move_),
        rules_(other.rules_),
        was_in_(other.was_in_),
        endings_(other.endings_),
        outcome_(other.outcome_) {
    for (const uint64_t key : other.keys_) keys_.push_back(key);
  }

  const P& position() const { return position_; }
  const DrawRules& draw_rules() const { return rules_; }
  // Returns the outcome; empty while the game runs.
  const std::optional<Outcome>& outcome() const { return outcome_; }
  // Returns the move played last; empty at the start.
  const std::optional<Move>& last_move() const { return last_move_; }
  // Returns how each seat left the game; empty for a seat that is still in or was out at the start.
  const PerSeat<std::optional<Termination>>& endings() const { return endings_; }
  // Returns how often the current position has occurred, including this time.
  int occurrences() const { return occurrences(keys_.back()); }
  // Returns how often a position with that key has occurred since the last irreversible move.
  int occurrences(uint64_t key) const {
    return static_cast<int>(std::count(keys_.begin(), keys_.end(), key));
  }

  // Requires: no outcome yet, and `move` is legal.
  void Play(Move move) {
    position_.Play(move);
    Follow(move);
  }
  // The same, and replaces `moves` by the legal moves of the new position, whether or not the game
  // is over by its history. `Moves` is MoveList<Move> or P::MoveSets.
  template <class Moves>
  void PlayAndList(Move move, Moves& moves) {
    position_.PlayAndList(move, moves);
    Follow(move);
  }

  // Applies the rules to a start in which the player to move has no move: passes the turn on.
  void JudgeTurn() {
    if (outcome_ || position_.CountLegalMoves() != 0) return;
    position_.JudgeTurn();
    keys_.push_back(position_.key());
    Update(Termination::kCheckmate);
  }

  // Removes `seat` from the game, whether or not it is to move. `why` is kResignation or a forfeit.
  // Requires: no outcome yet, and the seat is in.
  void Eliminate(Seat seat, Termination why) {
    position_.Resign(seat);
    endings_[seat] = why;
    keys_.push_back(position_.key());
    Update(why);
  }

  // Returns the draw that the seat to move may claim now, if any.
  std::optional<Termination> claimable() const {
    if (occurrences() >= 3) return Termination::kThreefoldRepetition;
    return position_.clock_draw();
  }

  // Claims a draw for the seat to move. Returns false and changes nothing if no claim is possible.
  bool ClaimDraw() {
    const std::optional<Termination> draw = claimable();
    if (draw) EndInDraw(*draw);
    return draw.has_value();
  }

  // Returns whether both have the same position, history and rules.
  friend bool operator==(const GameState& a, const GameState& b) {
    return a.position() == b.position() && a.last_move_ == b.last_move_ && a.rules_ == b.rules_ &&
           std::equal(a.keys_.begin(), a.keys_.end(), b.keys_.begin(), b.keys_.end()) &&
           a.was_in_ == b.was_in_ && a.endings_ == b.endings_ && a.outcome_ == b.outcome_;
  }

  // Adjudicates a draw among the survivors.
  void Adjudicate(Termination why = Termination::kAdjudication) { EndInDraw(why); }

  // Adjudicates the game to `winner`; the other survivors share second place.
  void AdjudicateWin(Seat winner, Termination why = Termination::kAdjudication) {
    EndInDraw(why);
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      const Seat seat = SeatAt(i);
      if (seat != winner && position_.is_in(seat)) outcome_->place[seat] = 2;
    }
  }

 private:
  // Completes a move that the position has played.
  void Follow(Move move) {
    last_move_ = move;
    if (position_.halfmove_clock() == 0) keys_.clear();
    keys_.push_back(position_.key());
    Update(Termination::kCheckmate);
  }

  // Ends the game: the survivors share first place; the eliminated seats follow, last out first.
  void EndInDraw(Termination termination) {
    outcome_ = Outcome{.place = {}, .termination = termination};
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      const Seat seat = SeatAt(i);
      outcome_->place[seat] = position_.is_in(seat) ? uint8_t{1} : position_.place_if_out(seat);
    }
  }

  // After the turn has passed, records what changed and claims automatic draws. A start whose clock
  // already permits a claim still gets its first move, because claims come after a turn.
  void Update(Termination last_out) {
    NoteChanges(last_out);
    if (!outcome_ && rules_.draws == Draws::kAutomatic) ClaimDraw();
  }

  // Records which seats the last change eliminated and whether the game is over. `last_out` is the
  // reason for an elimination that the rules did not decide themselves.
  void NoteChanges(Termination last_out) {
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      const Seat seat = SeatAt(i);
      if (was_in_[seat] && !position_.is_in(seat) && !endings_[seat]) {
        endings_[seat] = position_.ending_if_out(seat);
      }
      was_in_[seat] = position_.is_in(seat);
    }
    outcome_ = position_.outcome();
    if (outcome_) {
      // The rules see only a resignation; the match can distinguish it from a forfeit.
      if (outcome_->termination == Termination::kResignation) outcome_->termination = last_out;
    } else if (!rules_.is_rules_only &&
               (rules_.insufficient_material || !P::kInfo.has_material_option) &&
               position_.is_material_insufficient()) {
      EndInDraw(Termination::kInsufficientMaterial);
    }
  }

  template <Position, class>
  friend class GameState;

  typename Storage::Position position_;
  std::optional<Move> last_move_;
  DrawRules rules_;
  typename Storage::Keys keys_;  // of the positions since the last irreversible move
  PerSeat<bool> was_in_{};       // all false at first: a seat out at the start has no ending
  PerSeat<std::optional<Termination>> endings_;
  std::optional<Outcome> outcome_;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_GAME_STATE_H_
