// Reads the store's contents that a coordinator needs before it leads.

#ifndef TRIARCH_COORDINATOR_SERVICE_STORE_CONTENTS_H_
#define TRIARCH_COORDINATOR_SERVICE_STORE_CONTENTS_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/service/stored_standings.h"
#include "coordinator/session/live_tournament.h"
#include "coordinator/store/store.h"
#include "core/base/range_set.h"
#include "core/base/status_macros.h"

namespace triarch {

struct StoreContents {
  struct Tournament {
    StoredTournament stored;
    RangeSet recorded;
    std::vector<ShardEntry> shards;
    EarlierResults earlier;
  };
  std::vector<Tournament> tournaments;
  std::vector<StoredLease> leases;  // live leases
  std::vector<StoredWorker> workers;
  std::vector<StoredReport> held_reports;
  std::vector<StoredAuditCount> audits;
};

// Reads all tournaments, or only one.
inline absl::StatusOr<StoreContents> ReadContents(Store& store, std::optional<int64_t> only) {
  StoreContents contents;
  ASSIGN_OR_RETURN(std::vector<StoredTournament> tournaments, store.Tournaments());
  if (only) std::erase_if(tournaments, [&](const auto& one) { return one.id != *only; });
  for (StoredTournament& stored : tournaments) {
    StoreContents::Tournament& tournament = contents.tournaments.emplace_back();
    tournament.stored = std::move(stored);
    const int64_t id = tournament.stored.id;
    ASSIGN_OR_RETURN(const std::vector<Range> recorded, store.Recorded(id));
    tournament.recorded = RangeSet(recorded);
    ASSIGN_OR_RETURN(tournament.shards, store.Shards(id));
    // The games of a tournament that is done are read later, because nothing depends on them.
    const bool is_open = tournament.stored.state != TournamentState::kDone;
    if (tournament.stored.spec.test && is_open) {
      ASSIGN_OR_RETURN(experiments::SequentialTest test, StoredTest(store, tournament.stored));
      tournament.earlier.test.emplace(std::move(test));
    }
    if (IsPlanned(tournament.stored.spec)) {
      // The test that follows a tuning and the verdict of best-of depend on the games.
      const TournamentSpec& spec = tournament.stored.spec;
      const bool has_games = is_open || spec.tune || spec.best_of;
      ASSIGN_OR_RETURN(tournament.earlier.plan, StoredPlan(store, tournament.stored, has_games));
    }
  }
  ASSIGN_OR_RETURN(contents.leases, store.LiveLeases());
  ASSIGN_OR_RETURN(contents.workers, store.Workers());
  ASSIGN_OR_RETURN(contents.held_reports, store.HeldReports());
  if (only) {
    std::erase_if(contents.held_reports, [&](const auto& one) { return one.tournament != *only; });
  }
  ASSIGN_OR_RETURN(contents.audits, store.AuditCounts());
  return contents;
}

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_STORE_CONTENTS_H_
