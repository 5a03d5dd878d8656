// Defines the tournaments, leases, workers, ratings and bundles of a store.

#ifndef TRIARCH_COORDINATOR_STORE_STORED_H_
#define TRIARCH_COORDINATOR_STORE_STORED_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/record/game_fault.h"
#include "core/record/game_record.h"
#include "core/record/lease.h"
#include "core/record/precedence.h"
#include "core/record/tournament_spec.h"
#include "core/record/tournament_state.h"

namespace triarch {

struct StoredTournament {
  int64_t id = 0;
  TournamentSpec spec;    // without slots and output paths
  std::string spec_text;  // the submitted YAML; empty if not submitted as text
  TournamentState state = TournamentState::kActive;  // kDone exactly when all games are recorded
  Precedence precedence = {};
  std::string created;  // UTC, 2026-11-21T10:00:00Z
  std::string ended;    // likewise; empty unless done or cancelled
  int64_t games_recorded = 0;
  GameChecks checks = {};  // of the recorded games
  // The digests that the bots' types must have, by bot number in the spec; empty until settled.
  std::vector<std::string> bot_digests;
};

// Checks that the tournament is done or cancelled, so that it may be deleted. Otherwise fails with
// FailedPrecondition.
inline absl::Status CheckIsOver(int64_t tournament, TournamentState state) {
  if (IsOver(state)) return absl::OkStatus();
  return absl::FailedPreconditionError("tournament " + std::to_string(tournament) + " is " +
                                       std::string(ToString(state)) +
                                       "; only one that is done or cancelled can be deleted");
}

// Kept for a coordinator that takes over, and as history.
struct StoredLease {
  WorkerId worker;
  Lease lease;        // its ttl is not stored
  std::string ended;  // empty while it lives, then the LeaseEvent::Kind that ended it: "expired"
};

struct StoredWorker {
  std::string name;
  int64_t slots = 0;
  std::string build;
  std::string quarantine;  // why it gets no games; empty if not quarantined
};

// The ratings of one bot at one time.
struct RatingPoint {
  std::string time;   // UTC, as above; set by the store
  int64_t games = 0;  // games recorded in the tournament by then
  std::string bot;
  double rating = 0;  // Elo
  double error = 0;   // standard error, Elo

  friend bool operator==(const RatingPoint&, const RatingPoint&) = default;
};

// A report about a bot's forfeit in a recorded game.
struct StoredFault {
  int64_t index = 0;  // of the game
  int64_t match = 0;
  int bot = 0;  // number in the tournament's list
  GameFault fault;

  friend bool operator==(const StoredFault&, const StoredFault&) = default;
};

// A store keeps this many reports for each bot of a tournament and kind of fault.
inline constexpr int64_t kFaultsKept = 20;

// A report of an audited worker (coordinator/audits). Its games are not recorded yet.
struct StoredReport {
  int64_t id = 0;  // later reports have higher ones
  int64_t tournament = 0;
  std::string worker;
  std::string owner;           // the name of the worker's token
  int64_t audits = 0;          // that the worker must pass before the games count
  int64_t passes_before = 0;   // audits in this tournament that it had passed before
  std::vector<int64_t> games;  // indices, ascending
  std::string report;          // the worker's ReportRequest, serialized

  friend bool operator==(const StoredReport&, const StoredReport&) = default;
};

// The outcome of an audit: a reported game was played again by another owner's worker.
struct StoredAudit {
  int64_t tournament = 0;
  int64_t game = 0;    // its index
  std::string worker;  // that reported it
  std::string owner;
  std::string auditor;  // the worker that played it again
  std::string outcome;  // "passed", "lied", "auditor_lied", "irreproducible"
};

// Counts audits with one outcome.
struct StoredAuditCount {
  int64_t tournament = 0;
  std::string worker;
  std::string owner;
  std::string outcome;
  int64_t audits = 0;

  friend bool operator==(const StoredAuditCount&, const StoredAuditCount&) = default;
};

// A bundle (bundle/bundle.h) without its files.
struct StoredBundle {
  std::string digest;    // SHA-256 of its files
  std::string manifest;  // its bot.yaml
  std::string name;      // name, version and type are from the manifest
  std::string version;
  std::string type;
  int64_t bytes = 0;     // size of its tar
  std::string added;     // UTC, as above; set by the store
  std::string added_by;  // "operator", or the name of a user
  // The games of the manifest. The coordinator reads them; the store does not know them.
  std::vector<std::string> games = {};

  friend bool operator==(const StoredBundle&, const StoredBundle&) = default;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_STORE_STORED_H_
