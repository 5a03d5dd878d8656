#include "coordinator/service/operations.h"

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

// Waits until the store has the note about a worker. Fails with Unavailable if it does not get it.
absl::Status AwaitNote(Coordinator& coordinator, int64_t note) {
  // Earlier notes may be on their way already; then the second round takes this one.
  for (int round = 0; round < 2; ++round) {
    coordinator.SaveNotes();
    coordinator.Write([](Store&) { return true; });
  }
  return coordinator.Change([&](CoordinatorSession& session) {
    if (session.worker_notes_saved() >= note) return absl::OkStatus();
    return absl::UnavailableError("done, but the store has not recorded it yet: " +
                                  std::string(session.status().message()));
  });
}

// Returns how many records of that kind were deleted, or would be.
absl::StatusOr<int64_t> PruneAll(Coordinator& coordinator, History what, const std::string& before,
                                 bool is_dry_run) {
  int64_t all = 0;
  while (true) {
    // Others write between two of these.
    const absl::StatusOr<int64_t> rows =
        coordinator.Write([&](Store& store) { return store.Prune(what, before, is_dry_run); });
    RETURN_IF_ERROR(rows.status());
    all += *rows;
    if (is_dry_run || *rows < kPruneRows) return all;
  }
}

absl::StatusOr<std::vector<int64_t>> EndedBefore(Coordinator& coordinator,
                                                 const std::string& before) {
  ASSIGN_OR_RETURN(const std::vector<StoredTournament> all,
                   coordinator.Write([](Store& store) { return store.Tournaments(); }));
  std::vector<int64_t> ids;
  for (const StoredTournament& stored : all) {
    if (!stored.ended.empty() && stored.ended < before) ids.push_back(stored.id);
  }
  return ids;
}

}  // namespace

absl::Status SetPrecedence(Coordinator& coordinator, int64_t tournament,
                           const Precedence& precedence) {
  RETURN_IF_ERROR(coordinator.Tournament(tournament).status());
  RETURN_IF_ERROR(
      coordinator.Write([&](Store& store) { return store.SetPrecedence(tournament, precedence); }));
  coordinator.Change([&](CoordinatorSession& session) {
    session.SetPrecedence(tournament, precedence);
    return true;
  });
  return absl::OkStatus();
}

absl::StatusOr<int64_t> Evict(Coordinator& coordinator, const std::string& worker,
                              const std::string& quarantine) {
  ASSIGN_OR_RETURN(const Eviction eviction, coordinator.Change([&](CoordinatorSession& session) {
    return session.Evict(worker, quarantine, Coordinator::Clock::now());
  }));
  RETURN_IF_ERROR(AwaitNote(coordinator, eviction.note));
  return eviction.leases;
}

absl::Status Unquarantine(Coordinator& coordinator, const std::string& worker) {
  ASSIGN_OR_RETURN(const int64_t note, coordinator.Change([&](CoordinatorSession& session) {
    return session.Unquarantine(worker, Coordinator::Clock::now());
  }));
  return AwaitNote(coordinator, note);
}

absl::StatusOr<Pruned> Prune(Coordinator& coordinator, std::chrono::seconds older_than,
                             bool with_tournaments, bool is_dry_run) {
  const int64_t note = coordinator.Change(
      [](CoordinatorSession& session) { return session.NoteWorkers(Coordinator::Clock::now()); });
  RETURN_IF_ERROR(AwaitNote(coordinator, note));
  const std::string before = absl::FormatTime(
      "%Y-%m-%dT%H:%M:%SZ", absl::Now() - absl::FromChrono(older_than), absl::UTCTimeZone());
  Pruned pruned;
  ASSIGN_OR_RETURN(pruned.leases, PruneAll(coordinator, History::kLeases, before, is_dry_run));
  ASSIGN_OR_RETURN(pruned.workers, PruneAll(coordinator, History::kWorkers, before, is_dry_run));
  ASSIGN_OR_RETURN(pruned.ratings, PruneAll(coordinator, History::kRatings, before, is_dry_run));
  if (!with_tournaments) return pruned;
  ASSIGN_OR_RETURN(pruned.tournaments, EndedBefore(coordinator, before));
  if (is_dry_run) return pruned;
  for (const int64_t id : pruned.tournaments) RETURN_IF_ERROR(coordinator.Delete(id));
  return pruned;
}

}  // namespace triarch
