#include "coordinator/service/tournament_ratings.h"

#include <algorithm>
#include <utility>

#include "coordinator/service/stored_standings.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

// Rating takes at most this share of one core: 1/20.
constexpr int kRatingShare = 20;

}  // namespace

bool TournamentRatings::IsDue(Time now) const {
  MutexLock lock(&mutex_);
  return every_.count() > 0 && !is_rating_ && now >= next_;
}

void TournamentRatings::Tick(std::vector<TournamentCounts> tournaments, Time now) {
  if (!IsDue(now)) return;
  {
    MutexLock lock(&mutex_);
    is_rating_ = true;
  }
  reads_.Post([this, tournaments = std::move(tournaments)] { RateAll(tournaments); });
}

bool TournamentRatings::HasNewGames(const TournamentCounts& tournament) {
  // The bots of self-play are not rated.
  if (tournament.done == 0 || tournament.is_selfplay) return false;
  MutexLock lock(&mutex_);
  const auto rated = games_rated_.find(tournament.id);
  if (rated != games_rated_.end()) return rated->second != tournament.done;
  return tournament.state == TournamentState::kActive;
}

void TournamentRatings::RateAll(const std::vector<TournamentCounts>& tournaments) {
  const Time began = std::chrono::steady_clock::now();
  for (const TournamentCounts& tournament : tournaments) {
    if (!HasNewGames(tournament)) continue;
    {
      MutexLock lock(&mutex_);
      games_rated_[tournament.id] = tournament.done;
    }
    // After an error, rating is retried when there are new games.
    reader_.Run([&](Store& store) { Rate(store, tournament).IgnoreError(); });
  }
  const Time ended = std::chrono::steady_clock::now();
  MutexLock lock(&mutex_);
  next_ = ended + std::max<Time::duration>(every_, kRatingShare * (ended - began));
  is_rating_ = false;
}

absl::Status TournamentRatings::Rate(Store& store, const TournamentCounts& tournament) {
  ASSIGN_OR_RETURN(const Standings standings,
                   StoredStandings(store, tournament.id, StandingsParts::kWithoutStyles));
  std::vector<RatingPoint> points;
  for (const BotStanding& bot : standings.bots) {
    if (!bot.rating) continue;
    metrics_->SetRating(tournament.label, bot.name, bot.rating->value, bot.rating->error);
    points.push_back({.time = "",
                      .games = standings.games_recorded,
                      .bot = bot.name,
                      .rating = bot.rating->value,
                      .error = bot.rating->error});
  }
  for (size_t i = 0; i < standings.seats.size(); ++i) {
    const ratings::Estimate& effect = standings.seats[i].effect;
    metrics_->SetSeatEffect(tournament.label, SeatAt(i), effect.value, effect.error);
  }
  writer_.Post([id = tournament.id, points = std::move(points)](Store& own) {
    own.AddRatings(id, points).IgnoreError();
  });
  return absl::OkStatus();
}

}  // namespace triarch
