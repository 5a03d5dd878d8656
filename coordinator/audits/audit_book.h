// Decides which games of held reports are audited and by whom, and when the games count.

#ifndef TRIARCH_COORDINATOR_AUDITS_AUDIT_BOOK_H_
#define TRIARCH_COORDINATOR_AUDITS_AUDIT_BOOK_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "coordinator/audits/audit.h"
#include "coordinator/audits/auditor_pool.h"
#include "coordinator/audits/dispute.h"
#include "coordinator/audits/held_reports.h"
#include "coordinator/audits/secret_random.h"

namespace triarch {

// A state machine without a clock, threads or a store: the time is an argument, and the results say
// what to store. Only tournaments whose games are the same on every machine can be audited.
//
// Each game of a held report is audited with a probability that falls with the audits that its
// worker has passed or has open. The auditor is drawn among the live workers of other owners. If
// its answer is unequal, further owners play the game: the answer of an operator's own worker
// decides, and without one a clear majority. A worker that lied loses all its held reports, and the
// audits that it answered are repeated.
class AuditBook {
 public:
  using Time = std::chrono::steady_clock::time_point;
  // The audits passed, by worker and tournament.
  using PassCounts = std::map<std::pair<std::string, int64_t>, int64_t>;
  // Return whether a worker can play a tournament now.
  using MayPlay = absl::FunctionRef<bool(int64_t tournament)>;
  using WorkerMayPlay = absl::FunctionRef<bool(const std::string& worker, int64_t tournament)>;

  // Workers must not know the secret; it need not be the same after a restart.
  AuditBook(const AuditRules& rules, std::string secret);

  // After a restart: takes over what the store has, before any other call: the passes, and the
  // disputes without a verdict by tournament. Then hold the restored reports. Audits that were open
  // are lost: later ones take their place.
  void Restore(const PassCounts& passes, const std::map<int64_t, int64_t>& voids = {});

  // Holds a report and chooses games to audit. Returns its passes_before, to be stored with it. A
  // restored report keeps the stored number, and none of its games is chosen now. Requires: the
  // reports of a worker and tournament are held by ascending id, and no game twice.
  int64_t Hold(HeldReport report, bool is_restored = false);
  // Returns the passes_before of a report that Hold would get now.
  int64_t PassesBefore(const std::string& worker, int64_t tournament) const;
  // Says that the tournament has no game to lease and none that is leased: chooses further games,
  // so that all held reports can count. Call it again after later reports.
  void Settle(int64_t tournament);
  // Forgets a tournament that is over, cancelled or deleted, with its held reports.
  void Drop(int64_t tournament);

  // Says that a worker is alive. Call it for every worker that could play audits whenever it says
  // something, busy or not, or else the quickest get most audits.
  void NoteAlive(const Auditor& auditor, Time now);
  // Forgets a worker that leaves. Its audits are drawn again.
  void Forget(const std::string& worker);
  // Returns the next audit drawn for a worker that asks for a lease, if any. Audits that it cannot
  // play now are drawn again.
  std::optional<Audit> Next(const Auditor& auditor, MayPlay may_play, Time now);
  // Notes that the lease of an audit ended without an answer: another worker is drawn.
  void GiveBack(int64_t audit, const std::string& worker);
  // Notes an answer: `played` is the fingerprint of the auditor's game, `reported` that of the held
  // one. Ignores answers to audits that the worker does not have (any more).
  void Answer(int64_t audit, const Auditor& auditor, std::string_view reported,
              std::string_view played, Time now);
  // Draws auditors. Call it at least every second.
  void Tick(WorkerMayPlay may_play, Time now);

  struct Results {
    std::vector<int64_t> confirmed;  // reports whose games count now
    std::vector<Lie> lies;
    std::vector<AuditOutcome> outcomes;
  };
  // Returns what happened since the last call.
  Results TakeResults();

  struct View {
    int64_t held_reports = 0;
    int64_t held_games = 0;
    int64_t open_audits = 0;
    int64_t passes = 0;
    int64_t undrawn_audits = 0;  // open ones for which the last Tick found no auditor
    int64_t voids = 0;           // disputes without a verdict
    bool is_irreproducible = false;
  };
  // Returns whether so many disputes had no verdict that no more games are audited. What lacks
  // passes then stays held.
  bool IsIrreproducible(int64_t tournament) const;
  // Returns the tournaments with held reports or passed audits, by id.
  std::map<int64_t, View> Views() const;
  View ViewOf(int64_t tournament) const;

 private:
  struct Tournament {
    bool is_settled = false;
    int64_t undrawn = 0;  // as in View
    int64_t voids = 0;
    int64_t passes = 0;                          // without those revoked, but with those of liars
    std::map<std::string, HeldReports> workers;  // by name
  };
  // A passed audit of a worker's report.
  struct Vouched {
    std::string worker;
    std::string owner;
    Audit audit;
  };
  // What is known of a worker in all tournaments.
  struct Record {
    int64_t passes = 0;
    int64_t open = 0;              // audits
    std::vector<Vouched> vouched;  // those that it answered; some of the reports may have gone
    size_t vouched_max = 64;       // with so many, those are removed
  };
  struct OpenAudit {
    Audit audit;
    std::string worker;
    std::string owner;
    std::string auditor = {};  // drawn for it; empty while it is undrawn
    bool is_taken = false;
    Dispute dispute = {};
  };

  HeldReports* FindHeld(const std::string& worker, int64_t tournament);
  // Opens an audit under a new id.
  void Open(HeldReports& held, const std::string& worker, const std::string& owner, Audit audit);
  OpenAudit* FindTaken(int64_t audit, const std::string& worker);
  OpenAudit TakeOpen(int64_t audit);
  // Returns the auditor that will play it, or null if nobody can.
  const Auditor* Draw(const OpenAudit& open, WorkerMayPlay may_play);
  void DrawAgain(int64_t audit);
  // Ends a disputed audit if its answers suffice.
  void Judge(const OpenAudit& open, bool is_last);
  void End(const OpenAudit& open, const Dispute::Verdict& verdict);
  HeldReports& HeldOf(const OpenAudit& open);
  void Close(const OpenAudit& open, bool is_passed);
  void Pass(const OpenAudit& open, const Auditor& auditor);
  void Void(const OpenAudit& open, const std::string& auditor);
  void Vouch(const std::string& auditor, const OpenAudit& open);
  void Confirm(int64_t tournament, HeldReports& held);
  void Convict(const std::string& worker, const std::string& why);
  // Takes a liar out of the audits of others.
  void Disregard(const std::string& worker);
  void Revoke(const std::string& auditor, const Vouched& vouched);
  void AddOutcome(AuditOutcome::Kind kind, const OpenAudit& open, const std::string& auditor);
  // Returns the auditor's weight in draws. New workers weigh little; otherwise whoever registers
  // the most names would play most audits.
  double TrustIn(const Auditor& auditor) const;

  const AuditRules rules_;
  SecretRandom random_;
  AuditorPool pool_;
  std::map<int64_t, Tournament> tournaments_;
  std::map<std::string, Record> records_;  // by worker
  std::map<int64_t, OpenAudit> open_;      // by id
  std::vector<int64_t> undrawn_;           // ids of audits without an auditor; some may be over
  int64_t last_audit_ = 0;
  Results results_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_AUDITS_AUDIT_BOOK_H_
