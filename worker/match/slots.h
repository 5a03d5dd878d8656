#ifndef TRIARCH_WORKER_MATCH_SLOTS_H_
#define TRIARCH_WORKER_MATCH_SLOTS_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "core/base/mutex.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"
#include "worker/match/player_cache.h"

namespace triarch {

// The next game to play, or nothing once there is none. Called by every slot, also at once.
using SpecSource = std::function<std::optional<GameSpec>()>;

// The playing half of a tournament: so many threads, each with players of its own, play one game
// after the other. Specs go down (pulled from the source), records come up (taken by the owner);
// nothing else passes. When the owner is slow to take, the slots wait, so that memory stays
// bounded.
class Slots {
 public:
  struct Options {
    int64_t slots = 1;
    int64_t batch_plies = 100'000;        // so many are worth being taken at once: some 10 MB
    int64_t plies_waiting_max = 400'000;  // with more the slots wait until they are taken
  };

  // Begins to play.
  Slots(const Options& options, SpecSource next, PlayerMaker make_player);
  // Stops; what was not taken is lost.
  ~Slots();
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;

  // Waits until a batch is there, or the time is over, or all slots have ended, and takes all that
  // is there (perhaps nothing), in the order in which the games ended.
  std::vector<GameRecord> Take(std::chrono::milliseconds wait) ABSL_LOCKS_EXCLUDED(mutex_);

  // All slots have ended and everything was taken.
  bool is_done() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Why the slots ended before their time: a bot that cannot be made, a spec that is none. Ok while
  // all goes well; the games finished until then can still be taken.
  absl::Status status() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Ends soon: games in flight are abandoned, finished ones can still be taken.
  void Stop() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void GoOnWith(int64_t threads, const std::string& why) ABSL_LOCKS_EXCLUDED(mutex_);
  void PlayGames();
  absl::Status PlayOne(const GameSpec& spec, PlayerCache& cache);
  void Put(GameRecord record) ABSL_LOCKS_EXCLUDED(mutex_);
  void End(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);

  const Options options_;
  const SpecSource next_;
  const PlayerMaker make_player_;

  // Set under the mutex, for those who wait; looked at without it by the games in flight.
  std::atomic<bool> stop_ = false;

  mutable Mutex mutex_;
  CondVar changed_;  // what is guarded, or stop_
  std::vector<GameRecord> waiting_ ABSL_GUARDED_BY(mutex_);
  int64_t plies_waiting_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t slots_playing_ ABSL_GUARDED_BY(mutex_);
  absl::Status status_ ABSL_GUARDED_BY(mutex_);

  std::vector<std::jthread> threads_;  // last: they use all of the above
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_SLOTS_H_
