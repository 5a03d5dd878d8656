// Keeps the games in progress that workers report, so that people can watch them.

#ifndef TRIARCH_COORDINATOR_SERVICE_LIVE_GAMES_H_
#define TRIARCH_COORDINATOR_SERVICE_LIVE_GAMES_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "core/base/mutex.h"
#include "core/record/lease.h"
#include "core/record/live_game.h"

namespace triarch {

// Only in memory: the latest report about each of at most kGamesMax games. It outlives the
// coordinators that fill it: a process leads, stands by and leads again. Thread-safe.
class LiveGames {
 public:
  using Time = std::chrono::steady_clock::time_point;

  static constexpr size_t kGamesMax = 64;
  // Someone watches if the games were listed within this time.
  static constexpr std::chrono::seconds kViewerStays{15};
  // How often workers send their games meanwhile.
  static constexpr std::chrono::milliseconds kInterval{1'000};
  // A game of which nothing was heard for this long is dropped: five heartbeats.
  static constexpr std::chrono::milliseconds kSilenceMax = 5 * kInterval;

  // The lease under which a game is played.
  struct Origin {
    WorkerId worker;
    uint64_t token = 0;
    int64_t tournament = 0;
    int64_t index = 0;
  };

  // Returns the games that were heard of lately, by tournament and index. From now on someone
  // watches.
  std::vector<std::shared_ptr<const LiveGame>> Watch(Time now) ABSL_LOCKS_EXCLUDED(mutex_);

  bool IsWatched(Time now) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether someone watches, and there is room for games of that worker or some are here.
  bool Wants(const WorkerId& worker, Time now) const ABSL_LOCKS_EXCLUDED(mutex_);

  // Replays a report by the rules and keeps the game. Drops the game and fails as ReplayUnfinished
  // does if the report is false. A report about a game that is here under another lease, or for
  // which there is no room, has no effect.
  absl::Status Take(const Origin& origin, const std::string& tournament_name, const GameSpec& spec,
                    const GameRecord& claimed, Time now) ABSL_LOCKS_EXCLUDED(mutex_);

  // Drops the games that were silent for too long or for which `is_over` is true.
  void Drop(Time now, absl::FunctionRef<bool(const Origin&)> is_over) ABSL_LOCKS_EXCLUDED(mutex_);
  void Clear() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Key = std::pair<int64_t, int64_t>;  // tournament and index
  struct Entry {
    Origin origin;
    Time heard;
    std::shared_ptr<const LiveGame> game;
  };

  // Returns whether the report may replace what is known of the game. If the report says nothing
  // new, notes that it was heard and returns false.
  bool IsNews(const Origin& origin, const GameRecord& claimed, Time now)
      ABSL_LOCKS_EXCLUDED(mutex_);

  mutable Mutex mutex_;
  std::optional<Time> watched_ ABSL_GUARDED_BY(mutex_);  // when the games were listed last
  std::map<Key, Entry> games_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_LIVE_GAMES_H_
