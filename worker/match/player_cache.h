// Keeps the players of one slot between games.

#ifndef TRIARCH_WORKER_MATCH_PLAYER_CACHE_H_
#define TRIARCH_WORKER_MATCH_PLAYER_CACHE_H_

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/game/position.h"
#include "core/play/player.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"

namespace triarch {

using PlayerMaker = std::function<absl::StatusOr<Player>(const GameInfo&, const BotSpec&)>;

// The players of one slot. A player is made when its bot first plays and kept for later games,
// since it may hold large tables or a process. Beyond kPlayersMax, the least recently used players
// are dropped.
class PlayerCache {
 public:
  static constexpr size_t kPlayersMax = 24;

  explicit PlayerCache(PlayerMaker make_player) : make_player_(std::move(make_player)) {}

  // Returns a player for each seat of the game. They stay valid until the next call of either
  // function. Errors name the bot.
  absl::StatusOr<PerSeat<PlayerRef>> SeatPlayers(const GameSpec& spec);

  // Call after a game of those players. Discards players that threw, since their state may be
  // broken; they are made anew for their next game.
  void Discard(const GameRecord& record);

 private:
  struct Entry {
    BotSpec bot;
    const GameInfo* game;
    Player player;
    bool is_seated = false;  // one player never takes two seats of a game
  };

  absl::StatusOr<PlayerRef> Find(const GameInfo& game, const BotSpec& bot);

  PlayerMaker make_player_;
  std::vector<Entry> entries_;  // most recently used last
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_PLAYER_CACHE_H_
