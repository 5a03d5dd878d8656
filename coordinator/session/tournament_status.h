// Holds the status of one tournament, for operators and metrics.

#ifndef TRIARCH_COORDINATOR_SESSION_TOURNAMENT_STATUS_H_
#define TRIARCH_COORDINATOR_SESSION_TOURNAMENT_STATUS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/audits/audit_book.h"
#include "coordinator/experiments/planner.h"
#include "coordinator/experiments/test_state.h"
#include "coordinator/session/leaderboard.h"
#include "core/record/precedence.h"
#include "core/record/tournament_spec.h"
#include "core/record/tournament_state.h"

namespace triarch {

// The counts that change during play.
struct TournamentCounts {
  int64_t id = 0;
  std::string label;  // label of its metrics:  "12 quickstart"
  std::string game;
  TournamentState state = TournamentState::kActive;
  bool is_selfplay = false;
  int64_t games = 0;  // requested
  int64_t open = 0;
  int64_t leased = 0;
  int64_t held = 0;  // reported, waiting for audits
  int64_t done = 0;
  AuditBook::View audits = {};
  std::optional<experiments::TestState> test = {};  // of a sequential test
  std::optional<experiments::PlanState> plan = {};  // if its matches are planned
};

struct TournamentStatus : TournamentCounts {
  TournamentSpec spec;
  std::string created;
  Precedence precedence;
  int64_t plies = 0;            // recorded by this coordinator
  double games_per_second = 0;  // recent rate
  double plies_per_second = 0;
  // Recorded self-play data.
  int64_t shards = 0;
  int64_t samples = 0;
  int64_t sample_bytes = 0;                   // size of the shards' files
  std::string data_error;                     // why its manifest cannot be written
  std::vector<Leaderboard::Row> leaderboard;  // best first
  std::vector<std::string> refusals;          // see LeaseBook::RefusalsOf
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SESSION_TOURNAMENT_STATUS_H_
