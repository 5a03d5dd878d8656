// Takes workers' reports from their arrival to their answer.

#ifndef TRIARCH_COORDINATOR_SERVICE_REPORT_PIPELINE_H_
#define TRIARCH_COORDINATOR_SERVICE_REPORT_PIPELINE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "coordinator/service/coordinator_metrics.h"
#include "coordinator/service/data_publisher.h"
#include "coordinator/service/executor.h"
#include "coordinator/service/recorder.h"
#include "coordinator/service/session_writer.h"
#include "coordinator/service/shared_session.h"
#include "coordinator/service/store_thread.h"
#include "coordinator/store/store.h"
#include "core/record/lease.h"

namespace triarch {

// Accept, replay, then record, hold or compare, then answer: the session decides on each step, and
// this class performs it on the thread that the step needs. Thread-safe. Must outlive its tasks on
// the parts.
class ReportPipeline {
 public:
  struct Parts {
    SharedSession& session;
    SessionWriter& session_writer;
    StoreThread& reader;
    Executor& replays;
    Recorder& recorder;
    DataPublisher& data;
    CoordinatorMetrics& metrics;
  };
  using Done = std::function<void(const absl::StatusOr<ReportReply>&)>;

  // `trusts_workers` is for workers in this process: their games are not replayed in full.
  ReportPipeline(bool trusts_workers, const Parts& parts)
      : trusts_workers_(trusts_workers), parts_(parts), shared_(parts.session) {}

  // Calls `done` once, on any thread, possibly before returning.
  void Add(Report report, Done done) ABSL_LOCKS_EXCLUDED(shared_.mutex);
  // Reads the held reports whose games count now and records them.
  void RecordConfirmed(const std::vector<int64_t>& reports);

 private:
  struct Pending;  // a report being processed

  // Finds what is needed to replay an accepted report.
  void Prepare(Pending& pending) ABSL_EXCLUSIVE_LOCKS_REQUIRED(shared_.mutex);
  // Perform the session's next step for a report.
  void Continue(std::shared_ptr<Pending> pending, const ReportStep& step);
  void Replay(std::shared_ptr<Pending> pending) ABSL_LOCKS_EXCLUDED(shared_.mutex);
  void Record(std::shared_ptr<Pending> pending);
  void Compare(std::shared_ptr<Pending> pending);
  void Answer(Pending& pending, const ReportStep& step);
  void Confirm(Store& store, int64_t report) ABSL_LOCKS_EXCLUDED(shared_.mutex);

  const bool trusts_workers_;
  const Parts parts_;
  SharedSession& shared_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_REPORT_PIPELINE_H_
