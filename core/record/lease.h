// Defines the messages between coordinator and workers as values.

#ifndef TRIARCH_CORE_RECORD_LEASE_H_
#define TRIARCH_CORE_RECORD_LEASE_H_

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/range_set.h"
#include "core/record/game_record.h"
#include "core/record/planned_match.h"
#include "core/record/shard_entry.h"

// They are the same in one process, over the network and in simulation.
namespace triarch {

// The protocol version. Workers with another version are refused.
inline constexpr int64_t kProtocol = 1;

// A bot type that a worker can run.
struct HostedBot {
  std::string type;    // "paranoid"
  std::string digest;  // bots with equal digests play alike; a tournament needs one digest per type
  int64_t abi = 0;     // version of the plugin interface; 0 for bundled bots

  friend bool operator==(const HostedBot&, const HostedBot&) = default;
};

// Identifies a worker process. Two processes with the same name differ in `instance`, drawn at
// start.
struct WorkerId {
  std::string name;
  uint64_t instance = 0;

  friend auto operator<=>(const WorkerId&, const WorkerId&) = default;
};

struct WorkerInfo {
  WorkerId id;
  int64_t slots = 1;               // number of games it can play in parallel
  std::vector<std::string> games;  // the games it knows
  std::vector<HostedBot> bots;
  std::string build;  // the build's identity
};

// The right to play games of a tournament until a deadline, which heartbeats extend. No two leases
// have the same fencing token, not even from different coordinators.
struct Lease {
  int64_t tournament = 0;
  Range games;
  uint64_t token = 0;
  std::chrono::milliseconds ttl{0};  // time to live since it was granted or renewed
  // The matches of its games, if the tournament's matches are planned. Only workers get them.
  std::vector<PlannedMatch> matches = {};
};

// The answer to a worker that requests games.
struct LeaseReply {
  std::optional<Lease> lease;
  std::chrono::milliseconds retry{0};  // if there is no lease, when to ask again
};

// A worker's progress with a lease.
struct LeaseProgress {
  uint64_t token = 0;
  int64_t games = 0;  // finished games, reported or not
  int64_t plies = 0;  // plies of these games
};

// A game that a slot is playing, to be watched. It is unconfirmed: the worker may report anything.
struct LiveReport {
  uint64_t token = 0;  // of its lease
  GameRecord game;     // its index and the events so far, without evaluations; not finished
};
// Limits on what a heartbeat carries. What exceeds them is left out.
inline constexpr size_t kLiveGamesMax = 16;
inline constexpr size_t kLiveBytesMax = 16 << 10;  // of a game on the wire; 1200 plies take 12 kB

struct HeartbeatRequest {
  WorkerId worker;
  int64_t busy_slots = 0;
  int64_t games_held = 0;  // finished but not acknowledged
  double cpu_seconds = 0;  // of the process since it started
  std::vector<LeaseProgress> leases;
  std::vector<LiveReport> live = {};  // at most one for each slot, and only while someone watches
};

struct HeartbeatReply {
  std::vector<uint64_t> cancelled;    // leases to stop playing and reporting
  std::chrono::milliseconds next{0};  // time until the next heartbeat
  std::chrono::milliseconds slow{0};  // minimum time between reports; 0 means none
  bool is_watched = false;            // whether to send games in progress with the next heartbeat
};

// Finished games of one lease.
struct Report {
  WorkerId worker;
  uint64_t token = 0;
  std::vector<GameRecord> games;
  std::optional<ShardEntry> shard = {};  // self-play: exactly the samples of these games
  bool is_last = false;                  // the last report of this lease
};

// A part of a bundle's tar.
struct BundlePart {
  int64_t size = 0;  // of the whole tar
  std::string bytes;
};

enum class ReportOutcome : uint8_t {
  kRecorded,  // all games are in the store, from this report or an earlier one
  kStale,     // the lease had ended; nothing was recorded
  kRejected,  // a game was invalid; nothing was recorded
  kRetry,     // try again later
};

// Names for metrics, by outcome.
inline constexpr std::array<std::string_view, 4> kReportOutcomes = {"recorded", "stale", "rejected",
                                                                    "retry"};
constexpr std::string_view ToString(ReportOutcome outcome) {
  return kReportOutcomes[static_cast<size_t>(outcome)];
}

// The answer to a report. Unless it is kRetry, the worker drops these games.
struct ReportReply {
  ReportOutcome outcome = ReportOutcome::kRecorded;
  std::string why;                     // for kRejected and kRetry
  bool is_cancelled = false;           // stop playing this lease
  std::chrono::milliseconds retry{0};  // for kRetry: how long to wait
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_LEASE_H_
