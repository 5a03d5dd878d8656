// Follows the game of a table by its events, and checks that the arena plays by the same rules.

#ifndef TRIARCH_ARENA_CLIENT_FOLLOWED_GAME_H_
#define TRIARCH_ARENA_CLIENT_FOLLOWED_GAME_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "core/any_state.h"
#include "core/game/seat.h"
#include "core/record/game_spec.h"
#include "core/record/played_game.h"
#include "worker/match/turn_facts.h"

namespace triarch::arena {

// The game at a table. A bot needs its whole history, for repetitions and draw claims.
class FollowedGame {
 public:
  // Applies the next event (docs/arena-api.md). FailedPrecondition: our rules do not allow it, or
  // lead to another position. DataLoss: it makes no sense.
  absl::Status Apply(const nlohmann::json& event);
  // Compares the position with the arena's after the same events. FailedPrecondition: they differ.
  absl::Status CheckPosition(std::string_view position) const;

  int64_t event_count() const { return event_count_; }
  // Whether all players have come. The functions below require it.
  bool has_begun() const { return game_.has_value(); }
  const AnyState& state() const { return game_->state(); }
  bool is_over() const { return state().outcome().has_value(); }
  int64_t plies() const { return game_->record().plies; }
  const GameHistory& history() const { return *history_; }
  const GameSpec& spec() const { return spec_; }
  // How many moves the arena has chosen for the seat, because it gave none.
  int64_t forced(Seat seat) const { return forced_[seat]; }
  // Whether a house bot has taken the seat over.
  bool is_replaced(Seat seat) const { return is_replaced_[seat]; }

  // These need only the first event.
  const GameInfo& info() const { return *info_; }
  const std::string& player(Seat seat) const { return players_[seat]; }
  std::optional<Seat> FindSeat(std::string_view word) const;  // "white"

 private:
  absl::Status ApplyOpened(const nlohmann::json& event);
  absl::Status ApplyInGame(const std::string& kind, const nlohmann::json& event);
  absl::Status ApplyMoved(Seat seat, const nlohmann::json& event);
  absl::Status BeginIfFull();
  absl::Status OtherRules(const std::string& what) const;

  const GameInfo* info_ = nullptr;
  GameSpec spec_;
  PerSeat<std::string> players_;  // "" for nobody
  PerSeat<int64_t> forced_{};
  PerSeat<bool> is_replaced_{};
  std::optional<PlayedGame> game_;
  std::optional<GameHistory> history_;
  int64_t event_count_ = 0;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_CLIENT_FOLLOWED_GAME_H_
