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

using PlayerMaker =
    std::function<absl::StatusOr<std::unique_ptr<Player>>(const GameInfo&, const BotSpec&)>;

// The players of one slot: a player is made when its bot first sits down and kept for the games to
// come, since it may hold tables of many megabytes, or a process. Of more than kPlayersMax those
// that sat down longest ago go.
class PlayerCache {
 public:
  static constexpr size_t kPlayersMax = 24;

  explicit PlayerCache(PlayerMaker make_player) : make_player_(std::move(make_player)) {}

  // A player for each seat of the game. They stay valid until the next call of either function. An
  // error names the bot.
  absl::StatusOr<PerSeat<Player*>> SeatPlayers(const GameSpec& spec);

  // After a game of those players: whoever threw is not trusted to have kept its senses, and is
  // made afresh when its bot sits down again.
  void Discard(const GameRecord& record);

 private:
  struct Entry {
    BotSpec bot;
    const GameInfo* game;
    std::unique_ptr<Player> player;
    bool is_seated = false;  // one player never fills two seats of a game
  };

  absl::StatusOr<Player*> Find(const GameInfo& game, const BotSpec& bot);

  PlayerMaker make_player_;
  std::vector<Entry> entries_;  // who sat down last is last
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_PLAYER_CACHE_H_
