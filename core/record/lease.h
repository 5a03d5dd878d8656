#ifndef TRIARCH_CORE_RECORD_LEASE_H_
#define TRIARCH_CORE_RECORD_LEASE_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/range_set.h"
#include "core/record/game_record.h"
#include "core/record/shard_entry.h"

// What coordinator and workers say to each other, as values: the same in one process, over the
// network and in simulation.
namespace triarch {

// The wire's version. A worker of another one is refused.
inline constexpr int64_t kProtocol = 1;

// A bot type that a worker can seat.
struct HostedBot {
  std::string type;    // "paranoid"
  std::string digest;  // equal digests play equally; those of one tournament must agree
  int64_t abi = 0;     // of the plugin interface; 0 for bundled bots

  friend bool operator==(const HostedBot&, const HostedBot&) = default;
};

// Who a worker is. Two processes are two workers even under one name: `instance` is drawn at their
// start.
struct WorkerId {
  std::string name;
  uint64_t instance = 0;

  friend auto operator<=>(const WorkerId&, const WorkerId&) = default;
};

struct WorkerInfo {
  WorkerId id;
  int64_t slots = 1;               // games at a time
  std::vector<std::string> games;  // whose rules it knows
  std::vector<HostedBot> bots;
  std::string build;  // what it was built from
};

// The right to play games of a tournament until a deadline that heartbeats move on. The fencing
// token is never given twice, not by another coordinator either.
struct Lease {
  int64_t tournament = 0;
  Range games;
  uint64_t token = 0;
  std::chrono::milliseconds ttl{0};  // it ends so long after it was given or last renewed
};

// What a worker that asked for games is told.
struct LeaseReply {
  std::optional<Lease> lease;
  std::chrono::milliseconds retry{0};  // without a lease: ask again after this
};

// How far a worker is with a lease.
struct LeaseProgress {
  uint64_t token = 0;
  int64_t games = 0;  // finished, reported or not
  int64_t plies = 0;  // of these
};

struct HeartbeatRequest {
  WorkerId worker;
  int64_t busy_slots = 0;
  int64_t games_held = 0;  // finished and not yet acknowledged
  double cpu_seconds = 0;  // of the process since its start
  std::vector<LeaseProgress> leases;
};

struct HeartbeatReply {
  std::vector<uint64_t> cancelled;    // of the leases named: stop playing them, report no more
  std::chrono::milliseconds next{0};  // the next one is wanted after this
  std::chrono::milliseconds slow{0};  // report no more often than this; 0: as you like
};

// Finished games of one lease.
struct Report {
  WorkerId worker;
  uint64_t token = 0;
  std::vector<GameRecord> games;
  std::optional<ShardEntry> shard = {};  // of self-play: all samples of these games, and no others
  bool is_last = false;                  // the lease is played out: nothing more comes
};

// Some bytes of a bundle's tar.
struct BundlePart {
  int64_t size = 0;  // of the whole
  std::string bytes;
};

enum class ReportOutcome : uint8_t {
  kRecorded,  // all are in the store, by this report or an earlier one
  kStale,     // the lease was over; nothing was recorded
  kRejected,  // a game was false; nothing was recorded
  kRetry,     // not now
};

// What became of a report. Whatever it is but kRetry, the worker forgets those games.
struct ReportReply {
  ReportOutcome outcome = ReportOutcome::kRecorded;
  std::string why;                     // of kRejected and kRetry
  bool is_cancelled = false;           // stop playing this lease
  std::chrono::milliseconds retry{0};  // of kRetry
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_LEASE_H_
