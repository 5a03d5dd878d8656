// Rates the bots of running tournaments periodically, for the metrics and the store.

#ifndef TRIARCH_COORDINATOR_SERVICE_TOURNAMENT_RATINGS_H_
#define TRIARCH_COORDINATOR_SERVICE_TOURNAMENT_RATINGS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "coordinator/service/coordinator_metrics.h"
#include "coordinator/service/executor.h"
#include "coordinator/service/store_thread.h"
#include "coordinator/session/tournament_status.h"
#include "core/base/mutex.h"

namespace triarch {

// Thread-safe; no function blocks.
class TournamentRatings {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Rates once per `every`, less often if rating takes a long time, or never if `every` is 0. All
  // arguments must outlive this object; `reads` runs tasks that wait for `reader`.
  TournamentRatings(std::chrono::milliseconds every, CoordinatorMetrics* metrics,
                    StoreThread& writer, StoreThread& reader, Executor& reads)
      : every_(every), metrics_(metrics), writer_(writer), reader_(reader), reads_(reads) {}

  // Returns whether Tick would rate tournaments now.
  bool IsDue(Time now) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Starts rating the tournaments that have new games.
  void Tick(std::vector<TournamentCounts> tournaments, Time now) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  bool HasNewGames(const TournamentCounts& tournament) ABSL_LOCKS_EXCLUDED(mutex_);
  void RateAll(const std::vector<TournamentCounts>& tournaments) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status Rate(Store& store, const TournamentCounts& tournament);

  const std::chrono::milliseconds every_;
  CoordinatorMetrics* const metrics_;
  StoreThread& writer_;
  StoreThread& reader_;
  Executor& reads_;

  mutable Mutex mutex_;
  bool is_rating_ ABSL_GUARDED_BY(mutex_) = false;
  Time next_ ABSL_GUARDED_BY(mutex_);
  std::map<int64_t, int64_t> games_rated_ ABSL_GUARDED_BY(mutex_);  // by tournament
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_TOURNAMENT_RATINGS_H_
