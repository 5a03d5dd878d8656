// Decides who lied when a game is not played again as it was reported.

#ifndef TRIARCH_COORDINATOR_AUDITS_DISPUTE_H_
#define TRIARCH_COORDINATOR_AUDITS_DISPUTE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coordinator/audits/audit.h"

namespace triarch {

// The fingerprints of one game: the reported one and those of auditors. The same answer from one of
// the operator's workers and from anybody else, or from it again, is the truth. Among audited
// owners, each of whom is asked once, the truth is what a majority answers: in a dispute of honest
// workers with a ring of accomplices the majority is soon clear, whichever of them was asked first.
class Dispute {
 public:
  struct Answer {
    Auditor auditor;
    std::string played;
  };
  struct Verdict {
    std::optional<std::string> truth;  // nothing if the game is not reproducible
  };

  // Every dispute is about the same report, so `reported` is the same in each call.
  void Add(const Auditor& auditor, std::string_view reported, std::string_view played);
  // Takes back the worker's answers.
  void Remove(const std::string& worker);

  bool is_empty() const { return answers_.empty(); }
  const std::vector<Answer>& answers() const { return answers_; }
  const std::string& reported() const { return reported_; }
  int64_t AnswersOf(const std::string& worker) const;
  bool HasOwner(const std::string& owner) const;

  // Returns the verdict, or nothing if further answers are needed. If `is_last`, no more will come.
  std::optional<Verdict> Judge(const AuditRules& rules, bool is_last) const;

 private:
  std::optional<Verdict> JudgeByOperator(bool is_last) const;
  int64_t VotesFor(std::string_view played) const;

  std::string reported_;
  std::vector<Answer> answers_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_AUDITS_DISPUTE_H_
