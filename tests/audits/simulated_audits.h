// Drives the audit book with simulated workers, some of which lie.

#ifndef TRIARCH_TESTS_AUDITS_SIMULATED_AUDITS_H_
#define TRIARCH_TESTS_AUDITS_SIMULATED_AUDITS_H_

#include <cstdint>

#include "coordinator/audits/audit.h"

namespace triarch::audits {

// Workers belong to owners of ten. Forgers report games that they did not play. Accomplices belong
// to other owners, play their own games, and confirm what forgers report.
struct Setting {
  int64_t workers = 15'000;
  int64_t games = 1000;  // of each worker
  int64_t audits = 65;   // HeldReport::audits
  double forgers = 0.1;  // shares of the workers
  double accomplices = 0;
  double lying_auditors = 0;  // report true games, and a tenth of their audits falsely
  double forging_rate = 0.1;  // the share of its games that a forger forges
  double forged_part = 1;     // it forges among this last part of its games
  bool is_ring = false;       // forgers confirm each other's games, too
  bool is_trusted = false;    // all have passed many audits in earlier tournaments
  int64_t idle_names = 0;     // accomplices that play nothing, all of one owner
  int64_t own_workers = 0;    // the operator's
  AuditRules rules = {};
  uint64_t seed = 1;
};

struct Totals {
  int64_t games = 0;           // reported
  int64_t audit_games = 0;     // played for audits
  int64_t forged = 0;          // reported
  int64_t forged_counted = 0;  // of those, in reports that were confirmed
  int64_t liars_found = 0;     // forgers, accomplices and lying auditors
  int64_t honest_blamed = 0;   // workers
  int64_t undecided = 0;       // reports that were still held when the simulation gave up
  double held_games = 0;       // honest workers: mean number of own games until a game counted
  double settled_seconds = 0;  // from the last report until no report was held
};

Totals Simulate(const Setting& setting);

}  // namespace triarch::audits

#endif  // TRIARCH_TESTS_AUDITS_SIMULATED_AUDITS_H_
