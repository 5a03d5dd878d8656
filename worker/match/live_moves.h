// Shows the events of a game in progress to other threads.

#ifndef TRIARCH_WORKER_MATCH_LIVE_MOVES_H_
#define TRIARCH_WORKER_MATCH_LIVE_MOVES_H_

#include <atomic>
#include <chrono>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"
#include "core/record/game_record.h"

namespace triarch {

// Copies the events while someone watches. Otherwise a turn costs the player of the game one read
// of an atomic, unless it was slow: then a copy does not matter, and a viewer who comes during the
// next turn need not wait for its end.
class LiveMoves {
 public:
  static constexpr std::chrono::milliseconds kSlowTurn{10};

  // ---- In the game's thread.

  // Shows the game after a turn that took `time`. `events` only grow.
  void Show(const std::vector<RecordedEvent>& events, std::chrono::nanoseconds time)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    if (is_watched_.load(std::memory_order_relaxed) || time >= kSlowTurn) Copy(events);
  }
  // Ends the game, so that another one may follow.
  void End() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    events_.clear();
  }

  // ---- In any thread.

  void SetWatched(bool is_watched) { is_watched_.store(is_watched, std::memory_order_relaxed); }
  // Returns the events that were shown, without their evaluations.
  std::vector<RecordedEvent> Events() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return events_;
  }

 private:
  void Copy(const std::vector<RecordedEvent>& events) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    while (events_.size() < events.size()) {
      events_.push_back(events[events_.size()]);
      events_.back().eval = {};
    }
  }

  std::atomic<bool> is_watched_ = false;
  mutable Mutex mutex_;
  std::vector<RecordedEvent> events_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_LIVE_MOVES_H_
