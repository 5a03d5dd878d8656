// Describes a report in progress in the coordinator and the next step for it.

#ifndef TRIARCH_COORDINATOR_SESSION_REPORT_STEP_H_
#define TRIARCH_COORDINATOR_SESSION_REPORT_STEP_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/leases/worker_book.h"
#include "coordinator/session/record_queue.h"
#include "coordinator/store/stored.h"
#include "core/record/lease.h"

namespace triarch {

// The driver fills in `report`; the session owns the rest.
struct PendingReport {
  enum class Stage : uint8_t { kNew, kReplaying, kRecording, kComparing };

  Report report;  // once accepted, contains only unrecorded games
  int64_t tournament = 0;
  std::vector<int64_t> indices;  // indices of the report's games
  int64_t plies = 0;
  int64_t bytes = 0;                     // of memory that its games take
  int64_t duplicates = 0;                // games that were recorded before
  std::vector<std::string> bot_digests;  // see RecordBatch::bot_digests
  Stage stage = Stage::kNew;
  WorkerOwner owner;
  // If not 0, the report answers this audit, which plays a game of `audited` again.
  int64_t audit = 0;
  int64_t audited = 0;                    // a held report
  std::optional<StoredReport> held = {};  // set if the report is to be held, not recorded
  int64_t confirms = 0;                   // the held report that this is; 0 if from a worker

  // Returns whether the shard was recorded before, so that it does not count again.
  bool is_repeated() const { return report.shard.has_value() && duplicates > 0; }
};

// Moves the games out of a report that will be recorded. The caller sets the batch's `done`.
inline RecordBatch TakeBatch(PendingReport& pending) {
  return {.tournament = pending.tournament,
          .games = std::move(pending.report.games),
          .shard = pending.report.shard,
          .bot_digests = pending.bot_digests,
          .held = pending.held,
          .done = nullptr};
}

// The driver's next step for a report.
struct ReportStep {
  enum class Next : uint8_t {
    kReplay,   // replay its games, then call OnReplayed
    kRecord,   // record or hold them with `bot_digests`, then call OnRecorded
    kCompare,  // compare its game with that of `audited`, then call OnCompared
    kAnswer,   // answer the worker
  };
  Next next = Next::kAnswer;
  absl::StatusOr<ReportReply> answer = ReportReply{};
  bool is_stray = false;  // it has a shard that does not count
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SESSION_REPORT_STEP_H_
