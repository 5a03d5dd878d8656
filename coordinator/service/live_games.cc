#include "coordinator/service/live_games.h"

#include <algorithm>

namespace triarch {

std::vector<std::shared_ptr<const LiveGame>> LiveGames::Watch(Time now) {
  std::vector<std::shared_ptr<const LiveGame>> games;
  MutexLock lock(&mutex_);
  watched_ = now;
  for (const auto& [key, entry] : games_) {
    if (now - entry.heard <= kSilenceMax) games.push_back(entry.game);
  }
  return games;
}

bool LiveGames::IsWatched(Time now) const {
  MutexLock lock(&mutex_);
  return watched_ && now - *watched_ <= kViewerStays;
}

bool LiveGames::Wants(const WorkerId& worker, Time now) const {
  if (!IsWatched(now)) return false;
  MutexLock lock(&mutex_);
  return games_.size() < kGamesMax ||
         std::any_of(games_.begin(), games_.end(),
                     [&](const auto& game) { return game.second.origin.worker == worker; });
}

bool LiveGames::IsNews(const Origin& origin, const GameRecord& claimed, Time now) {
  MutexLock lock(&mutex_);
  const auto found = games_.find({origin.tournament, origin.index});
  if (found == games_.end()) return games_.size() < kGamesMax;
  Entry& entry = found->second;
  if (entry.origin.token != origin.token) return false;
  if (entry.game->record.events.size() != claimed.events.size()) return true;
  entry.heard = now;
  return false;
}

absl::Status LiveGames::Take(const Origin& origin, const std::string& tournament_name,
                             const GameSpec& spec, const GameRecord& claimed, Time now) {
  if (!IsNews(origin, claimed, now)) return absl::OkStatus();
  absl::StatusOr<LiveGame> game = ReplayLive(origin.tournament, tournament_name, spec, claimed);
  MutexLock lock(&mutex_);
  const Key key = {origin.tournament, origin.index};
  if (!game.ok()) {
    games_.erase(key);
    return game.status();
  }
  games_[key] = {
      .origin = origin, .heard = now, .game = std::make_shared<const LiveGame>(*std::move(game))};
  return absl::OkStatus();
}

void LiveGames::Drop(Time now, absl::FunctionRef<bool(const Origin&)> is_over) {
  MutexLock lock(&mutex_);
  std::erase_if(games_, [&](const auto& game) {
    return now - game.second.heard > kSilenceMax || is_over(game.second.origin);
  });
}

void LiveGames::Clear() {
  MutexLock lock(&mutex_);
  games_.clear();
}

}  // namespace triarch
