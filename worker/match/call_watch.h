// Notices synchronous players that do not come back.

#ifndef TRIARCH_WORKER_MATCH_CALL_WATCH_H_
#define TRIARCH_WORKER_MATCH_CALL_WATCH_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/play/player.h"

namespace triarch {

// The current call of one slot's synchronous players. The thread that plays notes its calls without
// reading a clock, which would cost as much as a move of the fastest bots; another thread looks
// from time to time.
class CallWatch {
 public:
  using Clock = std::chrono::steady_clock;

  // A call that has lasted for some time.
  struct Silence {
    int seat = 0;
    std::optional<int64_t> ply = {};   // from 1; empty before the first move
    std::chrono::seconds duration{0};  // since it was noticed
    bool has_deadline = false;
  };

  // ---- For the playing thread.
  void Enter(int seat, const SearchLimits* limits);
  void Leave() {
    calls_.store(calls_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  // ---- For one other thread at a time.
  // Whether a call is under way.
  bool is_in_call() const { return calls_.load() % 2 == 1; }
  // Returns the call, once, when it has lasted too long: kAfterDeadline longer than its time limit,
  // or kWithoutDeadline if it has none. Call this at least once a second.
  std::optional<Silence> FindSilence(Clock::time_point now);
  // Returns the call that is under way.
  Silence Describe(Clock::time_point now) const;

  static constexpr std::chrono::seconds kAfterDeadline{10};
  static constexpr std::chrono::seconds kWithoutDeadline{60};

 private:
  std::atomic<uint64_t> calls_ = 0;  // odd during a call
  std::atomic<int> seat_ = 0;
  std::atomic<int64_t> ply_ = 0;       // 0 before the first move
  std::atomic<int64_t> deadline_ = 0;  // in the clock's ticks; 0 for none
  // Of the other thread.
  uint64_t seen_ = 0;
  Clock::time_point since_;
  bool is_told_ = false;
};

// A player whose calls are watched. The watch must outlive it.
class WatchedPlayer final : public SyncPlayer {
 public:
  WatchedPlayer(std::unique_ptr<SyncPlayer> player, CallWatch* watch)
      : player_(std::move(player)), watch_(*watch) {}

  bool wants_context() const override { return player_->wants_context(); }
  void NewGame(Seat seat, uint64_t seed) override {
    const Call call(watch_, seat, nullptr);
    seat_ = seat;
    player_->NewGame(seat, seed);
  }
  Decision Choose(const AnyState& state, const AnyState::Moves& moves,
                  const SearchLimits& limits) override {
    const Call call(watch_, seat_, &limits);
    return player_->Choose(state, moves, limits);
  }
  void DescribeFault(FaultReport* report) const override { player_->DescribeFault(report); }

 private:
  class Call {
   public:
    Call(CallWatch& watch, Seat seat, const SearchLimits* limits) : watch_(watch) {
      watch_.Enter(static_cast<int>(Index(seat)), limits);
    }
    ~Call() { watch_.Leave(); }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    CallWatch& watch_;
  };

  const std::unique_ptr<SyncPlayer> player_;
  CallWatch& watch_;
  Seat seat_ = Seat::kFirst;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_CALL_WATCH_H_
