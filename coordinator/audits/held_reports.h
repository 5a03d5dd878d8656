// Holds a worker's reports of one tournament until its later audits are passed.

#ifndef TRIARCH_COORDINATOR_AUDITS_HELD_REPORTS_H_
#define TRIARCH_COORDINATOR_AUDITS_HELD_REPORTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "coordinator/audits/audit.h"
#include "core/base/random.h"
#include "core/base/range_set.h"

namespace triarch {

// An audit counts for every report that was held before or with its game's; a report therefore
// needs its number of passes beyond those of the audits that were open when it was held. Needs
// about 150 bytes for a report of consecutive games.
class HeldReports {
 public:
  explicit HeldReports(int64_t passes = 0) : passes_(passes) {}

  int64_t passes() const { return passes_; }
  int64_t open() const { return open_; }    // audits
  int64_t games() const { return games_; }  // held
  int64_t size() const { return static_cast<int64_t>(reports_.size()); }
  const std::string& owner() const { return owner_; }
  bool Holds(int64_t report) const;
  std::vector<int64_t> Reports() const;
  std::vector<int64_t> OpenAudits() const;

  // Returns the report's passes_before; a restored one keeps the one it has.
  int64_t Hold(const HeldReport& report, bool is_restored);
  // Returns random games, which are not audited yet, to audit for the reports that would lack
  // passes even if all open audits are passed. Sets the audits' reports and games. The more a
  // report lacks, the more likely are its games, as they have been looked at the least.
  std::vector<Audit> Choose(Random random) const;

  // These require: the audit's report is held.
  void Open(const Audit& audit);
  void Close(const Audit& audit, bool is_passed);
  // While a game is in dispute, no report is confirmed: the other audits would be passed first.
  void BeginDispute() { ++disputes_; }
  void EndDispute() { --disputes_; }
  // Takes a pass back, and opens this audit of the game instead.
  void Reopen(const Audit& audit);

  // Removes and returns the reports that have their passes, and if `is_settled` also those whose
  // games were all audited.
  std::vector<int64_t> TakeConfirmed(bool is_settled);

 private:
  struct Audited {
    int64_t game = 0;
    int64_t audit = 0;  // that is open, or 0
  };
  struct Report {
    int64_t id = 0;
    int64_t passes = 0;  // that it needs
    std::vector<Range> games;
    std::vector<Audited> audited;
  };

  Report& Find(int64_t id);
  // Returns the entry of an audited game. Requires: the report is held and the game was audited.
  Audited& FindAudited(const Audit& audit);

  std::string owner_;
  int64_t passes_;
  int64_t open_ = 0;
  int64_t games_ = 0;
  int64_t disputes_ = 0;
  std::vector<Report> reports_;  // by ascending id
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_AUDITS_HELD_REPORTS_H_
