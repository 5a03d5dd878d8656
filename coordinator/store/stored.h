// Defines the tournaments, leases, workers, ratings and bundles of a store.

#ifndef TRIARCH_COORDINATOR_STORE_STORED_H_
#define TRIARCH_COORDINATOR_STORE_STORED_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/record/game_fault.h"
#include "core/record/lease.h"
#include "core/record/tournament_spec.h"
#include "core/record/tournament_state.h"

namespace triarch {

struct StoredTournament {
  int64_t id = 0;
  TournamentSpec spec;    // without slots and output paths
  std::string spec_text;  // the submitted YAML; empty if not submitted as text
  TournamentState state = TournamentState::kActive;  // kDone exactly when all games are recorded
  std::string created;                               // UTC, 2026-11-21T10:00:00Z
  int64_t games_recorded = 0;
  // The digests that the bots' types must have, by bot number in the spec; empty until settled.
  std::vector<std::string> bot_digests;
};

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
