// Defines the reports that wait for audits, the audits of their games, and how audits end.

#ifndef TRIARCH_COORDINATOR_AUDITS_AUDIT_H_
#define TRIARCH_COORDINATOR_AUDITS_AUDIT_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace triarch {

struct AuditRules {
  // The share of its games that is audited of a worker that has passed many audits.
  double share_min = 0.02;
  // How long a drawn auditor has until it takes its next audit, and how long a worker that says
  // nothing counts as alive.
  std::chrono::milliseconds take_within{60'000};
  // A dispute among audited owners ends when one answer has `lead` votes more than every other, and
  // without a verdict after `answers_max` answers.
  int64_t lead = 6;
  int64_t answers_max = 24;
  // A tournament counts as irreproducible after so many disputes without a verdict, if they are at
  // least this share of the audits passed.
  int64_t voids_max = 3;
  double void_share = 0.05;
};

// A worker that can play audits. Those of owners that are not audited are the operator's own.
struct Auditor {
  std::string worker;
  std::string owner;
  bool is_audited = true;
};

// Recorded games that do not count yet.
struct HeldReport {
  int64_t id = 0;  // in the store; later reports have larger ids
  int64_t tournament = 0;
  std::string worker;
  std::string owner;
  // The games count when the worker has passed this many later audits in the tournament, unless all
  // of them were audited.
  int64_t audits = 0;
  // The audits that the worker will have passed in the tournament once those that were open when
  // the report was held are over. Set by AuditBook::Hold.
  int64_t passes_before = 0;
  std::vector<int64_t> games;  // ascending; not empty
};

// One game of a held report to play again.
struct Audit {
  int64_t id = 0;
  int64_t tournament = 0;
  int64_t game = 0;
  int64_t report = 0;
};

struct AuditOutcome {
  enum Kind : uint8_t {
    kPassed,          // others play the game as it was reported
    kLied,            // others do not
    kAuditorLied,     // the auditor's answer was wrong; the same audit also ends in another way
    kIrreproducible,  // nobody is to blame; perhaps a bot is not deterministic
    kRevoked,         // it had passed, but its auditor lied elsewhere: one pass less
  };
  Kind kind = kPassed;
  Audit audit;
  std::string worker;   // that reported the game
  std::string auditor;  // whose answer this is about
};

// A worker to quarantine.
struct Lie {
  std::string worker;
  std::string why;               // a sentence without its worker: "its game 3 of …"
  std::vector<int64_t> reports;  // its held reports, of all tournaments, which are dropped
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_AUDITS_AUDIT_H_
