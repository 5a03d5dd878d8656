// Tracks what a worker has to play and to report: its leases.

#ifndef TRIARCH_WORKER_SESSION_LEASE_QUEUE_H_
#define TRIARCH_WORKER_SESSION_LEASE_QUEUE_H_

#include <chrono>
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
#include "core/base/random.h"
#include "core/base/rate_meter.h"
#include "core/record/lease.h"
#include "worker/session/backoff.h"
#include "worker/session/held_games.h"
#include "worker/session/report_size.h"
#include "worker/session/spill.h"

namespace triarch {

// A state machine without clock, thread or network. Play never waits for the coordinator: the queue
// wants new leases before the old ones are played out, and holds finished games until their report
// is answered, in memory and in the spill. Only when both are full does it give out no more games.
//
// Games of self-play wait until they have enough samples for a shard, or their lease is played out:
// one report has the games of one shard, however large that is.
class LeaseQueue {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Transfer = HeldGames::Transfer;

  static constexpr int64_t kBytesPerPly = HeldGames::kBytesPerPly;

  struct Options {
    int64_t slots = 1;
    std::chrono::milliseconds ahead{3'000};  // wants a lease when less play than this is left
    std::chrono::milliseconds report_after{1'000};  // a finished game waits no longer than this,
    int64_t report_plies = 100'000;                 // nor do more plies than this: see ReportSize
    int64_t report_plies_first = 1'000;
    std::chrono::milliseconds slow{5'000};
    int64_t memory_plies_max = 2'000'000;  // held in memory, of kBytesPerPly
    int64_t spill_plies_max = 50'000'000;  // held in the spill
    Backoff::Limits retry = {};            // waits between attempts that failed
    uint64_t seed = 1;                     // of the jitter of these waits
  };

  LeaseQueue(const Options& options, WorkerId worker, std::unique_ptr<Spill> spill);

  // ---- From the coordinator.
  // Adds a lease. For self-play, a shard should have about `shard_samples`; else that is 0.
  void Add(const Lease& lease, Time now, int64_t shard_samples = 0);
  // Drops a lease: none of its games is played or reported any more. Ignores unknown tokens.
  void Cancel(uint64_t token);

  // ---- For the slots.
  struct Order {
    uint64_t token = 0;
    int64_t tournament = 0;
    int64_t index = 0;
  };
  // Returns the next game to play; empty if there is none, or no room for its record.
  std::optional<Order> Next();
  // Takes the record of a game; drops it if its lease was cancelled.
  void Finish(const Order& order, GameRecord record, Time now);
  // Gives a game out again that was not played to its end, unless its lease is over.
  void Abandon(const Order& order);
  // Returns whether the game's lease is over.
  bool IsOver(const Order& order) const { return !leases_.contains(order.token); }

  // ---- Reports.
  bool WantsLease(Time now) const;
  // Returns a report that is due: games of one lease. It is under way until it is answered; there
  // is one at a time. Null if nothing is due, or what is due must come from the spill first.
  const Report* NextReport(Time now);
  // Returns when NextReport is worth asking again; empty if only an event changes that.
  std::optional<Time> ReportDue() const;
  // Returns the report under way. Requires: there is one.
  const Report& report() const { return *report_; }
  // Returns the tournament of the report under way, if its samples must be in a shard first.
  std::optional<int64_t> WantsShard() const;
  // The samples of the report under way are in that shard: drops them. Now the report may be sent.
  void SetShard(const ShardEntry& shard, Time now);
  // The samples of the report under way could not be stored: the report is due again later.
  // Reports of other leases do not wait for that.
  void OnNoShard(Time now);
  // Takes the answer to the report under way. Without one (a lost connection) it is kRetry.
  void OnReply(const ReportReply& reply, Time now);
  // From now on games do not wait for others to be reported with.
  void Flush() { is_flushing_ = true; }

  // ---- Heartbeats. One at a time.
  HeartbeatRequest MakeHeartbeat(Time now);
  void OnHeartbeatEnd(Time now) { report_size_.OnHeartbeatEnd(now); }

  // ---- The spill: see HeldGames. Finish and NextReport may make something to transfer.
  std::optional<Transfer> NextTransfer() { return held_.NextTransfer(); }
  // A report may be due now, and games may have to be played again.
  void OnTransferEnd(Transfer transfer);

  // ---- State.
  bool is_idle() const { return leases_.empty(); }  // nothing to play, nothing held
  bool is_full() const { return held_.is_full(); }  // no room: Next returns nothing
  // Why the spill takes nothing now; ok if it does.
  const absl::Status& spill_status() const { return held_.spill_status(); }
  int64_t games_open() const;  // leased and not given out yet
  int64_t games_held() const;
  int64_t games_recorded() const { return games_recorded_; }
  int64_t games_lost() const { return games_lost_; }  // stale, rejected, or of a cancelled lease
  std::vector<uint64_t> tokens() const;
  std::set<int64_t> tournaments() const;  // of its leases

 private:
  struct Entry {
    Lease lease;
    int64_t shard_samples = 0;       // 0: no self-play
    int64_t next = 0;                // the first index never given out
    std::deque<int64_t> given_back;  // to be given out again
    int64_t in_flight = 0;
    int64_t finished = 0;
    int64_t finished_plies = 0;
    Time shard_at;  // no other shard is tried before
    Backoff shard_backoff;

    bool is_played_out() const {
      return next == lease.games.last && given_back.empty() && in_flight == 0;
    }
  };

  bool IsDue(const Entry& entry, Time now) const;
  // Makes a report of the lease's oldest games. Requires: they are in memory.
  void FillReport(const Entry& entry, Time now);
  // Holds the games of the report under way again.
  void HoldReport();

  const Options options_;
  const WorkerId worker_;
  Random random_;
  HeldGames held_;
  ReportSize report_size_;
  RateMeter rate_;                    // of finished games
  std::map<uint64_t, Entry> leases_;  // by token, so by age
  bool is_flushing_ = false;

  // ---- The report under way.
  std::optional<Report> report_;
  int64_t report_plies_ = 0;        // what it weighs
  Time report_since_;               // when the first of its games was finished
  bool is_report_dropped_ = false;  // its lease ended meanwhile
  Time retry_at_;
  Backoff backoff_;

  int64_t games_recorded_ = 0;
  int64_t games_lost_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_LEASE_QUEUE_H_
