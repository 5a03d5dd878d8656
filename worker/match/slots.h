// Plays several games in parallel, in threads and in an event loop.

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
#include "core/record/lease.h"
#include "worker/match/call_watch.h"
#include "worker/match/game_loop.h"
#include "worker/match/live_moves.h"
#include "worker/match/loop_game.h"
#include "worker/match/player_cache.h"

namespace triarch {

// A game to play, with its lease.
struct Job {
  GameSpec spec;
  int64_t tournament = 0;
  uint64_t token = 0;
};

// The playing half of a worker. Specs go down, records come up; nothing else passes between the
// halves.
//
// Each slot has its own players and plays one game at a time. If all players of a game are
// synchronous, a thread plays it. Other games run in a GameLoop, and threads only take the turns of
// their synchronous players. This class starts threads as needed: never more than there are slots,
// and for short work (starting a loop's game, submitting a record) no more than there are CPUs.
class Slots {
 public:
  // Waits for the next game and returns it; returns nothing when no more games will come, which
  // ends the slot. Called for every slot, by several threads concurrently.
  using Source = std::function<std::optional<Job>()>;
  // Takes the record of a game that ended, or nothing if the game was abandoned. Called by several
  // threads concurrently.
  using Sink = std::function<void(const Job&, std::optional<GameRecord>)>;

  // Takes a game that cannot be played because a bot cannot be made or the spec is invalid. Called
  // instead of the sink.
  using Refuse = std::function<void(const Job&, const absl::Status&)>;

  // Starts playing. Without `refuse`, a game that cannot be played ends its slot.
  Slots(int64_t slots, Source source, Sink sink, const PlayerMaker& make_player,
        Refuse refuse = nullptr);
  // Abandons the games in flight, and waits until their players obey. Requires: the source returns
  // nothing more, without waiting.
  ~Slots();
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;

  // Abandons the games in flight for which `is_over(job)` is true.
  void Abandon(absl::FunctionRef<bool(const Job&)> is_over) ABSL_LOCKS_EXCLUDED(mutex_);

  int64_t busy() const { return busy_.load(std::memory_order_relaxed); }

  // Returns a line about each synchronous player that has not answered for long after its time
  // limit (CallWatch), once per call. Call this at least once a second.
  std::vector<std::string> TakeSilences() ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns a line about each synchronous player that is being called now. After the games were
  // abandoned, these are the players that do not obey; the destructor would wait for them.
  std::vector<std::string> CallsUnderWay() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Says whether someone watches the games.
  void SetWatched(bool is_watched);
  // Returns at most so many games in progress, with the events that are known of them. While nobody
  // watches, these are only what slow games happen to show.
  std::vector<LiveReport> LiveGames(size_t games_max) const ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns why slots ended early: a bot that cannot be made, an invalid spec, or no threads. The
  // other slots continue.
  absl::Status status() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Sets a callback that is called once, on a slot's thread, when status() becomes an error.
  // Requires: no game has failed yet.
  void OnError(std::function<void()> f) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Slot {
    explicit Slot(const PlayerMaker& make_player)
        : cache([this, make_player](const GameInfo& info, const BotSpec& bot) {
            return MakeWatched(make_player, info, bot);
          }) {}
    // Makes a player whose calls, beginning with this one, are watched.
    absl::StatusOr<Player> MakeWatched(const PlayerMaker& make_player, const GameInfo& info,
                                       const BotSpec& bot);
    // Describes a call. Requires: `job` does not change.
    std::string Text(const CallWatch::Silence& call) const;

    CallWatch watch;
    PlayerCache cache;
    std::atomic<bool> stop = false;      // makes the game in flight stop
    bool is_asking = false;              // guarded by mutex_
    std::optional<Job> job;              // changes with mutex_ held
    std::unique_ptr<LoopGame> game;      // in the loop; changes with mutex_ held
    LiveMoves live;                      // of `job`; locked after mutex_
    std::function<absl::Status()> next;  // the next step of a thread for this slot
  };

  // ---- Threads.
  // Wakes or starts a thread if there is work to do.
  void WakeOrStart() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Marks that a thread asks for a game for the slot. No other thread asks until that game is known
  // to be played elsewhere.
  void StartAsking(Slot& slot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void StopAsking(Slot& slot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // While it exists, its thread may be busy for a long time, so other threads handle new work.
  class Away;
  bool is_game_wanted() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Serve() ABSL_LOCKS_EXCLUDED(mutex_);
  // Waits for a slot that needs a thread, and returns it with its `next` set, or null when all
  // slots have ended.
  Slot* TakeSlot() ABSL_LOCKS_EXCLUDED(mutex_);
  // Called from the loop: a thread should take a turn or finish a game.
  void CallForTurn(Slot& slot) ABSL_LOCKS_EXCLUDED(mutex_);
  void CallForEnd(Slot& slot) ABSL_LOCKS_EXCLUDED(mutex_);
  // Ends a slot that has no more games or has failed.
  void Retire(Slot& slot, const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);
  void Fail(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);

  // ---- Games. An error means that the slot has failed.
  // Plays games until one continues in the loop or there are no more. Requires: StartAsking was
  // called for this thread.
  absl::Status PlayGames(Slot& slot) ABSL_LOCKS_EXCLUDED(mutex_);
  // Plays the slot's game. Returns false if it continues in the loop.
  absl::StatusOr<bool> PlayOne(Slot& slot) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status BeginInLoop(Slot& slot, const PerSeat<PlayerRef>& players)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Submits a game that ended in the loop and continues with the next one.
  absl::Status GoOn(Slot& slot) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status HandIn(Slot& slot, absl::StatusOr<std::optional<GameRecord>> record)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void AbandonGame(Slot& slot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Source source_;
  const Sink sink_;
  const Refuse refuse_;
  std::atomic<int64_t> busy_ = 0;

  mutable Mutex mutex_;
  CondVar called_for_;  // signalled when there is work or no more will come
  CondVar all_retired_;
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
  std::function<void()> on_error_ ABSL_GUARDED_BY(mutex_);
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  // Slots that need a thread: to take a turn (a player's clock may be running), to finish a game,
  // or to get one.
  std::deque<Slot*> turns_ ABSL_GUARDED_BY(mutex_);
  std::deque<Slot*> ended_ ABSL_GUARDED_BY(mutex_);
  std::vector<Slot*> free_ ABSL_GUARDED_BY(mutex_);
  int64_t asking_ ABSL_GUARDED_BY(mutex_) = 0;  // threads that ask for a game
  size_t waiting_ ABSL_GUARDED_BY(mutex_) = 0;  // idle threads
  size_t away_ ABSL_GUARDED_BY(mutex_) = 0;     // threads that may be busy for a long time
  size_t retired_ ABSL_GUARDED_BY(mutex_) = 0;  // slots without further games

  GameLoop loop_;           // must outlive the players, which may watch descriptors in it
  std::deque<Slot> slots_;  // created once; threads keep references
  std::vector<std::jthread> threads_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_SLOTS_H_
