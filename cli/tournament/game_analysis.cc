#include "cli/tournament/game_analysis.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_format.h"
#include "cli/interrupt.h"
#include "core/base/check.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"
#include "core/game/outcome.h"
#include "core/record/game_steps.h"
#include "core/record/material.h"

namespace triarch {
namespace {

constexpr int64_t kOpeningPercent = 85;
constexpr int64_t kEndingPercent = 45;

int64_t TotalMaterial(const AnyState& state) {
  const PerSeat<int64_t> material = MaterialOf(state);
  return std::accumulate(material.begin(), material.end(), int64_t{0});
}

absl::StatusOr<Phase> PhaseAt(const AnyState& state) {
  ASSIGN_OR_RETURN(const AnyState start, AnyState::Start(state.info().name, ""));
  return PhaseOf(TotalMaterial(state), TotalMaterial(start));
}

std::string TextOf(const Assessment& best) {
  RecordedEvent event;
  switch (best.kind) {
    case Decision::Kind::kMove:
      return best.move;
    case Decision::Kind::kClaimDraw:
      event.kind = RecordedEvent::Kind::kClaimDraw;
      return EventText(event);
    default:
      event.kind = RecordedEvent::Kind::kResign;
      return EventText(event);
  }
}

// Compares the best move with the one that was played.
absl::Status CompareMoves(const GamePoint& point, const Assessment& best,
                          const RecordedEvent& event, Analyst& analyst, EventAnalysis* analysis) {
  if (best.move == event.move.text()) {
    analysis->after = analysis->before;
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(analysis->after, analyst.PointsAfter(point, event.move.text()));
  if (best.kind != Decision::Kind::kMove) return absl::OkStatus();
  // Both moves are weighed in the same way, since a longer look at one alone would be unfair.
  ASSIGN_OR_RETURN(analysis->before, analyst.PointsAfter(point, best.move));
  return absl::OkStatus();
}

// Returns the points after a resignation, a forfeit or a claim.
absl::StatusOr<PerSeat<double>> PointsAfterLeaving(const GameRecord& record, size_t number,
                                                   const GamePoint& point, Analyst& analyst) {
  AnyState after = point.state;
  RETURN_IF_ERROR(PlayEvent(record.events[number], &after));
  if (after.outcome()) return Points(after.outcome()->place, after.info().seats);
  ASSIGN_OR_RETURN(const GamePoint next, PointBefore(record, number + 1));
  ASSIGN_OR_RETURN(const Assessment assessment, analyst.Assess(next));
  return assessment.points;
}

// Works through the tasks in several threads.
class AnalysisRun {
 public:
  AnalysisRun(const std::vector<AnalysisTask>& tasks, std::atomic<bool>* stop)
      : tasks_(tasks), stop_(*stop), results_(tasks.size()) {}

  // Analyses one task after the other until none is left.
  void Work(Analyst& analyst) {
    while (!stop_) {
      const size_t number = next_++;
      if (number >= tasks_.size()) break;
      auto result = AnalyzeEvent(*tasks_[number].record, tasks_[number].event, analyst);
      if (result.ok()) {
        results_[number] = *std::move(result);
        ++done_;
      } else {
        Fail(*tasks_[number].record, result.status());
      }
    }
    --working_;
  }

  void Begin(size_t threads) { working_ = threads; }
  bool is_over() const { return working_ == 0; }
  size_t done() const { return done_; }
  absl::Status status() const {
    MutexLock lock(&mutex_);
    return status_;
  }
  std::vector<std::optional<EventAnalysis>> TakeResults() { return std::move(results_); }

 private:
  void Fail(const GameRecord& record, const absl::Status& status) {
    stop_ = true;
    if (absl::IsCancelled(status)) return;
    MutexLock lock(&mutex_);
    status_.Update(absl::Status(
        status.code(), absl::StrFormat("game %d.%d, %s", record.match + 1, record.index + 1,
                                       std::string(status.message()))));
  }

  const std::vector<AnalysisTask>& tasks_;
  std::atomic<bool>& stop_;
  std::vector<std::optional<EventAnalysis>> results_;  // each is written by one thread
  std::atomic<size_t> next_ = 0;
  std::atomic<size_t> done_ = 0;
  std::atomic<size_t> working_ = 0;
  mutable Mutex mutex_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

std::string_view ToString(Phase phase) {
  switch (phase) {
    case Phase::kOpening:
      return "opening";
    case Phase::kMiddle:
      return "middle";
    case Phase::kEnding:
      return "ending";
  }
  return "";
}

Phase PhaseOf(int64_t material, int64_t at_start) {
  if (100 * material > kOpeningPercent * at_start) return Phase::kOpening;
  return 100 * material < kEndingPercent * at_start ? Phase::kEnding : Phase::kMiddle;
}

absl::StatusOr<EventAnalysis> AnalyzeEvent(const GameRecord& record, size_t number,
                                           Analyst& analyst) {
  CHECK(number < record.events.size());
  const RecordedEvent& event = record.events[number];
  ASSIGN_OR_RETURN(const GamePoint point, PointBefore(record, number));
  ASSIGN_OR_RETURN(const Phase phase, PhaseAt(point.state));
  ASSIGN_OR_RETURN(const Assessment best, analyst.Assess(point));
  EventAnalysis analysis{.round = point.state.move_number(),
                         .phase = phase,
                         .best = TextOf(best),
                         .line = best.line,
                         .before = best.points};
  for (size_t i = 0; i < number; ++i) {
    if (record.events[i].kind == RecordedEvent::Kind::kMove) ++analysis.ply;
  }
  if (event.kind == RecordedEvent::Kind::kMove) {
    RETURN_IF_ERROR(CompareMoves(point, best, event, analyst, &analysis));
  } else {
    ASSIGN_OR_RETURN(analysis.after, PointsAfterLeaving(record, number, point, analyst));
  }
  analysis.loss = std::max(0.0, analysis.before[event.seat] - analysis.after[event.seat]);
  return analysis;
}

absl::StatusOr<std::vector<std::optional<EventAnalysis>>> Analyze(
    const std::vector<AnalysisTask>& tasks, const AnalysisSettings& settings,
    const std::function<bool(size_t done)>& look) {
  if (tasks.empty()) return std::vector<std::optional<EventAnalysis>>();
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(tasks.front().record->game));
  std::atomic<bool> stop = false;
  std::vector<std::unique_ptr<Analyst>> analysts;
  for (size_t i = 0; i < std::min(settings.slots, tasks.size()); ++i) {
    ASSIGN_OR_RETURN(Player player, settings.make_player(*info, settings.analyst));
    analysts.push_back(std::make_unique<Analyst>(settings.analyst, std::move(player), &stop));
  }
  AnalysisRun run(tasks, &stop);
  run.Begin(analysts.size());
  std::vector<std::thread> threads;
  for (const std::unique_ptr<Analyst>& analyst : analysts) {
    threads.emplace_back([&run, judge = analyst.get()] { run.Work(*judge); });
  }
  while (!run.is_over()) {
    if (!look(run.done())) stop = true;
    std::this_thread::sleep_for(kSignalPoll);
  }
  for (std::thread& thread : threads) thread.join();
  RETURN_IF_ERROR(run.status());
  return run.TakeResults();
}

}  // namespace triarch
