#ifndef TRIARCH_WORKER_MATCH_SLOTS_H_
#define TRIARCH_WORKER_MATCH_SLOTS_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "core/base/mutex.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"
#include "worker/match/player_cache.h"

namespace triarch {

// A game to play, and what the one who gave it out knows it by.
struct Job {
  GameSpec spec;
  int64_t tournament = 0;
  uint64_t token = 0;
};

// The playing half of a worker: so many threads, each with players of its own, play one game after
// the other. Specs go down, records come up, and nothing else passes.
class Slots {
 public:
  // The next game; waits for one. Nothing: there will be no more, and the slot ends. Called by
  // every slot, also at once.
  using Source = std::function<std::optional<Job>()>;
  // A game has ended; nothing if it was abandoned. Called by the slot that played it.
  using Sink = std::function<void(const Job&, std::optional<GameRecord>)>;

  // A game that cannot be played: a bot that cannot be made, a spec that is none. Called as the
  // sink, in its place.
  using Refuse = std::function<void(const Job&, const absl::Status&)>;

  // Begins to play. Without `refuse` the slot ends at such a game.
  Slots(int64_t slots, Source source, Sink sink, PlayerMaker make_player, Refuse refuse = nullptr);
  // Abandons the games in flight. The source must give nothing any more, or wait no longer.
  ~Slots();
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;

  // Abandons the games in flight for which `is_over(job)` is true.
  void Abandon(absl::FunctionRef<bool(const Job&)> is_over) ABSL_LOCKS_EXCLUDED(mutex_);

  int64_t busy() const { return busy_.load(std::memory_order_relaxed); }

  // Why slots ended before their time: a bot that cannot be made, a spec that is none, no threads.
  // The slots that are left play on.
  absl::Status status() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Calls it once when status() becomes an error, on the slot's thread. Set it before games fail.
  void OnError(std::function<void()> f) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // A thread's game.
  struct Slot {
    std::atomic<bool> stop = false;  // looked at by the game in flight
    const Job* job = nullptr;        // guarded by mutex_
  };

  void PlayGames(Slot& slot);
  absl::Status PlayOne(const Job& job, PlayerCache& cache, Slot& slot);
  void Fail(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);

  const Source source_;
  const Sink sink_;
  const PlayerMaker make_player_;
  const Refuse refuse_;
  std::atomic<int64_t> busy_ = 0;

  mutable Mutex mutex_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  std::function<void()> on_error_ ABSL_GUARDED_BY(mutex_);
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;

  std::deque<Slot> slots_;             // made once; threads keep references
  std::vector<std::jthread> threads_;  // last: they use all of the above
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_SLOTS_H_
