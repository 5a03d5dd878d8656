#include "worker/match/player_cache.h"

#include <algorithm>
#include <exception>
#include <string>
#include <variant>

#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "core/record/bot_error.h"

namespace triarch {
namespace {

// Makes a player. A maker that throws, e.g. for lack of memory, must not end the thread.
absl::StatusOr<Player> Make(const PlayerMaker& make_player, const GameInfo& game,
                            const BotSpec& bot) {
  absl::StatusOr<Player> player = absl::InternalError("it threw");
  try {
    player = make_player(game, bot);
  } catch (const std::exception& e) {
    player = absl::InternalError(e.what());
  } catch (...) {
  }
  if (player.ok()) return player;
  return WithBotName(bot, player.status());
}

PlayerRef RefTo(const Player& player) {
  return std::visit([](const auto& held) { return PlayerRef(held.get()); }, player);
}

}  // namespace

absl::StatusOr<PerSeat<PlayerRef>> PlayerCache::SeatPlayers(const GameSpec& spec) {
  ASSIGN_OR_RETURN(const GameInfo* game, FindGame(spec.game));
  for (Entry& entry : entries_) entry.is_seated = false;
  PerSeat<PlayerRef> players{};
  for (size_t i = 0; i < game->seats; ++i) {
    ASSIGN_OR_RETURN(players[SeatAt(i)], Find(*game, spec.seats[SeatAt(i)]));
  }
  // The players of this game are at the end.
  if (entries_.size() > kPlayersMax) {
    entries_.erase(entries_.begin(), entries_.end() - static_cast<std::ptrdiff_t>(kPlayersMax));
  }
  return players;
}

absl::StatusOr<PlayerRef> PlayerCache::Find(const GameInfo& game, const BotSpec& bot) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return !entry.is_seated && entry.bot == bot && entry.game == &game;
  });
  if (found != entries_.end()) {
    found->is_seated = true;
    std::rotate(found, found + 1, entries_.end());
    return RefTo(entries_.back().player);
  }
  ASSIGN_OR_RETURN(Player player, Make(make_player_, game, bot));
  entries_.push_back({.bot = bot, .game = &game, .player = std::move(player), .is_seated = true});
  return RefTo(entries_.back().player);
}

void PlayerCache::Discard(const GameRecord& record) {
  for (size_t i = 0; i < kSeatsMax; ++i) {
    if (record.endings[SeatAt(i)] != Termination::kCrash) continue;
    std::erase_if(entries_,
                  [&](const Entry& entry) { return entry.bot.name == record.bots[SeatAt(i)]; });
  }
}

}  // namespace triarch
