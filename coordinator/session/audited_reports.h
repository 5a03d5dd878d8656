// Holds the reports of audited workers until audits confirm them.

#ifndef TRIARCH_COORDINATOR_SESSION_AUDITED_REPORTS_H_
#define TRIARCH_COORDINATOR_SESSION_AUDITED_REPORTS_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coordinator/audits/audit_book.h"
#include "coordinator/leases/lease_book.h"
#include "coordinator/store/stored.h"
#include "core/record/game_record.h"

namespace triarch {

// What the store must learn about audits.
struct AuditNotes {
  std::vector<StoredAudit> audits;
  std::vector<int64_t> dropped;  // held reports

  bool empty() const { return audits.empty() && dropped.empty(); }
};

// Connects the AuditBook, which decides what is audited, with the LeaseBook, which grants the
// leases. A held report goes from Prepare through the store to OnHeld. Its games stay in their
// ledger as held until OnRecorded, or until they are open again because their worker lied.
class AuditedReports {
 public:
  using Time = LeaseBook::Time;
  using Worker = WorkerBook::Worker;

  // `leases` must outlive this object. Workers must not know `secret`.
  AuditedReports(const AuditRules& rules, std::string secret, uint64_t epoch, LeaseBook& leases)
      : epoch_(epoch), leases_(leases), book_(rules, std::move(secret)) {}

  // Takes over what an earlier coordinator held. Drops what was recorded, and reports of
  // tournaments that are over. Call it before any other function.
  void Restore(const std::vector<StoredReport>& reports,
               const std::vector<StoredAuditCount>& counts);

  // Returns the report to hold, without its text, if its games must be held.
  std::optional<StoredReport> Prepare(const std::string& worker, const WorkerOwner& owner,
                                      int64_t tournament, bool is_reproducible,
                                      std::vector<int64_t> games);
  // Notes that the store holds the report.
  void OnHeld(const StoredReport& report);
  // Returns the report of which the audit plays a game again, or 0 if it is over.
  int64_t ReportOf(int64_t audit) const;
  // Notes an auditor's answer; both are texts as AuditText returns.
  void Answer(int64_t audit, const WorkerId& auditor, std::string_view reported,
              std::string_view played, Time now);

  // Returns the next audit for a worker that may have a lease.
  std::optional<LeaseBook::AuditGame> Next(const Worker& worker, Time now);
  void NoteAlive(const WorkerId& worker, Time now);
  void OnLeaseEvent(const LeaseEvent& event);
  // Forgets a worker that leaves. Its audits are drawn again.
  void Forget(const WorkerId& worker);
  // Forgets a tournament that is over.
  void Drop(int64_t tournament);
  // Draws auditors, and audits the rest of tournaments that have nothing else to play. Returns the
  // workers that lied; their leases are over.
  std::vector<std::pair<WorkerInfo, std::string>> Tick(Time now);

  // ---- Reports whose games count now.

  std::vector<int64_t> TakeConfirmed() { return std::exchange(confirmed_, {}); }
  // Returns the tournament of a held report, or nothing if it is not held any more.
  std::optional<int64_t> TournamentOf(int64_t report) const;
  // Returns the report again later, because it could not be recorded now.
  void Postpone(int64_t report) { confirmed_.push_back(report); }
  // Notes why these games count, if they are recorded now: those of the confirmed report `confirms`
  // or, if that is 0, those of a worker of `owner`.
  void MarkChecks(int64_t confirms, const WorkerOwner& owner, std::vector<GameRecord>& games) const;
  // Notes that the games are recorded.
  void OnRecorded(int64_t report);
  // Drops a report that can never be recorded, so that its games are played again.
  void Discard(int64_t report);

  AuditNotes TakeNotes() { return std::exchange(notes_, {}); }
  // Opens the games of reports that the store has dropped because their worker lied.
  void OnNotesSaved(const AuditNotes& notes);
  // Returns the notes again later, because they could not be stored.
  void PutBack(AuditNotes notes);
  AuditBook::View ViewOf(int64_t tournament) const { return book_.ViewOf(tournament); }

 private:
  struct Held {
    int64_t tournament = 0;
    std::vector<int64_t> games;
    std::vector<int64_t> audited = {};  // games whose audits were passed, since the restart
    bool is_discarded = false;          // dropped as soon as the store has dropped it
  };
  struct Leased {
    int64_t report = 0;
    std::string auditor;
  };

  // The book knows workers by owner and name, so that nobody inherits the trust in a name.
  static std::string KeyOf(const std::string& owner, const std::string& worker) {
    return owner + " " + worker;
  }
  static std::string OwnerOf(const std::string& key) { return key.substr(0, key.find(' ')); }
  static std::string NameOf(const std::string& key) { return key.substr(key.find(' ') + 1); }
  static StoredAudit ToStored(const AuditOutcome& outcome);
  static Auditor AuditorOf(const Worker& worker);
  void Absorb(Time now, std::vector<std::pair<WorkerInfo, std::string>>* liars);
  void NoteOutcome(const AuditOutcome& outcome);
  void Settle();

  const uint64_t epoch_;
  LeaseBook& leases_;
  AuditBook book_;
  int64_t counter_ = 0;                // number of reports prepared
  std::map<int64_t, Held> held_;       // by report
  std::map<int64_t, Leased> reports_;  // by audit
  std::vector<int64_t> confirmed_;
  AuditNotes notes_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SESSION_AUDITED_REPORTS_H_
