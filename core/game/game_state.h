// Adds history to a position: repetition, claims, how each seat ended.

#ifndef TRIARCH_CORE_GAME_GAME_STATE_H_
#define TRIARCH_CORE_GAME_GAME_STATE_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/game/outcome.h"
#include "core/game/position.h"

namespace triarch {

// Who claims the draws that must be claimed (repetition, move count): the match for the players
// (`draws: automatic`) or the players themselves (`draws: claimed`).
enum class Draws : uint8_t { kAutomatic, kClaimed };

// How a match ends games that the position alone does not end.
struct DrawRules {
  Draws draws = Draws::kAutomatic;
  // Whether insufficient material is a draw where the game leaves that open
  // (GameInfo::has_material_option).
  bool insufficient_material = false;
  // Nothing ends the game but what the position itself shows: for lists of moves, not for matches.
  bool is_rules_only = false;

  friend bool operator==(const DrawRules&, const DrawRules&) = default;
};

inline constexpr DrawRules kRulesOnly = {.draws = Draws::kClaimed, .is_rules_only = true};

// A position with what its history adds: repetition, draws by claim, how each seat ended.
template <Position P>
class GameState {
 public:
  using Move = typename P::Move;

  explicit GameState(const P& start, DrawRules rules = {}) : position_(start), rules_(rules) {
    keys_.push_back(position_.key());
    NoteChanges(Termination::kResignation);
  }

  const P& position() const { return position_; }
  const DrawRules& draw_rules() const { return rules_; }
  // Empty while the game runs.
  const std::optional<Outcome>& outcome() const { return outcome_; }
  // How each seat left the game; empty for one still in. Seats out before the start have none.
  const PerSeat<std::optional<Termination>>& endings() const { return endings_; }
  // How often the position on the board has occurred, this time included.
  int occurrences() const { return occurrences(keys_.back()); }
  // How often a position of that key has occurred since the last irreversible move.
  int occurrences(uint64_t key) const {
    return static_cast<int>(std::count(keys_.begin(), keys_.end(), key));
  }

  // Requires: no outcome yet, and `move` is legal.
  void Play(Move move) {
    position_.Play(move);
    if (position_.halfmove_clock() == 0) keys_.clear();
    keys_.push_back(position_.key());
    Update(Termination::kCheckmate);
  }

  // For a start in which the player on turn has no move: passes the turn on by the rules.
  void JudgeTurn() {
    if (outcome_ || position_.CountLegalMoves() != 0) return;
    position_.JudgeTurn();
    keys_.push_back(position_.key());
    Update(Termination::kCheckmate);
  }

  // `seat` leaves the game, on or off turn: kResignation or a forfeit. Requires: no outcome yet,
  // and the seat is in.
  void Eliminate(Seat seat, Termination why) {
    position_.Resign(seat);
    endings_[seat] = why;
    keys_.push_back(position_.key());
    Update(why);
  }

  // The draw that the seat to move may claim now, if any.
  std::optional<Termination> claimable() const {
    if (occurrences() >= 3) return Termination::kThreefoldRepetition;
    return position_.clock_draw();
  }

  // The seat to move claims a draw; false, and nothing changes, if there is none to claim.
  bool ClaimDraw() {
    const std::optional<Termination> draw = claimable();
    if (draw) EndInDraw(*draw);
    return draw.has_value();
  }

  // The survivors share a draw by decision of the match.
  void Adjudicate() { EndInDraw(Termination::kAdjudication); }

  // `winner` is given the game by decision of the match; the other survivors share the next place.
  void AdjudicateWin(Seat winner) {
    EndInDraw(Termination::kAdjudication);
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      const Seat seat = SeatAt(i);
      if (seat != winner && position_.is_in(seat)) outcome_->place[seat] = 2;
    }
  }

 private:
  // Places: the survivors share the first, the eliminated follow, last out best.
  void EndInDraw(Termination termination) {
    outcome_ = Outcome{.place = {}, .termination = termination};
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      const Seat seat = SeatAt(i);
      outcome_->place[seat] = position_.is_in(seat) ? uint8_t{1} : position_.place_if_out(seat);
    }
  }

  // After the turn has passed: what changed, and the draws that the match claims. (They are looked
  // at when the turn has passed, so a start with a clock full for a claim still has its first
  // move.)
  void Update(Termination last_out) {
    NoteChanges(last_out);
    if (!outcome_ && rules_.draws == Draws::kAutomatic) ClaimDraw();
  }

  // Notes who was eliminated by the last change and whether the game is over. `last_out` is why a
  // seat that left just now did so, where the rules did not decide it themselves.
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
      // The rules see only an elimination; the match knows a resignation from a forfeit.
      if (outcome_->termination == Termination::kResignation) outcome_->termination = last_out;
    } else if (!rules_.is_rules_only &&
               (rules_.insufficient_material || !P::kInfo.has_material_option) &&
               position_.is_material_insufficient()) {
      EndInDraw(Termination::kInsufficientMaterial);
    }
  }

  P position_;
  DrawRules rules_;
  std::vector<uint64_t> keys_;  // of the positions since the last irreversible move
  PerSeat<bool> was_in_{};      // all false at first: a seat out at the start has no ending
  PerSeat<std::optional<Termination>> endings_;
  std::optional<Outcome> outcome_;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_GAME_STATE_H_
