#include "coordinator/service/report_pipeline.h"

#include <chrono>
#include <string>
#include <utility>

#include "coordinator/service/held_text.h"
#include "coordinator/service/replay_games.h"
#include "core/record/audit_text.h"
#include "core/schedule/schedule.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

struct ReportPipeline::Pending : PendingReport {
  Done done;
  std::shared_ptr<const Schedule> schedule = nullptr;
  std::vector<PlannedMatch> matches = {};  // of its games, if they are planned
  std::string label = "";                  // label of the tournament's metrics
  int64_t games = 0;  // reported games, or new games once the report is accepted
};

void ReportPipeline::Add(Report report, Done done) {
  auto pending = std::make_shared<Pending>();
  pending->report = std::move(report);
  pending->done = std::move(done);
  pending->games = static_cast<int64_t>(pending->report.games.size());
  ReportStep step;
  {
    MutexLock lock(&shared_.mutex);
    step = shared_.session.Accept(*pending, Clock::now());
    if (step.next == ReportStep::Next::kReplay) Prepare(*pending);
    parts_.session_writer.PublishChangedRuns();
  }
  Continue(std::move(pending), step);
}

void ReportPipeline::Prepare(Pending& pending) {
  pending.games = static_cast<int64_t>(pending.report.games.size());
  pending.schedule = shared_.schedules.at(pending.tournament);
  pending.matches = shared_.session.MatchesOf(pending);
  pending.label = shared_.session.Get(pending.tournament).label();
}

void ReportPipeline::Continue(std::shared_ptr<Pending> pending, const ReportStep& step) {
  switch (step.next) {
    case ReportStep::Next::kReplay:
      return parts_.replays.Post([this, pending = std::move(pending)] { Replay(pending); });
    case ReportStep::Next::kRecord:
      return Record(std::move(pending));
    case ReportStep::Next::kCompare:
      return Compare(std::move(pending));
    case ReportStep::Next::kAnswer:
      return Answer(*pending, step);
  }
}

// Runs on a replay thread.
void ReportPipeline::Replay(std::shared_ptr<Pending> pending) {
  const Clock::time_point began = Clock::now();
  const absl::Status status =
      ReplayGames(*pending->schedule, pending->matches, trusts_workers_, pending->report.games);
  parts_.metrics.Replayed(pending->games, pending->plies, Clock::now() - began, status.ok());
  ReportStep step;
  {
    MutexLock lock(&shared_.mutex);
    step = shared_.session.OnReplayed(*pending, status, Clock::now());
    parts_.session_writer.PublishChangedRuns();
  }
  Continue(std::move(pending), step);
}

void ReportPipeline::Record(std::shared_ptr<Pending> pending) {
  RecordBatch batch = TakeBatch(*pending);
  if (batch.held) batch.held->report = HeldText(batch.games, batch.shard);
  batch.done = [this, pending = std::move(pending)](const absl::Status& status,
                                                    const std::vector<GameRecord>& games) {
    ReportStep step;
    {
      MutexLock lock(&shared_.mutex);
      step = shared_.session.OnRecorded(*pending, status, games, Clock::now());
      parts_.session_writer.PublishChangedRuns();
      parts_.session_writer.SaveProgress();
    }
    if (status.ok() && !pending->is_repeated() && !pending->held) {
      parts_.metrics.GamesRecorded(pending->label, games);
      if (pending->report.shard) parts_.metrics.ShardRecorded(*pending->report.shard);
    }
    Answer(*pending, step);
  };
  parts_.recorder.Add(std::move(batch));
}

void ReportPipeline::Answer(Pending& pending, const ReportStep& step) {
  if (step.is_stray) parts_.data.NoteStray(pending.report.shard->shard);
  if (pending.confirms != 0) return;  // no worker waits for it
  if (step.answer.ok()) {
    parts_.metrics.Reported(step.answer->outcome, pending.games, pending.duplicates);
  }
  pending.done(step.answer);
}

// ---- Audits.

void ReportPipeline::Compare(std::shared_ptr<Pending> pending) {
  parts_.reader.Post([this, pending = std::move(pending)](Store& store) {
    const GameRecord& played = pending->report.games.front();
    const absl::StatusOr<GameRecord> reported =
        ReadHeldGame(store, pending->audited, *pending->schedule, pending->matches, played.index);
    const std::string reported_text = reported.ok() ? AuditText(*reported) : "";
    const std::string played_text = AuditText(played);
    ReportStep step;
    {
      MutexLock lock(&shared_.mutex);
      step = shared_.session.OnCompared(*pending, reported.status(), reported_text, played_text,
                                        Clock::now());
    }
    Answer(*pending, step);
  });
}

void ReportPipeline::RecordConfirmed(const std::vector<int64_t>& reports) {
  for (const int64_t report : reports) {
    parts_.reader.Post([this, report](Store& store) { Confirm(store, report); });
  }
}

void ReportPipeline::Confirm(Store& store, int64_t report) {
  {
    MutexLock lock(&shared_.mutex);
    if (shared_.session.Postpone(report)) return;
  }
  absl::StatusOr<Report> held = ReadHeld(store, report);
  auto pending = std::make_shared<Pending>();
  pending->confirms = report;
  ReportStep step;
  {
    MutexLock lock(&shared_.mutex);
    if (!held.ok()) return shared_.session.OnConfirmedLost(report, held.status());
    pending->report = *std::move(held);
    step = shared_.session.AcceptConfirmed(*pending);
    if (step.next == ReportStep::Next::kReplay) Prepare(*pending);
  }
  Continue(std::move(pending), step);
}

}  // namespace triarch
