// Tracks a worker's leases: what it has to play and to report.

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

// A state machine without a clock, threads or network access. Play never waits for the coordinator:
// the queue requests new leases before the old ones are played out, and holds finished games, in
// memory and in the spill, until their report is answered. It stops giving out games only when both
// are full.
//
// Games of self-play wait until they have enough samples for a shard or their lease is played out.
// A report then holds all games of one shard, however large.
class LeaseQueue {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Transfer = HeldGames::Transfer;

  static constexpr int64_t kBytesPerPly = HeldGames::kBytesPerPly;

  struct Options {
    int64_t slots = 1;
    std::chrono::milliseconds ahead{3'000};  // requests a lease when less play than this is left
    std::chrono::milliseconds report_after{1'000};  // longest wait of a finished game,
    int64_t report_plies = 100'000;                 // and most plies waiting; see ReportSize
    int64_t report_plies_first = 1'000;
    std::chrono::milliseconds slow{5'000};
    int64_t memory_plies_max = 2'000'000;  // limit in memory, of kBytesPerPly each
    int64_t spill_plies_max = 50'000'000;  // limit in the spill
    Backoff::Limits retry = {};            // waits between failed attempts
    uint64_t seed = 1;                     // for the jitter of these waits
  };

  LeaseQueue(const Options& options, WorkerId worker, std::unique_ptr<Spill> spill);

  // ---- From the coordinator.
  // Adds a lease. `shard_samples` is the approximate size of a shard, or 0 without self-play.
  void Add(const Lease& lease, Time now, int64_t shard_samples = 0);
  // Drops a lease: its games are neither played nor reported any more. Ignores unknown tokens.
  void Cancel(uint64_t token);

  // ---- For the slots.
  struct Order {
    uint64_t token = 0;
    int64_t tournament = 0;
    int64_t index = 0;
    std::optional<PlannedMatch> match = {};  // if the tournament's matches are planned
  };
  // Returns the next game to play, or nothing if no game is open or there is no room for its
  // record.
  std::optional<Order> Next();
  // Takes the record of a game. Drops it if its lease was cancelled.
  void Finish(const Order& order, GameRecord record, Time now);
  // Makes an unfinished game available again unless its lease is over.
  void Abandon(const Order& order);
  // Returns whether the game's lease is over.
  bool IsOver(const Order& order) const { return !leases_.contains(order.token); }

  // ---- Reports.
  bool WantsLease(Time now) const;
  // Returns a report that is due, with games of one lease. It is pending until it is answered;
  // there is only one at a time. Returns null if nothing is due or the games must first come from
  // the spill.
  const Report* NextReport(Time now);
  // Returns when to call NextReport again, or nothing if only an event can change its result.
  std::optional<Time> ReportDue() const;
  // Returns the pending report. Requires: a report is pending.
  const Report& report() const { return *report_; }
  // Returns the tournament of the pending report if its samples must be stored in a shard first.
  std::optional<int64_t> WantsShard() const;
  // Sets the shard that stores the samples of the pending report, and drops them. The report may
  // then be sent.
  void SetShard(const ShardEntry& shard, Time now);
  // Handles a failure to store the samples of the pending report: the report becomes due again
  // later. Reports of other leases do not wait for it.
  void OnNoShard(Time now);
  // Takes the answer to the pending report; a lost connection counts as kRetry.
  void OnReply(const ReportReply& reply, Time now);
  // From now on, reports finished games without waiting for others.
  void Flush() { is_flushing_ = true; }

  // ---- Heartbeats. One at a time.
  HeartbeatRequest MakeHeartbeat(Time now);
  void OnHeartbeatEnd(Time now) { report_size_.OnHeartbeatEnd(now); }

  // ---- The spill: see HeldGames. Finish and NextReport may create a transfer.
  std::optional<Transfer> NextTransfer() { return held_.NextTransfer(); }
  // Afterwards a report may be due, and lost games may have to be played again.
  void OnTransferEnd(Transfer transfer);

  // ---- State.
  bool is_idle() const { return leases_.empty(); }  // nothing to play, nothing held
  bool is_full() const { return held_.is_full(); }  // no room: Next returns nothing
  // Returns why the spill is unavailable, or ok if it works.
  const absl::Status& spill_status() const { return held_.spill_status(); }
  int64_t games_open() const;  // leased but not given out yet
  int64_t games_held() const;
  int64_t games_recorded() const { return games_recorded_; }
  int64_t games_lost() const { return games_lost_; }  // stale, rejected, or from a cancelled lease
  std::vector<uint64_t> tokens() const;
  std::set<int64_t> tournaments() const;  // the tournaments of its leases

 private:
  struct Entry {
    Lease lease;
    int64_t shard_samples = 0;       // 0 without self-play
    int64_t next = 0;                // the first index never given out
    std::deque<int64_t> given_back;  // indices to be given out again
    int64_t in_flight = 0;
    int64_t finished = 0;
    int64_t finished_plies = 0;
    Time shard_at;  // earliest time of the next shard
    Backoff shard_backoff;

    bool is_played_out() const {
      return next == lease.games.last && given_back.empty() && in_flight == 0;
    }
  };

  bool IsDue(const Entry& entry, Time now) const;
  // Fills the report with the lease's oldest games. Requires: they are in memory.
  void FillReport(const Entry& entry, Time now);
  // Returns the games of the pending report to the held games.
  void HoldReport();

  const Options options_;
  const WorkerId worker_;
  Random random_;
  HeldGames held_;
  ReportSize report_size_;
  RateMeter rate_;                    // rate of finished games
  std::map<uint64_t, Entry> leases_;  // by token, hence by age
  bool is_flushing_ = false;

  // ---- The pending report.
  std::optional<Report> report_;
  int64_t report_plies_ = 0;        // weight of the report
  Time report_since_;               // when the first of its games finished
  bool is_report_dropped_ = false;  // whether its lease has ended since then
  Time retry_at_;
  Backoff backoff_;

  int64_t games_recorded_ = 0;
  int64_t games_lost_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_LEASE_QUEUE_H_
