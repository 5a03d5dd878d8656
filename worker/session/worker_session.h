// Decides everything that a worker says and does, as a state machine without clock or threads.

#ifndef TRIARCH_WORKER_SESSION_WORKER_SESSION_H_
#define TRIARCH_WORKER_SESSION_WORKER_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/lease.h"
#include "worker/session/bundle_fetch.h"
#include "worker/session/connection.h"
#include "worker/session/lease_queue.h"
#include "worker/session/session_action.h"

namespace triarch {

// What a session must know of a tournament to take a lease of it.
struct PlayNeeds {
  int64_t shard_samples = 0;  // a shard should have about this many; 0: no self-play
  std::vector<NeededBundle> bundles;
};

// A lease reply as it reaches the session.
struct LeaseArrival {
  LeaseReply reply;
  // Set if the reply carried the tournament's spec; an error if the spec is not valid.
  std::optional<absl::StatusOr<PlayNeeds>> needs;
};

// The worker's side of the conversation with the coordinators: registers, requests leases, sends
// heartbeats, fetches bundles, has shards made, reports games, refuses what it cannot play,
// retries, fails over and leaves. It has no clock, thread, network, disk or log: a driver performs
// the actions that Next returns, and tells the session what happened, and when.
class WorkerSession {
 public:
  using Time = LeaseQueue::Time;
  using Game = LeaseQueue::Order;

  struct Options {
    WorkerInfo worker;
    LeaseQueue::Options queue;      // `slots` is taken from the worker
    size_t addresses = 1;           // of coordinators
    bool can_fetch_bundles = true;  // whether there is a bundle cache
    // Refuses a lease that it cannot play, and goes on; else it fails.
    bool gives_back = true;
  };

  WorkerSession(const Options& options, std::unique_ptr<Spill> spill);

  // ---- Actions.
  // The next thing to do; empty if there is nothing to do now.
  std::optional<session::Action> Next(Time now);
  // When Next is worth asking again; Time::max() if only an event changes that.
  Time NextTime(Time now) const;

  // ---- Events: the answers to actions.
  void OnRegistered(const absl::Status& status, Time now);
  void OnLease(const absl::StatusOr<LeaseArrival>& arrival, Time now);
  void OnHeartbeat(const absl::StatusOr<HeartbeatReply>& reply, Time now);
  // Returns what became of the report's games.
  ReportOutcome OnReport(const absl::StatusOr<ReportReply>& reply, Time now);
  void OnBundlePart(const absl::StatusOr<BundlePart>& part, Time now);
  void OnRefused(const absl::Status& status, Time now);
  void OnLeft();
  void OnBundlesFound(const std::vector<NeededBundle>& missing, Time now);
  void OnBundleStored(const absl::Status& status, Time now);
  // DataLoss and PermissionDenied: this worker will never store it. Other errors may pass.
  void OnShard(const absl::StatusOr<ShardEntry>& shard, Time now);

  // ---- Play.
  // The next game to play; empty if there is none now, or none any more.
  std::optional<Game> NextGame();
  // A game of NextGame ended. Without a record it was abandoned.
  void OnGameEnd(const Game& game, std::optional<GameRecord> record, Time now);
  // A game of NextGame cannot be played, and why.
  void OnGameRefused(const Game& game, const absl::Status& why);
  // The worker cannot play any more.
  void OnPlayFailed(const absl::Status& why) { Fail(why); }

  // ---- The spill: see LeaseQueue.
  std::optional<LeaseQueue::Transfer> NextTransfer() { return queue_.NextTransfer(); }
  void OnTransferEnd(LeaseQueue::Transfer transfer) { queue_.OnTransferEnd(std::move(transfer)); }

  // ---- The end.
  // Starts to leave: plays no more, reports what is finished, gives its leases back; but no longer
  // than until the deadline.
  void Leave(Time deadline);
  // Whether it has left, or has nobody to say goodbye to, or its time is up.
  bool HasLeft(Time now) const;

  // ---- State.
  // Why it cannot work any more; ok while it works, even if no coordinator answers.
  const absl::Status& status() const { return status_; }
  bool is_leaving() const { return is_leaving_; }
  bool is_registered() const { return connection_.is_registered(); }
  // Whether a coordinator knows it and answers.
  bool is_connected() const { return is_registered() && connection_.trouble().empty(); }
  const LeaseQueue& queue() const { return queue_; }

 private:
  using Call = Connection::Call;
  struct Refusal {
    uint64_t token = 0;
    std::string why;
  };

  // Takes the answer to a call; false if it is an error.
  bool End(Call& call, const absl::Status& status, Time now);

  void Decide(Time now);
  void DecideReport(Time now);
  void BeginHeartbeat(Time now);
  bool WantsLease(Time now) const;
  bool MaySayGoodbye() const;
  // Nothing is in play, and nothing finished waits to be reported.
  bool is_played_out() const { return playing_ == 0 && queue_.games_held() == 0; }

  void AddLease(const Lease& lease, Time now);
  void ContinueFetch(Time now);
  std::set<std::string> BundlesInUse() const;
  // Ends the fetch if its lease was cancelled meanwhile.
  bool DropCancelledFetch();
  void RefuseFetch(const absl::Status& why);
  void GiveUpReport(const absl::Status& why, Time now);
  // This worker cannot play the lease: refuses it, or fails.
  void CannotPlay(uint64_t token, const absl::Status& why);
  void Cancel(uint64_t token);
  void Fail(const absl::Status& status);
  void Log(std::string line) { actions_.push_back(session::Log{std::move(line)}); }
  // Says when finished games find no room any more, and when most of them are gone.
  void LogRoom();
  void LogConnected();

  const Options options_;
  Connection connection_;
  LeaseQueue queue_;
  std::deque<session::Action> actions_;  // decided, not returned yet

  bool is_leaving_ = false;
  bool has_left_ = false;
  Time leave_by_ = Time::max();
  absl::Status status_;
  int64_t playing_ = 0;  // games given out by NextGame that have not ended

  Call registration_;
  Call lease_;
  Call heartbeat_;
  Call report_;    // a shard that is made for it counts too
  Call fetching_;  // a part of a bundle, or work on the cache
  Call refusing_;
  Call leaving_;

  std::map<int64_t, PlayNeeds> tournaments_;
  std::vector<int64_t> known_;  // tournaments whose specs came since it registered
  std::optional<BundleFetch> fetch_;
  bool is_shard_ready_ = false;  // the report under way has its shard, and is to be sent
  std::deque<Refusal> refusals_;

  std::string data_trouble_;    // with storing shards, as logged last; empty: none
  int64_t held_when_full_ = 0;  // games; 0: there was room
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_WORKER_SESSION_H_
