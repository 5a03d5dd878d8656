// Exports the series with a tournament label.

#ifndef TRIARCH_COORDINATOR_SERVICE_TOURNAMENT_SERIES_H_
#define TRIARCH_COORDINATOR_SERVICE_TOURNAMENT_SERIES_H_

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "absl/base/thread_annotations.h"
#include "coordinator/session/tournament_status.h"
#include "core/base/mutex.h"
#include "core/record/game_record.h"
#include "prometheus/registry.h"

namespace triarch {

// A tournament's series appear when it is first mentioned while it runs, and disappear a while
// after it is over. So a tournament that ends between two scrapes is still visible, and a
// long-lived coordinator does not accumulate series.
class TournamentSeries {
 public:
  using Time = std::chrono::steady_clock::time_point;

  TournamentSeries(prometheus::Registry& registry, std::chrono::milliseconds keep);
  ~TournamentSeries();
  TournamentSeries(const TournamentSeries&) = delete;
  TournamentSeries& operator=(const TournamentSeries&) = delete;

  void GamesRecorded(const std::string& tournament, std::span<const GameRecord> games, Time now)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void Set(std::span<const TournamentCounts> tournaments, Time now) ABSL_LOCKS_EXCLUDED(mutex_);
  void SetRating(const std::string& tournament, const std::string& bot, double rating_elo,
                 double error_elo, Time now) ABSL_LOCKS_EXCLUDED(mutex_);
  void SetSeatEffect(const std::string& tournament, triarch::Seat seat, double effect_elo,
                     double error_elo, Time now) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Families;
  struct Estimate;
  struct Bot;
  struct Seat;
  struct Gauges;
  struct Test;
  struct Tournament;

  void SetFigures(Tournament& entry, const experiments::PlanState& plan)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Tournament& Entry(const std::string& tournament, Time now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Bot& BotOf(Tournament& tournament, const std::string& bot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Count(Tournament& tournament, const GameRecord& game) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CountSeats(Tournament& tournament, const GameRecord& game)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::chrono::milliseconds keep_;
  const std::unique_ptr<Families> families_;
  Mutex mutex_;
  std::map<std::string, std::unique_ptr<Tournament>> tournaments_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_TOURNAMENT_SERIES_H_
