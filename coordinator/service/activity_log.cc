#include "coordinator/service/activity_log.h"

#include <string_view>

namespace triarch {
namespace {

std::string_view MessageOf(TournamentState state) {
  switch (state) {
    case TournamentState::kActive:
      return "A tournament is active again.";
    case TournamentState::kPaused:
      return "A tournament is paused.";
    case TournamentState::kCancelled:
      return "A tournament is cancelled.";
    case TournamentState::kDone:
      return "A tournament is done.";
  }
  return "";
}

LogEntry EntryOf(const TournamentCounts& counts, std::string_view message) {
  return {.event = "tournament",
          .message = message,
          .fields = {{"tournament", counts.id},
                     {"name", counts.label.substr(counts.label.find(' ') + 1)},
                     {"games", counts.games},
                     {"recorded", counts.done}}};
}

LogEntry EntryOf(const WorkerView& view, std::string_view message) {
  return {.event = "worker",
          .message = message,
          .fields = {{"worker", view.info.id.name},
                     {"owner", view.owner},
                     {"slots", view.info.slots},
                     {"build", view.info.build}}};
}

LogEntry GoneEntry(const std::string& name, std::chrono::milliseconds last_seen) {
  return {.event = "worker",
          .message = "A worker has left, or is silent.",
          .fields = {{"worker", name}, {"silent_ms", last_seen.count()}}};
}

}  // namespace

void ActivityLog::NoteTournaments(std::span<const TournamentCounts> tournaments) {
  std::map<int64_t, TournamentState> now;
  for (const TournamentCounts& counts : tournaments) {
    now[counts.id] = counts.state;
    NoteAudits(counts);
    if (!tournaments_) continue;
    const auto before = tournaments_->find(counts.id);
    if (before == tournaments_->end()) {
      log_(EntryOf(counts, "A tournament was added."));
    } else if (before->second != counts.state) {
      log_(EntryOf(counts, MessageOf(counts.state)));
    }
  }
  tournaments_ = std::move(now);
}

void ActivityLog::NoteWorkers(std::span<const WorkerView> workers) {
  const bool is_first = !workers_.has_value();
  std::map<std::string, Worker> now;
  for (const WorkerView& view : workers) {
    const std::string& name = view.info.id.name;
    Worker& worker = now[name];
    if (!is_first) {
      const auto before = workers_->find(name);
      NoteWorker(view, before == workers_->end() ? nullptr : &before->second);
      if (before != workers_->end()) worker.refusals = std::move(before->second.refusals);
    }
    worker.id = view.info.id;
    worker.is_alive = view.is_alive;
    worker.last_seen = view.last_seen;
    worker.quarantine = view.quarantine;
    NoteRefusals(view, &worker);
  }
  if (!is_first) {
    for (const auto& [name, before] : *workers_) {
      if (before.is_alive && !now.contains(name)) log_(GoneEntry(name, before.last_seen));
    }
  }
  workers_ = std::move(now);
}

void ActivityLog::NoteWorker(const WorkerView& view, const Worker* before) {
  const bool is_known = before != nullptr && before->id == view.info.id;
  if (view.is_alive && !is_known) {
    log_(EntryOf(view, "A worker registered."));
  } else if (is_known && view.is_alive && !before->is_alive) {
    log_(EntryOf(view, "A worker is back."));
  } else if (is_known && !view.is_alive && before->is_alive) {
    log_(GoneEntry(view.info.id.name, view.last_seen));
  }
  const std::string quarantine = before == nullptr ? "" : before->quarantine;
  if (quarantine == view.quarantine) return;
  if (view.quarantine.empty()) {
    log_(EntryOf(view, "A worker is no longer quarantined."));
    return;
  }
  LogEntry entry = Warning("worker", "A worker is quarantined.", view.quarantine);
  entry.fields.insert(entry.fields.begin(), {"worker", view.info.id.name});
  log_(entry);
}

void ActivityLog::NoteAudits(const TournamentCounts& counts) {
  if (!counts.audits.is_irreproducible || !irreproducible_.insert(counts.id).second) return;
  LogEntry entry = Warning("tournament", "Games differ each time that they are played.",
                           "a bot is not deterministic, so the held games cannot be audited");
  entry.fields.insert(entry.fields.begin(), {{"tournament", counts.id}, {"held", counts.held}});
  log_(entry);
}

// A worker asks again after a while, and is expected to refuse for the same reason.
void ActivityLog::NoteRefusals(const WorkerView& view, Worker* worker) {
  for (const auto& [tournament, why] : view.refusals) {
    std::string& known = worker->refusals[tournament];
    if (known == why) continue;
    known = why;
    LogEntry entry = Warning("worker", "A worker cannot play a tournament.", why);
    entry.fields.insert(entry.fields.begin(),
                        {{"worker", view.info.id.name}, {"tournament", tournament}});
    log_(entry);
  }
}

void ActivityLog::NoteData(int64_t tournament, const absl::Status& status) {
  std::string& known = data_errors_[tournament];
  const std::string why(status.message());
  if (known == why) return;
  known = why;
  LogEntry entry = why.empty()
                       ? LogEntry{.event = "data", .message = "A manifest can be written again."}
                       : Warning("data", "A manifest cannot be written.", why);
  entry.fields.insert(entry.fields.begin(), {"tournament", tournament});
  log_(entry);
}

}  // namespace triarch
