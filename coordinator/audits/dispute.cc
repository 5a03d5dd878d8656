#include "coordinator/audits/dispute.h"

#include <algorithm>

namespace triarch {
namespace {

// If no two of so many players of a game agree, more will not either.
constexpr int64_t kAllDifferent = 5;

}  // namespace

void Dispute::Add(const Auditor& auditor, std::string_view reported, std::string_view played) {
  reported_ = reported;
  answers_.push_back({.auditor = auditor, .played = std::string(played)});
}

void Dispute::Remove(const std::string& worker) {
  std::erase_if(answers_, [&](const Answer& answer) { return answer.auditor.worker == worker; });
}

int64_t Dispute::AnswersOf(const std::string& worker) const {
  return std::count_if(answers_.begin(), answers_.end(),
                       [&](const Answer& answer) { return answer.auditor.worker == worker; });
}

bool Dispute::HasOwner(const std::string& owner) const {
  return std::any_of(answers_.begin(), answers_.end(),
                     [&](const Answer& answer) { return answer.auditor.owner == owner; });
}

int64_t Dispute::VotesFor(std::string_view played) const {
  return (reported_ == played ? 1 : 0) +
         std::count_if(answers_.begin(), answers_.end(),
                       [&](const Answer& answer) { return answer.played == played; });
}

std::optional<Dispute::Verdict> Dispute::JudgeByOperator(bool is_last) const {
  const auto is_own = [](const Answer& answer) { return !answer.auditor.is_audited; };
  const auto own = std::find_if(answers_.begin(), answers_.end(), is_own);
  if (own == answers_.end()) return std::nullopt;
  for (const Answer& answer : answers_) {
    if (is_own(answer) && answer.played != own->played) return Verdict{};
  }
  if (VotesFor(own->played) >= 2) return Verdict{own->played};
  if (is_last) return Verdict{};
  return std::nullopt;
}

std::optional<Dispute::Verdict> Dispute::Judge(const AuditRules& rules, bool is_last) const {
  if (const auto verdict = JudgeByOperator(is_last)) return verdict;
  std::string_view leader = reported_;
  for (const Answer& answer : answers_) {
    if (VotesFor(answer.played) > VotesFor(leader)) leader = answer.played;
  }
  int64_t second = reported_ == leader ? 0 : VotesFor(reported_);
  for (const Answer& answer : answers_) {
    if (answer.played != leader) second = std::max(second, VotesFor(answer.played));
  }
  const int64_t first = VotesFor(leader);
  const auto players = static_cast<int64_t>(answers_.size()) + 1;
  if (first - second >= rules.lead) return Verdict{std::string(leader)};
  if (is_last && first >= 2 && first > second) return Verdict{std::string(leader)};
  const bool all_differ = first == 1 && players >= kAllDifferent;
  if (is_last || all_differ || players > rules.answers_max) return Verdict{};
  return std::nullopt;
}

}  // namespace triarch
