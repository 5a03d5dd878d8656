// Plays many games at a time.

#ifndef TRIARCH_WORKER_MATCH_SLOTS_H_
#define TRIARCH_WORKER_MATCH_SLOTS_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
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
#include "worker/match/event_loop.h"
#include "worker/match/loop_game.h"
#include "worker/match/player_cache.h"

namespace triarch {

// A game to play, and what the one who gave it out knows it by.
struct Job {
  GameSpec spec;
  int64_t tournament = 0;
  uint64_t token = 0;
};

// The playing half of a worker: plays so many games at a time. Specs go down, records come up, and
// nothing else passes.
//
// A slot has players of its own. A game whose players all answer at once is played by a thread; the
// others are played by one event loop, and threads only take the turns of those of their players
// that answer at once. Threads are started when they are needed, never more than there are slots,
// and for what takes only a moment (to begin a game of the loop, to hand one in) no more than there
// are processors.
class Slots {
 public:
  // The next game; waits for one. Nothing: there will be no more, and the slot ends. Called for
  // every slot, by several threads at once.
  using Source = std::function<std::optional<Job>()>;
  // A game has ended; nothing if it was abandoned. Called by several threads at once.
  using Sink = std::function<void(const Job&, std::optional<GameRecord>)>;

  // A game that cannot be played: a bot that cannot be made, a spec that is none. Called as the
  // sink, in its place.
  using Refuse = std::function<void(const Job&, const absl::Status&)>;

  // Begins to play. Without `refuse` the slot ends at such a game.
  Slots(int64_t slots, Source source, Sink sink, const PlayerMaker& make_player,
        Refuse refuse = nullptr);
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
  // Calls it once when status() becomes an error, on a slot's thread. Set it before games fail.
  void OnError(std::function<void()> f) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Slot {
    explicit Slot(const PlayerMaker& make_player) : cache(make_player) {}

    PlayerCache cache;
    std::atomic<bool> stop = false;      // looked at by the game in flight
    bool is_asking = false;              // guarded by mutex_
    std::optional<Job> job;              // changes with mutex_ held
    std::unique_ptr<LoopGame> game;      // in the loop; changes with mutex_ held
    std::function<absl::Status()> next;  // what a thread is to do for it
  };

  // ---- Threads.
  // Sees to it that a thread comes for what there is to do.
  void WakeOrStart() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // A thread asks for a game for the slot, and until that is known to be played somewhere else no
  // other thread comes to ask.
  void StartAsking(Slot& slot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void StopAsking(Slot& slot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // While it lives, its thread may be long: others see to what there is to do.
  class Away;
  bool is_game_wanted() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Serve() ABSL_LOCKS_EXCLUDED(mutex_);
  // With its `next` set; null when all slots have ended. Waits.
  Slot* TakeSlot() ABSL_LOCKS_EXCLUDED(mutex_);
  // From the loop: some thread is to take a turn, or to do what is left after a game.
  void CallForTurn(Slot& slot) ABSL_LOCKS_EXCLUDED(mutex_);
  void CallForEnd(Slot& slot) ABSL_LOCKS_EXCLUDED(mutex_);
  // There are no more games for a slot, or it failed.
  void Retire(Slot& slot, const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);
  void Fail(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);

  // ---- Games. An error: the slot has failed.
  // One after the other, until one goes on in the loop or there are no more. Requires: the thread
  // asks already.
  absl::Status PlayGames(Slot& slot) ABSL_LOCKS_EXCLUDED(mutex_);
  // False if it goes on in the loop.
  absl::StatusOr<bool> PlayOne(Slot& slot) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status BeginInLoop(Slot& slot, const PerSeat<Player*>& players) ABSL_LOCKS_EXCLUDED(mutex_);
  // A game of the loop has ended: the slot goes on with the next one.
  absl::Status GoOn(Slot& slot) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status HandIn(Slot& slot, absl::StatusOr<std::optional<GameRecord>> record)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void AbandonGame(Slot& slot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<EventLoop*> Loop() ABSL_LOCKS_EXCLUDED(mutex_);

  const Source source_;
  const Sink sink_;
  const Refuse refuse_;
  std::atomic<int64_t> busy_ = 0;

  mutable Mutex mutex_;
  CondVar called_for_;  // there is something to do, or nothing any more
  CondVar all_retired_;
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
  std::function<void()> on_error_ ABSL_GUARDED_BY(mutex_);
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  // Slots that need a thread: for a turn (its player's clock may run), after a game, for a game.
  std::deque<Slot*> turns_ ABSL_GUARDED_BY(mutex_);
  std::deque<Slot*> ended_ ABSL_GUARDED_BY(mutex_);
  std::vector<Slot*> free_ ABSL_GUARDED_BY(mutex_);
  int64_t asking_ ABSL_GUARDED_BY(mutex_) = 0;  // threads that ask for a game
  size_t waiting_ ABSL_GUARDED_BY(mutex_) = 0;  // threads with nothing to do
  size_t away_ ABSL_GUARDED_BY(mutex_) = 0;     // threads that may be long
  size_t retired_ ABSL_GUARDED_BY(mutex_) = 0;  // slots for which there are no more games

  std::unique_ptr<EventLoop> loop_;  // made with mutex_ held, when it is first needed
  LoopMoves loop_moves_;             // of its thread
  std::deque<Slot> slots_;           // made once; threads keep references
  std::vector<std::jthread> threads_ ABSL_GUARDED_BY(mutex_);
  std::jthread loop_thread_;  // started with mutex_ held
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_SLOTS_H_
