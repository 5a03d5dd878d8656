// Decides a worker's calls and actions, as a state machine without clock or threads.

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

// The session's requirements for taking a lease of a tournament.
struct PlayNeeds {
  int64_t shard_samples = 0;  // desired samples per shard; 0 without self-play
  std::string data = {};      // where the shards are stored
  std::vector<NeededBundle> bundles = {};
};

// A lease reply as the session receives it.
struct LeaseArrival {
  LeaseReply reply;
  // Set if the reply carried the tournament's spec; an error if the spec is invalid.
  std::optional<absl::StatusOr<PlayNeeds>> needs;
};

// The worker's side of the protocol with the coordinators: registers, requests leases, sends
// heartbeats, fetches bundles, requests shards, reports games, refuses leases it cannot play,
// retries, fails over and leaves. It has no clock, thread, network, disk or log: a driver performs
// the actions that Next returns and reports the results with their times.
class WorkerSession {
 public:
  using Time = LeaseQueue::Time;
  using Game = LeaseQueue::Order;

  struct Options {
    WorkerInfo worker;
    LeaseQueue::Options queue;      // `slots` is set from the worker
    size_t addresses = 1;           // number of coordinators
    bool can_fetch_bundles = true;  // whether there is a bundle cache
    // refuses a lease that it cannot play and continues; otherwise it fails
    bool gives_back = true;
  };

  WorkerSession(const Options& options, std::unique_ptr<Spill> spill);

  // ---- Actions.
  // Returns the next action, or nothing if none is due now.
  std::optional<session::Action> Next(Time now);
  // Returns when to call Next again, or Time::max() if only an event can change its result.
  Time NextTime(Time now) const;

  // ---- Events: the answers to actions.
  void OnRegistered(const absl::Status& status, Time now);
  void OnLease(const absl::StatusOr<LeaseArrival>& arrival, Time now);
  void OnHeartbeat(const absl::StatusOr<HeartbeatReply>& reply, Time now);
  // Returns the outcome of the report's games.
  ReportOutcome OnReport(const absl::StatusOr<ReportReply>& reply, Time now);
  void OnBundlePart(const absl::StatusOr<BundlePart>& part, Time now);
  void OnRefused(const absl::Status& status, Time now);
  void OnLeft();
  // `missing` are the bundles to fetch, or why this worker cannot store the data.
  void OnNeedsChecked(const absl::StatusOr<std::vector<NeededBundle>>& missing, Time now);
  void OnBundleStored(const absl::Status& status, Time now);
  // DataLoss and PermissionDenied mean that this worker can never store the shard. Other errors may
  // be temporary.
  void OnShard(const absl::StatusOr<ShardEntry>& shard, Time now);

  // ---- Play.
  // Returns the next game to play, or nothing if none is open now or no more will come.
  std::optional<Game> NextGame();
  // Call when a game of NextGame has ended. Without a record it was abandoned.
  void OnGameEnd(const Game& game, std::optional<GameRecord> record, Time now);
  // Call when a game of NextGame cannot be played, with the reason.
  void OnGameRefused(const Game& game, const absl::Status& why);
  // Call when the worker can no longer play.
  void OnPlayFailed(const absl::Status& why) { Fail(why); }

  // ---- The spill: see LeaseQueue.
  std::optional<LeaseQueue::Transfer> NextTransfer() { return queue_.NextTransfer(); }
  void OnTransferEnd(LeaseQueue::Transfer transfer) { queue_.OnTransferEnd(std::move(transfer)); }

  // ---- The end.
  // Starts leaving: stops playing, reports finished games and returns the leases, but only until
  // the deadline.
  void Leave(Time deadline);
  // Returns whether it has left, has no coordinator to leave, or has reached the deadline.
  bool HasLeft(Time now) const;

  // ---- State.
  // Returns why it can no longer work, or ok while it works, even if no coordinator answers.
  const absl::Status& status() const { return status_; }
  bool is_leaving() const { return is_leaving_; }
  bool is_registered() const { return connection_.is_registered(); }
  // Returns whether a coordinator knows the worker and answers.
  bool is_connected() const { return is_registered() && connection_.trouble().empty(); }
  const LeaseQueue& queue() const { return queue_; }

 private:
  using Call = Connection::Call;
  struct Refusal {
    uint64_t token = 0;
    std::string why;
  };

  // Takes the answer to a call. Returns false if it is an error.
  bool End(Call& call, const absl::Status& status, Time now);

  void Decide(Time now);
  void DecideReport(Time now);
  void BeginHeartbeat(Time now);
  bool WantsLease(Time now) const;
  bool MaySayGoodbye() const;
  // Returns whether no game is in play and no finished game waits to be reported.
  bool is_played_out() const { return playing_ == 0 && queue_.games_held() == 0; }

  void AddLease(const Lease& lease, Time now);
  void ContinueFetch(Time now);
  std::set<std::string> BundlesInUse() const;
  // Ends the fetch if its lease was cancelled in the meantime.
  bool DropCancelledFetch();
  void RefuseFetch(const absl::Status& why);
  void RefuseBundle(const absl::Status& why);
  void GiveUpReport(const absl::Status& why, Time now);
  // Refuses a lease that this worker cannot play, or fails.
  void CannotPlay(uint64_t token, const absl::Status& why);
  void Cancel(uint64_t token);
  void Fail(const absl::Status& status);
  void Log(LogEntry entry) { actions_.push_back(session::Log{std::move(entry)}); }
  // Logs when there is no more room for finished games, and when most of them have been reported.
  void LogRoom();
  void LogConnected();

  const Options options_;
  Connection connection_;
  LeaseQueue queue_;
  std::deque<session::Action> actions_;  // decided but not yet returned

  bool is_leaving_ = false;
  bool has_left_ = false;
  Time leave_by_ = Time::max();
  absl::Status status_;
  int64_t playing_ = 0;  // games from NextGame that have not ended

  Call registration_;
  Call lease_;
  Call heartbeat_;
  Call report_;    // includes making a shard for it
  Call fetching_;  // a part of a bundle, or disk work
  Call refusing_;
  Call leaving_;

  std::map<int64_t, PlayNeeds> tournaments_;
  std::vector<int64_t> known_;  // tournaments whose specs arrived since registration
  std::optional<BundleFetch> fetch_;
  bool is_shard_ready_ = false;  // the pending report has its shard and can be sent
  std::deque<Refusal> refusals_;

  std::set<std::string> troubles_;  // logged since a coordinator last answered
  std::string data_trouble_;        // last logged error in storing shards; empty if none
  int64_t held_when_full_ = 0;      // number of games when it was full; 0 if it was not
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_WORKER_SESSION_H_
