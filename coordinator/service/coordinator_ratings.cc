#include <algorithm>
#include <array>
#include <utility>

#include "coordinator/service/coordinator.h"
#include "coordinator/service/stored_standings.h"
#include "core/base/status_macros.h"

// What the coordinator works out from recorded games: the leaderboard of before its time, and
// ratings as they change.
namespace triarch {
namespace {

// Working out ratings takes at most this share of one core.
constexpr int kRatingShare = 20;

}  // namespace

// Games of before this coordinator, for the leaderboard: on the reader's thread, while play goes
// on.
void Coordinator::CountEarlierGames(int64_t tournament, RangeSet games) {
  if (games.empty()) return;
  reader().Post([this, tournament, games = std::move(games)](Store& store) {
    const absl::Status status =
        store.VisitGames(tournament, {}, [&](const GameSummary& game) -> absl::Status {
          if (!games.contains(game.index)) return absl::OkStatus();
          MutexLock lock(&mutex_);
          Entry& entry = entries_.at(tournament);
          const PerSeat<double> points = Points(game.outcome.place, entry.info->seats);
          for (size_t i = 0; i < entry.info->seats; ++i) {
            auto& bot = entry.points[static_cast<size_t>(game.bots[SeatAt(i)])];
            ++bot.games;
            bot.points += points[SeatAt(i)];
          }
          return absl::OkStatus();
        });
    // The leaderboard is short of them then; the standings are not made from it.
    (void)status;
  });
}

// On the slow thread.
void Coordinator::RateTournaments() {
  const Clock::time_point began = Clock::now();
  std::vector<int64_t> due;
  {
    MutexLock lock(&mutex_);
    for (auto& [id, entry] : entries_) {
      const auto view = book_.View(id, began);
      if (!view || view->done == entry.games_rated || view->done == 0) continue;
      if (entry.stored.spec.selfplay) continue;  // nobody is rated
      if (entry.games_rated < 0 && view->state != TournamentState::kActive) continue;
      entry.games_rated = view->done;
      due.push_back(id);
    }
  }
  for (const int64_t id : due) {
    absl::Status status;
    reader().Run([&](Store& store) { status = RateTournament(store, id); });
    // It is tried again with the next games.
    (void)status;
  }
  next_rating_ = Clock::now() + std::max<Clock::duration>(options_.ratings_every,
                                                          kRatingShare * (Clock::now() - began));
  is_rating_ = false;
}

absl::Status Coordinator::RateTournament(Store& store, int64_t tournament) {
  ASSIGN_OR_RETURN(const Standings standings, StoredStandings(store, tournament));
  std::string label;
  {
    MutexLock lock(&mutex_);
    label = entries_.at(tournament).label();
  }
  std::vector<RatingPoint> points;
  for (const BotStanding& bot : standings.bots) {
    if (!bot.rating) continue;
    metrics_->SetRating(label, bot.name, bot.rating->value, bot.rating->error);
    points.push_back({.time = "",
                      .games = standings.games_recorded,
                      .bot = bot.name,
                      .rating = bot.rating->value,
                      .error = bot.rating->error});
  }
  static constexpr std::array<const char*, kSeatsMax> kSeats = {"first", "second", "third"};
  for (size_t i = 0; i < standings.seats.size(); ++i) {
    const ratings::Estimate& effect = standings.seats[i].effect;
    metrics_->SetSeatEffect(label, kSeats[i], effect.value, effect.error);
  }
  writer_.Post([tournament, points = std::move(points)](Store& own) {
    (void)own.AddRatings(tournament, points);
  });
  return absl::OkStatus();
}

}  // namespace triarch
