// Saves what the session decides: its notes, its progress and its self-play runs.

#ifndef TRIARCH_COORDINATOR_SERVICE_SESSION_WRITER_H_
#define TRIARCH_COORDINATOR_SERVICE_SESSION_WRITER_H_

#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "coordinator/service/coordinator_metrics.h"
#include "coordinator/service/data_publisher.h"
#include "coordinator/service/shared_session.h"
#include "coordinator/service/store_thread.h"
#include "coordinator/store/store.h"

namespace triarch {

// Thread-safe. Never waits for the store. Must outlive the tasks that it posts to `writer`.
class SessionWriter {
 public:
  // `adds_follow_ups` is false in `triarch run`, which plays the test that confirms its tuning
  // itself.
  SessionWriter(bool adds_follow_ups, SharedSession& shared, StoreThread& writer,
                DataPublisher& data, CoordinatorMetrics& metrics)
      : adds_follow_ups_(adds_follow_ups),
        shared_(shared),
        writer_(writer),
        data_(data),
        metrics_(metrics) {}

  // Adds a stored tournament to the session.
  absl::Status AddTournament(StoredTournament stored, const RangeSet& recorded,
                             const std::vector<ShardEntry>& shards, EarlierResults earlier)
      ABSL_LOCKS_EXCLUDED(shared_.mutex);

  // Post what has changed since the last call: leases, workers and audits; new matches and ends of
  // tournaments; the state of self-play runs.
  void SaveNotes() ABSL_LOCKS_EXCLUDED(shared_.mutex);
  void SaveProgress() ABSL_EXCLUSIVE_LOCKS_REQUIRED(shared_.mutex);
  void PublishChangedRuns() ABSL_EXCLUSIVE_LOCKS_REQUIRED(shared_.mutex);

 private:
  void SaveAudits(AuditNotes notes);
  // Adds the tournament that follows another one to the store and the session, with the precedence
  // of that one.
  absl::Status AddFollowUp(Store& store, const TournamentSpec& spec, const Precedence& precedence)
      ABSL_LOCKS_EXCLUDED(shared_.mutex);

  const bool adds_follow_ups_;
  SharedSession& shared_;
  StoreThread& writer_;
  DataPublisher& data_;
  CoordinatorMetrics& metrics_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_SESSION_WRITER_H_
