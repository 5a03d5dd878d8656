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
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/random.h"
#include "core/base/rate_meter.h"
#include "core/record/lease.h"
#include "worker/session/backoff.h"

namespace triarch {

// Where finished games wait when there are too many of them for memory: files, or in simulation
// something that fails at will. Put and Take are called by one thread at a time, which may be
// another than that which calls Drop meanwhile, of another number.
class Spill {
 public:
  virtual ~Spill() = default;
  // Keeps the games; they are found again under the number. ResourceExhausted: the disk is full.
  virtual absl::StatusOr<int64_t> Put(const std::vector<GameRecord>& games) = 0;
  // Gives them back and forgets them. DataLoss: they cannot be read any more.
  virtual absl::StatusOr<std::vector<GameRecord>> Take(int64_t number) = 0;
  virtual void Drop(int64_t number) = 0;
};

// What a worker has to play and to report: its leases, as a state machine without clock, thread or
// network. Playing never waits for the coordinator: new leases are wanted before the old ones are
// played out, and finished games are held until their report is answered: the oldest in memory, the
// newest of many in the spill. Only when both are full is nothing more given out.
//
// A report is as large as the link has been seen to carry. Over a slow one a large report misses
// its deadline, and the heartbeats that wait behind it come too late: the leases run out, the games
// are stale, and the next ones fare no better. So reports begin small, double while they get
// through quickly, and are halved when a heartbeat had to wait beside one. (That a report is
// answered late says nothing by itself: it waits for the store too, and smaller ones would wait as
// long. A connection of their own would help the heartbeats, which share the link all the same, but
// not the reports.)
//
// Games of self-play wait until there are enough samples for a shard, or their lease is played out:
// what is reported at once is what a shard holds, however large that is.
class LeaseQueue {
 public:
  using Time = std::chrono::steady_clock::time_point;

  static constexpr int64_t kBytesPerPly = 100;  // at most, about; a third of that in the spill

  struct Options {
    int64_t slots = 1;
    std::chrono::milliseconds ahead{3'000};  // so much play there should be before it runs dry
    std::chrono::milliseconds report_after{1'000};  // a finished game waits no longer
    int64_t report_plies = 100'000;      // nor do so many plies; about what one report has at most
    int64_t report_plies_first = 1'000;  // and about what the first has
    // A report that is not answered for so long is too large, and so is one beside which a
    // heartbeat waits for so long, or for a quarter of its lease: neither may calls miss their
    // deadlines (a heartbeat's is twice that, a report's longer) nor leases run out.
    std::chrono::milliseconds slow{5'000};
    int64_t memory_plies_max = 2'000'000;  // held in memory, of kBytesPerPly
    int64_t spill_plies_max = 50'000'000;  // and beside that in the spill
    Backoff::Limits retry = {};            // waits between attempts that failed
    uint64_t seed = 1;                     // of the jitter of retries
  };

  LeaseQueue(const Options& options, WorkerId worker, std::unique_ptr<Spill> spill);

  // ---- From the coordinator.
  // Of self-play a shard is to have about so many samples; 0: the games give none.
  void Add(const Lease& lease, Time now, int64_t shard_samples = 0);
  // The lease is over: nothing of it is played or reported any more. Unknown tokens are passed
  // over.
  void Cancel(uint64_t token);

  // ---- For the slots.
  struct Order {
    uint64_t token = 0;
    int64_t tournament = 0;
    int64_t index = 0;
  };
  // The next game to play; empty if there is none, or no room for its record.
  std::optional<Order> Next();
  // It was played; the record of a cancelled lease is dropped.
  void Finish(const Order& order, GameRecord record, Time now);
  // It was not played to its end: it is given out again, unless its lease is over.
  void Abandon(const Order& order);
  // Whether the game of the order need not be played on.
  bool IsOver(const Order& order) const;

  // ---- What is to be said.
  bool WantsLease(Time now) const;
  // A report that is due: games of one lease, also from the spill. It is under way until it is
  // answered; there is one at a time. Null if nothing is due, or what is due must come from the
  // spill first.
  const Report* NextReport(Time now);
  // The tournament of the report under way, if its samples must be in a shard first: SetShard.
  std::optional<int64_t> WantsShard() const;
  // Of the report under way: its samples are in that shard, and gone from the games. Only now it is
  // sent.
  void SetShard(const ShardEntry& shard, Time now);
  // Of the report under way: no shard could be stored. It is under way no longer, and due again
  // later; those of other leases need not wait for that.
  void OnNoShard(Time now);
  // ---- The spill. It takes its time, so the queue does not wait for it: whoever drives the queue
  // asks for what is to be done, does it, and says that it is done. One at a time.
  class Transfer {
   public:
    // Needs nothing of the queue, and takes long.
    void Run();

   private:
    friend class LeaseQueue;
    Spill* spill_ = nullptr;
    bool is_put_ = false;            // else games are taken from there
    std::vector<GameRecord> games_;  // gone when they are put; taken
    std::optional<int64_t> number_;  // found again under
    absl::Status status_;
  };
  // Empty if there is nothing to do, or one is under way. Finish and NextReport may make something
  // to do.
  std::optional<Transfer> NextTransfer();
  // It was run. A report may be due, and games may be open again.
  void OnTransferEnd(Transfer transfer);

  // From now on nothing waits to become more.
  void Flush() { is_flushing_ = true; }
  // When NextReport is worth asking again; empty if only something new changes that.
  std::optional<Time> ReportDue() const;
  // The one under way. Requires: there is one.
  const Report& report() const { return *report_; }
  // The answer to the report under way. No reply at all (a lost connection) is kRetry.
  void OnReply(const ReportReply& reply, Time now);
  // It is under way until it is answered, or will not be; there is one at a time.
  HeartbeatRequest MakeHeartbeat(Time now);
  void OnHeartbeatEnd(Time now);

  // ---- What there is to see.
  bool is_idle() const { return leases_.empty(); }  // nothing to play and nothing held
  bool is_full() const;                             // no room: Next gives nothing
  // Why the spill takes nothing now; ok if it does.
  const absl::Status& spill_status() const { return spill_status_; }
  int64_t games_open() const;  // leased and not given out yet
  int64_t games_held() const;
  int64_t games_recorded() const { return games_recorded_; }
  int64_t games_lost() const { return games_lost_; }  // stale, rejected, or of a lease that ended
  std::vector<uint64_t> tokens() const;
  std::set<int64_t> tournaments() const;  // of its leases

 private:
  // Finished games of one lease that are reported together.
  struct Batch {
    std::vector<GameRecord> games;   // empty while they are in the spill
    std::optional<int64_t> spilled;  // their number there
    std::vector<int64_t> indices;
    std::optional<ShardEntry> shard;  // that has their samples
    int64_t samples = 0;
    int64_t game_plies = 0;
    int64_t plies = 0;  // what all of it weighs, in plies
    Time since;         // when the first of them was finished
  };
  struct Entry {
    Lease lease;
    int64_t shard_samples = 0;       // 0: no self-play
    int64_t next = 0;                // the first index never given out
    std::deque<int64_t> given_back;  // of those that were, to be given out again
    int64_t in_flight = 0;
    std::deque<Batch> held;  // the oldest first
    int64_t finished = 0;
    int64_t finished_plies = 0;
    Time shard_at;  // not before this another shard is tried
    Backoff shard_backoff;

    bool is_played_out() const {
      return next == lease.games.last && given_back.empty() && in_flight == 0;
    }
  };

  bool IsDue(const Entry& entry, Time now) const;
  bool IsWhole(const Entry& entry, const Batch& batch) const;
  // Whether the batch is in the spill, or on its way there or from there.
  bool IsAway(const Batch& batch) const { return batch.spilled || &batch == moving_; }
  // Of the oldest held games of the lease. Requires: they are not away.
  void FillReport(Entry& entry);
  // The report is to be sent again, as one of those that are held.
  void HoldReport(Entry& entry);
  // The heartbeat under way has waited until now, beside the report if there is one.
  void NoteWait(Time now);
  // What the report's answer says of the link.
  void LearnFrom(ReportOutcome outcome, Time now);
  void Hold(Entry& entry, GameRecord record, Time now);
  // Whether memory has no more room beside what is on its way.
  bool MustWait() const;
  // The batch that goes to the spill next; null if none does.
  Batch* NextToSpill();
  void OnPut(Transfer transfer);
  void OnTaken(Transfer transfer);
  void DropHeld(Entry& entry);

  const Options options_;
  const WorkerId worker_;
  const std::unique_ptr<Spill> spill_;  // null: there is none
  Random random_;

  std::map<uint64_t, Entry> leases_;  // by token, so by age
  std::optional<Report> report_;      // under way
  bool is_flushing_ = false;
  int64_t report_plies_ = 0;
  Time report_since_;                 // when the first of its games was finished
  std::optional<Time> report_began_;  // to be sent; empty while its shard is made
  bool is_report_dropped_ = false;    // its lease ended meanwhile
  int64_t report_plies_max_;          // by what the link has been seen to carry
  std::optional<Time> beat_began_;    // of the heartbeat under way
  Time::duration beat_wait_{0};       // the longest of a heartbeat beside the report
  std::chrono::milliseconds ttl_{0};  // of the newest lease
  Time retry_at_;
  Backoff backoff_;

  int64_t memory_plies_ = 0;  // held in memory, the report's too
  int64_t spill_plies_ = 0;
  absl::Status spill_status_;
  bool is_transferring_ = false;
  Batch* moving_ = nullptr;  // by the transfer under way; null: its lease has ended
  std::optional<uint64_t>
      wanted_;  // the lease whose oldest games come from the spill, or just have
  int64_t games_recorded_ = 0;
  int64_t games_lost_ = 0;

  RateMeter rate_{std::chrono::seconds(1)};  // of finished games
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_LEASE_QUEUE_H_
